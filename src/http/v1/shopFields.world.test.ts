// What shops write on orders and links, over the public API: JSON and forms, each answer held against the OpenAPI document.
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
beforeAll(async () => {
  world = await startWorld();
  base = await serveWorld(world);
  const { check } = documentChecker((await (await fetch(`${base}/v1/openapi.json`)).json()) as ApiDocument);
  shop = program(base, await keyOf(world, 'shop'), check);
});
afterAll(() => world.stop());

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const wish = {
  amount: '8',
  chain: 'base',
  success_url: 'https://shop.example/thanks?order={ORDER_ID}',
  cancel_url: 'https://shop.example/cart',
  client_reference_id: 'cart-7041',
  line_items: [
    { name: 'Green tea', quantity: 2, amount: '3.50' },
    { name: 'Shipping', quantity: 1, amount: '1' },
  ],
};

function kept(id: string) {
  return {
    success_url: `https://shop.example/thanks?order=${id}`,
    cancel_url: 'https://shop.example/cart',
    client_reference_id: 'cart-7041',
    line_items: [wish.line_items[0], { name: 'Shipping', quantity: 1, amount: '1.00' }],
    embed_origins: ['https://shop.example'],
  };
}

test('an order has them, in the answer, in its event and to the buyer without the reference', async () => {
  const made = await shop.post('/v1/orders', wish);
  expect([made.status, made.body]).toMatchObject([201, kept(made.body.id)]);
  const events = await shop.get(`/v1/events?resource=${made.body.id}`);
  expect(events.body.data[0].data.object.order).toEqual(made.body);
  const seen = await (await fetch(`${base}/api/checkout/${made.body.id}`)).text();
  expect(seen).toContain('Green tea');
  expect(seen).not.toMatch(/cart-7041|thanks/);
});

test('a form says the same', async () => {
  const form = new URLSearchParams({
    amount: '8',
    chain: 'base',
    success_url: wish.success_url,
    cancel_url: wish.cancel_url,
    client_reference_id: wish.client_reference_id,
    'line_items[0][name]': 'Green tea',
    'line_items[0][quantity]': '2',
    'line_items[0][amount]': '3.50',
    'line_items[1][name]': 'Shipping',
    'line_items[1][quantity]': '1',
    'line_items[1][amount]': '1',
  });
  const made = await shop.post('/v1/orders', String(form), FORM);
  expect([made.status, made.body]).toMatchObject([201, kept(made.body.id)]);
});

test('a link takes them and its bounds, and hands them on', async () => {
  const form = new URLSearchParams({
    label: 'Tea',
    amount: '8',
    chain: 'base',
    'after_completion[type]': 'message',
    'after_completion[message]': 'Thank you!',
    max_uses: '1',
    expires_at: '2099-12-31T23:00:00Z',
    client_reference_id: 'cart-7041',
  });
  const made = await shop.post('/v1/payment_links', String(form), FORM);
  expect([made.status, made.body]).toMatchObject([
    201,
    {
      state: 'active',
      after_completion: { type: 'message', message: 'Thank you!' },
      max_uses: 1,
      uses: 0,
      expires_at: '2099-12-31T23:00:00.000Z',
    },
  ]);
  const press = () =>
    fetch(`${base}/api/checkout/links/${made.body.id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: base },
      body: '{}',
    });
  expect((await press()).status).toBe(201);
  const refused = await press();
  expect([refused.status, await refused.json()]).toMatchObject([409, { error: { code: 'link_used_up' } }]);
  expect((await shop.get(`/v1/payment_links/${made.body.id}`)).body).toMatchObject({
    active: false,
    state: 'used_up',
    uses: 1,
  });
  const { body } = await shop.get(`/v1/payment_links/${made.body.id}/orders`);
  expect(body.data).toMatchObject([{ client_reference_id: 'cart-7041' }]);
});

test.each([
  [{ line_items: [{ name: 'Tea', quantity: 1, amount: '7.999999' }] }, 'line_items'],
  [{ line_items: [{ name: 'Tea', quantity: 1, amount: '8', price: '8' }] }, undefined],
  [{ line_items: [{ name: 'Tea', amount: '8' }] }, undefined],
  [{ line_items: 'Tea' }, 'line_items'],
  [{ success_url: 'javascript:alert(1)' }, 'success_url'],
  [{ success_url: 7 }, 'success_url'],
  [{ cancel_url: `https://shop.example/${'x'.repeat(5_000)}` }, 'cancel_url'],
  [{ embed_origins: ['*'] }, 'embed_origins[0]'],
  [{ client_reference_id: 'x'.repeat(3_000) }, 'client_reference_id'],
])('400 for %j', async (change, param) => {
  const { status, body } = await shop.post('/v1/orders', { ...wish, ...change });
  expect([status, body.error.type]).toEqual([400, 'invalid_request_error']);
  if (param) expect(body.error.param).toBe(param);
});

test('http is for this machine, in test mode', async () => {
  const answer = await shop.post('/v1/orders', { ...wish, success_url: 'http://shop.example/' });
  expectError(answer, 'parameter_invalid');
  expect(answer.body.error.param).toBe('success_url');
  expect((await shop.post('/v1/orders', { ...wish, success_url: 'http://localhost:3000/' })).status).toBe(201);
});
