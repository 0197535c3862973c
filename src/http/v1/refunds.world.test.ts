// Refunds of the public API, over HTTP and on a chain: the call that the wallet sends, and that nothing but the chain says that it was sent.
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type ApiDocument,
  documentChecker,
  expectError,
  keyOf,
  type Program,
  program,
} from '../../../test/setup/api.ts';
import { giveUsdc, payOrder, sendAs } from '../../../test/setup/orders.ts';
import { serveWorld } from '../../../test/setup/visitor.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import { indexChain } from '../../services/operations/feed.ts';

let world: World;
let shop: Program;
let other: Program;
beforeAll(async () => {
  world = await startWorld();
  const base = await serveWorld(world);
  const { check } = documentChecker((await (await fetch(`${base}/v1/openapi.json`)).json()) as ApiDocument);
  shop = program(base, await keyOf(world, 'shop'), check);
  other = program(base, await keyOf(world, 'bob'), check);
});
afterAll(() => world.stop());

async function settle() {
  await world.mine(3);
  await indexChain(world.ctx, world.evmChain());
}

test('a paid order goes back by the wallet’s own transaction, and says so once it is final', async () => {
  const { id } = (await shop.post('/v1/orders', { amount: '1', chain: 'base' })).body;
  expectError(await shop.post(`/v1/orders/${id}/refund`), 'order_not_refundable');
  await payOrder(world, await world.ctx.db.order.findUniqueOrThrow({ where: { id } }), 'payer', 'direct');
  await settle();
  expect((await shop.get(`/v1/orders/${id}`)).body).toMatchObject({
    status: 'completed',
    amount_received: '1.00',
    amount_due: '0.00',
  });
  await giveUsdc(world, localPerson('shop').address, 10_000_000n);

  const key = { 'idempotency-key': 'refund' };
  const asked = await shop.post(`/v1/orders/${id}/refund`, { amount: '0.4' }, key);
  expect([asked.status, asked.body.object, asked.body.amount]).toEqual([200, 'order.refund', '0.40']);
  const again = await shop.post(`/v1/orders/${id}/refund`, { amount: '0.4' }, key);
  expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([asked.text, 'true']);
  expectError(await shop.post(`/v1/orders/${id}/refund`, { amount: '0.5' }, key), 'idempotency_key_reused');
  expectError(await other.post(`/v1/orders/${id}/refund`), 'resource_missing');
  expectError(await shop.post(`/v1/orders/${id}/refund`, { amount: '2' }), 'order_not_refundable');

  const { to, data, approval } = asked.body;
  const wallet = localPerson('shop').key;
  if (approval) await sendAs(world, wallet, { to: approval.to, data: approval.data });
  const txHash = await sendAs(world, wallet, { to, data });
  await settle();
  const confirm = { action: 'confirm', txHash };
  const done = await shop.post(`/v1/orders/${id}/refund`, confirm);
  expect(done.body).toMatchObject({ object: 'order', status: 'completed', amount_refunded: '0.40' });
  expect((await shop.post(`/v1/orders/${id}/refund`, confirm)).body).toEqual(done.body);
  expect(await world.ctx.db.event.count({ where: { resourceId: id, type: 'order.refunded' } })).toBe(1);
});

test('400 for steps that are mixed, 422 for a transaction that is none', async () => {
  const { id } = (await shop.post('/v1/orders', { amount: '1', chain: 'base' })).body;
  await payOrder(world, await world.ctx.db.order.findUniqueOrThrow({ where: { id } }), 'payer', 'direct');
  await settle();
  const txHash = `0x${'1'.repeat(64)}`;
  const refund = (body: object, headers?: Record<string, string>) =>
    shop.post(`/v1/orders/${id}/refund`, body, headers);
  expectError(await refund({ txHash }), 'parameter_invalid');
  expectError(await refund({ action: 'confirm' }), 'parameter_missing');
  expectError(await refund({ action: 'confirm', txHash, amount: '1' }), 'parameter_invalid');
  expectError(await refund({ action: 'confirm', txHash: '0x1' }), 'parameter_invalid');
  expectError(await refund({ action: 'refund' }), 'parameter_invalid');
  for (const amount of ['-1', '0', '1e2', '', 'x', 1]) expectError(await refund({ amount }));
  expectError(await refund({ to: 'not an address' }));
  // The chain may show it a moment later, so this answer is not kept.
  const key = { 'idempotency-key': 'too early' };
  for (let i = 0; i < 2; i++) {
    const early = await refund({ action: 'confirm', txHash }, key);
    expectError(early, 'tx_not_found');
    expect(early.headers.get('idempotent-replayed')).toBeNull();
  }
  // Named as the caller named it.
  for (const name of ['tx_hash', 'txHash'])
    expect((await refund({ action: 'confirm', [name]: txHash })).body.error.param).toBe(name);
});
