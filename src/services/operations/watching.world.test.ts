// The watchdog on a real chain: what is not ours pauses the bot router, what is ours never does, and an endpoint that lies, hangs or knows nothing
// neither forces a pause nor prevents one.
import { createWalletClient, encodeFunctionData, type Hex, keccak256, pad, parseUnits, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ROLES } from '../../../local/stack/roles.ts';
import { type RpcProxy, startRpcProxy } from '../../../test/setup/rpcProxy.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import { botRouterAbi } from '../../chain/routers/abis/BotRouter.ts';
import { createEvmChain } from '../../chain/rpc/client.ts';
import { rpcTransport } from '../../chain/rpc/transport.ts';
import type { Ctx } from '../../context.ts';
import { connectDb } from '../../db.ts';
import { replaceAttempt } from '../outgoing/evmLane.ts';
import { evaluateAlerts } from './alertChecks.ts';
import { loadOwed, owePause } from './pauseDebt.ts';
import { lookAtGuardian, openPauses, type Pauses, pauseBy } from './pausing.ts';
import { listWatched } from './watchdogs.ts';
import { lookAt, openWatch, type Watch } from './watching.ts';
import { noteUnread } from './watchRows.ts';

const [HONEST, OTHER] = [0, 1] as const;
const guardian = privateKeyToAccount(ROLES.guardian.key);
let world: World;
let proxies: [RpcProxy, RpcProxy];
let watch: Watch;
let pauses: Pauses;
let snapshot: Hex;

beforeAll(async () => {
  world = await startWorld();
  const { rpcUrl } = world.anvilOf();
  proxies = [await startRpcProxy(rpcUrl), await startRpcProxy(rpcUrl)];
  for (const { address } of [guardian, ROLES.owner]) await world.admin().setBalance({ address, value: 10n ** 18n });
  await world.say('alice', '/tip @bob 1');
  await world.mine(5);
});
afterAll(async () => {
  await Promise.all(proxies.map((proxy) => proxy.close()));
  await world.stop();
});
beforeEach(async () => {
  snapshot = await world.admin().snapshot();
  await begin();
});
afterEach(async () => {
  for (const proxy of proxies) {
    proxy.setDead(false);
    for (const method of LIED) {
      proxy.alter(method, null);
      proxy.answer(method, null);
    }
  }
  await world.admin().revert({ id: snapshot });
  const { db } = world.ctx;
  await db.watchCheckpoint.deleteMany();
  await db.watchSighting.deleteMany();
  await db.watchNonce.deleteMany();
  await db.foreignTransaction.deleteMany();
  await db.watchGuardian.deleteMany();
  await db.alert.deleteMany();
});

/** Methods whose answers tests change. */
const LIED = [
  'eth_getLogs',
  'eth_getTransactionByHash',
  'eth_getBlockByNumber',
  'eth_call',
  'eth_getTransactionCount',
  'eth_sendRawTransaction',
];

/** A watchdog that starts, and has read what there is. */
async function begin(): Promise<void> {
  open();
  for (const number of [HONEST, OTHER]) await lookAt(world.ctx, watch, number);
}

function open({ local = true } = {}): void {
  const [first] = world.embedded;
  if (!first) throw new Error('this world has a chain');
  const rpcUrls = proxies.map(({ url }) => url);
  const chain = createEvmChain('base', { ...first.config, rpcUrls, local });
  pauses = openPauses(guardian);
  watch = openWatch(chain, (hash) => owePause(pauses, hash));
}

/** A new look, also where the chain has not moved. */
async function look(number: number): Promise<void> {
  watch.judged.clear();
  while ((await lookAt(world.ctx, watch, number)) > 0);
}

const isGuardian = (address: string) => address.toLowerCase() === guardian.address.toLowerCase();
const isPaused = () =>
  world.reader().readContract({ address: world.evmChain().routers.bot, abi: botRouterAbi, functionName: 'paused' });
const foreign = () => world.ctx.db.foreignTransaction.findMany();
const alerts = async () => (await world.ctx.db.alert.findMany({ where: { resolvedAt: null } })).map(({ kind }) => kind);

let keys = 0;
function tipCall(recipient = localPerson('carol').address): Hex {
  const tip = {
    messageKey: keccak256(toHex(`theft ${keys++}`)),
    sender: localPerson('alice').address,
    recipient,
    token: world.evmChain().usdc,
    amount: parseUnits('1', 6),
    fee: 0n,
    validUntil: 2n ** 63n,
  };
  return encodeFunctionData({ abi: botRouterAbi, functionName: 'tip', args: [tip] });
}

const walletOf = (key: Hex) =>
  createWalletClient({ account: privateKeyToAccount(key), transport: rpcTransport(world.anvilOf().rpcUrl) });

/** Sends a call to the router with a key that is not used by our rows. */
async function sendWith(key: Hex, data: Hex): Promise<Hex> {
  const wallet = walletOf(key);
  const to = world.evmChain().routers.bot;
  const hash = await wallet.sendTransaction({ to, data, gas: 600_000n, chain: null });
  await world.taken();
  return hash;
}
const steal = () => sendWith(ROLES.executors[1]?.key as Hex, tipCall());

/** Rounds of both pause loops, one of which may fail. */
async function pauseRounds(rounds = 6): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    await Promise.allSettled([HONEST, OTHER].map((number) => pauseBy(world.ctx, watch, pauses, number)));
    await world.mine(1);
  }
}

describe('a transaction that an executor’s key signed outside of our rows', () => {
  test('pauses the router within two blocks, once, and raises an alert that stays', async () => {
    const hash = await steal();
    const { blockNumber } = await world.reader().getTransactionReceipt({ hash });
    await look(HONEST);
    await pauseRounds();
    expect(await isPaused()).toBe(true);
    const events = await world.reader().getContractEvents({
      ...{ address: world.evmChain().routers.bot, abi: botRouterAbi, eventName: 'PausedSet' as const },
      fromBlock: blockNumber,
    });
    expect(events).toHaveLength(1);
    expect((events[0]?.blockNumber ?? 0n) - blockNumber).toBeLessThanOrEqual(2n);
    expect(await foreign()).toMatchObject([
      { hash, executor: ROLES.executors[1]?.address.toLowerCase(), pausedAt: expect.any(Date) },
    ]);
    await evaluateAlerts(world.ctx);
    expect(await alerts()).toContain('watchdog_paused');
    expect((await listWatched(world.ctx))[0]).toMatchObject({ chain: 'base', found: [{ hash }] });
  });

  test('is no reason again once the owner has ended the pause', async () => {
    await steal();
    await look(HONEST);
    await pauseRounds();
    await walletOf(ROLES.owner.key).writeContract({
      ...{ address: world.evmChain().routers.bot, abi: botRouterAbi, functionName: 'unpause', chain: null },
    });
    await world.taken();
    await begin();
    await loadOwed(world.ctx, watch, pauses);
    await look(HONEST);
    await look(OTHER);
    await pauseRounds();
    expect(await isPaused()).toBe(false);
    await steal();
    await look(OTHER);
    await pauseRounds();
    expect(await isPaused()).toBe(true);
  });

  test('with an event that its sender could cause, too: a pause of somebody else’s spending', async () => {
    const data = encodeFunctionData({
      abi: botRouterAbi,
      functionName: 'pauseSender',
      args: [localPerson('bob').address],
    });
    await sendWith(ROLES.executors[0]?.key as Hex, data);
    await look(HONEST);
    expect(await foreign()).toHaveLength(1);
  });

  test('is found in every block since the last look, also by a watchdog that was away', async () => {
    await steal();
    await world.mine(40);
    open();
    await look(HONEST);
    expect(await foreign()).toHaveLength(1);
  });

  test('pauses after a kill between the row and the pause', async () => {
    await steal();
    await look(HONEST);
    open();
    await loadOwed(world.ctx, watch, pauses);
    await pauseRounds();
    expect(await isPaused()).toBe(true);
  });

  test('pauses nothing on the word of a database that cannot be asked', async () => {
    await steal();
    const away = { ...world.ctx, db: connectDb('postgresql://nobody:none@127.0.0.1:1/none', { max: 1 }) } as Ctx;
    watch.judged.clear();
    await expect(lookAt(away, watch, HONEST)).rejects.toThrow();
    await pauseRounds(1);
    expect(await isPaused()).toBe(false);
  });
});

describe('what is ours is no reason', () => {
  test('tips, also replaced at the same nonce', async () => {
    await world.admin().setAutomine(false);
    await world.type('alice', '/tip @bob 2');
    await world.fetchUpdates();
    await world.ingest();
    await world.prepare();
    await world.settle();
    const { id } = await world.ctx.db.outgoingTx.findFirstOrThrow({ where: { status: 'sent' } });
    await replaceAttempt(world.ctx, world.evmChain(), id);
    await world.admin().mine({ blocks: 1 });
    await world.admin().setAutomine(true);
    for (const number of [HONEST, OTHER]) await look(number);
    expect(await world.ctx.db.txAttempt.count({ where: { outgoingTxId: id } })).toBe(2);
    expect([await foreign(), await world.ctx.db.watchSighting.count()]).toEqual([[], 0]);
  });

  test('what wallets do by themselves', async () => {
    const args = [world.evmChain().usdc, 1_000_000n, 2_000_000n, 100_000n] as const;
    await sendWith(
      localPerson('alice').key,
      encodeFunctionData({ abi: botRouterAbi, functionName: 'setLimits', args }),
    );
    for (const number of [HONEST, OTHER]) await look(number);
    expect([await foreign(), await world.ctx.db.watchSighting.count()]).toEqual([[], 0]);
  });
});

type Log = { transactionHash: Hex; topics: Hex[]; address: string };
type Shown = Record<string, string>;
const N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

describe('one endpoint that lies', () => {
  const inLogs = (change: (log: Log) => object) => (result: unknown) =>
    (result as Log[]).map((log) => ({ ...log, ...change(log) }));
  /** A tip of ours that the watchdog has not read yet. */
  const tipOfOurs = () => world.say('alice', '/tip @bob 3');
  const FORCES: [string, (proxy: RpcProxy) => Promise<void> | void][] = [
    [
      'under another hash',
      (proxy) =>
        proxy.alter(
          'eth_getLogs',
          inLogs(() => ({ transactionHash: pad('0xbad', { size: 32 }) })),
        ),
    ],
    [
      'with the mirror image of its signature',
      (proxy) => {
        proxy.alter(
          'eth_getLogs',
          inLogs(() => ({ transactionHash: pad('0xbad', { size: 32 }) })),
        );
        proxy.alter('eth_getTransactionByHash', () => mirrored);
      },
    ],
    [
      'with capitals in its hash',
      (proxy) =>
        proxy.alter(
          'eth_getLogs',
          inLogs(({ transactionHash }) => ({ transactionHash: `0x${transactionHash.slice(2).toUpperCase()}` })),
        ),
    ],
  ];
  let mirrored: Shown;

  test.each(FORCES)('cannot force a pause by our own tip %s', async (_, lie) => {
    await tipOfOurs();
    const attempt = await world.ctx.db.txAttempt.findFirstOrThrow({ orderBy: { signedAt: 'desc' } });
    const found = (await world
      .reader()
      .request({ method: 'eth_getTransactionByHash', params: [attempt.hash as Hex] })) as unknown as Shown;
    mirrored = {
      ...found,
      s: toHex(N - BigInt(found['s'] ?? 0)),
      yParity: found['yParity'] === '0x0' ? '0x1' : '0x0',
      v: found['v'] === '0x0' ? '0x1' : '0x0',
    };
    await lie(proxies[OTHER]);
    await look(OTHER);
    await look(HONEST);
    await look(OTHER);
    await pauseRounds(1);
    expect(await foreign()).toEqual([]);
    expect(await isPaused()).toBe(false);
  });

  test('cannot force one by calling a wallet an executor', async () => {
    const args = [world.evmChain().usdc, 1_000_000n, 2_000_000n, 100_000n] as const;
    await sendWith(
      localPerson('alice').key,
      encodeFunctionData({ abi: botRouterAbi, functionName: 'setLimits', args }),
    );
    open();
    watch.listed.clear();
    proxies[OTHER].alter(
      'eth_call',
      () =>
        `0x${'20'.padStart(64, '0')}${'1'.padStart(64, '0')}${localPerson('alice').address.slice(2).toLowerCase().padStart(64, '0')}`,
    );
    await look(OTHER);
    expect(await foreign()).toEqual([]);
  });

  test('cannot force another one by an old theft under another hash, once the owner has ended the pause', async () => {
    const hash = await steal();
    await look(HONEST);
    await world.ctx.db.foreignTransaction.updateMany({ data: { pausedAt: new Date() } });
    const found = await world.reader().request({ method: 'eth_getTransactionByHash', params: [hash] });
    proxies[OTHER].alter(
      'eth_getLogs',
      inLogs(() => ({ transactionHash: pad('0xbad', { size: 32 }) })),
    );
    proxies[OTHER].answer('eth_getTransactionByHash', () => found);
    await look(OTHER);
    expect(await foreign()).toMatchObject([{ hash }]);
  });

  test('cannot hide a theft, nor that the router is not paused', async () => {
    proxies[OTHER].alter('eth_getLogs', () => []);
    await steal();
    await look(OTHER);
    expect(await foreign()).toEqual([]);
    await look(HONEST);
    expect(await foreign()).toHaveLength(1);
    proxies[OTHER].alter('eth_call', () => pad('0x1', { size: 32 }));
    await pauseRounds();
    expect(await isPaused()).toBe(true);
  });

  test('has nothing to say about nonces', async () => {
    proxies[OTHER].alter('eth_getTransactionCount', () => '0x999');
    await steal();
    await look(HONEST);
    await pauseRounds();
    expect(await isPaused()).toBe(true);
  });

  test('cannot price the pause beyond what the guardian can pay', async () => {
    await world.admin().setBalance({ address: guardian.address, value: parseUnits('0.05', 18) });
    proxies[OTHER].alter('eth_getBlockByNumber', (result) => ({
      ...(result as object),
      baseFeePerGas: '0xffffffffffff',
    }));
    proxies[OTHER].answer('eth_sendRawTransaction', () => keccak256('0x01'));
    await steal();
    await look(HONEST);
    await pauseBy(world.ctx, watch, pauses, OTHER);
    await pauseBy(world.ctx, watch, pauses, HONEST);
    await world.taken();
    expect(await isPaused()).toBe(true);
  });

  test('does not blind an honest one in its place by a block that the chain does not have', async () => {
    proxies[OTHER].answer('eth_getBlockByNumber', () => ({ number: '0xfffffff', hash: keccak256('0x01') }));
    proxies[OTHER].answer('eth_getLogs', () => []);
    await lookAt(world.ctx, watch, OTHER);
    await steal();
    proxies[OTHER].answer('eth_getBlockByNumber', null);
    proxies[OTHER].answer('eth_getLogs', null);
    await look(OTHER);
    expect(await foreign()).toHaveLength(1);
  });

  test.each([
    ['a hash that is none', { hash: '\u0000' }],
    ['a number beyond all', { number: `0x${'f'.repeat(64)}` }],
  ])('stops itself alone by %s', async (_, wrong) => {
    proxies[OTHER].alter('eth_getBlockByNumber', (result) => result && { ...(result as object), ...wrong });
    await expect(look(OTHER)).rejects.toThrow('no block');
    await steal();
    await look(HONEST);
    expect(await foreign()).toHaveLength(1);
  });

  test('is alone with what no signature proves: an alert, and a pause only when another one shows the same', async () => {
    const unsigned = (result: unknown) =>
      result && { ...(result as object), type: '0x7e', from: localPerson('dave').address };
    for (const proxy of proxies) proxy.alter('eth_getTransactionByHash', unsigned);
    await steal();
    await look(OTHER);
    expect(await foreign()).toEqual([]);
    await evaluateAlerts(world.ctx);
    expect(await alerts()).toContain('watchdog_behind');
    await look(HONEST);
    expect(await foreign()).toMatchObject([{ executor: null }]);
    await evaluateAlerts(world.ctx);
    expect(await alerts()).not.toContain('watchdog_behind');
  });
});

describe('a pause that is owed', () => {
  test('stays so while one endpoint alone calls the router paused, however long, with an alert', async () => {
    await steal();
    await look(HONEST);
    proxies[HONEST].setDead(true);
    proxies[OTHER].alter('eth_call', () => pad('0x1', { size: 32 }));
    await pauseRounds(1);
    const [now, start] = [vi.spyOn(performance, 'now'), performance.now()];
    now.mockImplementation(() => start + 24 * 3_600_000);
    await pauseRounds();
    now.mockRestore();
    expect(await foreign()).toMatchObject([{ pausedAt: null }]);
    const owed = () => world.ctx.db.alert.findFirst({ where: { subject: 'base pause', resolvedAt: null } });
    await evaluateAlerts(world.ctx);
    expect(await owed()).toBeNull();
    world.later(61_000);
    await evaluateAlerts(world.ctx);
    expect((await owed())?.kind).toBe('watchdog_powerless');
    proxies[HONEST].setDead(false);
    await pauseRounds();
    expect(await isPaused()).toBe(true);
    expect(await foreign()).toMatchObject([{ pausedAt: expect.any(Date) }]);
    await evaluateAlerts(world.ctx);
    expect(await owed()).toBeNull();
  });

  test('is tried ever more rarely by an endpoint that denies it', async () => {
    await steal();
    await look(HONEST);
    proxies[OTHER].alter('eth_call', () => pad('0x0', { size: 32 }));
    let at = performance.now();
    const now = vi.spyOn(performance, 'now').mockImplementation(() => at);
    const waits: number[] = [];
    for (let round = 0; round < 9; round++) {
      await Promise.allSettled([pauseBy(world.ctx, watch, pauses, OTHER)]);
      await world.taken();
      const { nextAt = 0 } = pauses.tries.get(OTHER) ?? {};
      waits.push(Math.round((nextAt - at) / 1_000));
      at = nextAt;
    }
    now.mockRestore();
    expect(waits).toEqual([1, 2, 5, 15, 60, 300, 900, 3_600, 3_600]);
    expect(pauses.owed.size).toBe(1);
  });

  test('is signed at no nonce that one endpoint alone names', async () => {
    await lookAtGuardian(world.ctx, watch, pauses);
    const nonce = await world.reader().getTransactionCount({ address: guardian.address });
    // The first that is too far ahead of it.
    proxies[OTHER].alter('eth_getTransactionCount', () => toHex(nonce + 9));
    await steal();
    await look(HONEST);
    await pauseBy(world.ctx, watch, pauses, OTHER);
    await world.taken();
    expect([...pauses.bids.keys()]).toEqual([nonce]);
    expect(await isPaused()).toBe(true);
  });

  test('is not signed at a nonce below the one that enough endpoints named', async () => {
    await world.admin().setNonce({ address: guardian.address, nonce: 5 });
    await lookAtGuardian(world.ctx, watch, pauses);
    proxies[OTHER].alter('eth_getTransactionCount', () => '0x0');
    await steal();
    await look(HONEST);
    await pauseBy(world.ctx, watch, pauses, OTHER);
    await world.taken();
    expect([...pauses.bids.keys()]).toEqual([5]);
    expect(await isPaused()).toBe(true);
  });

  test('stays so until its row is written, too', async () => {
    const hash = keccak256(toHex('not written yet'));
    owePause(pauses, hash);
    await pauseRounds();
    expect(await isPaused()).toBe(true);
    expect(pauses.owed.size).toBe(1);
    const row = { chain: 'base', hash, executor: null, block: 1n, seenAt: new Date(world.ctx.clock.now()) };
    await world.ctx.db.foreignTransaction.create({ data: row });
    await pauseRounds(1);
    expect(pauses.owed.size).toBe(0);
    expect((await foreign())[0]?.pausedAt).not.toBeNull();
  });

  test('leaves nothing signed behind that could pause again after the owner unpaused', async () => {
    await lookAtGuardian(world.ctx, watch, pauses);
    const nonce = await world.reader().getTransactionCount({ address: guardian.address });
    proxies[OTHER].alter('eth_getTransactionCount', () => toHex(nonce + 3));
    await steal();
    await look(HONEST);
    const used = () => world.reader().getTransactionCount({ address: guardian.address });
    await pauseBy(world.ctx, watch, pauses, OTHER);
    await pauseBy(world.ctx, watch, pauses, HONEST);
    await world.taken();
    expect([...pauses.bids.keys()]).toEqual([nonce + 3, nonce]);
    expect(await used()).toBe(nonce + 1);
    await world.mine(2);
    for (const number of [HONEST, OTHER]) await pauseBy(world.ctx, watch, pauses, number);
    expect(pauses.owed.size).toBe(0);
    await pauseBy(world.ctx, watch, pauses, HONEST);
    await world.mine(1);
    expect(await world.reader().getTransactionCount({ address: guardian.address })).toBe(nonce + 4);
    const head = await world.reader().getBlockNumber();
    const blocks = await Promise.all(
      [0n, 1n, 2n].map((back) => world.reader().getBlock({ blockNumber: head - back, includeTransactions: true })),
    );
    const sent = blocks.flatMap(({ transactions }) => transactions).filter(({ from }) => isGuardian(from));
    // Each was replaced by one that does nothing, and none of them pauses.
    for (const one of sent.filter((later) => later.nonce > nonce)) expect(one.input).toBe('0x');
    expect(sent.some((later) => later.nonce === nonce + 3)).toBe(true);
    await walletOf(ROLES.owner.key).writeContract({
      ...{ address: world.evmChain().routers.bot, abi: botRouterAbi, functionName: 'unpause', chain: null },
    });
    await world.taken();
    await pauseRounds();
    await world.mine(2);
    expect(await isPaused()).toBe(false);
    proxies[OTHER].alter('eth_getTransactionCount', null);
    await lookAtGuardian(world.ctx, watch, pauses);
    await pauseBy(world.ctx, watch, pauses, HONEST);
    expect(pauses.bids.size).toBe(0);
  });
});

test('a pause that was signed is not forgotten because one endpoint calls its nonce used', async () => {
  await lookAtGuardian(world.ctx, watch, pauses);
  const nonce = await world.reader().getTransactionCount({ address: guardian.address });
  pauses.bids.set(nonce, { maxFee: 1n, priorityFee: 1n });
  proxies[OTHER].alter('eth_getTransactionCount', () => toHex(nonce + 9));
  proxies[HONEST].refuse('eth_getTransactionCount', { code: -32_000, message: 'busy' });
  await pauseBy(world.ctx, watch, pauses, HONEST);
  expect([...pauses.bids.keys()]).toEqual([nonce]);
  proxies[HONEST].refuse('eth_getTransactionCount', null);
  await pauseBy(world.ctx, watch, pauses, HONEST);
  await world.taken();
  await world.mine(1);
  expect(await world.reader().getTransactionCount({ address: guardian.address })).toBe(nonce + 1);
  proxies[OTHER].alter('eth_getTransactionCount', null);
  await lookAtGuardian(world.ctx, watch, pauses);
  await pauseBy(world.ctx, watch, pauses, HONEST);
  expect(pauses.bids.size).toBe(0);
});

test('an endpoint that has not answered since the start reads all blocks since then once it does', async () => {
  await world.ctx.db.watchCheckpoint.deleteMany();
  open();
  proxies[OTHER].setDead(true);
  await expect(lookAt(world.ctx, watch, OTHER)).rejects.toThrow();
  await look(HONEST);
  world.later(61_000);
  await world.mine(1);
  await look(HONEST);
  await evaluateAlerts(world.ctx);
  const behind = await world.ctx.db.alert.findMany({ where: { kind: 'watchdog_behind', resolvedAt: null } });
  expect(behind.map(({ subject }) => subject)).toEqual(['base 1']);
  proxies[HONEST].answer('eth_getLogs', () => []);
  await steal();
  await world.mine(60);
  await look(HONEST);
  expect(await foreign()).toEqual([]);
  proxies[OTHER].setDead(false);
  await look(OTHER);
  expect(await foreign()).toHaveLength(1);
});

test('an endpoint that has not answered yet begins with the first block that another one has read', async () => {
  await world.ctx.db.watchCheckpoint.deleteMany();
  open();
  proxies[OTHER].setDead(true);
  proxies[HONEST].answer('eth_getLogs', () => []);
  await steal();
  await world.mine(3);
  await look(HONEST);
  expect(await foreign()).toEqual([]);
  await world.mine(20);
  proxies[OTHER].setDead(false);
  await look(OTHER);
  expect(await foreign()).toHaveLength(1);
});

test('an endpoint that has not answered yet is not sent beyond the chain by one that lies', async () => {
  const { db } = world.ctx;
  await db.watchCheckpoint.deleteMany();
  await db.watchNonce.deleteMany();
  const [, stolen] = ROLES.executors;
  // A key that no row knows is seen in events alone.
  const key = await db.executorKey.findFirst({ where: { chain: 'base', address: stolen?.address ?? '' } });
  if (key) await db.executorKey.delete({ where: { chain_address: { chain: 'base', address: key.address } } });
  open();
  proxies[OTHER].answer('eth_getBlockByNumber', () => ({ number: '0xfffffff', hash: keccak256('0x01') }));
  proxies[OTHER].answer('eth_getLogs', () => []);
  await lookAt(world.ctx, watch, OTHER);
  await steal();
  await world.mine(60);
  await look(HONEST);
  if (key) await db.executorKey.create({ data: key });
  expect(await foreign()).toHaveLength(1);
});

test('an endpoint that is named later begins with the oldest of the others', async () => {
  const { db } = world.ctx;
  await db.watchCheckpoint.deleteMany();
  const at = { chain: 'base', number: 0, blockHash: '0x', head: 40n, lookedAt: new Date(), caughtUpAt: new Date() };
  const marks = [
    { ...at, endpoint: 'a', block: 20n, problem: null },
    { ...at, endpoint: 'b', block: 10n, problem: null },
    { ...at, endpoint: 'beyond the head', block: 99n, problem: null },
  ];
  const endpoints = [...marks.map(({ endpoint }) => endpoint), 'new'];
  await noteUnread(world.ctx, { ...watch, endpoints }, marks, { from: 30, head: 40 });
  expect(await db.watchCheckpoint.findMany()).toMatchObject([{ endpoint: 'new', block: 10n }]);
});

test('an endpoint that hangs delays neither what another one finds nor its pause', async () => {
  const gates = ['eth_getBlockByNumber', 'eth_call', 'eth_sendRawTransaction'].map((method) =>
    proxies[OTHER].hold(method, 'before'),
  );
  await steal();
  const hanging = lookAt(world.ctx, watch, OTHER).catch(() => 0);
  await look(HONEST);
  await pauseBy(world.ctx, watch, pauses, HONEST);
  await world.taken();
  expect(await isPaused()).toBe(true);
  for (const gate of gates) gate.open();
  await hanging;
});

test('a chain that took blocks back is read again', async () => {
  const before = await world.admin().snapshot();
  await world.mine(8);
  await look(HONEST);
  await world.admin().revert({ id: before });
  await steal();
  await world.mine(1);
  await look(HONEST);
  expect(await foreign()).toHaveLength(1);
});

test('a key that the router does not call its guardian, or that cannot pay, is told', async () => {
  await lookAtGuardian(world.ctx, watch, pauses);
  await evaluateAlerts(world.ctx);
  expect(await alerts()).not.toContain('watchdog_powerless');
  await world.admin().setBalance({ address: guardian.address, value: 0n });
  await lookAtGuardian(world.ctx, watch, pauses);
  await evaluateAlerts(world.ctx);
  expect(await alerts()).toContain('watchdog_powerless');
  await lookAtGuardian(world.ctx, watch, openPauses(privateKeyToAccount(ROLES.owner.key)));
  expect((await listWatched(world.ctx))[0]?.problem).toMatch(/guardian is 0x\w{40}, not 0x/);
});

test('an endpoint of a live network that answers with an old block alone is behind', async () => {
  open({ local: false });
  await world.mine(1);
  world.later(61_000);
  const fresh = (result: unknown) => ({
    ...(result as object),
    timestamp: toHex(Math.floor(world.ctx.clock.now() / 1_000)),
  });
  proxies[HONEST].alter('eth_getBlockByNumber', fresh);
  for (const number of [HONEST, OTHER]) await look(number);
  await evaluateAlerts(world.ctx);
  const behind = await world.ctx.db.alert.findMany({ where: { kind: 'watchdog_behind', resolvedAt: null } });
  expect(behind.map(({ subject }) => subject)).toEqual(['base 1']);
  expect(JSON.stringify(behind[0]?.detail)).toContain('its newest block is');
});

test('a watchdog that stops reading is behind after a minute, by every endpoint', async () => {
  await world.mine(1);
  world.later(61_000);
  await evaluateAlerts(world.ctx);
  expect((await alerts()).filter((kind) => kind === 'watchdog_behind')).toHaveLength(2);
  // A start is no look.
  open();
  for (const proxy of proxies) proxy.setDead(true);
  for (const number of [HONEST, OTHER]) await expect(lookAt(world.ctx, watch, number)).rejects.toThrow();
  await evaluateAlerts(world.ctx);
  expect((await alerts()).filter((kind) => kind === 'watchdog_behind')).toHaveLength(2);
  for (const proxy of proxies) proxy.setDead(false);
  for (const number of [HONEST, OTHER]) await look(number);
  await evaluateAlerts(world.ctx);
  expect(await alerts()).not.toContain('watchdog_behind');
});
