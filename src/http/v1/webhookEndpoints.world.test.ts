// Webhook endpoints and deliveries of the public API, over HTTP: every answer is held against the OpenAPI document.
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
import { eventRow } from '../../../test/setup/webhooks.ts';
import { startWorld, type World } from '../../../test/setup/world.ts';
import type { Scope } from '../../domain/apiKey.ts';
import { EVENT_TYPES } from '../../domain/events.ts';

const PATH = '/v1/webhook_endpoints';
let world: World;
let base: string;
let shop: Program;
let checker: ReturnType<typeof documentChecker>;
let drawn = 0;
/** A URL of its own, so that tests share a workspace. */
const newUrl = () => `https://93.184.215.14/hook/${++drawn}`;
const newKey = () => ({ 'idempotency-key': `hooks-${++drawn}` });

beforeAll(async () => {
  world = await startWorld();
  Object.assign(world.ctx.env, { API_RATE_PER_SECOND: 1_000, API_RATE_BURST: 1_000 });
  base = await serveWorld(world);
  checker = documentChecker((await (await fetch(`${base}/v1/openapi.json`)).json()) as ApiDocument);
  shop = await as('shop');
});
afterAll(() => world.stop());

async function as(slug: string, how: { mode?: 'test' | 'live'; scopes?: Scope[] } = {}): Promise<Program> {
  return program(base, await keyOf(world, slug, { scopes: ['webhooks'], ...how }), checker.check);
}
const handleIdOf = async (slug: string) => (await world.ctx.db.handle.findUniqueOrThrow({ where: { slug } })).id;
const rowsOf = async (slug: string) =>
  world.ctx.db.webhookEndpoint.count({ where: { handleId: await handleIdOf(slug), status: { not: 'deleted' } } });

async function make(who = shop, body: object = {}) {
  const made = await who.post(PATH, { url: newUrl(), ...body });
  expect(made.status, made.text).toBe(201);
  return made.body;
}
const gone = (who: Program, id: string) => who.send('DELETE', `${PATH}/${id}`);

/** Makes room: a workspace has sixteen at most. */
async function clear(who = shop) {
  for (const { id } of (await who.get(`${PATH}?limit=100`)).body.data) await gone(who, id);
}

test('201 with the endpoint and its secret, which no other answer has', async () => {
  const url = newUrl();
  const made = await shop.post(PATH, { url, enabled_events: ['order.completed'], description: 'The till' });
  expect(made.status).toBe(201);
  const { secret, ...endpoint } = made.body;
  expect(secret).toMatch(/^whsec_/);
  expect(endpoint).toMatchObject({
    url,
    enabled_events: ['order.completed'],
    description: 'The till',
    livemode: false,
  });
  const read = await shop.get(`${PATH}/${endpoint.id}`);
  expect([read.status, read.body]).toEqual([200, endpoint]);
  expect((await shop.get(PATH)).body.data).toContainEqual(endpoint);
  const changed = await shop.post(`${PATH}/${endpoint.id}`, { description: '', disabled: true });
  expect(changed.body).toMatchObject({ id: endpoint.id, description: null, status: 'disabled', url });
  const rolled = await shop.post(`${PATH}/${endpoint.id}/roll_secret`, { overlap_hours: 2 });
  expect(rolled.status).toBe(200);
  expect(rolled.body.secret).toMatch(/^whsec_/);
  expect(rolled.body.secret).not.toBe(secret);
  expect(rolled.body.former_secret_until).not.toBeNull();
  const removed = await gone(shop, endpoint.id);
  expect([removed.status, removed.body]).toEqual([200, { id: endpoint.id, object: 'webhook_endpoint', deleted: true }]);
  expectError(await gone(shop, endpoint.id), 'resource_missing');
  expectError(await shop.get(`${PATH}/${endpoint.id}`), 'resource_missing');
});

test('an Idempotency-Key makes one endpoint and keeps no secret: a repeat is answered without it', async () => {
  const [key, body, before] = [newKey(), { url: newUrl() }, await rowsOf('shop')];
  const answers = await Promise.all(Array.from({ length: 8 }, () => shop.post(PATH, body, key)));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
  expect(await rowsOf('shop')).toBe(before + 1);
  const withSecret = answers.filter((answer) => answer.body.secret !== undefined);
  expect(withSecret).toHaveLength(1);
  expect(withSecret[0]?.headers.get('idempotent-replayed')).toBeNull();
  const { secret, ...endpoint } = withSecret[0]?.body ?? {};
  for (const answer of answers)
    if (answer.body.secret === undefined) {
      expect(answer.body).toEqual(endpoint);
      expect(answer.headers.get('idempotent-replayed')).toBe('true');
    }
  const rollKey = newKey();
  const rolled = await shop.post(`${PATH}/${endpoint.id}/roll_secret`, {}, rollKey);
  const again = await shop.post(`${PATH}/${endpoint.id}/roll_secret`, {}, rollKey);
  expect(rolled.body.secret).toMatch(/^whsec_/);
  const { secret: second, ...shown } = rolled.body;
  expect(again.body).toEqual(shown);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  const kept = JSON.stringify(await world.ctx.db.idempotencyKey.findMany());
  for (const one of [secret, second]) expect(kept).not.toContain(one.slice(0, 16));
  expect(kept).toContain(endpoint.id);
  expect(kept).not.toContain('whsec_');
});

test('a repeat is answered from before, although the name would lead elsewhere now; a refusal of states is kept', async () => {
  const [key, url] = [newKey(), newUrl()];
  await shop.post(PATH, { url }, key);
  const twin = newKey();
  const refused = await shop.post(PATH, { url }, twin);
  expectError(refused, 'state_conflict');
  expect(refused.headers.get('stripe-should-retry')).toBe('false');
  const { WEBHOOK_KEY } = world.ctx.env;
  world.ctx.env.WEBHOOK_KEY = undefined;
  try {
    expect((await shop.post(PATH, { url }, key)).status).toBe(201);
    expect((await shop.post(PATH, { url }, twin)).text).toBe(refused.text);
    expectError(await shop.post(PATH, { url: newUrl() }), 'state_conflict');
  } finally {
    world.ctx.env.WEBHOOK_KEY = WEBHOOK_KEY;
  }
  expectError(await shop.post(PATH, { url: newUrl() }, key), 'idempotency_key_reused');
  const fresh = newKey();
  expectError(await shop.post(PATH, { url: 'https://10.1.2.3/' }, fresh), 'private_address');
  expectError(await shop.post(`${PATH}/${(await make()).id}`, { url: 'https://10.1.2.3/' }), 'private_address');
  expect((await shop.post(PATH, { url: newUrl() }, fresh)).status).toBe(201);
  await clear();
});

test('a key without the scope reads deliveries at most, and one with it needs no other', async () => {
  const { id } = await make();
  const reader = await as('shop', { scopes: ['read', 'orders', 'payment_links', 'events'] });
  const calls = [
    () => reader.post(PATH, { url: newUrl() }),
    () => reader.get(PATH),
    () => reader.get(`${PATH}/${id}`),
    () => reader.post(`${PATH}/${id}`, { disabled: true }),
    () => gone(reader, id),
    () => reader.post(`${PATH}/${id}/roll_secret`),
    () => reader.post(`${PATH}/${id}/test`),
    () => reader.post(`${PATH}/${id}/replay`, { since: 0 }),
  ];
  for (const call of calls) expectError(await call(), 'scope_missing');
  expect((await reader.get('/v1/webhook_deliveries')).status).toBe(200);
  expect((await shop.get('/v1/webhook_deliveries')).status).toBe(200);
  const orders = await as('shop', { scopes: ['orders', 'events'] });
  expectError(await orders.get('/v1/webhook_deliveries'), 'scope_missing');
  expect((await shop.get(`${PATH}/${id}`)).body.status).toBe('enabled');
});

test('404 for another workspace’s endpoint and for one of the other mode; their deliveries are in no list', async () => {
  const { id } = await make();
  const event = await eventRow(world.ctx, [{ id }], { handleId: await handleIdOf('shop') });
  const [bob, live] = [await as('bob'), await as('shop', { mode: 'live' })];
  for (const who of [bob, live]) {
    expectError(await who.get(`${PATH}/${id}`), 'resource_missing');
    expectError(await who.post(`${PATH}/${id}`, { disabled: true }), 'resource_missing');
    expectError(await who.post(`${PATH}/${id}/roll_secret`), 'resource_missing');
    expectError(await who.post(`${PATH}/${id}/test`), 'resource_missing');
    expectError(await who.post(`${PATH}/${id}/replay`, { since: 0 }), 'resource_missing');
    expectError(await gone(who, id), 'resource_missing');
    expect((await who.get(PATH)).body.data).toEqual([]);
    expect((await who.get('/v1/webhook_deliveries')).body.data).toEqual([]);
    expectError(await who.get(`/v1/webhook_deliveries?endpoint=${id}`), 'resource_missing');
    expectError(await who.get(`/v1/webhook_deliveries?event=${event.id}`), 'resource_missing');
  }
  for (const wrong of ['whs_nothing', '%00', 'evt_0', '..%2f'])
    expectError(await shop.get(`${PATH}/${wrong}`), 'resource_missing');
  expect((await shop.get('/v1/webhook_deliveries')).body.data.map((one: { event: string }) => one.event)).toContain(
    event.id,
  );
});

test('an address that is too long is told the limit that holds', async () => {
  for (const length of [2_049, 4_097]) {
    const refused = await shop.post(PATH, { url: `https://93.184.215.14/${'a'.repeat(length - 22)}` });
    expectError(refused, 'parameter_invalid');
    expect(refused.body.error.message).toBe('url must be at most 2048 characters.');
  }
});

test('a key of live mode makes endpoints of live mode, over https alone', async () => {
  const live = await as('shop', { mode: 'live' });
  expectError(await live.post(PATH, { url: 'http://93.184.215.14/' }), 'url_not_allowed');
  const made = await make(live);
  expect(made.livemode).toBe(true);
  const tested = await live.post(`${PATH}/${made.id}/test`, { type: 'order.completed' });
  expect([tested.status, tested.body.livemode, tested.body.type]).toEqual([201, false, 'order.completed']);
  const [delivery] = (await live.get(`/v1/webhook_deliveries?event=${tested.body.id}`)).body.data;
  expect(delivery).toMatchObject({ endpoint: made.id, is_test: true, resource: `ord_${'0'.repeat(26)}` });
  await clear(live);
});

test('a test event is one for each Idempotency-Key, and an eleventh within a minute is none', async () => {
  const PER_MINUTE = 10;
  const { id } = await make();
  const key = newKey();
  const first = await shop.post(`${PATH}/${id}/test`, {}, key);
  const again = await shop.post(`${PATH}/${id}/test`, {}, key);
  expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
  expect(first.body.request).toEqual({
    id: first.headers.get('request-id'),
    idempotency_key: key['idempotency-key'],
  });
  // Of each type once, as the document has it.
  for (const [index, type] of [undefined, ...EVENT_TYPES].entries()) {
    if (index % PER_MINUTE === 0) world.later(61_000);
    expect((await shop.post(`${PATH}/${id}/test`, { type })).body).toMatchObject({ type: type ?? 'order.created' });
  }
  world.later(61_000);
  for (let count = 0; count < PER_MINUTE; count += 1) expect((await shop.post(`${PATH}/${id}/test`)).status).toBe(201);
  const limited = await shop.post(`${PATH}/${id}/test`);
  expectError(limited, 'rate_limited');
  expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
  expectError(await shop.post(`${PATH}/${id}/test`, { type: 'invoice.paid' }), 'parameter_invalid');
  await clear();
});

test('replays what failed since a time, in either spelling, once for a key', async () => {
  const { id } = await make();
  const handleId = await handleIdOf('shop');
  for (let i = 0; i < 3; i++) await eventRow(world.ctx, [{ id }], { handleId });
  await shop.post(`${PATH}/${id}`, { disabled: true });
  expectError(await shop.post(`${PATH}/${id}/replay`, { since: 0 }), 'state_conflict');
  await shop.post(`${PATH}/${id}`, { disabled: false });
  const failed = `/v1/webhook_deliveries?endpoint=${id}&status=failed`;
  expect((await shop.get(failed)).body.data).toHaveLength(3);
  const later = new Date(world.ctx.clock.now() + 60_000).toISOString();
  expect((await shop.post(`${PATH}/${id}/replay`, { since: later })).body.count).toBe(0);
  const since = Math.floor(world.ctx.clock.now() / 1_000) - 3_600;
  const key = newKey();
  const replayed = await shop.post(`${PATH}/${id}/replay`, { since }, key);
  expect(replayed.body).toEqual({ object: 'webhook_replay', endpoint: id, count: 3 });
  expect((await shop.post(`${PATH}/${id}/replay`, { since }, key)).text).toBe(replayed.text);
  expect((await shop.post(`${PATH}/${id}/replay`, { since: `${since}` })).body.count).toBe(0);
  expect((await shop.get(failed)).body.data).toEqual([]);
  for (const wrong of ['yesterday', '2026-11-23', '2026-11-23T10:00:00', -1, 1.5, 1e15, '', null, [], {}, '1e9']) {
    const refused = await shop.post(`${PATH}/${id}/replay`, { since: wrong });
    expectError(refused, 'parameter_invalid');
    expect(refused.body.error.message).toContain('whole Unix seconds, or a time like 2026-11-21T10:00:00Z');
  }
  expectError(await shop.post(`${PATH}/${id}/replay`), 'parameter_missing');
  await clear();
});

test('lists in pages, the newest first', async () => {
  const carol = await as('carol');
  const ids = [];
  for (let i = 0; i < 5; i++) ids.unshift((await make(carol)).id);
  const first = (await carol.get(`${PATH}?limit=3`)).body;
  const second = (await carol.get(`${PATH}?limit=3&cursor=${first.next_cursor}`)).body;
  const found = [...first.data, ...second.data].map((one: { id: string }) => one.id);
  expect([found, first.has_more, second.has_more, second.next_cursor]).toEqual([ids, true, false, null]);
  expectError(await carol.get(`${PATH}?cursor=x`), 'parameter_invalid');
  expectError(await carol.get(`/v1/webhook_deliveries?cursor=${first.next_cursor}`), 'parameter_invalid');
  expectError(await carol.get('/v1/webhook_deliveries?status=lost'), 'parameter_invalid');
});

test('forms say lists in both spellings, whole numbers and booleans', async () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const fields = [
    'enabled_events[0]=order.created&enabled_events[1]=order.completed',
    'enabled_events[]=order.created',
  ];
  const told = [];
  for (const names of fields) {
    const made = await shop.post(PATH, `url=${encodeURIComponent(newUrl())}&${names}`, form);
    expect(made.status, made.text).toBe(201);
    told.push(made.body.enabled_events);
    const path = `${PATH}/${made.body.id}`;
    expect((await shop.post(path, 'disabled=true', form)).body.status).toBe('disabled');
    expect((await shop.post(`${path}/roll_secret`, 'overlap_hours=0', form)).body.former_secret_until).toBeNull();
  }
  expect(told).toEqual([['order.created', 'order.completed'], ['order.created']]);
  for (const names of [
    'enabled_events=order.created',
    'enabled_events[1]=order.created',
    'enabled_events[a]=order.created',
    'enabled_events[]=order.created&enabled_events[0]=order.completed',
    'enabled_events[0][x]=order.created',
    'url[]=https://93.184.215.14/',
    'description[]=x',
  ])
    expectError(await shop.post(PATH, `url=${encodeURIComponent(newUrl())}&${names}`, form), 'parameter_invalid');
  await clear();
});

test('405 names DELETE where there is one; a revoked key deletes nothing from the moment on', async () => {
  const { id } = await make();
  const answer = await shop.send('PUT', `${PATH}/${id}`);
  expectError(answer, 'method_not_allowed');
  expect(answer.headers.get('allow')).toBe('DELETE, GET, HEAD, OPTIONS, POST');
  expect((await shop.send('DELETE', PATH)).headers.get('allow')).toBe('GET, HEAD, OPTIONS, POST');
  const leaked = await as('shop');
  expect((await leaked.get(`${PATH}/${id}`)).status).toBe(200);
  // What a process remembers of a key for a moment is for reading only.
  await world.ctx.db.apiKey.updateMany({ where: { lastUsedAt: { not: null } }, data: { revokedAt: new Date(0) } });
  expectError(await gone(leaked, id), 'api_key_invalid');
  shop = await as('shop');
  expect((await shop.get(`${PATH}/${id}`)).status).toBe(200);
});

test('every answer that the document promises for an endpoint’s success was seen', () => {
  const promised = [...Object.entries({ get: 200, post: 200, delete: 200 })].map(
    ([method, status]) => `${method.toUpperCase()} ${PATH}/{endpoint_id} ${status}`,
  );
  for (const path of ['', '/{endpoint_id}/test']) promised.push(`POST ${PATH}${path} 201`);
  for (const path of ['/{endpoint_id}/roll_secret', '/{endpoint_id}/replay']) promised.push(`POST ${PATH}${path} 200`);
  promised.push('GET /v1/webhook_deliveries 200', `GET ${PATH} 200`);
  for (const one of promised) expect([...checker.seen]).toContain(one);
});
