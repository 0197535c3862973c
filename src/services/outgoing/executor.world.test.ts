// The executor under everything that a chain and a crash can do to it: every case ends settled once, or untouched.

import { createTestClient, createWalletClient, http, parseAbi, parseEther, parseUnits } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ROLES } from '../../../local/stack/roles.ts';
import { type RpcProxy, startRpcProxy } from '../../../test/setup/rpcProxy.ts';
import { startWorld, type World } from '../../../test/setup/world.ts';
import { KINDS } from '../../../workers/kinds.ts';
import { settleChain } from '../tips/settle.ts';
import { followOutgoing } from './follow.ts';
import { pauseKey, resumeKey } from './keys.ts';
import { NOTHING, type OutgoingKinds } from './kinds.ts';
import { laneOf } from './lanes.ts';
import { reconcileChain } from './reconcile.ts';

let world: World;
let proxy: RpcProxy;
beforeEach(async () => {
  world = await startWorld({
    rpcUrls: {
      base: async (direct) => {
        proxy = await startRpcProxy(direct);
        return proxy.url;
      },
    },
  });
});
afterEach(async () => {
  await world.stop();
  await proxy.close();
});

const usdc = (amount: string) => parseUnits(amount, 6);
const bobHas = () => world.usdc('bob');
const txs = () => world.ctx.db.outgoingTx.findMany({ orderBy: { createdAt: 'asc' }, include: { attempts: true } });
const tips = () => world.ctx.db.tip.findMany({ orderBy: { id: 'asc' } });
const lastAnswer = async () => (await world.botSaid()).at(-1)?.text ?? '';
const raw = () => createTestClient({ mode: 'anvil', transport: http(world.anvilOf().rpcUrl) });

/** As far as a signed and broadcast transaction, watched by nobody. */
async function submitted(text = '/tip @bob 5'): Promise<void> {
  await world.type('alice', text);
  await world.fetchUpdates();
  await world.ingest();
  await world.prepare();
  await world.settle();
}
async function toTheEnd(): Promise<void> {
  for (let i = 0; i < 3; i++) {
    await world.watch();
    await world.mine(1);
  }
  await world.watch();
  await world.reply();
}

describe('a reorg under the confirmation depth', () => {
  test('that makes the transaction vanish ends settled once, with the same bytes', async () => {
    const before = await bobHas();
    await submitted();
    await world.watch();
    await world.reply();
    expect((await tips())[0]?.status).toBe('mined');
    const [first] = await txs();
    await raw().request({ method: 'anvil_reorg' as never, params: [1, []] as never });
    expect(await bobHas()).toBe(before);
    await world.watch();
    await world.reply();
    expect((await tips())[0]).toMatchObject({ status: 'submitted', txHash: null });
    expect(await lastAnswer()).toContain('on its way');
    await toTheEnd();
    expect((await bobHas()) - before).toBe(usdc('5'));
    const [after] = await txs();
    expect(after).toMatchObject({ status: 'final', minedHash: first?.minedHash });
    expect(after?.attempts).toHaveLength(1);
    expect((await tips())[0]?.status).toBe('settled');
    expect(await lastAnswer()).toMatch(/^✅ @alice tipped @bob 5\.00/);
    expect(await world.botSaid()).toHaveLength(1);
  });

  test('that moves it to another block ends settled once', async () => {
    const before = await bobHas();
    await submitted();
    await world.watch();
    const [first] = await txs();
    const bytes = first?.attempts[0]?.raw;
    await raw().request({ method: 'anvil_reorg' as never, params: [2, [[bytes, 1]]] as never });
    await toTheEnd();
    expect((await bobHas()) - before).toBe(usdc('5'));
    const [after] = await txs();
    expect(after).toMatchObject({ status: 'final', minedHash: first?.minedHash });
    expect(after?.minedBlockHash).not.toBe(first?.minedBlockHash);
    const actions = (
      await world.ctx.db.transition.findMany({ where: { resource: 'tip' }, orderBy: { id: 'asc' } })
    ).map((row) => row.action);
    expect(actions).toEqual(['submit', 'mine', 'unmine', 'mine', 'settle']);
  });

  test('below a final block (a chain that lost its newest state) sends the same bytes again', async () => {
    const before = await bobHas();
    await submitted();
    await toTheEnd();
    expect((await txs())[0]?.status).toBe('final');
    await raw().request({ method: 'anvil_rollback' as never, params: [5] as never });
    expect(await bobHas()).toBe(before);
    await reconcileChain(world.ctx, world.evmChain());
    await toTheEnd();
    expect((await bobHas()) - before).toBe(usdc('5'));
    expect((await tips())[0]?.status).toBe('settled');
  });
});

describe('a transaction that does not get in', () => {
  test('because the base fee jumped is replaced at the same nonce with higher fees, and settles once', async () => {
    const before = await bobHas();
    await raw().setAutomine(false);
    await submitted();
    // The pool drops what is below the base fee when a block is made: the transaction is gone.
    await raw().setNextBlockBaseFeePerGas({ baseFeePerGas: 500_000_000_000n });
    await raw().mine({ blocks: 1 });
    await raw().setNextBlockBaseFeePerGas({ baseFeePerGas: 500_000_000_000n });
    world.later(3_000);
    await world.watch();
    await raw().setAutomine(true);
    world.later(12_000);
    await world.watch();
    await toTheEnd();
    expect((await bobHas()) - before).toBe(usdc('5'));
    const [row] = await txs();
    expect(row?.attempts.length).toBeGreaterThan(1);
    expect(new Set(row?.attempts.map((attempt) => attempt.hash)).size).toBe(row?.attempts.length);
    expect(await txs()).toHaveLength(1);
    expect((await tips())[0]?.status).toBe('settled');
  });

  test('because the pool lost it is sent again, the same bytes', async () => {
    const before = await bobHas();
    await raw().setAutomine(false);
    await submitted();
    await raw().request({ method: 'anvil_dropAllTransactions' as never, params: [] as never });
    await raw().setAutomine(true);
    await world.watch();
    expect(await bobHas()).toBe(before);
    world.later(4_500);
    await world.watch();
    await toTheEnd();
    expect((await bobHas()) - before).toBe(usdc('5'));
    expect((await txs())[0]?.attempts).toHaveLength(1);
  });

  test('and is replaced twice can still be mined by its first attempt', async () => {
    const before = await bobHas();
    await raw().setAutomine(false);
    await submitted();
    world.later(15_000);
    await world.watch();
    world.later(25_000);
    await world.watch();
    const attempts = (await txs())[0]?.attempts.sort((a, b) => a.number - b.number) ?? [];
    expect(attempts).toHaveLength(3);
    await raw().request({ method: 'anvil_dropAllTransactions' as never, params: [] as never });
    await raw().setAutomine(true);
    await world
      .reader()
      .request({ method: 'eth_sendRawTransaction', params: [attempts[0]?.raw as `0x${string}`] })
      .catch(() => undefined);
    await toTheEnd();
    expect((await bobHas()) - before).toBe(usdc('5'));
    expect((await txs())[0]?.minedHash).toBe(attempts[0]?.hash);
  });

  test('because the executor has no gas pauses that key, keeps the slot, and goes on when it has', async () => {
    const before = await bobHas();
    for (const { address } of ROLES.executors) await raw().setBalance({ address, value: 1n });
    await submitted();
    const paused = await world.ctx.db.executorKey.findMany({ where: { pausedReason: { not: null } } });
    expect(paused).toHaveLength(1);
    expect((await txs())[0]?.status).toBe('signed');
    for (const { address } of ROLES.executors) await raw().setBalance({ address, value: parseEther('10') });
    world.later(5_000);
    await world.watch();
    await toTheEnd();
    expect((await bobHas()) - before).toBe(usdc('5'));
    expect(await world.ctx.db.executorKey.count({ where: { pausedReason: { not: null } } })).toBe(0);
  });
});

describe('crashes and concurrency', () => {
  test('two workers that settle the same legs at once send one transaction', async () => {
    const before = await bobHas();
    for (const who of ['alice', 'shop']) await world.type(who, '/tip @bob 1');
    await world.fetchUpdates();
    await world.ingest();
    await world.prepare();
    await Promise.all(Array.from({ length: 6 }, () => settleChain(world.ctx, 'base')));
    await toTheEnd();
    expect((await bobHas()) - before).toBe(usdc('2'));
    const sent = await txs();
    expect(new Set(sent.map((row) => `${row.executor} ${row.nonce}`)).size).toBe(sent.length);
    expect((await tips()).every((tip) => tip.status === 'settled')).toBe(true);
  });

  test('stored but never sent: the next look sends the same bytes', async () => {
    const before = await bobHas();
    proxy.setDead(true);
    proxy.setDead(false);
    const gate = proxy.hold('eth_sendRawTransaction', 'before');
    const run = submitted();
    await gate.reached;
    const [row] = await txs();
    expect(row?.status).toBe('signed');
    proxy.setDead(true);
    gate.open();
    await run;
    expect(await bobHas()).toBe(before);
    proxy.setDead(false);
    world.later(10_000);
    await world.watch();
    await toTheEnd();
    expect((await bobHas()) - before).toBe(usdc('5'));
    expect((await txs())[0]?.attempts.map((attempt) => attempt.hash)).toContain((await txs())[0]?.minedHash);
  });

  test('a key that has gas again is in use also where the process dies once its transaction is noted', async () => {
    for (const { address } of ROLES.executors) await raw().setBalance({ address, value: 1n });
    await submitted();
    const inUse = () => world.ctx.db.executorKey.count({ where: { pausedReason: null } });
    const all = await world.ctx.db.executorKey.count();
    expect(await inUse()).toBe(all - 1);
    for (const { address } of ROLES.executors) await raw().setBalance({ address, value: parseEther('10') });
    const [row] = await txs();
    await laneOf(world.evmChain()).broadcastOpen(world.ctx, world.evmChain(), row?.id ?? '');
    const { db } = world.ctx;
    const dying = new Proxy(db, {
      get: (target, name) =>
        name === '$transaction'
          ? async (work: never) => {
              await target.$transaction(work);
              throw new Error('killed');
            }
          : Reflect.get(target, name),
    });
    await expect(followOutgoing({ ...world.ctx, db: dying }, world.evmChain(), KINDS)).rejects.toThrow('killed');
    expect((await txs())[0]?.status).toBe('mined');
    await toTheEnd();
    expect(await inUse()).toBe(all);
  });

  test('sending the same stored transaction ten times at once pays once', async () => {
    const before = await bobHas();
    await submitted();
    const [row] = await txs();
    await Promise.all(
      Array.from({ length: 10 }, () =>
        laneOf(world.evmChain()).broadcastOpen(world.ctx, world.evmChain(), row?.id ?? ''),
      ),
    );
    await toTheEnd();
    expect((await bobHas()) - before).toBe(usdc('5'));
  });

  test('a key that somebody else used stops, and the other key goes on', async () => {
    const before = await bobHas();
    await submitted('/tip @bob 1');
    await toTheEnd();
    const [used] = await txs();
    await world.ctx.db.executorKey.update({
      where: { chain_address: { chain: 'base', address: used?.executor ?? '' } },
      data: { nextNonce: 0 },
    });
    await reconcileChain(world.ctx, world.evmChain());
    const key = await world.ctx.db.executorKey.findUniqueOrThrow({
      where: { chain_address: { chain: 'base', address: used?.executor ?? '' } },
    });
    expect(key.pausedReason).toContain('used elsewhere');
    await submitted('/tip @bob 1');
    await toTheEnd();
    expect((await bobHas()) - before).toBe(usdc('2'));
    expect((await txs())[1]?.executor).not.toBe(used?.executor);
  });
});

describe('one pass', () => {
  test('says what is in its first block before it writes what became final', async () => {
    const order: string[] = [];
    const tipKind: OutgoingKinds['tips'] = {
      ...KINDS.tips,
      onMined: (...given) => {
        order.push('mined');
        return KINDS.tips.onMined?.(...given) ?? Promise.resolve(NOTHING);
      },
      onFinal: (...given) => {
        order.push('final');
        return KINDS.tips.onFinal(...given);
      },
    };
    await submitted();
    await world.watch();
    await world.mine(3);
    await submitted('/tip @bob 2');
    await followOutgoing(world.ctx, world.evmChain(), { ...KINDS, tips: tipKind });
    expect(order).toEqual(['mined', 'final']);
    await toTheEnd();
    expect((await tips()).map(({ status }) => status)).toEqual(['settled', 'settled']);
  });
});

describe('what the executor does not do', () => {
  test('it does not bid without end: a halted chain leaves a handful of attempts, within ten times the market', async () => {
    await raw().setAutomine(false);
    await submitted();
    const first = (await txs())[0]?.attempts[0];
    for (let i = 0; i < 60; i++) {
      world.later(12_000);
      await world.watch();
    }
    const attempts = (await txs())[0]?.attempts ?? [];
    expect(attempts.length).toBeGreaterThan(2);
    expect(attempts.length).toBeLessThan(12);
    const highest = attempts.reduce((most, one) => (one.maxFee > most ? one.maxFee : most), 0n);
    expect(highest).toBeLessThanOrEqual((first?.maxFee ?? 0n) * 10n);
    await raw().setAutomine(true);
    await toTheEnd();
    expect((await tips())[0]?.status).toBe('settled');
  });

  test('it does not wait for ever on a nonce that somebody else spent: the leg goes out again, paid once', async () => {
    const before = await bobHas();
    await raw().setAutomine(false);
    await submitted();
    const [row] = await txs();
    const key = ROLES.executors.find((role) => role.address === row?.executor);
    await raw().request({ method: 'anvil_dropAllTransactions' as never, params: [] as never });
    await raw().setAutomine(true);
    const thief = createWalletClient({
      account: privateKeyToAccount(key?.key ?? '0x'),
      transport: http(world.anvilOf().rpcUrl),
    });
    await thief.sendTransaction({ to: ROLES.treasury.address, value: 1n, chain: null, nonce: row?.nonce ?? 0 });
    await world.mine(4);
    world.later(5_000);
    await world.watch();
    expect((await txs())[0]?.status).toBe('lost');
    expect((await tips())[0]?.status).toBe('ready');
    await world.settle();
    await toTheEnd();
    expect((await bobHas()) - before).toBe(usdc('5'));
    expect((await tips())[0]?.status).toBe('settled');
    const stopped = await world.ctx.db.executorKey.findFirstOrThrow({ where: { pausedReason: { not: null } } });
    expect(stopped.address).toBe(row?.executor);
  });

  test('it does not send with a key that the router does not know, and uses it when it does', async () => {
    const [first] = ROLES.executors;
    const owner = createWalletClient({
      account: privateKeyToAccount(ROLES.owner.key),
      transport: http(world.anvilOf().rpcUrl),
    });
    await raw().setBalance({ address: ROLES.owner.address, value: parseEther('1') });
    const abi = parseAbi(['function removeExecutor(address)']);
    await owner.writeContract({
      address: world.evmChain().routers.bot,
      abi,
      functionName: 'removeExecutor',
      args: [first?.address ?? '0x'],
      chain: null,
    });
    await world.mine(1);
    const before = await bobHas();
    await reconcileChain(world.ctx, world.evmChain());
    await submitted();
    await toTheEnd();
    expect((await bobHas()) - before).toBe(usdc('5'));
    expect((await txs())[0]?.executor).not.toBe(first?.address);
  });

  test('it does not tell a paid tip as failed when another transaction paid it', async () => {
    const before = await bobHas();
    await raw().setAutomine(false);
    await submitted();
    const [row] = await txs();
    const other = ROLES.executors.find((role) => role.address !== row?.executor);
    const second = createWalletClient({
      account: privateKeyToAccount(other?.key ?? '0x'),
      transport: http(world.anvilOf().rpcUrl),
    });
    // The same call from another key, with a higher tip: it is in front.
    await second.sendTransaction({
      to: world.evmChain().routers.bot,
      data: row?.data as `0x${string}`,
      chain: null,
      gas: 700_000n,
      maxPriorityFeePerGas: 10n ** 11n,
      maxFeePerGas: 2n * 10n ** 11n,
    });
    await world.mine(1);
    await raw().setAutomine(true);
    await toTheEnd();
    expect((await bobHas()) - before).toBe(usdc('5'));
    expect((await tips())[0]?.status).toBe('settled');
    expect(await lastAnswer()).toMatch(/^✅/);
  });

  test('it does not put a key back into use that stopped for a graver reason than gas or its role', async () => {
    const { ctx } = world;
    const chain = world.evmChain();
    const address = ROLES.executors[0]?.address ?? '0x';
    const reason = async () =>
      (await ctx.db.executorKey.findUniqueOrThrow({ where: { chain_address: { chain: 'base', address } } }))
        .pausedReason;
    await reconcileChain(ctx, chain);
    await pauseKey(ctx, chain, address, 'insufficient funds for gas');
    await pauseKey(ctx, chain, address, 'a nonce of it was spent by somebody else');
    expect(await reason()).toContain('spent by somebody else');
    await pauseKey(ctx, chain, address, 'insufficient funds for gas');
    await resumeKey(ctx, chain, address);
    await pauseKey(ctx, chain, address, 'the router does not know it as an executor');
    await reconcileChain(ctx, chain);
    expect(await reason()).toContain('spent by somebody else');
  });

  test('it does not call a tip final before three blocks', async () => {
    await submitted();
    await world.watch();
    await world.mine(1);
    await world.watch();
    expect((await tips())[0]?.status).toBe('mined');
    await world.mine(1);
    await world.watch();
    expect((await tips())[0]?.status).toBe('settled');
  });
});

describe('a dead chain', () => {
  test('keeps the tip, says so after a while, and pays when the chain is back', async () => {
    const before = await bobHas();
    await world.type('alice', '/tip @bob 5');
    await world.fetchUpdates();
    await world.ingest();
    proxy.setDead(true);
    const { acceptedAt } = await world.ctx.db.intent.findFirstOrThrow({ orderBy: { acceptedAt: 'desc' } });
    const ageMs = () => world.ctx.clock.now() - acceptedAt.getTime();
    await world.prepare();
    await world.reply();
    // A hiccup of less than ten seconds is no news.
    if (ageMs() < 10_000) expect(await world.botSaid()).toEqual([]);
    while (ageMs() < 30_000) {
      world.later(5_000);
      await world.prepare();
    }
    await world.reply();
    expect(await lastAnswer()).toContain('Base is slow right now');
    expect(await lastAnswer()).toContain('You haven’t been charged yet');
    proxy.setDead(false);
    await world.run();
    expect((await bobHas()) - before).toBe(usdc('5'));
    expect(await lastAnswer()).toMatch(/^✅/);
    expect(await world.botSaid()).toHaveLength(1);
  });

  test('in the middle of settling keeps the leg', async () => {
    const before = await bobHas();
    await world.type('alice', '/tip @bob 5');
    await world.fetchUpdates();
    await world.ingest();
    await world.prepare();
    proxy.setDead(true);
    await world.settle();
    expect((await tips())[0]?.status).toBe('ready');
    expect(await txs()).toHaveLength(0);
    proxy.setDead(false);
    world.later(6_000);
    await world.run();
    expect((await bobHas()) - before).toBe(usdc('5'));
  });

  test('gives the tip up after its fifteen minutes, and says that nothing was taken', async () => {
    const before = await bobHas();
    await world.type('alice', '/tip @bob 5');
    await world.fetchUpdates();
    await world.ingest();
    proxy.setDead(true);
    await world.prepare();
    world.later(15 * 60_000);
    await world.prepare();
    await world.reply();
    proxy.setDead(false);
    expect(await lastAnswer()).toContain('you weren’t charged');
    await world.run();
    expect(await bobHas()).toBe(before);
  });
});
