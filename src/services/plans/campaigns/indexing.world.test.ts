// The campaigns' mirror: what the chain takes back is taken back here, what it includes again is paid once and published once.
import { decodeFunctionData, encodeFunctionData, getAddress, pad, parseAbi, toHex } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Campaigns, campaignsOf } from '../../../../test/setup/campaigns.ts';
import { startWorld, type World } from '../../../../test/setup/world.ts';
import { botRouterAbi } from '../../../chain/routers/abis/BotRouter.ts';
import { encodeCloseCampaign, readGranted } from '../../../chain/routers/campaign.ts';
import type { Address, Hex } from '../../../chain/rpc/client.ts';
import { reconcileChain } from '../../outgoing/reconcile.ts';
import { dispatchGrants } from './dispatch.ts';

let world: World;
let campaigns: Campaigns;
beforeAll(async () => {
  world = await startWorld();
  campaigns = campaignsOf(world);
  await campaigns.fund('shop', 1_000_000_000n);
});
afterAll(() => world.stop());

const wallet = (number: number) => getAddress(pad(toHex(0x88_0000_0000 + number), { size: 20 }));
const balanceOf = (address: Address) =>
  world.reader().readContract({
    address: world.evmChain().usdc,
    abi: parseAbi(['function balanceOf(address) view returns (uint256)']),
    functionName: 'balanceOf',
    args: [address],
  });
const reorg = (depth: number) =>
  world.admin().request({ method: 'anvil_reorg' as never, params: [depth, []] as never });
const statuses = async (id: string) => (await campaigns.grants(id)).map(({ status, failure }) => failure ?? status);
/** The blocks since a transaction, its own included. */
async function depthOf(hash: Hex): Promise<number> {
  const [{ blockNumber }, head] = await Promise.all([
    world.reader().getTransactionReceipt({ hash }),
    world.reader().getBlockNumber({ cacheTime: 0 }),
  ]);
  return Number(head - blockNumber) + 1;
}

test('a reorg of final blocks takes payments back; they are paid again, once, and published once', async () => {
  const campaign = await campaigns.open('shop');
  const wallets = [1, 2, 3].map(wallet);
  await campaigns.add(
    'shop',
    campaign,
    wallets.map((recipient, index) => ({ key: `${index}`, recipient, amount: '1' })),
  );
  await campaigns.dispatch();
  const paid = await campaigns.grants(campaign.id);
  expect(paid.map(({ status }) => status)).toEqual(['paid', 'paid', 'paid']);
  await reorg(await depthOf(paid[0]?.txHash as Hex));
  await world.mine(8);
  await campaigns.index();
  expect(await statuses(campaign.id)).toEqual(['queued', 'queued', 'queued']);
  const { campaignKey } = await campaigns.campaign(campaign.id);
  expect(await readGranted(world.evmChain(), campaignKey as Hex, [0n, 1n, 2n])).toEqual([false, false, false]);
  await reconcileChain(world.ctx, world.evmChain());
  for (let round = 0; round < 3; round += 1) await campaigns.dispatch();
  expect(await statuses(campaign.id)).toEqual(['paid', 'paid', 'paid']);
  for (const address of wallets) expect(await balanceOf(address)).toBe(1_000_000n);
  for (const { id } of paid) expect(await campaigns.events(id)).toEqual(['campaign.grant_paid']);
});

test('a reorg that takes a closing back: what failed because of it is paid after all', async () => {
  const campaign = await campaigns.open('shop');
  await campaigns.add('shop', campaign, [{ key: 'a', recipient: wallet(11), amount: '1' }]);
  const { campaignKey } = await campaigns.campaign(campaign.id);
  const closed = await campaigns.send('shop', world.evmChain().routers.bot, encodeCloseCampaign(campaignKey as Hex));
  await campaigns.settle();
  await campaigns.dispatch();
  expect(await statuses(campaign.id)).toEqual(['campaign_closed']);
  await reorg(await depthOf(closed));
  await world.mine(8);
  await campaigns.index();
  expect(await campaigns.campaign(campaign.id)).toMatchObject({ status: 'active', closedAt: null });
  await campaigns.dispatch();
  expect(await statuses(campaign.id)).toEqual(['paid']);
});

test('a reorg that takes an opening back: nothing is sent until it is there again', async () => {
  const staged = await campaigns.stage('shop');
  const { open } = await campaigns.callsOf('shop', staged);
  await campaigns.openOnChain('shop', staged);
  await campaigns.add('shop', staged, [{ key: 'a', recipient: wallet(21), amount: '1' }]);
  const { openTxHash } = await campaigns.campaign(staged.id);
  await reorg(await depthOf(openTxHash as Hex));
  await world.mine(8);
  await campaigns.index();
  expect(await campaigns.campaign(staged.id)).toMatchObject({ status: 'pending_create', openTxHash: null });
  expect(await campaigns.dispatch()).toMatchObject({ scanned: 0, sent: 0 });
  await campaigns.send('shop', open.to as Address, open.data as Hex);
  await campaigns.settle();
  await campaigns.dispatch();
  expect(await statuses(staged.id)).toEqual(['paid']);
});

test('an end that no calendar has is taken as it is, and the feed goes on', async () => {
  const staged = await campaigns.stage('shop');
  const { open } = await campaigns.callsOf('shop', staged);
  const { args } = decodeFunctionData({ abi: botRouterAbi, data: open.data as Hex });
  const [salt, token, total, most, maxFee] = args as readonly [Hex, Address, bigint, bigint, bigint, bigint];
  const terms = [salt, token, total, most, maxFee, 2n ** 64n - 1n] as const;
  const data = encodeFunctionData({ abi: botRouterAbi, functionName: 'openCampaign', args: terms });
  await campaigns.send('shop', open.to as Address, data);
  await campaigns.settle();
  const row = await campaigns.campaign(staged.id);
  expect([row.status, row.expiresAt.getUTCFullYear()]).toEqual(['active', 9999]);
  await campaigns.allow('shop', 100_000_000n);
  await campaigns.add('shop', staged, [{ key: 'a', recipient: wallet(41), amount: '1' }]);
  await campaigns.dispatch();
  expect(await statuses(staged.id)).toEqual(['paid']);
});

test('a run counts what was paid, also where the feed had it before the follower', async () => {
  const campaign = await campaigns.open('shop');
  const rows = [31, 32].map((number) => ({ key: `${number}`, recipient: wallet(number), amount: '1' }));
  await campaigns.add('shop', campaign, rows);
  const run = dispatchGrants(world.ctx, 'base', { minedWithinMs: 20_000 });
  while (!(await statuses(campaign.id)).every((status) => status === 'paid')) {
    await world.send();
    await world.mine(3);
    await campaigns.index();
  }
  await campaigns.settle();
  expect(await run).toMatchObject({ sent: 2, paid: 2, failed: 0, errors: [] });
});
