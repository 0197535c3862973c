// What the lists of the public API are filtered by, over HTTP: each answer holds what fits, all of it, page by page.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAmpersat } from '../../../sdk/index.ts';
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
import { startOrder } from '../../services/orders/links/links.ts';

type Made = { id: string; chain: string; created_at: string; metadata: Record<string, string> };

let world: World;
let base: string;
let key: string;
let shop: Program;
const orders: Made[] = [];
let link: string;
let linked: string;
beforeAll(async () => {
  world = await startWorld({ chains: ['base', 'celo'] });
  base = await serveWorld(world);
  key = await keyOf(world, 'alice');
  const checker = documentChecker((await (await fetch(`${base}/v1/openapi.json`)).json()) as ApiDocument);
  shop = program(base, key, checker.check);
  for (const [chain, metadata] of [
    ['base', { cart: '1', colour: 'red' }],
    ['celo', { cart: '2', colour: 'red' }],
    ['base', {}],
    ['celo', { cart: '1' }],
  ] as const) {
    world.later(10_000);
    orders.push((await shop.post('/v1/orders', { amount: '5', chain, metadata })).body as Made);
  }
  world.later(10_000);
  link = (await shop.post('/v1/payment_links', { label: 'Tea', amount: '2', chain: 'celo', metadata: { shelf: '4' } }))
    .body.id;
  linked = (await startOrder(world.ctx, link)).order.id;
});
afterAll(() => world.stop());

const found = async (path: string, query: string) => {
  const answer = await shop.get(`${path}?${query}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return (answer.body.data as { id: string }[]).map(({ id }) => id);
};
const idsOf = (...places: number[]) => places.map((place) => orders[place]?.id);
const timeOf = (place: number) => encodeURIComponent(orders[place]?.created_at ?? '');
const secondOf = (place: number) => Math.floor(Date.parse(orders[place]?.created_at ?? '') / 1_000);

test('metadata, each pair of it', async () => {
  expect(await found('/v1/orders', 'metadata[cart]=1')).toEqual(idsOf(3, 0));
  expect(await found('/v1/orders', 'metadata%5Bcart%5D=1&metadata%5Bcolour%5D=red')).toEqual(idsOf(0));
  expect(await found('/v1/orders', 'metadata[cart]=3')).toEqual([]);
  expect(await found('/v1/orders', 'metadata[__proto__]=1')).toEqual([]);
  expect(await found('/v1/orders', "metadata[cart']=1' or 1=1")).toEqual([]);
  expect(await found('/v1/payment_links', 'metadata[shelf]=4')).toEqual([link]);
  expect(await found('/v1/payment_links', 'metadata[shelf]=5')).toEqual([]);
  expect(await found(`/v1/payment_links/${link}/orders`, 'metadata[shelf]=4')).toEqual([linked]);
  expect(await found(`/v1/payment_links/${link}/orders`, 'metadata[shelf]=5')).toEqual([]);
});

test('the chain in any case, the payment link, and both with a status', async () => {
  expect(await found('/v1/orders', 'chain=Base')).toEqual(idsOf(2, 0));
  expect(await found('/v1/orders', `payment_link=${link}`)).toEqual([linked]);
  expect(await found('/v1/orders', `payment_link=${link}&chain=base`)).toEqual([]);
  expect((await shop.get('/v1/orders?payment_link=')).status).toBe(404);
  expect(await found('/v1/orders', 'chain=celo&status=awaiting_payment')).toEqual([linked, ...idsOf(3, 1)]);
  expect(await found('/v1/payment_links', 'chain=CELO')).toEqual([link]);
  expect(await found('/v1/payment_links', 'chain=base')).toEqual([]);
  expectError(await shop.get('/v1/orders?payment_link=plk_nothing'), 'resource_missing');
  expectError(await shop.get('/v1/orders?chain=dogechain'), 'parameter_invalid');
});

test('a period: with its ends or without them, by the millisecond and by the second', async () => {
  expect(await found('/v1/orders', `created[gte]=${timeOf(1)}&created[lte]=${timeOf(2)}`)).toEqual(idsOf(2, 1));
  expect(await found('/v1/orders', `created[gt]=${timeOf(1)}&created[lt]=${timeOf(3)}`)).toEqual(idsOf(2));
  expect(await found('/v1/orders', `created[gte]=${secondOf(1)}&created[lte]=${secondOf(2)}`)).toEqual(idsOf(2, 1));
  expect(await found('/v1/orders', `created[gt]=${secondOf(1)}&created[lt]=${secondOf(3)}`)).toEqual(idsOf(2));
  expect(await found('/v1/orders', `created[gt]=${timeOf(3)}&created[lt]=${timeOf(0)}`)).toEqual([]);
  expect(await found('/v1/orders', 'created[gte]=0&created[lte]=9999-01-01T00:00:00Z')).toHaveLength(5);
  expect(await found('/v1/payment_links', `created[gt]=${timeOf(3)}`)).toEqual([link]);
  expect(await found('/v1/payment_links', `created[lte]=${timeOf(3)}`)).toEqual([]);
  const events = (await shop.get(`/v1/events?created[gte]=${secondOf(1)}&created[lt]=${secondOf(2)}`)).body.data;
  expect(events.map((one: { data: { object: { order: Made } } }) => one.data.object.order.id)).toEqual(idsOf(1));
  expect((await shop.get(`/v1/events?type=order.created&created[gt]=${timeOf(3)}`)).body.data).toHaveLength(1);
});

test.each([
  ['created=1', 'created', /^created takes bounds, such as created\[gte\]=/],
  ['created[gte]=yesterday', 'created[gte]', /^created\[gte\] must be Unix seconds, or a time like/],
  ['created[after]=1', 'created[after]', /^Unknown parameter: created\[after\]\.$/],
  ['metadata=cart', 'metadata', /^metadata takes up to \d+ pairs, such as metadata\[cart\]=7041\.$/],
  ['metadata[a][b]=1', 'metadata', /^metadata takes up to/],
  ['created[gte]=1&created[gte]=2', 'created[gte]', /is given more than once/],
  ['limit=1&limit=2', 'limit', /^limit is given more than once/],
])('400 that says how: %s', async (query, param, words) => {
  const { status, body } = await shop.get(`/v1/orders?${query}`);
  expect([status, body.error.param]).toEqual([400, param]);
  expect(body.error.message).toMatch(words);
});

test('pages within a filter hold everything once, and the SDK writes its brackets', async () => {
  const { orders: all } = createAmpersat({ apiKey: key, baseUrl: base });
  const ids = [];
  for await (const { id } of all.all({ limit: 1, chain: 'celo', created: { gte: String(secondOf(1)) } })) ids.push(id);
  expect(ids).toEqual([linked, ...idsOf(3, 1)]);
  expect((await all.list({ metadata: { cart: '1' } })).data.map(({ id }) => id)).toEqual(idsOf(3, 0));
});
