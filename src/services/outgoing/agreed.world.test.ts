// One endpoint of a real network that lies about our own transactions, or about orders: nothing that money depends on is decided by its word alone.
import { type AbiEvent, encodeAbiParameters, encodeEventTopics, getAbiItem, keccak256, pad, toHex } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { chainThrough } from '../../../test/setup/payments.ts';
import { type RpcProxy, startRpcProxy } from '../../../test/setup/rpcProxy.ts';
import { startWorld, type World } from '../../../test/setup/world.ts';
import { KINDS } from '../../../workers/kinds.ts';
import { readCampaignTransaction } from '../../chain/campaignEvents.ts';
import { readEscrowBlock } from '../../chain/logs/escrow.ts';
import { readPlanTransaction } from '../../chain/planTransactions.ts';
import { botRouterAbi } from '../../chain/routers/abis/BotRouter.ts';
import { finalPayment, isSettled } from '../../chain/routers/payment.ts';
import type { EvmChain, Hash } from '../../chain/rpc/client.ts';
import { finalBlock } from '../../chain/rpc/finality.ts';
import { findPaidTip, tipTerms } from '../../chain/tips.ts';
import { followOutgoing, followSent } from './follow.ts';
import { NOTHING, type OutgoingKind } from './kinds.ts';

let world: World;
let liar: RpcProxy;
let honest: RpcProxy;
beforeAll(async () => {
  world = await startWorld();
  [liar, honest] = await Promise.all([startRpcProxy(world.anvilOf().rpcUrl), startRpcProxy(world.anvilOf().rpcUrl)]);
});
afterAll(async () => {
  await Promise.all([liar.close(), honest.close()]);
  await world.stop();
});
const METHODS = [
  'eth_getTransactionReceipt',
  'eth_getTransactionCount',
  'eth_call',
  'eth_getLogs',
  'eth_getBlockByNumber',
  'eth_sendRawTransaction',
  'eth_blockNumber',
];
afterEach(async () => {
  for (const method of METHODS) {
    liar.alter(method, null);
    liar.answer(method, null);
  }
  for (const proxy of [liar, honest]) proxy.setDead(false);
  await world.admin().setAutomine(true);
  // More tips than one sender may give in an hour.
  await world.ctx.db.rateEvent.deleteMany();
});

/** A real network, by the endpoint that lies first. */
const live = (...more: string[]): EvmChain =>
  chainThrough(world.evmChain(), [liar.url, honest.url, ...more], { local: false });
/** One look at all that is open: also what is put off, because no two endpoints agreed on it. */
const follow = async (chain = live(), kinds = KINDS) => {
  await world.taken();
  await world.ctx.db.outgoingTx.updateMany({ where: { status: 'mined' }, data: { nextLookAt: null } });
  await followOutgoing(world.ctx, chain, kinds);
};
/** One look in which the liar alone has a receipt. */
const followLiar = async (kinds = KINDS) => {
  honest.answer('eth_getTransactionReceipt', () => null);
  await follow(live(), kinds);
  honest.answer('eth_getTransactionReceipt', null);
};

/** A tip of alice that is signed and sent. */
async function sentTip() {
  await world.type('alice', '/tip @bob 1');
  await world.fetchUpdates();
  await world.ingest();
  await world.prepare();
  await world.settle();
  const { id, outgoingTxId } = await world.ctx.db.tip.findFirstOrThrow({ orderBy: { createdAt: 'desc' } });
  const outgoing = () => world.ctx.db.outgoingTx.findUniqueOrThrow({ where: { id: outgoingTxId ?? '' } });
  const tip = () => world.ctx.db.tip.findUniqueOrThrow({ where: { id } });
  return { tip, outgoing };
}

describe('our own transactions', () => {
  test('end as two endpoints show it: one that calls a payment failed ends nothing, and is overruled', async () => {
    const { tip, outgoing } = await sentTip();
    liar.alter(
      'eth_getTransactionReceipt',
      (receipt) => receipt && { ...(receipt as object), status: '0x0', logs: [] },
    );
    await followLiar();
    expect(await outgoing()).toMatchObject({ status: 'mined', succeeded: false });
    await world.mine(6);
    await follow();
    expect((await outgoing()).status).toBe('mined');
    liar.alter('eth_getTransactionReceipt', null);
    await follow();
    await follow();
    expect(await outgoing()).toMatchObject({ status: 'final', succeeded: true });
    expect(await tip()).toMatchObject({ status: 'settled', failure: null });
  });

  test('did what two endpoints show: logs that one leaves out decide nothing', async () => {
    const { outgoing } = await sentTip();
    const seen: string[] = [];
    const noted = async (what: string) => {
      seen.push(what);
      return NOTHING;
    };
    const tips: OutgoingKind = {
      onMined: (_ctx, _chain, _outgoing, receipt) =>
        noted(receipt.family === 'evm' && receipt.raw.logs.length > 0 ? 'paid' : 'nothing'),
      onUnmined: () => noted('taken back'),
      onFinal: () => noted('final'),
      onLost: () => noted('lost'),
    };
    const kinds = { ...KINDS, tips };
    liar.alter('eth_getTransactionReceipt', (receipt) => receipt && { ...(receipt as object), logs: [] });
    await followLiar(kinds);
    await world.mine(6);
    await follow(live(), kinds);
    expect(seen).toEqual(['nothing']);
    expect((await outgoing()).status).toBe('mined');
    liar.alter('eth_getTransactionReceipt', null);
    await follow(live(), kinds);
    await follow(live(), kinds);
    expect(seen).toEqual(['nothing', 'taken back', 'paid', 'final']);
  });

  test('are not taken back by one endpoint that shows another block and receipt', async () => {
    const third = world.anvilOf().rpcUrl;
    const { tip, outgoing } = await sentTip();
    const lie = (found: unknown) => found && { ...(found as object), hash: key0, blockHash: key0, number: '0x2' };
    liar.alter('eth_getBlockByNumber', lie);
    liar.alter('eth_getTransactionReceipt', lie);
    await followLiar();
    expect((await outgoing()).minedBlockHash).toBe(key0);
    await world.mine(6);
    for (let round = 0; round < 4; round++) await follow(live(third));
    expect((await outgoing()).status).toBe('final');
    expect((await tip()).status).toBe('settled');
    const { id } = await outgoing();
    const moves = await world.ctx.db.transition.findMany({ where: { resourceId: id }, orderBy: { id: 'asc' } });
    expect(moves.map(({ action }) => action).filter((action) => action !== 'sign')).toEqual([
      ...['send', 'mine', 'unmine', 'mine', 'finalise'],
    ]);
  });

  test('are not taken back by a dead endpoint and one that forgot them', async () => {
    const { outgoing } = await sentTip();
    await follow();
    expect((await outgoing()).status).toBe('mined');
    liar.answer('eth_getBlockByNumber', () => null);
    liar.answer('eth_getTransactionReceipt', () => null);
    honest.setDead(true);
    await follow();
    expect((await outgoing()).status).toBe('mined');
  });

  test('that no two endpoints agree on take no place from new ones', async () => {
    const executor = '0x00000000000000000000000000000000000000aa';
    const mined = { chain: 'base', kind: 'rent', attempt: 0, executor, toAddress: executor, data: '0x', gas: 1n };
    const at = { minedHash: key0, minedBlock: 1n, minedBlockHash: key0, minedDigest: 'none', succeeded: true };
    const createdAt = new Date(0);
    const stuck = Array.from({ length: 200 }, (_, nonce) => {
      return { id: `otx_stuck${nonce}`, subjectId: `${nonce}`, nonce, ...mined, ...at, status: 'mined', createdAt };
    });
    await world.ctx.db.outgoingTx.createMany({ data: stuck });
    liar.setDead(true);
    const { outgoing } = await sentTip();
    await world.taken();
    await followOutgoing(world.ctx, live(), KINDS);
    expect((await outgoing()).status).toBe('mined');
    await world.mine(6);
    liar.setDead(false);
    // Those that were not clear are put off; this one is looked at.
    await followOutgoing(world.ctx, live(), KINDS);
    expect((await outgoing()).status).toBe('final');
    await world.ctx.db.outgoingTx.deleteMany({ where: { executor } });
  });

  test('are put off ever longer while they are not clear', async () => {
    const { outgoing } = await sentTip();
    await follow();
    await world.mine(6);
    liar.setDead(true);
    const looks: number[] = [];
    for (const wait of [2_000, 4_000, 8_000]) {
      await followOutgoing(world.ctx, live(), KINDS);
      looks.push((await outgoing()).unclearLooks);
      world.later(wait - 1_500);
      await followOutgoing(world.ctx, live(), KINDS);
      looks.push((await outgoing()).unclearLooks);
      world.later(1_500);
    }
    expect(looks).toEqual([1, 1, 2, 2, 3, 3]);
    liar.setDead(false);
    await followOutgoing(world.ctx, live(), KINDS);
    expect((await outgoing()).status).toBe('final');
  });

  test('are seen in their block while another endpoint hangs', async () => {
    const { outgoing } = await sentTip();
    await world.taken();
    const gates = ['eth_getTransactionReceipt', 'eth_blockNumber'].map((method) => liar.hold(method, 'before'));
    const started = performance.now();
    await followSent(world.ctx, live(), KINDS);
    expect(performance.now() - started).toBeLessThan(4_000);
    for (const gate of gates) gate.open();
    expect((await outgoing()).status).toBe('mined');
    await world.mine(6);
    await follow();
  });

  test('go out to every endpoint: one that swallows them keeps none from the chain', async () => {
    await world.admin().setAutomine(false);
    const { outgoing } = await sentTip();
    const { id } = await outgoing();
    const [attempt] = await world.ctx.db.txAttempt.findMany({ where: { outgoingTxId: id } });
    const hash = attempt?.hash as Hash;
    await world.admin().dropTransaction({ hash });
    await expect(world.reader().getTransaction({ hash })).rejects.toThrow('could not be found');
    liar.answer('eth_sendRawTransaction', () => hash);
    world.later(5_000);
    await followOutgoing(world.ctx, live(), KINDS);
    await expect.poll(() => world.reader().getTransaction({ hash }), { timeout: 5_000 }).toMatchObject({ hash });
    await world.admin().setAutomine(true);
    await world.mine(1);
    await follow();
    await world.mine(6);
    await follow();
    expect((await outgoing()).status).toBe('final');
  });

  test('wait while one of two does not answer, and hold up nothing else', async () => {
    const { outgoing } = await sentTip();
    await follow();
    await world.mine(6);
    liar.setDead(true);
    await follow();
    expect((await outgoing()).status).toBe('mined');
    liar.setDead(false);
    await follow();
    expect((await outgoing()).status).toBe('final');
  });

  test('are not given up because one endpoint calls their nonce spent', async () => {
    await world.admin().setAutomine(false);
    const { outgoing } = await sentTip();
    liar.answer('eth_getTransactionCount', () => '0x999');
    liar.answer('eth_getTransactionReceipt', () => null);
    world.later(10 * 60_000);
    await followOutgoing(world.ctx, live(), KINDS);
    expect((await outgoing()).status).toBe('sent');
    expect(await world.ctx.db.executorKey.count({ where: { pausedReason: { not: null } } })).toBe(0);
    liar.answer('eth_getTransactionCount', null);
    liar.answer('eth_getTransactionReceipt', null);
    await world.admin().setAutomine(true);
    await world.mine(1);
    await follow();
    await world.mine(6);
    await follow();
    expect((await outgoing()).status).toBe('final');
  });
});

describe('what a transaction did', () => {
  test('to plans and campaigns counts as final by two endpoints', async () => {
    const { minedHash } = await world.ctx.db.outgoingTx.findFirstOrThrow({ where: { status: 'final' } });
    const read = async () => {
      const [plan, campaign] = [
        readPlanTransaction(live(), minedHash ?? ''),
        readCampaignTransaction(live(), minedHash ?? ''),
      ];
      return Promise.all([(await plan)?.final(), (await campaign)?.final()]);
    };
    expect(await read()).toMatchObject([{ entries: [] }, { entries: [] }]);
    liar.alter('eth_getTransactionReceipt', (receipt) => receipt && { ...(receipt as object), logs: [] });
    await expect(read()).rejects.toMatchObject({ code: 'provider_unavailable' });
  });

  test('to a message is what two endpoints show', async () => {
    const { recall } = await tipTerms(live());
    liar.answer('eth_call', () => pad('0x1', { size: 32 }));
    await expect(recall(keccak256(toHex('a message')))).rejects.toMatchObject({ code: 'provider_unavailable' });
    const { amount, ...parties } = { amount: 5n, sender: key0.slice(0, 42), recipient: key0.slice(0, 42) };
    const tip = { ...parties, to: 'wallet', messageKey: key0, token: world.evmChain().usdc, amount, fee: 0n } as const;
    const find = () => findPaidTip(live(), { ...tip, validUntil: 0n, opensAccount: false }, 0, 1_000);
    expect(await find()).toBeNull();
    liar.answer('eth_getLogs', () => [settledLog(tip)]);
    await expect(find()).rejects.toMatchObject({ code: 'provider_unavailable' });
  });

  test('until when blocks are final is what two endpoints have', async () => {
    const final = await finalBlock(live());
    liar.alter('eth_blockNumber', () => toHex(final.number + 1_000n));
    expect(await finalBlock(live())).toEqual(final);
    liar.alter('eth_blockNumber', null);
    liar.alter('eth_getBlockByNumber', (block) => block && { ...(block as object), timestamp: '0xffffffff' });
    await expect(finalBlock(live())).rejects.toMatchObject({ code: 'provider_unavailable' });
  });
});

/** What the router logs of a tip. */
function settledLog(tip: {
  messageKey: Hash;
  sender: string;
  recipient: string;
  token: string;
  amount: bigint;
  fee: bigint;
}) {
  const { messageKey, token, amount, fee } = tip;
  const [sender, recipient] = [tip.sender, tip.recipient] as Hash[];
  const args = { messageKey, sender, recipient } as const;
  const topics = encodeEventTopics({ abi: botRouterAbi, eventName: 'TipSettled', args: args as never });
  const event = getAbiItem({ abi: botRouterAbi, name: 'TipSettled' }) as AbiEvent;
  const rest = event.inputs.filter(({ indexed }) => !indexed);
  const values = rest.map(({ name }) => ({ token, amount, fee })[name as 'token' | 'amount' | 'fee']);
  const data = encodeAbiParameters(rest, values as never);
  const place = {
    blockNumber: '0x1',
    blockHash: key0,
    transactionHash: key0,
    transactionIndex: '0x0',
    logIndex: '0x0',
  };
  return { address: world.evmChain().routers.bot, topics, data, ...place, removed: false };
}

describe('an order', () => {
  const key = keccak256(toHex('an order'));
  const says = (settled: boolean) => liar.answer('eth_call', () => pad(settled ? '0x1' : '0x0', { size: 32 }));

  test('that either endpoint calls paid takes no other payment', async () => {
    says(true);
    expect(await isSettled(live(), 'payment', key)).toBe(true);
    says(false);
    expect(await isSettled(live(), 'payment', key)).toBe(false);
    liar.setDead(true);
    expect(await isSettled(live(), 'payment', key)).toBe(false);
  });

  test('is paid, or over, in final blocks by two endpoints or not at all', async () => {
    says(true);
    await expect(finalPayment(live(), 'payment', key)).rejects.toMatchObject({ code: 'provider_unavailable' });
    says(false);
    expect(await finalPayment(live(), 'payment', key)).toMatchObject({ settled: false, time: expect.any(Number) });
  });
});

test('a block of tabs is read by two endpoints, also where a person names the transaction', async () => {
  const head = await world.reader().getBlockNumber();
  liar.alter('eth_getLogs', (logs) => [
    ...(logs as object[]),
    { address: world.evmChain().routers.escrow, topics: [key0], data: '0x', logIndex: '0x9', blockNumber: toHex(head) },
  ]);
  await expect(readEscrowBlock(live(), head)).rejects.toMatchObject({ code: 'provider_unavailable' });
});
const key0 = keccak256(toHex('an event'));
