// Campaigns: opened by the sponsor's wallet, each grant paid once, and what cannot be paid says why.
import { type Address, encodeFunctionData, getAddress, pad, parseAbi, toHex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Campaigns, campaignsOf } from '../../../../test/setup/campaigns.ts';
import { localPerson, startWorld, type World } from '../../../../test/setup/world.ts';
import { encodeCloseCampaign, encodeGrants, readCampaign } from '../../../chain/routers/campaign.ts';
import type { Hex } from '../../../chain/rpc/client.ts';
import {
  confirmCampaign,
  dropStagedCampaigns,
  getCampaign,
  listCampaigns,
  requestClose,
  stageCampaign,
  takeBackCall,
} from './campaigns.ts';
import { dispatchEverywhere } from './dispatch.ts';
import { cancelGrants, listGrants, retryGrants } from './grants.ts';
import { resolveGrantees } from './recipients.ts';

let world: World;
let campaigns: Campaigns;
beforeAll(async () => {
  world = await startWorld();
  campaigns = campaignsOf(world);
  await campaigns.fund('shop', 1_000_000_000n);
});
afterAll(() => world.stop());

const NONE = { scanned: 0, sent: 0, paid: 0, waiting: 0, failed: 0, errors: [] };
/** Wallets without an account. */
const wallet = (number: number) => getAddress(pad(toHex(0x77_0000_0000 + number), { size: 20 }));
const balanceOf = (address: Address) =>
  world.reader().readContract({
    address: world.evmChain().usdc,
    abi: parseAbi(['function balanceOf(address) view returns (uint256)']),
    functionName: 'balanceOf',
    args: [address],
  });
const statuses = async (id: string) => (await campaigns.grants(id)).map(({ status, failure }) => failure ?? status);

describe('opening', () => {
  test('is the wallet’s: an allowance on top of what stands, then the campaign, which the chain proves', async () => {
    const { id } = await campaigns.stage('shop', { budget: '50', most_per_grant: '5' });
    const staged = await getCampaign(world.ctx, await campaigns.readerOf('shop'), id);
    expect(staged).toMatchObject({ status: 'pending_create', budget: '50.00', most_per_grant: '5.00', left: '50.00' });
    await campaigns.openOnChain('shop', staged);
    const row = await campaigns.campaign(id);
    expect(row.status).toBe('active');
    const state = await readCampaign(world.evmChain(), row.campaignKey as Hex, row.sponsor as Address);
    expect(state).toMatchObject({ total: 50_000_000n, spent: 0n, mostPerGrant: 5_000_000n, closed: false });
    expect(BigInt(row.expiresAt.getTime() / 1_000)).toBe(state.expiry);
  });

  test('is confirmed by its own transaction, and by no other', async () => {
    const shop = await campaigns.readerOf('shop');
    const [mine, other] = [await campaigns.stage('shop'), await campaigns.open('shop')];
    const { openTxHash } = await campaigns.campaign(other.id);
    const confirm = (txHash: string) => confirmCampaign(world.ctx, shop, mine.id, txHash, { waitMs: 0 });
    await expect(confirm(openTxHash ?? '')).rejects.toMatchObject({ code: 'tx_mismatch' });
    await expect(confirm(`0x${'1'.repeat(64)}`)).rejects.toMatchObject({ code: 'tx_not_found' });
    const { open } = await campaigns.callsOf('shop', mine);
    const hash = await campaigns.send('shop', open.to as Address, open.data as Hex);
    // Another wallet's campaign has another id, so this opens nothing of ours.
    const foreign = await campaigns.send('alice', open.to as Address, open.data as Hex);
    await expect(confirm(foreign)).rejects.toMatchObject({ code: 'tx_mismatch' });
    expect((await confirm(hash)).status).toBe('pending_create');
    await world.mine(3);
    expect((await confirm(hash)).status).toBe('active');
    await campaigns.settle();
    expect((await campaigns.campaign(mine.id)).status).toBe('active');
  });

  test('is for businesses, and for operators; terms are checked', async () => {
    const [shop, alice] = [await campaigns.readerOf('shop'), await campaigns.readerOf('alice')];
    const expires_at = new Date(world.ctx.clock.now() + 86_400_000).toISOString();
    const input = { name: 'Rewards', chain: 'base', budget: '10', expires_at };
    const stage = (who: { workspaceId: string }, wish: object, how: object = {}) =>
      stageCampaign(world.ctx, { id: who.workspaceId }, { ...input, ...wish }, how);
    await expect(stage(alice, {})).rejects.toMatchObject({ code: 'business_required' });
    await expect(stage(alice, {}, { isOperator: true })).resolves.toMatchObject({ status: 'pending_create' });
    await expect(stage(shop, {}, { livemode: true })).rejects.toMatchObject({ code: 'mode_mismatch' });
    await expect(stage(shop, { chain: 'solana' })).rejects.toMatchObject({ code: 'unsupported_chain' });
    await expect(stage(shop, { budget: '0' })).rejects.toMatchObject({ param: 'budget' });
    await expect(stage(shop, { most_per_grant: '11' })).rejects.toMatchObject({ param: 'most_per_grant' });
    await expect(stage(shop, { expires_at: 'soon' })).rejects.toMatchObject({ param: 'expires_at' });
    await expect(stage(shop, { name: ' ' })).rejects.toMatchObject({ param: 'name' });
  });

  test('a staged campaign is dropped after a week, and the chain may still show it', async () => {
    const staged = await campaigns.stage('shop', {
      expires_at: new Date(world.ctx.clock.now() + 30 * 86_400_000).toISOString(),
    });
    await campaigns.later(7 * 86_400 + 60);
    expect(await dropStagedCampaigns(world.ctx)).toBeGreaterThan(0);
    expect((await campaigns.campaign(staged.id)).status).toBe('dropped');
    const { data } = await listCampaigns(world.ctx, await campaigns.readerOf('shop'), { limit: 100 });
    expect(data.map(({ id }) => id)).not.toContain(staged.id);
  });
});

describe('grants', () => {
  test('are paid once each, with an event; a second run finds nothing', async () => {
    const { id } = await campaigns.open('shop');
    const grants = [...Array(150).keys()].map((number) => ({
      key: `k${number}`,
      recipient: wallet(number),
      amount: '0.10',
      note: null,
    }));
    const { rejected } = await campaigns.add('shop', { id }, grants);
    expect(rejected).toEqual([]);
    const before = await world.usdc('shop');
    expect(await campaigns.dispatch()).toEqual({ ...NONE, scanned: 150, sent: 150, paid: 150 });
    expect(before - (await world.usdc('shop'))).toBe(15_000_000n);
    for (const { recipient } of grants) expect(await balanceOf(recipient)).toBe(100_000n);
    expect(await campaigns.dispatch()).toEqual(NONE);
    expect(await getCampaign(world.ctx, await campaigns.readerOf('shop'), id)).toMatchObject({
      spent: '15.00',
      left: '85.00',
      grants: { total: 150, paid: 150, queued: 0 },
    });
    const [first] = await campaigns.grants(id);
    expect(await campaigns.events(first?.id ?? '')).toEqual(['campaign.grant_paid']);
    expect(await world.ctx.db.event.count({ where: { type: 'campaign.grant_paid' } })).toBe(150);
  });

  test('a row that is wrong says why, and the others are queued; the same again is queued once', async () => {
    const { id } = await campaigns.open('shop', { budget: '10', most_per_grant: '4' });
    const grants = [
      { key: 'a', recipient: '@bob', amount: '4' },
      { key: 'b', recipient: '@nobody_here', amount: '1' },
      { key: 'c', recipient: 'bob', amount: '1' },
      { key: 'd', recipient: `${wallet(1).slice(0, -1)}`, amount: '1' },
      { key: 'e', recipient: '@bob', amount: '4.01' },
      { key: 'a', recipient: '@bob', amount: '1' },
      { key: 'f', recipient: '@bob', amount: '-1' },
      { key: 'g g', recipient: '@bob', amount: '1' },
      { key: 'h', recipient: '@bob', amount: '4', note: 'For you' },
      { key: 'i', recipient: '@bob', amount: '2.01' },
      { key: 'j', recipient: '@bob', amount: '1', note: 'x'.repeat(281) },
    ];
    const checked = await campaigns.add('shop', { id }, grants, { dryRun: true });
    expect(await campaigns.grants(id)).toEqual([]);
    const added = await campaigns.add('shop', { id }, grants);
    for (const one of [checked, added]) {
      expect(one.grants.map(({ key }) => key)).toEqual(['a', 'h']);
      expect(one.existing).toEqual([]);
      expect(one.rejected.map(({ index, code }) => [index, code])).toEqual([
        [1, 'handle_not_found'],
        [2, 'recipient_invalid'],
        [3, 'recipient_invalid'],
        [4, 'grant_too_large'],
        [5, 'key_repeated'],
        [6, 'amount_invalid'],
        [7, 'key_invalid'],
        [9, 'budget_exceeded'],
        [10, 'note_invalid'],
      ]);
    }
    const again = await campaigns.add('shop', { id }, [
      { key: 'a', recipient: '@bob', amount: '4' },
      { key: 'h', recipient: '@bob', amount: '3' },
    ]);
    expect([again.grants.map(({ id: one }) => one), again.existing, again.rejected.map(({ code }) => code)]).toEqual([
      [added.grants[0]?.id],
      ['a'],
      ['key_used'],
    ]);
    expect(await campaigns.grants(id)).toHaveLength(2);
    const page = await listGrants(world.ctx, await campaigns.readerOf('shop'), id, { limit: 1 });
    expect([page.data[0]?.key, page.nextCursor]).toEqual(['a', '0']);
    const over = await cancelGrants(world.ctx, await campaigns.readerOf('shop'), id, { keys: ['a'] });
    expect(over.grants).toMatchObject({ total: 2, queued: 1, cancelled: 1 });
    await cancelGrants(world.ctx, await campaigns.readerOf('shop'), id);
  });

  test('wait while the sponsor cannot pay, and say so; then they are paid in order', async () => {
    const { id } = await campaigns.open('shop', { budget: '3' });
    await campaigns.add(
      'shop',
      { id },
      [1, 2, 3].map((number) => ({ key: `${number}`, recipient: wallet(500 + number), amount: '1' })),
    );
    await campaigns.allow('shop', 2_000_000n);
    const run = await campaigns.dispatch();
    expect(run).toMatchObject({ sent: 2, paid: 2, failed: 0 });
    expect(run.errors).toEqual([{ campaign: id, grant: null, code: 'insufficient_allowance' }]);
    expect(await statuses(id)).toEqual(['paid', 'paid', 'queued']);
    expect((await getCampaign(world.ctx, await campaigns.readerOf('shop'), id)).problem?.code).toBe(
      'insufficient_allowance',
    );
    await campaigns.allow('shop', 500_000_000n);
    expect(await campaigns.dispatch()).toMatchObject({ paid: 1, errors: [] });
    expect((await campaigns.campaign(id)).problem).toBeNull();
  });

  test('a recipient without an account waits, gets a notice where a bot may write, and is paid once connected', async () => {
    await world.say('bob', '/help', { chat: localPerson('bob').telegram.id });
    await world.ctx.db.connection.updateMany({
      where: { platformUserId: String(localPerson('bob').telegram.id) },
      data: { disconnectedAt: new Date() },
    });
    const { id } = await campaigns.open('shop');
    const recipient = `telegram:id:${localPerson('bob').telegram.id}`;
    await campaigns.add('shop', { id }, [
      { key: 'bob', recipient, amount: '2' },
      { key: 'nobody', recipient: 'discord:some_one_unknown', amount: '2' },
    ]);
    expect(await campaigns.dispatch()).toMatchObject({ scanned: 2, sent: 0, waiting: 2 });
    expect(await campaigns.dispatch()).toMatchObject({ scanned: 0 });
    const [bob] = await campaigns.grants(id);
    const reply = await world.ctx.db.reply.findUniqueOrThrow({ where: { key: `grant:${bob?.id}` } });
    expect([reply.kind, reply.chatId]).toEqual(['grant', String(localPerson('bob').telegram.id)]);
    const views = (await listGrants(world.ctx, await campaigns.readerOf('shop'), id, { limit: 9 })).data;
    expect(views.map(({ waiting_for_account: waits }) => waits)).toEqual([true, true]);
    await world.ctx.db.connection.updateMany({
      where: { platformUserId: String(localPerson('bob').telegram.id) },
      data: { disconnectedAt: null },
    });
    const before = await world.usdc('bob');
    expect(await campaigns.dispatch()).toMatchObject({ scanned: 1, paid: 1 });
    expect((await world.usdc('bob')) - before).toBe(2_000_000n);
    const told = await world.ctx.db.reply.findUniqueOrThrow({ where: { key: `grant:${bob?.id}` } });
    expect(told.version).toBeGreaterThan(reply.version);
  });

  test('a wallet that the token refuses fails alone', async () => {
    const { id } = await campaigns.open('shop');
    const usdc = world.evmChain().usdc;
    const abi = parseAbi(['function blacklist(address)', 'function blacklister() view returns (address)']);
    const account = await world.reader().readContract({ address: usdc, abi, functionName: 'blacklister' });
    await world.admin().impersonateAccount({ address: account });
    await world.admin().setBalance({ address: account, value: 10n ** 18n });
    const data = encodeFunctionData({ abi, functionName: 'blacklist', args: [wallet(601)] });
    const params = [{ from: account, to: usdc, data, gas: toHex(500_000) }];
    await world.admin().request({ method: 'eth_sendTransaction' as never, params: params as never });
    await world.taken();
    await campaigns.add(
      'shop',
      { id },
      [600, 601, 602].map((number) => ({ key: `${number}`, recipient: wallet(number), amount: '1' })),
    );
    expect(await campaigns.dispatch()).toMatchObject({ sent: 3, paid: 2, failed: 1 });
    expect(await statuses(id)).toEqual(['paid', 'token_refused', 'paid']);
    // Alone in its transaction it is not sent at all.
    await retryGrants(world.ctx, await campaigns.readerOf('shop'), id);
    expect(await campaigns.dispatch()).toMatchObject({ sent: 1, paid: 0, failed: 1 });
    expect(await statuses(id)).toEqual(['paid', 'token_refused', 'paid']);
  });

  test('nothing is paid after the end: what is queued then says so', async () => {
    const closed = await campaigns.open('shop', { name: 'Closed' });
    const late = await campaigns.open('shop', {
      name: 'Late',
      expires_at: new Date(world.ctx.clock.now() + 2 * 3_600_000).toISOString(),
    });
    for (const one of [closed, late]) await campaigns.add('shop', one, [{ key: 'a', recipient: '@bob', amount: '1' }]);
    await cancelGrants(world.ctx, await campaigns.readerOf('shop'), closed.id);
    expect(await statuses(closed.id)).toEqual(['cancelled']);
    await campaigns.add('shop', closed, [{ key: 'b', recipient: 'telegram:id:999999', amount: '1' }]);
    await requestClose(world.ctx, await campaigns.readerOf('shop'), closed.id);
    await campaigns.settle();
    expect((await campaigns.campaign(closed.id)).status).toBe('closed');
    await world.ctx.db.campaign.update({ where: { id: closed.id }, data: { problem: 'insufficient_balance' } });
    expect((await getCampaign(world.ctx, await campaigns.readerOf('shop'), closed.id)).problem).toBeNull();
    await campaigns.later(3 * 3_600);
    const before = await world.usdc('bob');
    expect(await campaigns.dispatch()).toMatchObject({ sent: 0, failed: 2 });
    expect(await world.usdc('bob')).toBe(before);
    expect([await statuses(closed.id), await statuses(late.id)]).toEqual([
      ['cancelled', 'campaign_closed'],
      ['campaign_expired'],
    ]);
    await expect(campaigns.add('shop', late, [{ key: 'c', recipient: '@bob', amount: '1' }])).rejects.toMatchObject({
      code: 'state_conflict',
    });
    const { approve } = await takeBackCall(world.ctx, await campaigns.readerOf('shop'), closed.id);
    expect(approve).not.toBeNull();
  });

  test('a campaign that its sponsor closes by itself while grants are on their way pays none of them', async () => {
    const campaign = await campaigns.open('shop');
    const row = await campaigns.campaign(campaign.id);
    await campaigns.add(
      'shop',
      campaign,
      [1, 2].map((number) => ({ key: `${number}`, recipient: wallet(700 + number), amount: '1' })),
    );
    const run = campaigns.dispatch();
    await campaigns.send('shop', world.evmChain().routers.bot, encodeCloseCampaign(row.campaignKey as Hex));
    const { sent } = await run;
    await campaigns.dispatch();
    const ended = await statuses(campaign.id);
    expect(new Set(ended).size).toBe(1);
    expect(['paid', 'campaign_closed']).toContain(ended[0]);
    expect(sent).toBeLessThanOrEqual(2);
  });
});

describe('whatever happens to our rows', () => {
  test('a number that the router has paid is never paid again, and is believed only for its own recipient', async () => {
    const campaign = await campaigns.open('shop');
    await campaigns.add(
      'shop',
      campaign,
      [1, 2].map((number) => ({ key: `${number}`, recipient: wallet(800 + number), amount: '1' })),
    );
    const row = await campaigns.campaign(campaign.id);
    // An executor's transaction of which the rows know nothing, as after a backup was restored: one is right, one paid another wallet.
    const [executor] = world.ctx.executors;
    const data = encodeGrants(row.campaignKey as Hex, [
      { recipientKey: 0n, recipient: wallet(801), amount: 1_000_000n, fee: 0n, validUntil: 2n ** 60n },
      { recipientKey: 1n, recipient: wallet(899), amount: 1_000_000n, fee: 0n, validUntil: 2n ** 60n },
    ]);
    const params = [{ from: executor?.address, to: world.evmChain().routers.bot, data, gas: toHex(900_000) }];
    await world.admin().impersonateAccount({ address: executor?.address as Address });
    await world.admin().request({ method: 'eth_sendTransaction' as never, params: params as never });
    await world.admin().stopImpersonatingAccount({ address: executor?.address as Address });
    await world.taken();
    expect(await campaigns.dispatch()).toMatchObject({ sent: 0 });
    await campaigns.settle();
    expect(await statuses(campaign.id)).toEqual(['paid', 'number_used']);
    expect(await balanceOf(wallet(801))).toBe(1_000_000n);
    expect(await balanceOf(wallet(802))).toBe(0n);
  });
});

test('recipients are told apart by their namespaces', async () => {
  const { telegram, address } = localPerson('alice');
  const found = await resolveGrantees(world.ctx, world.evmChain(), [
    '@alice',
    `telegram:id:${telegram.id}`,
    address,
    'x:somebody_new',
    '@nobody_at_all',
  ]);
  expect(found.map((one) => (one.kind === 'payable' ? one.address : one.kind))).toEqual([
    address,
    address,
    address,
    'waiting',
    'refused',
  ]);
});

test('a run on all chains sums what each did', async () => {
  expect(await dispatchEverywhere(world.ctx)).toMatchObject({ sent: 0 });
});
