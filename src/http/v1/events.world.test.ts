// Events of the public API, over HTTP: listed, read, sent again and listened to; every answer is held against the OpenAPI document.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiDocument, documentChecker, expectError, keyOf, program } from '../../../test/setup/api.ts';
import { payOrder } from '../../../test/setup/orders.ts';
import { serveWorld } from '../../../test/setup/visitor.ts';
import { deliveryOf, endpointRow, eventRow, eventRows } from '../../../test/setup/webhooks.ts';
import { startWorld, type World } from '../../../test/setup/world.ts';
import type { EventType } from '../../domain/events.ts';
import { createHandle } from '../../services/accounts/handles.ts';
import { indexChain } from '../../services/operations/feed.ts';
import { sampleOf } from '../sampleEvents.ts';

let world: World;
let base: string;
let checker: ReturnType<typeof documentChecker>;
let document: ApiDocument;
beforeAll(async () => {
  world = await startWorld();
  Object.assign(world.ctx.env, { API_RATE_PER_SECOND: 100_000, API_RATE_BURST: 100_000 });
  base = await serveWorld(world);
  document = (await (await fetch(`${base}/v1/openapi.json`)).json()) as ApiDocument;
  checker = documentChecker(document);
});
afterAll(() => world.stop());

const COFFEE = { amount: '12.5', chain: 'base' };
type Shown = { id: string; type: string };
const idOf = async (slug: string) => (await world.ctx.db.handle.findUniqueOrThrow({ where: { slug } })).id;
const callerOf = async (slug: string, more: Parameters<typeof keyOf>[2] = {}) =>
  program(base, await keyOf(world, slug, more), checker.check);

test('an order’s events come in the envelope of the interface, and are found by type, group and resource', async () => {
  const shop = await callerOf('alice');
  const made = await shop.post('/v1/orders', COFFEE, { 'idempotency-key': 'my key' });
  const { id } = made.body;
  const cancelled = await shop.post(`/v1/orders/${id}/cancel`);
  const other = (await shop.post('/v1/orders', COFFEE)).body;
  await payOrder(world, await world.ctx.db.order.findUniqueOrThrow({ where: { id: other.id } }), 'payer');
  await world.mine(3);
  await indexChain(world.ctx, world.evmChain());

  const { body } = await shop.get(`/v1/events?resource=${id}`);
  expect(body).toMatchObject({ object: 'list', has_more: false, next_cursor: null });
  const [second, first] = body.data;
  const { createdAt } = await world.ctx.db.event.findUniqueOrThrow({ where: { id: first.id } });
  expect(first).toEqual({
    id: first.id,
    object: 'event',
    api_version: '2026-11-20',
    type: 'order.created',
    created: Math.floor(createdAt.getTime() / 1_000),
    created_at: createdAt.toISOString(),
    livemode: false,
    pending_webhooks: 0,
    request: { id: made.headers.get('request-id'), idempotency_key: 'my key' },
    data: { object: { order: made.body } },
  });
  expect(second).toMatchObject({
    type: 'order.cancelled',
    request: { id: cancelled.headers.get('request-id'), idempotency_key: null },
    data: { object: { order: cancelled.body }, previous_attributes: { status: 'awaiting_payment' } },
  });
  expect((await shop.get(`/v1/events/${first.id}`)).body).toEqual(first);

  const typesOf = async (query: string) =>
    (await shop.get(`/v1/events${query}`)).body.data.map(({ type }: Shown) => type).sort();
  const all = ['order.cancelled', 'order.completed', 'order.created', 'order.created'];
  expect(await typesOf('')).toEqual(all);
  expect(await typesOf('?type=order.*')).toEqual(all);
  expect(await typesOf('?type=order.created')).toEqual(['order.created', 'order.created']);
  expect(await typesOf(`?type=order.created&resource=${id}`)).toEqual(['order.created']);
  expect(await typesOf('?type=escrow.*')).toEqual([]);
  expect(await typesOf('?type=campaign.grant_paid')).toEqual([]);
  expectError(await shop.get('/v1/events?type=campaign.opened'), 'parameter_invalid');
  expect(await typesOf('?resource=ord_nothing')).toEqual([]);
});

test('lists come newest first, in pages that stay right while events are written', async () => {
  const handleId = await idOf('carol');
  const paging = await callerOf('carol');
  const written: string[] = [];
  for (const type of ['order.created', 'order.completed', 'escrow.created', 'order.created', 'order.expired'])
    written.unshift((await eventRow(world.ctx, [], { handleId, type, object: sample(type) })).id);
  const found: string[] = [];
  for (let cursor = '', page = 0; page < 3; page++) {
    const { body } = await paging.get(`/v1/events?limit=2${cursor && `&cursor=${cursor}`}`);
    found.push(...body.data.map(({ id }: Shown) => id));
    expect([body.has_more, body.next_cursor === null]).toEqual([page < 2, page === 2]);
    cursor = body.next_cursor;
    await eventRow(world.ctx, [], { handleId, object: sample('order.completed') });
  }
  expect(found).toEqual(written);
  const orders = await paging.get('/v1/events?type=order.*&limit=1');
  const rest = await paging.get(`/v1/events?type=order.*&limit=100&cursor=${orders.body.next_cursor}`);
  expect(rest.body.data.map(({ id }: Shown) => id).slice(-4)).toEqual(written.filter((_, index) => index !== 2));
});

/** What the real event of a type has. */
function sample(type: string): object {
  return sampleOf(world.ctx, type as EventType, 'carol').object;
}

test('404 for events of another workspace and of the other mode, which are in no list; a test is read by its id', async () => {
  const handleId = await idOf('bob');
  const own = { handleId, object: sample('order.completed') };
  const [real, tried] = [await eventRow(world.ctx, [], own), await eventRow(world.ctx, [], { ...own, isTest: true })];
  const bob = await callerOf('bob');
  expect((await bob.get('/v1/events')).body.data.map(({ id }: Shown) => id)).toEqual([real.id]);
  expect((await bob.get(`/v1/events?resource=${tried.resourceId}`)).body.data).toEqual([]);
  for (const { id } of [real, tried]) expect((await bob.get(`/v1/events/${id}`)).body.id).toBe(id);
  await createHandle(world.ctx, { slug: 'stranger', kind: 'personal', evmAddress: `0x${'0'.repeat(38)}Aa` });
  const [stranger, live] = [await callerOf('stranger'), await callerOf('bob', { mode: 'live' })];
  for (const caller of [stranger, live]) {
    expect((await caller.get('/v1/events')).body.data).toEqual([]);
    expect((await caller.get(`/v1/events?resource=${real.resourceId}`)).body.data).toEqual([]);
    expectError(await caller.get(`/v1/events/${real.id}`), 'resource_missing');
    expectError(await caller.post(`/v1/events/${real.id}/replay`), 'resource_missing');
  }
  // A test is of no mode: the endpoint that it tries may be one of live mode.
  expect((await live.get(`/v1/events/${tried.id}`)).body.id).toBe(tried.id);
  expectError(await stranger.get(`/v1/events/${tried.id}`), 'resource_missing');
  expectError(await stranger.post(`/v1/events/${tried.id}/replay`), 'resource_missing');
  for (const id of ['evt_nothing', '%00', `evt_${'0'.repeat(26)}`, 'streams'])
    expectError(await bob.get(`/v1/events/${id}`), 'resource_missing');
});

test('400 for a type that there is not, a cursor of something else and parameters that nobody knows', async () => {
  const shop = await callerOf('alice');
  for (const type of [
    '',
    '*',
    'order',
    'order.',
    'order.paid',
    'order.*.*',
    '%00',
    "'; drop table event",
    'x'.repeat(41),
  ])
    expectError(await shop.get(`/v1/events?type=${encodeURIComponent(type)}`), 'parameter_invalid');
  const order = Buffer.from('ord_01jd3xkq8fz6m2v7w4t9y5c1bn').toString('base64url');
  for (const cursor of [order, 'x', '=', 'x'.repeat(201)])
    expectError(await shop.get(`/v1/events?cursor=${encodeURIComponent(cursor)}`), 'parameter_invalid');
  for (const limit of ['0', '101', 'ten'])
    expectError(await shop.get(`/v1/events?limit=${limit}`), 'parameter_invalid');
  expectError(await shop.get('/v1/events?types=order.created'), 'parameter_unknown');
  expectError(await shop.get('/v1/events/stream?type=order.created'), 'parameter_unknown');
});

test('403 without the scope: reading needs events or read, a replay events or webhooks', async () => {
  const handleId = await idOf('shop');
  const event = await eventRow(world.ctx, [], { handleId, object: sample('order.completed') });
  const cases = [
    { scope: 'events', reads: true, replays: true },
    { scope: 'read', reads: true, replays: false },
    { scope: 'webhooks', reads: false, replays: true },
    { scope: 'orders', reads: false, replays: false },
  ] as const;
  for (const { scope, reads, replays } of cases) {
    const caller = await callerOf('shop', { scopes: [scope] });
    for (const path of ['/v1/events', `/v1/events/${event.id}`]) {
      const answer = await caller.get(path);
      if (reads) expect(answer.status).toBe(200);
      else expectError(answer, 'scope_missing');
    }
    if (!reads) expectError(await caller.get('/v1/events/stream'), 'scope_missing');
    // Nobody takes it here, so 409 says that the key was let through.
    expectError(await caller.post(`/v1/events/${event.id}/replay`), replays ? 'state_conflict' : 'scope_missing');
  }
});

test('a replay is sent once for an Idempotency-Key, at once, to whom it is for', async () => {
  const handleId = await idOf('shop');
  const shop = await callerOf('shop');
  const [one, two] = [
    await endpointRow(world.ctx, 'http://127.0.0.1:9/one', { handleId }),
    await endpointRow(world.ctx, 'http://127.0.0.1:9/two', { handleId }),
  ];
  const event = await eventRow(world.ctx, [one], { handleId, object: sample('order.completed') });
  const over = { status: 'delivered', nextAttemptAt: null, rung: 1, attempts: 1 };
  await world.ctx.db.delivery.updateMany({ where: { eventId: event.id }, data: over });
  const key = { 'idempotency-key': 'again' };
  const replayed = await shop.post(`/v1/events/${event.id}/replay`, { endpoint: one.id }, key);
  expect([replayed.status, replayed.body.id, replayed.body.pending_webhooks]).toEqual([200, event.id, 1]);
  expect(await deliveryOf(world.ctx, event.id, one.id)).toMatchObject({ status: 'pending', rung: 0, attempts: 1 });
  expect(await world.ctx.db.outbox.count({ where: { queue: 'webhooks' } })).toBe(0);
  await world.ctx.db.delivery.updateMany({ where: { eventId: event.id }, data: over });
  const again = await shop.post(`/v1/events/${event.id}/replay`, { endpoint: one.id }, key);
  expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([replayed.text, 'true']);
  expect((await deliveryOf(world.ctx, event.id, one.id)).status).toBe('delivered');
  expect((await shop.post(`/v1/events/${event.id}/replay`)).body.pending_webhooks).toBe(2);
  expect((await shop.get(`/v1/events/${event.id}`)).body.pending_webhooks).toBe(2);
  for (const endpoint of ['whs_nothing', '', '\0', one.id.toUpperCase()])
    expect((await shop.post(`/v1/events/${event.id}/replay`, { endpoint })).body.error).toMatchObject({
      code: 'resource_missing',
      param: 'endpoint',
    });
  for (const endpoint of [null, 1, [], {}, 'x'.repeat(61)])
    expectError(await shop.post(`/v1/events/${event.id}/replay`, { endpoint }), 'parameter_invalid');
  expectError(await shop.post(`/v1/events/${event.id}/replay`, { to: two.id }), 'parameter_unknown');
  await world.ctx.db.webhookEndpoint.updateMany({ where: { handleId }, data: { status: 'disabled' } });
  for (const [body, words] of [
    [{ endpoint: two.id }, 'This endpoint is disabled or doesn’t receive order.completed. Enable it,'],
    [{}, 'No enabled endpoint receives order.completed. Enable one,'],
  ] as const) {
    const { error } = (await shop.post(`/v1/events/${event.id}/replay`, body)).body;
    expect([error.code, error.message]).toEqual(['state_conflict', `${words} or add the type to its enabled_events.`]);
  }
});

/** An open stream, read piece by piece. */
async function listen(key: string, lastEventId?: string) {
  const stop = new AbortController();
  const headers = { authorization: `Bearer ${key}`, ...(lastEventId ? { 'last-event-id': lastEventId } : {}) };
  const response = await fetch(`${base}/v1/events/stream`, { headers, signal: stop.signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    response,
    /** Everything until something stands in it. */
    async until(wanted: string): Promise<string> {
      while (!text.includes(wanted)) {
        const { value, done } = (await reader?.read()) ?? { done: true };
        if (done) throw new Error(`the stream ended without ${wanted}: ${text}`);
        text += value;
      }
      return text;
    },
    close: () => stop.abort(),
  };
}

test('the stream tells events of the key’s own workspace and mode, and goes on after the last', async () => {
  const key = await keyOf(world, 'bob');
  const shop = program(base, key);
  const live = await keyOf(world, 'bob', { mode: 'live' });
  const [stream, elsewhere] = [await listen(key), await listen(live)];
  expect(stream.response.status).toBe(200);
  expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(stream.response.headers.get('cache-control')).toBe('no-store');
  // Also who is told of nothing knows where to go on.
  expect(await stream.until('id: evt_')).toMatch(/^retry: \d+\n\nid: evt_/);
  // Somebody else's event of the same moment.
  const foreign = (await (await callerOf('alice')).post('/v1/orders', COFFEE)).body;
  const handleId = await idOf('bob');
  const [one] = await eventRows(world.ctx, 1, [], { handleId, object: sample('order.completed') });
  const [told] = (await stream.until(`id: ${one?.id}\n`)).match(/id: evt_\w+\nevent[\s\S]*\n\n/) ?? [''];
  const data = /data: (.*)\n/.exec(await stream.until(`"id":"${one?.id}"`))?.[1] ?? '{}';
  expect(JSON.parse(data)).toEqual((await shop.get(`/v1/events/${one?.id}`)).body);
  expect(told).toMatch(/^id: evt_\w+\nevent: event\ndata: \{/);
  expect(await stream.until('data: ')).not.toContain(foreign.id);
  stream.close();
  const [two] = await eventRows(world.ctx, 1, [], { handleId, object: sample('order.expired') });
  const back = await listen(key, one?.id);
  const after = await back.until(`id: ${two?.id}`);
  expect(after).not.toContain(`id: ${one?.id}`);
  back.close();
  // Of the other mode nothing was told meanwhile.
  const [liveOne] = await eventRows(world.ctx, 1, [], {
    handleId,
    livemode: true,
    object: sample('order.expired'),
  });
  expect((await elsewhere.until(`id: ${liveOne?.id}`)).match(/^event: /gm)).toHaveLength(1);
  elsewhere.close();
});

test('the stream refuses who may not listen, and is no body of a HEAD', async () => {
  expectError(await program(base, 'sk_test_x', checker.check).get('/v1/events/stream'), 'api_key_invalid');
  const key = await keyOf(world, 'alice');
  const shop = program(base, key, checker.check);
  expectError(await shop.get('/v1/events/stream', { 'last-event-id': 'yesterday' }), 'parameter_invalid');
  const head = await fetch(`${base}/v1/events/stream`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${key}` },
  });
  expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  expectError(await shop.post('/v1/events/stream'), 'method_not_allowed');
  const open = [];
  for (let i = 0; i < 20; i++) open.push(await listen(key));
  expectError(await shop.get('/v1/events/stream'), 'rate_limited');
  for (const one of open) one.close();
});

test('the document has a webhook for each type that is sent, and the names that a generator looks for', () => {
  const { webhooks, components } = document as unknown as {
    webhooks: Record<string, { post: { requestBody: { content: Record<string, { schema: { $ref: string } }> } } }>;
    components: ApiDocument['components'];
  };
  for (const [type, { post }] of Object.entries(webhooks)) {
    const name = post.requestBody.content['application/json']?.schema.$ref.split('/').at(-1) ?? '';
    const { properties } = components.schemas[name] as { properties: { type: { const: string } } };
    expect([name, properties.type.const]).toEqual([
      expect.stringMatching(/^(Order|Escrow|Subscription|Campaign)\w+Event$/),
      type,
    ]);
  }
  expect(Object.keys(webhooks)).toHaveLength(14);
  expect(Object.keys(components.schemas)).toEqual(expect.arrayContaining(['Order', 'Escrow', 'Event', 'EventList']));
});
