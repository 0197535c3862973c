// The real SDK of the platform whose envelope ours is, pointed at us: its calls, its error classes, its retries.

import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';
import Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { atOneMoment, keyOf } from '../../../test/setup/api.ts';
import { serveWorld } from '../../../test/setup/visitor.ts';
import { startWorld, type World } from '../../../test/setup/world.ts';

let world: World;
let port: number;
let key: string;
beforeAll(async () => {
  world = await startWorld();
  Object.assign(world.ctx.env, { API_RATE_PER_SECOND: 20, API_RATE_BURST: 20 });
  port = Number(new URL(await serveWorld(world)).port);
  key = await keyOf(world, 'alice');
});
const proxies: Server[] = [];
afterEach(() => {
  for (const proxy of proxies.splice(0)) proxy.close();
  world.later(10_000);
});
afterAll(() => world.stop());

function sdk(secret = key, through = port, maxNetworkRetries = 0) {
  return new Stripe(secret, {
    host: '127.0.0.1',
    port: through,
    protocol: 'http',
    maxNetworkRetries,
    telemetry: false,
  });
}

type Sent = { id: string; status: string; amount: string; metadata: Record<string, string> };
const create = (stripe: Stripe, body: object = {}, options: object = {}) =>
  stripe.rawRequest('POST', '/v1/orders', { amount: '5', chain: 'base', ...body }, options) as unknown as Promise<Sent>;

/** Passes everything on, and cuts the connection instead of giving the first `drop` answers. */
async function droppingProxy(drop: number): Promise<{ port: number; requests(): number; dropped(): number }> {
  let [requests, dropped] = [0, 0];
  const server = createServer((client: Socket) => {
    const upstream = connect(port, '127.0.0.1');
    client.on('data', (chunk) => {
      if (chunk.toString('latin1').startsWith('POST ')) requests += 1;
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (dropped < drop) {
        dropped += 1;
        client.destroy();
        upstream.destroy();
      } else client.write(chunk);
    });
    for (const socket of [client, upstream]) {
      socket.on('error', () => {});
      socket.on('close', () => [client, upstream].forEach((one) => void one.destroy()));
    }
  });
  proxies.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, requests: () => requests, dropped: () => dropped };
}

test('creates and reads orders by rawRequest', async () => {
  const stripe = sdk();
  const made = await create(stripe, { metadata: { cart: '7041' }, expires_in: 600 });
  expect(made).toMatchObject({
    object: 'order',
    status: 'awaiting_payment',
    amount: '5.00',
    metadata: { cart: '7041' },
  });
  const read = (await stripe.rawRequest('GET', `/v1/orders/${made.id}`)) as unknown as Sent;
  expect(read).toMatchObject({ id: made.id, amount: '5.00' });
  const list = (await stripe.rawRequest('GET', '/v1/orders?limit=1')) as unknown as { data: Sent[] };
  expect(list.data[0]?.id).toBe(made.id);
  const cancelled = (await stripe.rawRequest('POST', `/v1/orders/${made.id}/cancel`)) as unknown as Sent;
  expect(cancelled.status).toBe('cancelled');
});

test('400, 401, 403, 404, 409 and 429 become its own error classes', async () => {
  const stripe = sdk();
  const { errors } = Stripe;
  const caught = async (call: Promise<unknown>) =>
    call.then(
      () => null,
      (error: unknown) => error,
    );
  const invalid = await caught(create(stripe, { amount: 'much' }));
  expect(invalid).toBeInstanceOf(errors.StripeInvalidRequestError);
  expect(invalid).toMatchObject({ statusCode: 400, code: 'parameter_invalid', param: 'amount' });
  expect(invalid).toMatchObject({
    requestId: expect.stringMatching(/^req_/),
    doc_url: expect.stringContaining('/docs/errors#'),
  });
  expect(await caught(create(sdk(`sk_test_${'x'.repeat(43)}`)))).toBeInstanceOf(errors.StripeAuthenticationError);
  const reader = await keyOf(world, 'alice', { scopes: ['read'] });
  expect(await caught(create(sdk(reader)))).toBeInstanceOf(errors.StripePermissionError);
  const missing = await caught(stripe.rawRequest('GET', '/v1/orders/ord_nothing'));
  expect(missing).toBeInstanceOf(errors.StripeInvalidRequestError);
  expect(missing).toMatchObject({ statusCode: 404, code: 'resource_missing' });
  await create(stripe, {}, { idempotencyKey: 'reused' });
  const reused = await caught(create(stripe, { amount: '6' }, { idempotencyKey: 'reused' }));
  expect(reused).toBeInstanceOf(errors.StripeIdempotencyError);
  const { id } = await create(stripe);
  await stripe.rawRequest('POST', `/v1/orders/${id}/cancel`);
  const conflict = await caught(stripe.rawRequest('POST', `/v1/orders/${id}/cancel`));
  expect(conflict).toBeInstanceOf(errors.StripeError);
  expect(conflict).toMatchObject({ statusCode: 409, code: 'order_not_cancellable' });
  const calls = await atOneMoment(world, () =>
    Promise.all(Array.from({ length: 40 }, () => caught(stripe.rawRequest('GET', '/v1/orders')))),
  );
  const limited = calls.find((error) => error !== null);
  expect(limited).toBeInstanceOf(errors.StripeRateLimitError);
});

test('its automatic retries, with the key that it draws itself, make one order', async () => {
  const proxy = await droppingProxy(2);
  const before = await world.ctx.db.order.count();
  const made = await create(sdk(key, proxy.port, 3));
  expect([proxy.dropped(), proxy.requests()]).toEqual([2, 3]);
  expect((await world.ctx.db.order.count()) - before).toBe(1);
  expect(await world.ctx.db.event.count({ where: { resourceId: made.id } })).toBe(1);
  const kept = await world.ctx.db.idempotencyKey.findMany({ where: { body: { contains: made.id } } });
  expect(kept.map((row) => row.key)).toEqual([expect.stringMatching(/^stripe-node-retry-/)]);
});

test('a conflict of states is not retried', async () => {
  const { id } = await create(sdk());
  const proxy = await droppingProxy(0);
  const stripe = sdk(key, proxy.port, 3);
  await stripe.rawRequest('POST', `/v1/orders/${id}/cancel`);
  expect(proxy.requests()).toBe(1);
  await expect(stripe.rawRequest('POST', `/v1/orders/${id}/cancel`)).rejects.toMatchObject({
    code: 'order_not_cancellable',
  });
  expect(proxy.requests()).toBe(2);
});
