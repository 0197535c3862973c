// Metadata within its limits is taken however many bytes that is; beyond the limits of a body it is refused clearly.
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectError, keyOf, type Program, program } from '../../../test/setup/api.ts';
import { serveWorld, type Visitor, visitor } from '../../../test/setup/visitor.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import { METADATA } from '../../domain/order.ts';

let world: World;
let base: string;
let api: Program;
let shop: Visitor;
beforeAll(async () => {
  world = await startWorld();
  base = await serveWorld(world);
  api = program(base, await keyOf(world, 'shop'));
  shop = visitor(base);
  await shop.signIn(privateKeyToAccount(localPerson('shop').key));
});
afterAll(() => world.stop());

/** Four bytes in UTF-8, twelve as JSON or a form may escape it. */
const LETTER = '😀';
const LARGEST = Object.fromEntries(
  Array.from({ length: METADATA.keys }, (_, index) => [
    `${index}`.padEnd(METADATA.keyLength - 2, '-') + LETTER.repeat(2),
    LETTER.repeat(METADATA.valueLength),
  ]),
);
const ORDER = { amount: '5', chain: 'base', metadata: LARGEST };
const LINK = { label: 'Coffee', amount: '5', chain: 'base', metadata: LARGEST };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const escaped = (body: object) =>
  JSON.stringify(body).replace(/[\ud800-\udfff]/g, (half) => `\\u${half.charCodeAt(0).toString(16)}`);
const asForm = ({ metadata, ...rest }: typeof ORDER) =>
  new URLSearchParams([
    ...Object.entries(rest),
    ...Object.entries(metadata).map(([key, value]): [string, string] => [`metadata[${key}]`, value]),
  ]).toString();

test('of 4-byte characters, as UTF-8, escaped, and as a form', async () => {
  expect(Buffer.byteLength(escaped(ORDER))).toBeGreaterThan(300_000);
  for (const answer of [
    await api.post('/v1/orders', ORDER),
    await api.post('/v1/orders', escaped(ORDER)),
    await api.post('/v1/orders', asForm(ORDER), FORM),
    await api.post('/v1/payment_links', escaped(LINK)),
  ]) {
    expect(answer.status, answer.text.slice(0, 500)).toBe(201);
    expect(answer.body.metadata).toEqual(LARGEST);
  }
  const { data } = (await api.get('/v1/events?type=order.created&limit=1')).body;
  expect(data[0].data.object.order.metadata).toEqual(LARGEST);
  const [key = ''] = Object.keys(LARGEST);
  const found = await api.get(
    `/v1/orders?metadata[${encodeURIComponent(key)}]=${encodeURIComponent(LARGEST[key] ?? '')}`,
  );
  expect(found.body.data).toHaveLength(3);
});

test('is taken from the pages of the dashboard too, from those who are signed in', async () => {
  const body = { amount: '5', chain: 'base', metadata: LARGEST };
  const made = await shop.post('/api/orders', JSON.parse(escaped(body)));
  expect(made.status, JSON.stringify(made.body).slice(0, 500)).toBe(201);
  expect((await visitor(base).post('/api/orders', body)).status).toBe(413);
});

test('one key, or one character, beyond the limits is refused by name', async () => {
  const metadata = { ...LARGEST, more: 'x' };
  expect((await api.post('/v1/orders', { ...ORDER, metadata })).body.error).toMatchObject({ param: 'metadata' });
  expectError(await api.post('/v1/orders', { ...ORDER, metadata: { a: LETTER.repeat(501) } }), 'parameter_invalid');
});

test('a body beyond its limit is refused with the limit', async () => {
  const text = JSON.stringify({ ...ORDER, metadata: { a: 'x'.repeat(1_048_600) } });
  const large = await api.post('/v1/orders', text);
  expectError(large, 'body_too_large');
  expect(large.body.error.message).toBe('The request body is larger than 1 MB.');
  const { id } = (await api.post('/v1/orders', { amount: '5', chain: 'base' })).body;
  const usual = await api.post(`/v1/orders/${id}/cancel`, JSON.stringify({ a: 'x'.repeat(65_600) }));
  expectError(usual, 'body_too_large');
  expect(usual.body.error.message).toBe('The request body is larger than 64 KB.');
});
