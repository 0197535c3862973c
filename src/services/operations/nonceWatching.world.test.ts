// The watchdog on a real chain: whatever an executor's key sends past our rows pauses the bot router by its nonce, also past the router; what our rows signed
// never does, whenever it is read; and an endpoint that lies about counts forces nothing.
import { encodeFunctionData, type Hex, parseEther, toHex } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ROLES } from '../../../local/stack/roles.ts';
import { HONEST, OTHER, startWatched, type Watched } from '../../../test/setup/watched.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import { botRouterAbi } from '../../chain/routers/abis/BotRouter.ts';
import { replaceAttempt } from '../outgoing/evmLane.ts';
import { evaluateAlerts } from './alertChecks.ts';
import { pauseBy } from './pausing.ts';
import { listWatched } from './watchdogs.ts';

const [first, second] = ROLES.executors;
if (!first || !second) throw new Error('two executors');
let world: World;
let watched: Watched;
/** Found before the test. */
let before = 0;

beforeAll(async () => {
  world = await startWorld();
  watched = await startWatched(world);
  // What its key did before this database is not ours to judge.
  await transfer(second.key);
  await world.say('alice', '/tip @bob 1');
});
afterAll(async () => {
  await watched.close();
  await world.stop();
});
beforeEach(async () => {
  before = (await watched.foreign()).length;
  await watched.start();
  await watched.lookByAll();
  expect(await found()).toEqual([]);
});
afterEach(async () => {
  await watched.forget();
});

const found = async () => (await watched.foreign()).slice(before);
const passed = (method: string) => watched.proxies.map((proxy) => proxy.passed(method));
const raw = () => world.admin();

type Sent = {
  to?: Hex;
  data?: Hex;
  value?: bigint;
  nonce?: number;
  maxFeePerGas?: bigint;
  maxPriorityFeePerGas?: bigint;
};
async function transfer(key: Hex, { to = localPerson('carol').address, ...more }: Sent = {}): Promise<Hex> {
  const hash = await watched
    .walletOf(key)
    .sendTransaction({ to, value: 1n, gas: 100_000n, chain: null, ...more } as never);
  await world.taken();
  return hash;
}

let tips = 0;
/** A tip of ours that is stored and sent, and in no block. One person may type five an hour. */
async function sentTip(): Promise<{ id: string; nonce: number; key: Hex; hash: Hex }> {
  await raw().setAutomine(false);
  await (tips++ % 2 === 0 ? world.type('alice', '/tip @bob 1') : world.type('bob', '/tip @alice 1'));
  await world.fetchUpdates();
  await world.ingest();
  await world.prepare();
  await world.settle();
  const row = await world.ctx.db.outgoingTx.findFirstOrThrow({
    where: { status: { in: ['signed', 'sent'] } },
    orderBy: { createdAt: 'desc' },
    include: { attempts: true },
  });
  const key = ROLES.executors.find(({ address }) => address === row.executor)?.key;
  if (!key || row.nonce === null) throw new Error('one of our keys has signed it');
  return { id: row.id, nonce: row.nonce, key, hash: row.attempts[0]?.hash as Hex };
}

async function finish(): Promise<void> {
  await raw().setAutomine(true);
  await world.run();
}

describe('what an executor’s key sends past our rows', () => {
  test('pauses the router within two blocks, once, also where it is a plain transfer, and raises an alert that stays', async () => {
    const hash = await transfer(second.key);
    const { blockNumber } = await world.reader().getTransactionReceipt({ hash });
    await watched.look(HONEST);
    await watched.pauseRounds();
    expect(await watched.isPaused()).toBe(true);
    const events = await watched.pausesFrom(blockNumber);
    expect(events).toHaveLength(1);
    expect((events[0]?.blockNumber ?? 0n) - blockNumber).toBeLessThanOrEqual(2n);
    const executor = second.address.toLowerCase();
    const nonce = (await world.reader().getTransactionCount({ address: second.address })) - 1;
    expect(await found()).toMatchObject([{ hash, executor, nonce, pausedAt: expect.any(Date) }]);
    await evaluateAlerts(world.ctx);
    expect(await world.ctx.db.alert.findMany({ where: { kind: 'watchdog_paused' } })).toMatchObject([
      { subject: `base ${hash}`, resolvedAt: null },
    ]);
    await watched.asOwner('unpause');
    await watched.start();
    await watched.lookByAll();
    await watched.pauseRounds();
    expect(await watched.isPaused()).toBe(false);
    expect(await found()).toHaveLength(1);
  });

  test('is paused by one transaction, also where one endpoint’s round reads the nonce once the other’s pause is in a block', async () => {
    const hash = await transfer(second.key);
    const { blockNumber } = await world.reader().getTransactionReceipt({ hash });
    await watched.look(HONEST);
    const gate = watched.proxies[OTHER].hold('eth_getTransactionCount', 'before');
    const late = pauseBy(world.ctx, watched.watch, watched.pauses, OTHER);
    await gate.reached;
    await pauseBy(world.ctx, watched.watch, watched.pauses, HONEST);
    await world.mine(1);
    expect(await watched.isPaused()).toBe(true);
    gate.open();
    await late;
    await watched.pauseRounds();
    expect(await watched.pausesFrom(blockNumber)).toHaveLength(1);
    await watched.asOwner('unpause');
  });

  test.each<[string, Sent]>([
    ['a call that fails', { to: undefined as never, data: '0xfe' }],
    ['a call of the router that no event shows', { data: '0x12345678' }],
  ])('is found where it is %s', async (_, sent) => {
    const to = sent.data === '0x12345678' ? watched.router : sent.to;
    const hash = await transfer(second.key, { ...sent, to: to ?? (null as never) });
    expect((await world.reader().getTransactionReceipt({ hash })).status).toBe('reverted');
    await watched.look(HONEST);
    expect(await found()).toMatchObject([{ hash }]);
  });

  test('is found where a stranger sends what its key authorised', async () => {
    const nonce = await world.reader().getTransactionCount({ address: second.address });
    const authorization = await watched
      .walletOf(second.key)
      .signAuthorization({ address: watched.router, chainId: world.evmChain().facts.chainId, nonce } as never);
    const hash = await transfer(localPerson('alice').key, { authorizationList: [authorization] } as never);
    expect(await world.reader().getTransactionCount({ address: second.address })).toBe(nonce + 1);
    await watched.look(HONEST);
    expect(await found()).toMatchObject([{ hash, executor: second.address.toLowerCase(), nonce }]);
  });

  test('is found by a watchdog that was away, among transactions of ours that came later', async () => {
    const hash = await transfer(first.key);
    await world.mine(40);
    await watched.start();
    await watched.look(HONEST);
    expect(await found()).toMatchObject([{ hash }]);
    await watched.look(OTHER);
    expect(await found()).toHaveLength(1);
  });

  test('is found where it takes the nonce of one that we have sent', async () => {
    const ours = await sentTip();
    const fees = { maxFeePerGas: parseEther('0.000001'), maxPriorityFeePerGas: parseEther('0.0000009') };
    const hash = await transfer(ours.key, { nonce: ours.nonce, ...fees });
    await raw().mine({ blocks: 1 });
    await watched.look(HONEST);
    expect(await found()).toMatchObject([{ hash, nonce: ours.nonce }]);
    await finish();
  });

  test('is found where it takes that nonce after our block was replaced', async () => {
    const ours = await sentTip();
    const snapshot = await raw().snapshot();
    await raw().mine({ blocks: 1 });
    await watched.lookByAll();
    expect(await found()).toEqual([]);
    await raw().revert({ id: snapshot });
    const fees = { maxFeePerGas: parseEther('0.000001'), maxPriorityFeePerGas: parseEther('0.0000009') };
    const hash = await transfer(ours.key, { nonce: ours.nonce, ...fees });
    await raw().mine({ blocks: 12 });
    await watched.lookByAll();
    expect(await found()).toMatchObject([{ hash, nonce: ours.nonce }]);
    await finish();
  });

  test('is found at first sight, where the chain counts more than our ledger', async () => {
    const hash = await transfer(first.key);
    await world.ctx.db.watchNonce.deleteMany();
    await watched.look(HONEST);
    expect(await found()).toMatchObject([{ hash }]);
  });
});

describe('what is ours is no reason', () => {
  test('in a block before its row says so, with one question a key and block', async () => {
    await sentTip();
    await raw().mine({ blocks: 1 });
    const [counts, receipts] = ['eth_getTransactionCount', 'eth_getTransactionReceipt'] as const;
    const asked = [passed(counts), passed(receipts)];
    await watched.lookByAll();
    expect(passed(counts).map((count, number) => count - (asked[0]?.[number] ?? 0))).toEqual([2, 2]);
    expect(passed(receipts)).toEqual(asked[1]);
    expect(await found()).toEqual([]);
    await finish();
    await watched.lookByAll();
    expect(await found()).toEqual([]);
    const marks = await world.ctx.db.watchNonce.findMany({ where: { executor: first.address.toLowerCase() } });
    const used = await world.reader().getTransactionCount({ address: first.address });
    expect(marks.map(({ next, unproven }) => [next, unproven])).toEqual([
      [used, null],
      [used, null],
    ]);
  });

  test.each(['before', 'after'] as const)('stored, sent and mined while the count is read (%s)', async (when) => {
    await world.mine(1);
    const gate = watched.proxies[HONEST].hold('eth_getTransactionCount', when);
    const looking = watched.look(HONEST);
    await gate.reached;
    await sentTip();
    await raw().mine({ blocks: 1 });
    gate.open();
    await looking;
    expect(await world.ctx.db.watchNonce.count({ where: { unproven: { not: null } } })).toBe(0);
    await watched.look(HONEST);
    expect(await found()).toEqual([]);
    await finish();
  });

  test('replaced at the same nonce, whichever of both is mined, and whether its endpoint shows the receipt or not', async () => {
    const { id } = await sentTip();
    await replaceAttempt(world.ctx, world.evmChain(), id);
    await raw().mine({ blocks: 1 });
    for (const method of ['eth_getLogs', 'eth_getTransactionReceipt'])
      for (const proxy of watched.proxies) proxy.alter(method, () => (method === 'eth_getLogs' ? [] : null));
    await watched.lookByAll();
    for (const proxy of watched.proxies) proxy.alter('eth_getTransactionReceipt', null);
    await watched.start();
    await watched.lookByAll();
    expect(await world.ctx.db.txAttempt.count({ where: { outgoingTxId: id } })).toBe(2);
    expect(await found()).toEqual([]);
    expect(await world.ctx.db.watchNonce.count({ where: { unproven: { not: null } } })).toBe(0);
    await finish();
  });

  test('counted by an endpoint that does not show it yet, until it is deep', async () => {
    const { id } = await sentTip();
    await raw().mine({ blocks: 1 });
    const hide = (result: unknown) => result && { ...(result as object), transactions: [] };
    for (const proxy of watched.proxies) {
      proxy.alter('eth_getLogs', () => []);
      proxy.alter('eth_getTransactionReceipt', () => null);
      proxy.alter('eth_getBlockByNumber', hide);
    }
    await watched.lookByAll();
    expect(await found()).toEqual([]);
    expect(await world.ctx.db.watchNonce.count({ where: { unproven: { not: null } } })).toBe(0);
    expect(await world.ctx.db.outgoingTx.findUnique({ where: { id } })).toMatchObject({ finalAt: null });
    for (const proxy of watched.proxies)
      for (const method of ['eth_getLogs', 'eth_getTransactionReceipt', 'eth_getBlockByNumber'])
        proxy.alter(method, null);
    await finish();
  });

  test('a key that worked before this database, by an endpoint that first counts nothing and then all of it', async () => {
    await world.ctx.db.watchNonce.deleteMany();
    watched.proxies[OTHER].alter('eth_getTransactionCount', () => '0x0');
    await watched.look(OTHER);
    watched.proxies[OTHER].alter('eth_getTransactionCount', null);
    await watched.lookByAll();
    expect(await found()).toEqual([]);
    expect(await world.ctx.db.watchNonce.count({ where: { unproven: { not: null } } })).toBe(0);
  });
});

describe('an endpoint that lies about counts', () => {
  const unproven = async () => (await listWatched(world.ctx))[0]?.endpoints.map((one) => one.unproven);

  test('is alone with a use that no transaction shows: an alert that ends with the lie, and no pause', async () => {
    watched.proxies[OTHER].alter('eth_getTransactionCount', () => toHex(2 ** 50));
    await watched.lookByAll();
    await watched.look(OTHER);
    await watched.pauseRounds(1);
    expect(await found()).toEqual([]);
    expect(await watched.isPaused()).toBe(false);
    expect(await unproven()).toEqual([0, 2]);
    await evaluateAlerts(world.ctx);
    const behind = await world.ctx.db.alert.findMany({ where: { kind: 'watchdog_behind' } });
    expect(behind).toMatchObject([{ subject: 'base 1' }]);
    watched.proxies[OTHER].alter('eth_getTransactionCount', null);
    await watched.look(OTHER);
    expect(await unproven()).toEqual([0, 0]);
  });

  test('cannot hide a use from the others', async () => {
    watched.proxies[OTHER].alter('eth_getTransactionCount', () => '0x0');
    const hash = await transfer(second.key);
    await watched.look(OTHER);
    expect(await found()).toEqual([]);
    await watched.look(HONEST);
    expect(await found()).toMatchObject([{ hash }]);
  });

  test('with one that agrees is believed, by nonce, and the transaction is no second one once it is shown', async () => {
    const hide = (result: unknown) => result && { ...(result as object), transactions: [] };
    for (const proxy of watched.proxies) {
      proxy.alter('eth_getBlockByNumber', hide);
      proxy.alter('eth_getLogs', () => []);
    }
    const args = [world.evmChain().usdc, 1_000_000n, 2_000_000n, 100_000n] as const;
    const data = encodeFunctionData({ abi: botRouterAbi, functionName: 'setLimits', args });
    await transfer(second.key, { to: watched.router, data, value: 0n });
    await watched.look(OTHER);
    expect(await found()).toEqual([]);
    await watched.look(HONEST);
    const executor = second.address.toLowerCase();
    const nonce = (await world.reader().getTransactionCount({ address: second.address })) - 1;
    expect(await found()).toMatchObject([{ hash: `nonce ${nonce} of ${executor}`, executor, nonce }]);
    await watched.pauseRounds();
    expect(await watched.isPaused()).toBe(true);
    for (const proxy of watched.proxies)
      for (const method of ['eth_getBlockByNumber', 'eth_getLogs']) proxy.alter(method, null);
    await watched.start();
    await watched.lookByAll();
    expect(await found()).toHaveLength(1);
    expect((await listWatched(world.ctx))[0]?.found[0]).toMatchObject({
      hash: `nonce ${nonce} of ${executor}`,
      executor: null,
    });
  });
});

describe('an executor', () => {
  const added = ROLES.deployer;

  test('that was added later is judged from when two endpoints list it, and no longer once it is removed', async () => {
    await transfer(added.key);
    await watched.asOwner('addExecutor', added.address);
    await watched.look(HONEST);
    await transfer(added.key);
    await watched.lookByAll();
    await watched.lookByAll();
    expect(await found()).toEqual([]);
    const hash = await transfer(added.key);
    await watched.look(HONEST);
    expect(await found()).toMatchObject([{ hash }]);
    await watched.asOwner('removeExecutor', added.address);
    await watched.lookByAll();
    await transfer(added.key);
    await watched.lookByAll();
    expect(await found()).toHaveLength(1);
  });

  test('of ours is none any more once the router no longer lists it', async () => {
    await watched.asOwner('removeExecutor', second.address);
    await watched.lookByAll();
    await transfer(second.key);
    await watched.lookByAll();
    expect(await found()).toEqual([]);
  });
});
