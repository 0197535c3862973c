// A chain that is not what it is configured to be is not served, and the others go on.
import { createWalletClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROLES } from '../../../local/stack/roles.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import { paymentRouterAbi } from '../../chain/routers/abis/PaymentRouter.ts';
import { senderState } from '../../chain/routers/bot.ts';
import { splitRoles } from '../../chain/routers/verify.ts';
import type { Address } from '../../chain/rpc/client.ts';
import { waitForReceipt } from '../../chain/rpc/receipts.ts';
import { evmChains, verifyChains } from '../../context.ts';
import { StartError } from '../../domain/errors.ts';
import { lookAtChains } from '../operations/probes.ts';
import { settleChain } from './settle.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ chains: ['base', 'celo', 'bsc'] });
});
afterAll(() => world.stop());

/** Verifies with something else in a chain's place. @returns why each refused chain is refused */
async function verifiedWith(
  change: (chains: World['ctx']['chains']) => void,
  meanwhile: () => Promise<void> = async () => {},
): Promise<Record<string, string>> {
  const { chains, refused } = world.ctx;
  const before = { ...chains };
  change(chains);
  try {
    await verifyChains(world.ctx);
    await meanwhile();
    return Object.fromEntries(refused);
  } finally {
    Object.assign(chains, before);
    refused.clear();
  }
}

test('with every chain as it should be, none is refused', async () => {
  expect(await verifiedWith(() => {})).toEqual({});
});

test('a wrong USDC address refuses that chain alone, and names what was found and what was expected', async () => {
  const right = world.evmChain('celo').usdc;
  const wrong = world.evmChain('celo').wrappedNative;
  const { escrow } = world.evmChain('celo').routers;
  const refused = await verifiedWith(
    (chains) => {
      chains.celo = { ...world.evmChain('celo'), usdc: wrong };
    },
    async () => {
      expect(Object.keys(evmChains(world.ctx)).sort()).toEqual(['base', 'bsc']);
      await world.type('alice', '/tip @bob 1');
      await world.fetchUpdates();
      await world.ingest();
      await world.prepare();
      await world.settle();
      await world.watch();
      expect(await world.ctx.db.tip.count({ where: { chain: 'base', txHash: { not: null } } })).toBe(1);
    },
  );
  expect(refused).toEqual({
    celo: `on celo the escrow router at ${escrow} has usdc ${right}, expected ${wrong}`,
  });
});

test('an address without a contract, other decimals and another domain are told as what they are', async () => {
  const nobody: Address = '0x00000000000000000000000000000000000000aa';
  const celo = world.evmChain('celo');
  const bsc = world.evmChain('bsc');
  expect(await verifiedWith((chains) => void Object.assign(chains, { celo: { ...celo, usdc: nobody } }))).toEqual({
    celo: `USDC has no code at ${nobody} on celo`,
  });
  expect(
    await verifiedWith((chains) => {
      chains.bsc = { ...bsc, facts: { ...bsc.facts, usdcDecimals: 6 } };
      chains.celo = { ...celo, facts: { ...celo.facts, usdcDomain: { name: 'USD Coin', version: '2' } } };
    }),
  ).toEqual({
    bsc: `USDC at ${bsc.usdc} on bsc has 18 decimals, expected 6`,
    celo: expect.stringMatching(
      /^USDC at 0x\w+ on celo has the EIP-712 domain 0x\w{64}, expected 0x\w{64} \(USD Coin, version 2\)$/,
    ),
  });
});

test('a router of another deployment, or none, refuses the chain', async () => {
  const celo = world.evmChain('celo');
  const { routers } = celo;
  const swapped = { ...routers, payment: routers.business, business: routers.payment };
  expect(await verifiedWith((chains) => void Object.assign(chains, { celo: { ...celo, routers: swapped } }))).toEqual({
    celo: `what stands at ${routers.business} on celo is not this version's payment router`,
  });
});

test('with no chain left there is nothing to start for', async () => {
  const wrong = { usdc: world.evmChain().wrappedNative };
  const attempt = verifiedWith((chains) => {
    for (const [name, one] of Object.entries(chains)) chains[name as 'base'] = { ...one, ...wrong };
  });
  await expect(attempt).rejects.toThrow(StartError);
});

test('whoever pauses while a process does not serve a chain is paused there too', async () => {
  const { handleId } = await world.ctx.db.connection.findFirstOrThrow({ where: { handle: { slug: 'alice' } } });
  await verifiedWith(
    (chains) => {
      chains.celo = { ...world.evmChain('celo'), usdc: world.evmChain('celo').wrappedNative };
    },
    async () => {
      expect(evmChains(world.ctx).celo).toBeUndefined();
      await world.type('alice', '/pause');
      await world.fetchUpdates();
      await world.ingest();
      await world.send();
    },
  );
  const paused = await world.ctx.db.pause.findMany({ where: { handleId }, select: { chain: true, status: true } });
  expect(paused).toContainEqual({ chain: 'celo', status: 'wanted' });
  // Another process serves it, or this one after its restart: it is sent then, and not before.
  await world.send('celo');
  await world.mine(1, 'celo');
  const { address } = localPerson('alice');
  const celo = world.evmChain('celo');
  expect((await senderState(celo, address, celo.usdc)).paused).toBe(true);
});

test('a payment that is ready on a chain that is refused meanwhile is told as under way, and sent when the chain is back', async () => {
  await world.type('bob', '/send @shop 1 on celo');
  await world.fetchUpdates();
  await world.ingest();
  await world.prepare();
  const leg = await world.ctx.db.tip.findFirstOrThrow({ where: { chain: 'celo', status: 'ready' } });
  await verifiedWith(
    (chains) => {
      chains.celo = { ...world.evmChain('celo'), usdc: world.evmChain('celo').wrappedNative };
    },
    async () => {
      expect(await settleChain(world.ctx, 'celo')).toBe(0);
      expect(await world.ctx.db.reply.count({ where: { key: `intent:${leg.intentId}` } })).toBe(1);
    },
  );
  expect(await settleChain(world.ctx, 'celo')).toBe(1);
});

test('an endpoint that was silent at start is compared at the first look', async () => {
  const failed: string[] = [];
  world.ctx.shutdown.onFail((reason) => failed.push(reason));
  const celo = world.evmChain('celo');
  world.ctx.probes.delete('celo');
  await lookAtChains({ ...world.ctx, chains: { celo: { ...celo, usdc: celo.wrappedNative } } });
  expect(failed).toEqual([expect.stringContaining('Chain configuration is wrong: on celo the escrow router')]);
});

test('roles that the routers of a chain do not agree about are named', async () => {
  const base = world.evmChain();
  expect(await splitRoles(base)).toEqual([]);
  const next = localPerson('carol').address;
  await world.admin().setBalance({ address: ROLES.owner.address, value: 10n ** 18n });
  const wallet = createWalletClient({
    account: privateKeyToAccount(ROLES.owner.key),
    transport: http(world.anvilOf().rpcUrl),
  });
  const call = { address: base.routers.payment, abi: paymentRouterAbi, chain: null } as const;
  const announced = await wallet.writeContract({ ...call, functionName: 'announceTreasury', args: [next] });
  // The announcement is mined first: the two days count from its block.
  await waitForReceipt(base.client, announced);
  await world.admin().increaseTime({ seconds: 48 * 3_600 });
  await world.mine(1);
  await waitForReceipt(base.client, await wallet.writeContract({ ...call, functionName: 'applyTreasury' }));
  expect(await splitRoles(base)).toEqual([
    `the treasury differs on base: ${ROLES.treasury.address} on bot, business, subscription; ${next} on payment`,
  ]);
});
