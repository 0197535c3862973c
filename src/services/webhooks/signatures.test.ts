// Deliveries verify with the libraries that merchants have, and nothing that was changed does.
import fc from 'fast-check';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { Webhook as SvixWebhook } from 'svix';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../domain/errors.ts';
import { SECRET_PATTERN } from '../../domain/webhookEndpoint.ts';
import { sealSecret, secretsInForce } from './secrets.ts';
import { drawSecret, signatureHeaders } from './signatures.ts';

const stripe = new Stripe('sk_test_of_nobody');
const ID = 'evt_01k2m3n4p5q6r7s8t9v0w1x2y3';
const BODY = JSON.stringify({
  id: ID,
  object: 'event',
  type: 'order.completed',
  data: { object: { order: { note: 'Kaffee ☕' } } },
});
const MINUTE_S = 60;

type Received = { headers: Record<string, string>; body: string; secret: string };
const nowS = () => Math.floor(Date.now() / 1_000);
const received = (secrets: string[], secret = secrets[0] ?? '', body = BODY, timestampS = nowS()): Received => ({
  headers: signatureHeaders({ id: ID, timestampS, body, secrets }),
  body,
  secret,
});

const VERIFIERS: [name: string, verify: (got: Received) => unknown][] = [
  [
    'stripe',
    ({ headers, body, secret }) => stripe.webhooks.constructEvent(body, headers['Service-Signature'] ?? '', secret),
  ],
  ['standardwebhooks', ({ headers, body, secret }) => new StandardWebhook(secret).verify(body, headers)],
  ['svix', ({ headers, body, secret }) => new SvixWebhook(secret).verify(body, headers)],
];

describe.each(VERIFIERS)('%s', (_name, verify) => {
  test('takes a delivery', () => {
    expect(verify(received([drawSecret()]))).toEqual(JSON.parse(BODY));
  });

  test('takes it with the new and with the former secret during a roll, and with no third one', () => {
    const [fresh, former, foreign] = [drawSecret(), drawSecret(), drawSecret()];
    for (const secret of [fresh, former]) expect(verify(received([fresh, former], secret))).toEqual(JSON.parse(BODY));
    expect(() => verify(received([fresh, former], foreign))).toThrow(/signature/i);
    expect(() => verify(received([fresh], former))).toThrow(/signature/i);
  });

  test('refuses a body with one byte changed, wherever', () => {
    const got = received([drawSecret()]);
    fc.assert(
      fc.property(fc.nat({ max: BODY.length - 1 }), (at) => {
        const other = BODY[at] === 'x' ? 'y' : 'x';
        expect(() => verify({ ...got, body: BODY.slice(0, at) + other + BODY.slice(at + 1) })).toThrow(/signature/i);
      }),
    );
    expect(() => verify({ ...got, body: `${BODY} ` })).toThrow(/signature/i);
  });

  test('refuses an old timestamp, and one that was put in the place of another', () => {
    const secret = drawSecret();
    expect(() => verify(received([secret], secret, BODY, nowS() - 6 * MINUTE_S))).toThrow(/timestamp/i);
    expect(verify(received([secret], secret, BODY, nowS() - 4 * MINUTE_S))).toEqual(JSON.parse(BODY));
    const got = received([secret], secret, BODY, nowS() - 6 * MINUTE_S);
    const forged = Object.entries(got.headers).map(([key, value]) => [
      key,
      value.replace(/^(t=)?\d{10}/, `$1${nowS()}`),
    ]);
    expect(() => verify({ ...got, headers: Object.fromEntries(forged) })).toThrow(/signature/i);
  });

  test('takes any body, also with signs of all scripts', () => {
    fc.assert(
      fc.property(fc.record({ id: fc.string(), text: fc.string({ unit: 'binary' }), n: fc.jsonValue() }), (content) => {
        const secret = drawSecret();
        const body = JSON.stringify(content);
        expect(verify(received([secret, drawSecret()], secret, body))).toEqual(JSON.parse(body));
      }),
      { numRuns: 200 },
    );
  });
});

test.each(VERIFIERS.slice(1))('%s refuses another id', (_name, verify) => {
  const got = received([drawSecret()]);
  const headers = { ...got.headers, 'webhook-id': `${ID.slice(0, -1)}4` };
  expect(() => verify({ ...got, headers })).toThrow(/signature/i);
});

describe('secrets', () => {
  const ENDPOINT = 'whs_01';
  const ctx = { env: { WEBHOOK_KEY: 'a1'.repeat(32) } };
  const [fresh, former] = [drawSecret(), drawSecret()];
  const until = new Date(1_800_000_000_000);
  const rolled = {
    id: ENDPOINT,
    secret: sealSecret(ctx, ENDPOINT, fresh),
    formerSecret: sealSecret(ctx, ENDPOINT, former),
    formerUntil: until,
  };

  test('are drawn in one form, each for itself', () => {
    expect(fresh).toMatch(SECRET_PATTERN);
    expect(fresh).not.toBe(former);
  });

  test('rest sealed, and never twice as the same text', () => {
    expect(rolled.secret).not.toContain(fresh.slice(6, 30));
    expect(sealSecret(ctx, ENDPOINT, fresh)).not.toBe(rolled.secret);
  });

  test('are both in force until the overlap is over, to the millisecond', () => {
    expect(secretsInForce(ctx, rolled, until.getTime() - 1)).toEqual([fresh, former]);
    expect(secretsInForce(ctx, rolled, until.getTime())).toEqual([fresh]);
    expect(secretsInForce(ctx, { ...rolled, formerSecret: null }, 0)).toEqual([fresh]);
    expect(secretsInForce(ctx, { ...rolled, formerUntil: null }, 0)).toEqual([fresh]);
  });

  test('open for their own endpoint alone: swapping rows signs nothing', () => {
    expect(secretsInForce(ctx, { ...rolled, id: 'whs_02' }, 0)).toEqual([]);
    const other = { ...rolled, id: 'whs_02', secret: sealSecret(ctx, 'whs_02', fresh) };
    expect(secretsInForce(ctx, other, 0)).toEqual([fresh]);
  });

  test('do not open under another key, and nothing is signed without one', () => {
    const other = { env: { WEBHOOK_KEY: 'b2'.repeat(32) } };
    expect(secretsInForce(other, rolled, 0)).toEqual([]);
    expect(() => signatureHeaders({ id: ID, timestampS: 1, body: BODY, secrets: [] })).toThrow('no secret');
    expect(() => sealSecret({ env: { WEBHOOK_KEY: undefined } }, ENDPOINT, fresh)).toThrow(AppError);
  });
});
