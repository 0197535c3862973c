// Payments of orders from the signature to the end: completed by the log of a final block, given back when the chain refused, and never sent twice.

import { encodeFunctionData, erc20Abi, parseEther, zeroAddress } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { localKey } from '../../../../local/stack/people.ts';
import { type Checkout, checkoutOf } from '../../../../test/setup/checkout.ts';
import { orderRow, payOrder, sendAs } from '../../../../test/setup/orders.ts';
import { type RpcProxy, startRpcProxy } from '../../../../test/setup/rpcProxy.ts';
import { serveWorld, visitor } from '../../../../test/setup/visitor.ts';
import { endpointRow } from '../../../../test/setup/webhooks.ts';
import { sendNow, startWorld, type World } from '../../../../test/setup/world.ts';
import { KINDS } from '../../../../workers/kinds.ts';
import { evmChains } from '../../../context.ts';
import { followOutgoing } from '../../outgoing/follow.ts';
import { expireUnserved } from '../../outgoing/send.ts';
import { storeSubmission } from './submissions.ts';

let world: World;
let checkout: Checkout;
let proxy: RpcProxy;
beforeAll(async () => {
  const base = async (direct: string) => {
    proxy = await startRpcProxy(direct);
    return proxy.url;
  };
  world = await startWorld({ chains: ['base', 'bsc'], rpcUrls: { base } });
  checkout = checkoutOf(world, visitor(await serveWorld(world)));
  await checkout.index('base');
  await checkout.index('bsc');
});
afterAll(async () => {
  await world.stop();
  await proxy.close();
});
beforeEach(() => checkout.later(61));
afterEach(() => proxy.setDead(false));

const statusOf = async (id: string) => (await checkout.row(id)).status;
const sendingsOf = async (id: string) => (await checkout.submissions(id)).map(({ status }) => status);
const eventsOf = async (id: string) =>
  (await world.ctx.db.event.findMany({ where: { resourceId: id }, orderBy: { id: 'asc' } })).map(({ type }) => type);
const orderTxs = () => world.ctx.db.outgoingTx.count({ where: { kind: 'order', nonce: { not: null } } });

/** A queued payment of an order by a payer who can afford it. */
async function queued(payer: string, wishes: Parameters<typeof orderRow>[1] = {}) {
  const order = await orderRow(world, wishes);
  await checkout.fund(payer, '2', (order.chain ?? 'base') as 'base');
  const answer = await checkout.pay(order.id, { payer });
  expect(answer.status).toBe(200);
  return { order, id: answer.body.submission.id as string, payer: localKey(payer).address };
}

describe('from awaiting payment to completed', () => {
  test('by EIP-3009: processing when it is signed and stored, completed when its log is final', async () => {
    const { order } = await queued('one');
    await checkout.work();
    expect(await statusOf(order.id)).toBe('processing');
    await checkout.index();
    expect(await statusOf(order.id)).toBe('processing');
    await checkout.finish();
    expect([await statusOf(order.id), await sendingsOf(order.id)]).toEqual(['completed', ['settled']]);
    expect(await eventsOf(order.id)).toEqual(['order.completed']);
    expect((await checkout.row(order.id)).payer).toBe(localKey('one').address);
  });

  test('to a business, by EIP-2612, and by Permit2 where USDC has 18 decimals', async () => {
    const shop = await queued('two', { merchant: 'shop' });
    await checkout.finish();
    expect(await statusOf(shop.order.id)).toBe('completed');

    const permit = await orderRow(world);
    await checkout.fund('three', '2');
    await checkout.pay(permit.id, { payer: 'three', wish: { way: 'eip2612' } });
    await checkout.finish();
    expect(await statusOf(permit.id)).toBe('completed');

    const bsc = await orderRow(world, { chain: 'bsc' });
    await checkout.fund('four', '2', 'bsc');
    const { permit2, usdc } = world.evmChain('bsc');
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [permit2, parseEther('2')] });
    await sendAs(world, localKey('four').key, { to: usdc, data }, 'bsc');
    await checkout.pay(bsc.id, { payer: 'four' });
    await checkout.finish('bsc');
    expect(await statusOf(bsc.id)).toBe('completed');
  });

  test('by the payer’s own transaction: remembered, and completed without a payment of ours', async () => {
    for (const native of [false, true]) {
      const order = await orderRow(world, native ? { token: zeroAddress, units: '1000' as never } : {});
      const payer = await checkout.fund('own', '2');
      const hash = await checkout.send(await checkout.prepare(order.id, { payer, way: 'direct' }), 'own');
      await checkout.submit(order.id, { tx_hash: hash });
      expect(await statusOf(order.id)).toBe('awaiting_payment');
      await checkout.finish();
      expect([await statusOf(order.id), (await checkout.row(order.id)).txHash]).toEqual(['completed', hash]);
      expect(await sendingsOf(order.id)).toEqual([]);
    }
  });
});

describe('a payment that the chain refuses', () => {
  test('gives its order back, with a word for the buyer; three times, and only the own transaction is left', async () => {
    const order = await orderRow(world);
    const payer = localKey('empty').address;
    for (let time = 1; time <= 3; time++) {
      await checkout.fund('empty', '2');
      expect((await checkout.pay(order.id, { payer: 'empty' })).status).toBe(200);
      await checkout.refuse(payer);
      expect(await statusOf(order.id)).toBe('processing');
      await checkout.finish();
      expect(await statusOf(order.id)).toBe('awaiting_payment');
      await checkout.later(61);
    }
    const { body } = await checkout.prepare(order.id, { payer });
    expect((await checkout.submit(order.id, { ...body.payment.submit, signatures: ['0x'] })).body.error.code).toBe(
      'signature_invalid',
    );
    await checkout.fund('empty', '2');
    const fourth = await checkout.pay(order.id, { payer: 'empty' });
    expect([fourth.status, fourth.body.error.code]).toEqual([402, 'call_refused']);
    expect(fourth.body.error.message).toBe(
      'This payment failed several times. Pay with your wallet’s own transaction instead.',
    );
    const hash = await checkout.send(await checkout.prepare(order.id, { payer, way: 'direct' }), 'empty');
    expect((await checkout.submit(order.id, { tx_hash: hash })).status).toBe(200);
    await checkout.finish();
    expect([await statusOf(order.id), await sendingsOf(order.id)]).toEqual([
      'completed',
      ['failed', 'failed', 'failed'],
    ]);
  });

  test('after the deadline: the order expires, once the chain’s final blocks are past it', async () => {
    const deadline = BigInt(Math.floor(world.ctx.clock.now() / 1_000) + 120);
    const { order, payer } = await queued('overdue', { deadline });
    await endpointRow(world.ctx, 'http://127.0.0.1:9/hook', { handleId: order.handleId });
    await checkout.refuse(payer);
    await checkout.later(200);
    await checkout.work();
    await world.mine(world.evmChain().confirmations);
    await world.watch();
    await checkout.conclude();
    // Whoever listens is told at once, not when the next flush comes by.
    expect(await world.ctx.db.outbox.count({ where: { queue: 'webhooks' } })).toBe(0);
    expect(await world.ctx.db.delivery.count({ where: { event: { resourceId: order.id } } })).toBe(1);
    expect([await statusOf(order.id), await eventsOf(order.id)]).toEqual(['expired', ['order.expired']]);
    await checkout.index();
    const moves = await world.ctx.db.transition.findMany({ where: { resourceId: order.id }, orderBy: { id: 'asc' } });
    expect(moves.map(({ action }) => action)).toEqual(['submit', 'lapse']);
    await world.ctx.db.webhookEndpoint.updateMany({ data: { status: 'deleted' } });
  });

  test('because the order was paid in another way: it waits for that payment, and completes by it', async () => {
    const { order } = await queued('beaten');
    await world.admin().setAutomine(false);
    await world.admin().setIntervalMining({ interval: 0 });
    await world.send();
    expect(await statusOf(order.id)).toBe('processing');
    const { raw, hash } = await world.ctx.db.txAttempt.findFirstOrThrow({ orderBy: { signedAt: 'desc' } });
    await world.admin().dropTransaction({ hash: hash as `0x${string}` });
    await world.admin().setAutomine(true);
    await payOrder(world, order, 'faster');
    await world.reader().sendRawTransaction({ serializedTransaction: raw as `0x${string}` });
    await world.watch();
    await world.mine(world.evmChain().confirmations);
    await world.watch();
    // The indexer has not seen the other payment yet: the order must not be given back, and not expire.
    await checkout.later(4_000);
    await checkout.conclude();
    expect([await statusOf(order.id), await sendingsOf(order.id)]).toEqual(['processing', ['submitted']]);
    await checkout.index();
    await checkout.conclude();
    expect([await statusOf(order.id), await sendingsOf(order.id)]).toEqual(['completed', ['failed']]);
    expect((await checkout.row(order.id)).payer).toBe(localKey('faster').address);
  });

  test('is given back once, by whichever worker is first; a payment that began since goes on', async () => {
    const { order, payer } = await queued('twice');
    await checkout.refuse(payer);
    await world.mine(world.evmChain().confirmations);
    await Promise.all([checkout.conclude(), checkout.conclude()]);
    const released = { resourceId: order.id, action: 'release' };
    expect(await world.ctx.db.transition.count({ where: released })).toBe(1);
    expect(await statusOf(order.id)).toBe('awaiting_payment');
    await checkout.fund('again', '2');
    await checkout.pay(order.id, { payer: 'again' });
    await checkout.work();
    await checkout.conclude();
    expect(await statusOf(order.id)).toBe('processing');
    await checkout.finish();
    expect(await statusOf(order.id)).toBe('completed');
  });
});

test('a worker that looked long ago does not take back a payment that began since', async () => {
  const { order, payer } = await queued('slow worker');
  await checkout.refuse(payer);
  await world.mine(world.evmChain().confirmations);
  const gate = proxy.hold('eth_getBlockByNumber', 'before');
  const late = checkout.conclude();
  await gate.reached;
  // Another one, which does not stand at the gate.
  await followOutgoing(world.ctx, { ...world.evmChain(), client: world.reader() as never }, KINDS);
  expect(await statusOf(order.id)).toBe('awaiting_payment');
  await world.ctx.db.order.update({ where: { id: order.id }, data: { status: 'processing' } });
  gate.open();
  await late;
  expect(await statusOf(order.id)).toBe('processing');
});

test('one wallet that pays five orders at the same moment has one payment under way', async () => {
  const orders = [];
  for (let count = 0; count < 5; count++) orders.push(await orderRow(world));
  const wish = {
    payer: localKey('octopus').address,
    way: 'eip3009' as const,
    number: null,
    to: world.evmChain().routers.payment,
  };
  const expiresAt = world.ctx.clock.now() + 300_000;
  const stored = await Promise.allSettled(
    orders.map((order) => storeSubmission(world.ctx, order, { ...wish, data: '0x', gas: 400_000n, expiresAt })),
  );
  expect(stored.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const codes = stored.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
  expect(codes).toEqual(Array(4).fill('payment_in_flight'));
  await checkout.work();
});

describe('sending', () => {
  test('two workers at once make one transaction', async () => {
    const { order } = await queued('parallel');
    const before = await orderTxs();
    await Promise.all([1, 2, 3].map(() => world.send()));
    expect((await orderTxs()) - before).toBe(1);
    await checkout.finish();
    expect(await statusOf(order.id)).toBe('completed');
  });

  test('a worker that looks at it while another one sends it does not call it failed', async () => {
    const { order } = await queued('looked at twice');
    const gate = proxy.hold('eth_call', 'before');
    const late = world.send();
    await gate.reached;
    // Another one, which does not stand at the gate; its transaction is in a block before the first one has its answer.
    const direct = { ...world.evmChain(), client: world.reader() as never };
    await sendNow({ ...world.ctx, chains: { ...evmChains(world.ctx), base: direct } }, direct);
    gate.open();
    await late;
    expect([await statusOf(order.id), await sendingsOf(order.id)]).toEqual(['processing', ['submitted']]);
    await checkout.finish();
    expect([await statusOf(order.id), await sendingsOf(order.id)]).toEqual(['completed', ['settled']]);
  });

  test('a chain that is away keeps it waiting; it is a row, and no queue that is lost takes it away', async () => {
    const { order } = await queued('patient');
    proxy.setDead(true);
    await world.send();
    expect(await sendingsOf(order.id)).toEqual(['queued']);
    proxy.setDead(false);
    await world.ctx.db.outbox.deleteMany();
    world.later(2_000);
    await checkout.finish();
    expect(await statusOf(order.id)).toBe('completed');
  });

  test('nothing is sent whose signature is about to run out', async () => {
    const { order } = await queued('forgotten');
    world.later(590_000);
    const before = await orderTxs();
    await world.send();
    expect([await sendingsOf(order.id), await statusOf(order.id)]).toEqual([['failed'], 'awaiting_payment']);
    expect(await orderTxs()).toBe(before);
  });

  test('a chain that is not served keeps it waiting until the signature expires, then it ends without the chain', async () => {
    const { order } = await queued('unserved');
    const { base } = evmChains(world.ctx);
    delete world.ctx.chains.base;
    expect([await expireUnserved(world.ctx, KINDS), await sendingsOf(order.id)]).toEqual([0, ['queued']]);
    world.later(590_000);
    expect([await expireUnserved(world.ctx, KINDS), await sendingsOf(order.id)]).toEqual([1, ['failed']]);
    if (base) world.ctx.chains.base = base;
    expect(await world.ctx.db.outgoingTx.count({ where: { chain: 'base', status: 'queued' } })).toBe(0);
    // The order can be paid again.
    expect(await statusOf(order.id)).toBe('awaiting_payment');
    expect((await checkout.submissions(order.id))[0]?.failure).toContain('Pay again.');
  });

  test('nothing is sent for an order that ended, or whose payer has no money any more', async () => {
    const ended = await queued('unlucky');
    await world.ctx.db.order.update({ where: { id: ended.order.id }, data: { status: 'cancelled' } });
    const poor = await queued('poorer');
    await checkout.drain(poor.payer);
    const before = await orderTxs();
    await checkout.work();
    expect([await sendingsOf(ended.order.id), await sendingsOf(poor.order.id)]).toEqual([['failed'], ['failed']]);
    expect((await checkout.submissions(poor.order.id))[0]?.failure).toBe(
      'Your balance on Base is 0.00 USDC; this order needs 1.00. Top up, then pay again.',
    );
    expect(await orderTxs()).toBe(before);
  });

  test('nothing is stored when the order ends in the moment of signing', async () => {
    const { order } = await queued('moment');
    const before = await orderTxs();
    const gate = proxy.hold('eth_maxPriorityFeePerGas', 'before');
    const sending = world.send();
    await gate.reached;
    await world.ctx.db.order.update({ where: { id: order.id }, data: { status: 'cancelled' } });
    gate.open();
    await sending;
    expect([await orderTxs(), await sendingsOf(order.id)]).toEqual([before, ['queued']]);
    await checkout.work();
    expect(await sendingsOf(order.id)).toEqual(['failed']);
  });

  test('a queued payment whose order is paid by somebody else comes to nothing', async () => {
    const { order } = await queued('overtaken');
    await payOrder(world, order, 'faster');
    await world.mine(world.evmChain().confirmations);
    await checkout.index();
    expect(await statusOf(order.id)).toBe('completed');
    const before = await world.usdc('bob');
    await checkout.finish();
    expect([await sendingsOf(order.id), await world.usdc('bob')]).toEqual([['failed'], before]);
    expect((await checkout.row(order.id)).payer).toBe(localKey('faster').address);
  });
});
