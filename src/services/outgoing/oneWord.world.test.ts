// What one of two endpoints says by itself about our own transactions and keys: it is noted at most, and what it noted is put right by two.
import { createWalletClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ROLES } from '../../../local/stack/roles.ts';
import { chainThrough } from '../../../test/setup/payments.ts';
import { type RpcProxy, startRpcProxy } from '../../../test/setup/rpcProxy.ts';
import { startWorld, type World } from '../../../test/setup/world.ts';
import { KINDS } from '../../../workers/kinds.ts';
import { executorState } from '../../chain/executors.ts';
import { readPlanTransaction } from '../../chain/planTransactions.ts';
import { currentFees, type EvmChain } from '../../chain/rpc/client.ts';
import { agreedReceipt } from '../../chain/rpc/outcomes.ts';
import { replaceAttempt } from './evmLane.ts';
import { finaliseMined, followOutgoing, followSent } from './follow.ts';
import { openKeys } from './keys.ts';
import { NOTHING, type OutgoingKind } from './kinds.ts';
import { laneOf } from './lanes.ts';
import { reconcileChain } from './reconcile.ts';

let world: World;
let liar: RpcProxy;
let honest: RpcProxy;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());
beforeEach(async () => {
  [liar, honest] = await Promise.all([startRpcProxy(world.anvilOf().rpcUrl), startRpcProxy(world.anvilOf().rpcUrl)]);
});
afterEach(async () => {
  await Promise.all([liar.close(), honest.close()]);
  await world.admin().setAutomine(true);
  await world.mine(6);
  await world.ctx.db.executorKey.updateMany({ data: { pausedReason: null } });
  // More tips than one sender may give in an hour.
  await world.ctx.db.rateEvent.deleteMany();
});

/** A real network, by the endpoint that lies first. */
const live = (): EvmChain => chainThrough(world.evmChain(), [liar.url, honest.url], { local: false });
/** One look at all that is open, also at what is put off. */
const follow = async () => {
  await world.taken();
  await world.ctx.db.outgoingTx.updateMany({ where: { status: 'mined' }, data: { nextLookAt: null } });
  await followOutgoing(world.ctx, live(), KINDS);
};
const outgoing = (id: string) =>
  world.ctx.db.outgoingTx.findUniqueOrThrow({
    where: { id },
    include: { attempts: { orderBy: { number: 'desc' } } },
  });

/** A tip of alice that is signed and sent. @returns the id of its transaction */
async function sentTip(): Promise<string> {
  await world.type('alice', '/tip @bob 1');
  await world.fetchUpdates();
  await world.ingest();
  await world.prepare();
  await world.settle();
  const { outgoingTxId } = await world.ctx.db.tip.findFirstOrThrow({ orderBy: { createdAt: 'desc' } });
  return outgoingTxId ?? '';
}

/** One that a block has, in a final block. */
async function deepTip(): Promise<string> {
  const id = await sentTip();
  await follow();
  await world.mine(6);
  expect((await outgoing(id)).status).toBe('mined');
  return id;
}

/** Another program's transaction at the nonce of one of ours, in the newest block. */
async function spendNonce(id: string): Promise<void> {
  const { executor, nonce } = await outgoing(id);
  const key = ROLES.executors.find(({ address }) => address === executor)?.key ?? '0x';
  const thief = createWalletClient({
    account: privateKeyToAccount(key),
    transport: http(world.anvilOf().rpcUrl),
  });
  await world.admin().request({ method: 'anvil_dropAllTransactions' as never, params: [] as never });
  await world.admin().setAutomine(true);
  await thief.sendTransaction({ to: ROLES.treasury.address, value: 1n, chain: null, nonce: nonce ?? 0 });
}

describe('the number of a block, or of an event in it', () => {
  test('that one endpoint gives falsely keeps no transaction from its end', async () => {
    const id = await sentTip();
    liar.alter('eth_getTransactionReceipt', (found) => found && { ...(found as object), blockNumber: '0x2' });
    honest.answer('eth_getTransactionReceipt', () => null);
    await follow();
    expect((await outgoing(id)).minedBlock).toBe(2n);
    liar.alter('eth_getTransactionReceipt', null);
    honest.answer('eth_getTransactionReceipt', null);
    await world.mine(6);
    await follow();
    await follow();
    const row = await outgoing(id);
    expect(row.status).toBe('final');
    expect(row.minedBlock).toBeGreaterThan(2n);
  });

  const capitals = (text: unknown) => `0x${String(text).slice(2).toUpperCase()}`;
  type Log = { topics: string[]; data: string };
  type Receipt = { blockHash: string; transactionHash: string; logs: Log[] };
  test.each<[string, (found: Receipt) => object]>([
    ['a hash of a block that is none', () => ({ blockHash: '\u0000' })],
    ['a number that no row holds', () => ({ blockNumber: `0x${'f'.repeat(32)}` })],
    ['another transaction', () => ({ transactionHash: `0x${'1'.repeat(64)}` })],
    ['a hash of its block in capitals', ({ blockHash }) => ({ blockHash: capitals(blockHash) })],
    ['its own hash in capitals', ({ transactionHash }) => ({ transactionHash: capitals(transactionHash) })],
    ['events in capitals', ({ logs }) => ({ logs: logs.map((log) => ({ ...log, topics: log.topics.map(capitals) })) })],
  ])('with %s by one endpoint neither stops a transaction nor changes what it did', async (_, lie) => {
    const id = await sentTip();
    liar.alter('eth_getTransactionReceipt', (found) => found && { ...(found as object), ...lie(found as Receipt) });
    const honestWord = honest.hold('eth_getTransactionReceipt', 'before');
    void honestWord.reached.then(() => setTimeout(honestWord.open, 200));
    await follow();
    const { hash } = (await outgoing(id)).attempts[0] ?? { hash: '' };
    expect(await outgoing(id)).toMatchObject({ status: 'mined', minedHash: hash });
    liar.alter('eth_getTransactionReceipt', null);
    await world.mine(6);
    await follow();
    await follow();
    const { blockHash } = await world.reader().getTransactionReceipt({ hash: hash as `0x${string}` });
    expect(await outgoing(id)).toMatchObject({
      status: 'final',
      succeeded: true,
      minedHash: hash,
      minedBlockHash: blockHash,
    });
    expect(await world.ctx.db.tip.findFirst({ where: { outgoingTxId: id } })).toMatchObject({ status: 'settled' });
  });

  test.each<[string, (log: Log) => object]>([
    ['in capitals', ({ topics, data }) => ({ topics: topics.map(capitals), data: capitals(data) })],
    ['under another transaction', () => ({ transactionHash: `0x${'1'.repeat(64)}`, blockNumber: '0x2' })],
  ])('whose events stand %s by the endpoint that answers first, is read as two show it', async (_, lie) => {
    const id = await deepTip();
    const { minedHash } = await outgoing(id);
    const found = await agreedReceipt(live(), [minedHash as `0x${string}`]);
    liar.alter('eth_getTransactionReceipt', (answer) => {
      const receipt = answer as { logs: Log[] };
      return { ...receipt, logs: receipt.logs.map((log) => ({ ...log, ...lie(log) })) };
    });
    const honestWord = honest.hold('eth_getTransactionReceipt', 'before');
    void honestWord.reached.then(() => setTimeout(honestWord.open, 200));
    expect((await agreedReceipt(live(), [minedHash as `0x${string}`]))?.logs).toEqual(found?.logs);
  });

  test('counts of what a final transaction did only where two endpoints give it', async () => {
    const id = await deepTip();
    await follow();
    const { minedHash } = await outgoing(id);
    const final = async () => (await readPlanTransaction(live(), minedHash ?? ''))?.final();
    expect(await final()).toMatchObject({ entries: [] });
    for (const place of ['logIndex', 'blockNumber']) {
      liar.alter('eth_getTransactionReceipt', (found) => {
        const receipt = found as { logs: object[] };
        return { ...receipt, [place]: '0x2', logs: receipt.logs.map((log) => ({ ...log, [place]: '0x2' })) };
      });
      await expect(final()).rejects.toMatchObject({ code: 'provider_unavailable' });
    }
  });
});

test('a block is final once both have it so deep', async () => {
  const id = await sentTip();
  await follow();
  liar.alter('eth_blockNumber', (head) => `0x${(BigInt(head as string) + 100n).toString(16)}`);
  await follow();
  expect((await outgoing(id)).status).toBe('mined');
  await world.mine(6);
  await follow();
  expect((await outgoing(id)).status).toBe('final');
});

describe('a nonce that another program spent', () => {
  test('gives nothing up in a block that one endpoint alone calls final', async () => {
    await world.admin().setAutomine(false);
    const id = await sentTip();
    await spendNonce(id);
    const ahead = (head: unknown) =>
      `0x${(BigInt(head as string) + BigInt(world.evmChain().confirmations - 1)).toString(16)}`;
    const late = honest.hold('eth_blockNumber', 'before');
    liar.alter('eth_blockNumber', ahead);
    liar.answer('eth_getTransactionCount', () => {
      late.open();
      return '0x999';
    });
    world.later(10 * 60_000);
    await followSent(world.ctx, live(), KINDS);
    expect((await outgoing(id)).status).toBe('sent');
    expect(await world.ctx.db.executorKey.count({ where: { pausedReason: { not: null } } })).toBe(0);
    await world.mine(6);
    liar.alter('eth_blockNumber', null);
    liar.answer('eth_getTransactionCount', null);
    world.later(10 * 60_000);
    await followSent(world.ctx, live(), KINDS);
    expect((await outgoing(id)).status).toBe('lost');
  });

  test('is not confused with an attempt that another process stored after ours were read', async () => {
    await world.admin().setAutomine(false);
    const id = await sentTip();
    const stale = await outgoing(id);
    world.later(10 * 60_000);
    await replaceAttempt(world.ctx, live(), id);
    await world.mine(6);
    const head = await world.reader().getBlockNumber();
    expect((await outgoing(id)).attempts).toHaveLength(2);
    expect(await laneOf(live()).push(world.ctx, live(), stale, head)).toBeNull();
    await follow();
    await follow();
    expect((await outgoing(id)).status).toBe('final');
  });
});

describe('what two processes follow at once', () => {
  test.each([
    ['becomes final', null],
    ['is taken back', () => null],
  ])('%s only as it is noted at that moment', async (_end, receipt) => {
    const id = await deepTip();
    if (receipt)
      for (const proxy of [liar, honest]) {
        proxy.answer('eth_getTransactionReceipt', receipt);
        proxy.alter('eth_getBlockByNumber', (block) => block && { ...(block as object), hash: `0x${'0'.repeat(64)}` });
      }
    await world.taken();
    const others = { status: 'mined', id: { not: id } };
    await world.ctx.db.outgoingTx.updateMany({ where: others, data: { nextLookAt: null } });
    const waits = async () => {
      const [row] = await world.ctx.db.$queryRaw<{ count: bigint }[]>`select count(*) from pg_locks where not granted`;
      return Number(row?.count);
    };
    const { round } = await world.ctx.db.$transaction(async (tx) => {
      // The other one has seen a reorg, and is about to say so.
      await tx.outgoingTx.update({ where: { id }, data: { minedDigest: 'another block' } });
      const started = finaliseMined(world.ctx, live(), KINDS);
      await expect.poll(waits).toBeGreaterThan(0);
      return { round: started };
    });
    await round;
    expect(await outgoing(id)).toMatchObject({ status: 'mined', minedDigest: 'another block' });
    for (const proxy of [liar, honest]) {
      proxy.answer('eth_getTransactionReceipt', null);
      proxy.alter('eth_getBlockByNumber', null);
    }
    await follow();
    await follow();
    expect((await outgoing(id)).status).toBe('final');
  });

  test('is noted in its block before anything is sent again', async () => {
    await world.admin().setAutomine(false);
    const [first, second] = [await sentTip(), await sentTip()];
    expect((await outgoing(first)).executor).not.toBe((await outgoing(second)).executor);
    const raw = (await outgoing(second)).attempts[0]?.raw as `0x${string}`;
    await world.admin().request({ method: 'anvil_dropAllTransactions' as never, params: [] as never });
    await world.reader().request({ method: 'eth_sendRawTransaction', params: [raw] });
    await world.mine(1);
    const seen: string[] = [];
    liar.answer('eth_sendRawTransaction', () => {
      seen.push('sent again');
      return `0x${'1'.repeat(64)}`;
    });
    const tips: OutgoingKind = {
      ...KINDS.tips,
      onMined: async () => {
        seen.push('mined');
        return NOTHING;
      },
    };
    world.later(4_500);
    await followSent(world.ctx, live(), { ...KINDS, tips });
    expect(seen).toEqual(['mined', 'sent again']);
    liar.answer('eth_sendRawTransaction', null);
    await world.admin().setAutomine(true);
    world.later(4_500);
    await followSent(world.ctx, live(), KINDS);
    await world.mine(6);
    await follow();
    await follow();
    for (const id of [first, second]) expect((await outgoing(id)).status).toBe('final');
  });
});

describe('the ledger of a key', () => {
  test('begins with the nonce that two endpoints count', async () => {
    const rows = await world.ctx.db.executorKey.findMany({ where: { chain: 'base' } });
    await world.ctx.db.executorKey.deleteMany({ where: { chain: 'base' } });
    liar.answer('eth_getTransactionCount', () => '0x999');
    await expect(openKeys(world.ctx, live())).rejects.toMatchObject({ code: 'provider_unavailable' });
    liar.answer('eth_getTransactionCount', null);
    await openKeys(world.ctx, live());
    const nonces = async () =>
      (await world.ctx.db.executorKey.findMany({ where: { chain: 'base' }, orderBy: { address: 'asc' } })).map(
        ({ address, nextNonce }) => [address, nextNonce],
      );
    const counted = rows
      .toSorted((a, b) => (a.address < b.address ? -1 : 1))
      .map(({ address, nextNonce }) => [address, nextNonce]);
    expect(await nonces()).toEqual(counted);
  });

  test('pays no more than what either endpoint asks for, and is not waited for where one hangs', async () => {
    const fees = await currentFees(live());
    liar.alter('eth_maxPriorityFeePerGas', (fee) => `0x${(BigInt(fee as string) * 1_000n).toString(16)}`);
    expect(await currentFees(live())).toEqual(fees);
    liar.alter('eth_maxPriorityFeePerGas', null);
    liar.alter('eth_getBlockByNumber', (block) => ({ ...(block as object), baseFeePerGas: '0xffffffffff' }));
    expect(await currentFees(live())).toEqual(fees);
    const gate = liar.hold('eth_getBlockByNumber', 'before');
    expect(await currentFees(live())).toEqual(fees);
    gate.open();
  });

  test('loses no key to what one endpoint says of its role or its nonce', async () => {
    const address = ROLES.executors[0]?.address ?? '0x';
    liar.answer('eth_call', () => `0x${'0'.repeat(64)}`);
    await expect(reconcileChain(world.ctx, live())).rejects.toMatchObject({ code: 'provider_unavailable' });
    expect(await world.ctx.db.executorKey.count({ where: { pausedReason: { not: null } } })).toBe(0);
    liar.answer('eth_call', null);
    liar.answer('eth_getTransactionCount', () => '0x999');
    await expect(executorState(live(), address, world.ctx.clock.now())).rejects.toMatchObject({
      code: 'provider_unavailable',
    });
  });

  test('is compared with the chain as it is then: what was sent meanwhile stops no key', async () => {
    const gates = [liar, honest].map((proxy) => proxy.hold('eth_getTransactionCount', 'before'));
    const round = reconcileChain(world.ctx, live());
    await Promise.all(gates.map(({ reached }) => reached));
    const ids = [await sentTip(), await sentTip()];
    for (const gate of gates) gate.open();
    await round;
    expect(await world.ctx.db.executorKey.count({ where: { pausedReason: { not: null } } })).toBe(0);
    await follow();
    await world.mine(6);
    await follow();
    for (const id of ids) expect((await outgoing(id)).status).toBe('final');
  });
});
