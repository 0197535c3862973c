// Wrong calls with the SDK of the platform whose envelope ours is: each becomes the error class that its users handle.
import Stripe from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keyOf } from '../../../test/setup/api.ts';
import { serveWorld } from '../../../test/setup/visitor.ts';
import { startWorld, type World } from '../../../test/setup/world.ts';

let world: World;
let port: number;
let key: string;
beforeAll(async () => {
  world = await startWorld();
  Object.assign(world.ctx.env, { API_RATE_PER_SECOND: 1, API_RATE_BURST: 50 });
  port = Number(new URL(await serveWorld(world)).port);
  key = await keyOf(world, 'alice');
});
afterAll(() => world.stop());

const sdk = (secret = key) =>
  new Stripe(secret, { host: '127.0.0.1', port, protocol: 'http', maxNetworkRetries: 0, telemetry: false });
const coffee = { amount: '5', chain: 'base' };
const order = (body: object, options: object = {}, secret = key) =>
  sdk(secret).rawRequest('POST', '/v1/orders', { ...coffee, ...body }, options);

const { errors } = Stripe;
const CALLS: [
  what: string,
  call: () => Promise<unknown>,
  kind: unknown,
  status: number,
  code: string,
  param?: string,
][] = [
  [
    'an amount in words',
    () => order({ amount: 'much' }),
    errors.StripeInvalidRequestError,
    400,
    'parameter_invalid',
    'amount',
  ],
  ['an unknown parameter', () => order({ foo: 1 }), errors.StripeInvalidRequestError, 400, 'parameter_unknown', 'foo'],
  [
    'a chain that is none',
    () => order({ chain: 'nowhere' }),
    errors.StripeInvalidRequestError,
    400,
    'unsupported_chain',
    'chain',
  ],
  [
    'a currency of another chain',
    () => order({ currency: 'BNB' }),
    errors.StripeInvalidRequestError,
    400,
    'unsupported_asset',
    'currency',
  ],
  [
    'an amount out of range',
    () => order({ amount: '0' }),
    errors.StripeInvalidRequestError,
    400,
    'amount_out_of_range',
    'amount',
  ],
  [
    'an order that is not there',
    () => sdk().rawRequest('GET', '/v1/orders/ord_nothing'),
    errors.StripeInvalidRequestError,
    404,
    'resource_missing',
  ],
  [
    'a webhook to a private address',
    async () => {
      const hooks = sdk(await keyOf(world, 'alice', { scopes: ['webhooks'] }));
      return hooks.rawRequest('POST', '/v1/webhook_endpoints', { url: 'https://10.1.2.3/', enabled_events: ['*'] });
    },
    errors.StripeInvalidRequestError,
    400,
    'private_address',
    'url',
  ],
  [
    'a key that is none',
    () => order({}, {}, `sk_test_${'x'.repeat(43)}`),
    errors.StripeAuthenticationError,
    401,
    'api_key_invalid',
  ],
  [
    'a key without the scope',
    async () => order({}, {}, await keyOf(world, 'alice', { scopes: ['read'] })),
    errors.StripePermissionError,
    403,
    'scope_missing',
  ],
  [
    'an idempotency key used twice',
    async () => {
      await order({}, { idempotencyKey: 'twice' });
      return order({ amount: '6' }, { idempotencyKey: 'twice' });
    },
    errors.StripeIdempotencyError,
    400,
    'idempotency_key_reused',
  ],
  [
    'too many calls',
    () => Promise.all(Array.from({ length: 80 }, () => sdk().rawRequest('GET', '/v1/orders'))),
    errors.StripeRateLimitError,
    429,
    'rate_limited',
  ],
];

test.each(CALLS)('%s', async (_what, call, kind, statusCode, code, param) => {
  const error = await call().then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(kind);
  expect(error).toMatchObject({ statusCode, code, ...(param ? { param } : {}) });
  expect((error as Stripe.errors.StripeError).requestId).toMatch(/^req_/);
});
