// Orders of the public API, over HTTP: every answer is held against the OpenAPI document.
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type ApiDocument,
  documentChecker,
  expectError,
  keyOf,
  type Program,
  program,
} from '../../../test/setup/api.ts';
import { serveWorld } from '../../../test/setup/visitor.ts';
import { startWorld, type World } from '../../../test/setup/world.ts';

let world: World;
let base: string;
let shop: Program;
let other: Program;
let checker: ReturnType<typeof documentChecker>;
beforeAll(async () => {
  world = await startWorld();
  base = await serveWorld(world);
  checker = documentChecker((await (await fetch(`${base}/v1/openapi.json`)).json()) as ApiDocument);
  shop = program(base, await keyOf(world, 'alice'), checker.check);
  other = program(base, await keyOf(world, 'bob'), checker.check);
});
afterAll(() => world.stop());

const coffee = { amount: '12.5', chain: 'base', description: 'Two coffees', metadata: { cart: '7041' } };

test('201 with the order as the interface has it', async () => {
  const made = await shop.post('/v1/orders', { ...coffee, currency: 'USDC', recipient: '@alice', expires_in: 600 });
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({
    object: 'order',
    status: 'awaiting_payment',
    amount: '12.50',
    currency: 'USDC',
    chain: 'base',
    recipient: '@alice',
    description: 'Two coffees',
    metadata: { cart: '7041' },
    livemode: false,
    amount_due: '12.50',
    amount_received: '0.00',
    txHash: null,
  });
  expect(made.body.checkout_url).toBe(`${base}/o/${made.body.id}`);
  expect(Date.parse(made.body.expires_at) - Date.parse(made.body.created_at)).toBeLessThanOrEqual(600_000);
  const read = await shop.get(`/v1/orders/${made.body.id}`);
  expect([read.status, read.body]).toEqual([200, made.body]);
});

test('404 for an order of another workspace, and for one of the other mode', async () => {
  const { id } = (await shop.post('/v1/orders', coffee)).body;
  const live = program(base, await keyOf(world, 'alice', { mode: 'live' }), checker.check);
  for (const caller of [other, live]) {
    expectError(await caller.get(`/v1/orders/${id}`), 'resource_missing');
    expectError(await caller.post(`/v1/orders/${id}/cancel`), 'resource_missing');
    expect((await caller.get('/v1/orders')).body.data).toEqual([]);
  }
  expectError(await shop.get('/v1/orders/ord_nothing'), 'resource_missing');
  expectError(await shop.get('/v1/orders/%00'), 'resource_missing');
  expectError(await live.post('/v1/orders', coffee), 'mode_mismatch');
});

test('a cancelled order says so, and 409 that no retry cures afterwards', async () => {
  const { id } = (await shop.post('/v1/orders', coffee)).body;
  const cancelled = await shop.post(`/v1/orders/${id}/cancel`);
  expect([cancelled.status, cancelled.body.status]).toEqual([200, 'cancelled']);
  const again = await shop.post(`/v1/orders/${id}/cancel`);
  expectError(again, 'order_not_cancellable');
  expect(again.headers.get('stripe-should-retry')).toBe('false');
});

test('lists come newest first, in pages that stay right while orders are made', async () => {
  const paging = program(base, await keyOf(world, 'carol'), checker.check);
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) ids.unshift((await paging.post('/v1/orders', coffee)).body.id);
  const found: string[] = [];
  let cursor = '';
  for (let page = 0; page < 3; page++) {
    const { body } = await paging.get(`/v1/orders?limit=2${cursor && `&cursor=${cursor}`}`);
    found.push(...body.data.map((one: { id: string }) => one.id));
    expect(body.has_more).toBe(page < 2);
    expect(body.next_cursor === null).toBe(page === 2);
    cursor = body.next_cursor;
    await paging.post('/v1/orders', coffee);
  }
  expect(new Set(found)).toEqual(new Set(ids));
  expect(found).toEqual([...found].sort().reverse());
  await paging.post(`/v1/orders/${ids[1]}/cancel`);
  const cancelled = (await paging.get('/v1/orders?status=cancelled')).body;
  expect(cancelled.data.map((one: { id: string }) => one.id)).toEqual([ids[1]]);
  expect((await paging.get('/v1/orders?limit=100')).body.data).toHaveLength(8);
});

test('400 for a limit out of range, an unknown status and a cursor that is not ours', async () => {
  for (const limit of ['0', '101', '-1', 'ten', '1.5', '', '1e2', '99999999999999999999'])
    expectError(await shop.get(`/v1/orders?limit=${limit}`), 'parameter_invalid');
  expectError(await shop.get('/v1/orders?limit=1&limit=2'), 'parameter_invalid');
  expectError(await shop.get('/v1/orders?status=paid'), 'parameter_invalid');
  expectError(await shop.get('/v1/orders?colour=red'), 'parameter_unknown');
  await shop.post('/v1/orders', coffee);
  await shop.post('/v1/orders', coffee);
  const { next_cursor: cursor } = (await shop.get('/v1/orders?limit=1')).body;
  expect((await shop.get(`/v1/orders?cursor=${cursor}`)).status).toBe(200);
  const tampered = [
    `${cursor}A`,
    cursor.slice(1),
    cursor.slice(0, -1),
    `${cursor}=`,
    ' ',
    "'; drop table payment_order",
    '%00',
    'x'.repeat(201),
  ];
  for (const one of tampered)
    expectError(
      await shop.get(`/v1/orders?cursor=${one.startsWith('%') ? one : encodeURIComponent(one)}`),
      'parameter_invalid',
    );
  const ofLink = Buffer.from(`plk_${'0'.repeat(26)}`).toString('base64url');
  expectError(await shop.get(`/v1/orders?cursor=${ofLink}`), 'parameter_invalid');
});
