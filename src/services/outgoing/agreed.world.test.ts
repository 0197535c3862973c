// One endpoint of a real network that lies about our own transactions, or about orders: nothing that money depends on is decided by its word alone.
import { keccak256, pad, toHex } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { chainThrough } from '../../../test/setup/payments.ts';
import { type RpcProxy, startRpcProxy } from '../../../test/setup/rpcProxy.ts';
import { startWorld, type World } from '../../../test/setup/world.ts';
import { KINDS } from '../../../workers/kinds.ts';
import { readEscrowBlock } from '../../chain/logs/escrow.ts';
import { finalPayment, isSettled } from '../../chain/routers/payment.ts';
import type { EvmChain } from '../../chain/rpc/client.ts';
import { followOutgoing } from './follow.ts';

let world: World;
let liar: RpcProxy;
beforeAll(async () => {
  world = await startWorld();
  liar = await startRpcProxy(world.anvilOf().rpcUrl);
});
afterAll(async () => {
  await liar.close();
  await world.stop();
});
const METHODS = ['eth_getTransactionReceipt', 'eth_getTransactionCount', 'eth_call', 'eth_getLogs'];
afterEach(async () => {
  for (const method of METHODS) {
    liar.alter(method, null);
    liar.answer(method, null);
  }
  liar.setDead(false);
  await world.admin().setAutomine(true);
});

/** A real network, by the endpoint that lies first. */
const live = (): EvmChain => chainThrough(world.evmChain(), [liar.url, world.anvilOf().rpcUrl], { local: false });
const follow = async () => {
  await world.taken();
  await followOutgoing(world.ctx, live(), KINDS);
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
    await follow();
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
