// A merchant's webhooks behind the session: endpoints made, changed, tried and rolled; deliveries and events read and sent again; and never another workspace's.
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../../test/setup/processes.ts';
import { serveWorld, type Visitor, visitor } from '../../../test/setup/visitor.ts';
import { eventRow, receiverForTest } from '../../../test/setup/webhooks.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import { newId } from '../../context.ts';
import { ERRORS } from '../../domain/errors.ts';
import { createDeliverer } from '../../services/webhooks/dispatcher.ts';

let world: World;
let base: string;
let shop: Visitor;
let bob: Visitor;
let shopId: string;
let drawn = 0;
const newUrl = () => `https://93.184.215.14/hook/${++drawn}`;
beforeAll(async () => {
  world = await startWorld();
  base = await serveWorld(world);
  [shop, bob] = (await Promise.all(['shop', 'bob'].map(signedIn))) as [Visitor, Visitor];
  shopId = (await world.ctx.db.handle.findUniqueOrThrow({ where: { slug: 'shop' } })).id;
});
afterAll(() => world.stop());
beforeEach(async () => {
  // Room for sixteen, and for thirty writes a minute.
  await world.ctx.db.webhookEndpoint.updateMany({ where: { handleId: shopId }, data: { status: 'deleted' } });
  world.later(61_000);
});

async function signedIn(name: string): Promise<Visitor> {
  const browser = visitor(base);
  expect((await browser.signIn(privateKeyToAccount(localPerson(name).key))).status).toBe(200);
  return browser;
}

async function make(wish: object = {}, browser = shop) {
  const answer = await browser.post('/api/webhooks', { url: newUrl(), mode: 'test', ...wish });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.endpoint as { id: string; url: string };
}
const idsIn = (answer: { body: { data: { id: string }[] } }) => answer.body.data.map(({ id }) => id);
const codeIn = ({ status, body }: { status: number; body: { error?: { code: string; param?: string } } }) => [
  status,
  body.error?.code,
  body.error?.param,
];

test('an endpoint from the first to the last: its secret is in the answers that draw it, and nowhere else', async () => {
  const url = newUrl();
  const made = await shop.post('/api/webhooks', {
    url,
    mode: 'test',
    enabled_events: ['order.created'],
    description: 'Till',
  });
  expect(made.status).toBe(201);
  expect(Object.keys(made.body).sort()).toEqual(['endpoint', 'secret']);
  const { endpoint, secret } = made.body;
  const path = `/api/webhooks/${endpoint.id}`;
  const rolled = await shop.post(`${path}/roll`, { overlap_hours: 1 });
  expect([rolled.status, Object.keys(rolled.body).sort()]).toEqual([200, ['endpoint', 'secret']]);
  const answers = [
    await shop.get('/api/webhooks'),
    await shop.get('/api/webhooks?mode=test'),
    await shop.get(path),
    await shop.send('PATCH', path, { enabled_events: ['*'], disabled: true }),
    await shop.send('PATCH', path, { disabled: false }),
    await shop.post(`${path}/test`, {}),
    await shop.get('/api/deliveries'),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 201, 200]);
  for (const one of [secret, rolled.body.secret]) {
    expect(one).toMatch(/^whsec_/);
    for (const { body } of answers) expect(JSON.stringify(body)).not.toContain(one.slice(6, 30));
  }
  expect(answers[0]?.body.data[0]).toEqual({
    ...rolled.body.endpoint,
    last_24h: { delivered: 0, failed_attempts: 0 },
    failed: { count: 0, has_more: false },
  });
  expect(answers[2]?.body).toEqual({ endpoint: rolled.body.endpoint });
  expect(answers[3]?.body.endpoint).toMatchObject({
    status: 'disabled',
    enabled_events: ['*'],
    description: 'Till',
    url,
  });
  expect(answers[5]?.body.event).toMatchObject({ object: 'event', type: 'order.created', livemode: false });
  expect(idsIn(await shop.get('/api/webhooks?mode=live'))).toEqual([]);
  expect((await shop.delete(path)).body).toEqual({ id: endpoint.id, object: 'webhook_endpoint', deleted: true });
  expect(idsIn(await shop.get('/api/webhooks'))).toEqual([]);
  expect(codeIn(await shop.get(path))).toEqual([404, 'resource_missing', undefined]);
});

test.each([
  [{ url: undefined }, 'parameter_missing', 'url'],
  [{ mode: undefined }, 'parameter_missing', 'mode'],
  [{ mode: 'play' }, 'parameter_invalid', 'mode'],
  [{ url: 'hook' }, 'parameter_invalid', 'url'],
  [{ url: `https://93.184.215.14/${'x'.repeat(2_048)}` }, 'parameter_invalid', 'url'],
  [{ url: 'https://127.0.0.1.nip.io:6379/' }, 'url_not_allowed', 'url'],
  [{ url: 'https://[fd00::1]/' }, 'private_address', 'url'],
  [{ url: 'http://93.184.215.14/', mode: 'live' }, 'url_not_allowed', 'url'],
  [{ enabled_events: [] }, 'parameter_invalid', 'enabled_events'],
  [{ enabled_events: ['order.paid'] }, 'parameter_invalid', 'enabled_events'],
  [{ enabled_events: [1] }, 'parameter_invalid', 'enabled_events.0'],
  [{ description: 'x'.repeat(281) }, 'parameter_invalid', 'description'],
  [{ secret: 'whsec_mine' }, 'parameter_unknown', 'secret'],
] as const)('%j: %s', async (wish, code, param) => {
  const answer = await shop.post('/api/webhooks', { url: newUrl(), mode: 'test', ...wish });
  expect(codeIn(answer)).toEqual([ERRORS[code].status, code, param]);
});

test('400 for an overlap, a time and an answer that there is not; 409 for a URL that is there', async () => {
  const { id, url } = await make();
  const path = `/api/webhooks/${id}`;
  for (const overlap_hours of [-1, 25, 0.5, '1'])
    expect(codeIn(await shop.post(`${path}/roll`, { overlap_hours }))).toEqual([
      400,
      'parameter_invalid',
      'overlap_hours',
    ]);
  expect(codeIn(await shop.post(`${path}/replay`, { since: 'today' }))).toEqual([400, 'parameter_invalid', 'since']);
  expect(codeIn(await shop.post(`${path}/replay`))).toEqual([400, 'parameter_missing', 'since']);
  expect(codeIn(await shop.post(`${path}/test`, { type: 'order.paid' }))).toEqual([400, 'parameter_invalid', 'type']);
  expect(codeIn(await shop.get(`${path}/failed`))).toEqual([400, 'parameter_missing', 'since']);
  expect(codeIn(await shop.get(`${path}/figures?hours=25`))).toEqual([400, 'parameter_invalid', 'hours']);
  expect(codeIn(await shop.get('/api/deliveries?limit=101'))).toEqual([400, 'parameter_invalid', 'limit']);
  expect(codeIn(await shop.post('/api/webhooks', { url, mode: 'test' }))).toEqual([409, 'state_conflict', 'url']);
  await make({ url, mode: 'live' });
});

test('429 with the time to wait for the thirty-first change within a minute', async () => {
  const { id } = await make();
  const changes = [];
  for (let i = 0; i < 30; i++) changes.push(await shop.send('PATCH', `/api/webhooks/${id}`, { description: `${i}` }));
  expect(changes.map(({ status }) => status)).toEqual([...Array.from({ length: 29 }, () => 200), 429]);
  expect(Number(changes.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0);
});

describe('what was sent', () => {
  test('shows in the log, in the figures, with the event, and is sent again', async () => {
    const receiver = await receiverForTest({ status: 503, body: 'not now' });
    const endpoint = await make({ url: receiver.url });
    const path = `/api/webhooks/${endpoint.id}`;
    const deliverer = createDeliverer(world.ctx, { jitter: () => 0 });
    const { order } = (await shop.post('/api/orders', { amount: '5', chain: 'base' })).body;
    await deliverer.round();
    const { data } = (await shop.get(`/api/deliveries?endpoint=${endpoint.id}`)).body;
    expect(data).toHaveLength(1);
    const [delivery] = data;
    expect(delivery).toMatchObject({
      event_type: 'order.created',
      resource: order.id,
      status: 'pending',
      attempt_count: 1,
    });
    expect(delivery.attempts).toMatchObject([{ number: 1, status: 503, failure: null, answer: 'not now' }]);
    const [listed] = (await shop.get('/api/webhooks')).body.data;
    expect(listed.last_24h).toEqual({ delivered: 0, failed_attempts: 1 });
    const events = await shop.get(`/api/events?mode=test&type=order.created&resource=${order.id}`);
    expect(events.body.data).toMatchObject([
      { id: delivery.event, object: 'event', deliveries: { pending: 0, retrying: 1, delivered: 0, failed: 0 } },
    ]);
    const one = await shop.get(`/api/events/${delivery.event}`);
    expect(one.body).toMatchObject({ event: { id: delivery.event, pending_webhooks: 1 }, deliveries: [delivery] });
    expect(one.body.event.request.id).toMatch(/^req_/);

    await shop.send('PATCH', path, { disabled: true });
    const refused = await shop.post(`/api/events/${delivery.event}/replay`, { endpoint: endpoint.id });
    expect(codeIn(refused)).toEqual([409, 'state_conflict', undefined]);
    expect(codeIn(await shop.post(`${path}/replay`, { since: 0 }))).toEqual([409, 'state_conflict', undefined]);
    expect((await shop.get(`/api/deliveries?status=failed&mode=test`)).body.data[0]).toMatchObject({
      event: delivery.event,
      failure: 'endpoint_disabled',
    });
    const failed = { count: 1, has_more: false };
    expect((await shop.get('/api/webhooks')).body.data[0].failed).toEqual(failed);
    expect((await shop.get(`${path}/failed?since=2026-01-01T00:00:00Z`)).body).toEqual(failed);
    await shop.send('PATCH', path, { disabled: false });
    receiver.behave({ status: 200 });
    expect((await shop.post(`${path}/replay`, { since: 0 })).body).toEqual({ count: 1 });
    await deliverer.round();
    const again = await shop.post(`/api/events/${delivery.event}/replay`);
    expect(again.body.deliveries).toMatchObject([{ status: 'pending', attempt_count: 2 }]);
    await deliverer.round();
    expect(receiver.requests.map(({ headers }) => headers['webhook-id'])).toEqual(Array(3).fill(delivery.event));
    const figures = (await shop.get(`${path}/figures?hours=24`)).body;
    expect([figures.object, figures.step_seconds, figures.buckets.length]).toEqual(['webhook_figures', 1_800, 48]);
    const sum = (name: string) =>
      figures.buckets.reduce((all: number, one: Record<string, number>) => all + (one[name] ?? 0), 0);
    expect([sum('succeeded'), sum('failed')]).toEqual([2, 1]);
    for (const hours of [168, 720]) expect((await shop.get(`${path}/figures?hours=${hours}`)).status).toBe(200);
    await deliverer.close();
  });

  test('a test event reaches a live endpoint as a test, and once more when it is asked for', async () => {
    const { id } = await make({ mode: 'live' });
    const { event } = (await shop.post(`/api/webhooks/${id}/test`, { type: 'escrow.claimed' })).body;
    expect(event).toMatchObject({ livemode: false, type: 'escrow.claimed', pending_webhooks: 1 });
    expect(idsIn(await shop.get('/api/events'))).not.toContain(event.id);
    const detail = await shop.get(`/api/events/${event.id}`);
    expect(detail.body.deliveries).toMatchObject([{ endpoint: id, is_test: true }]);
    expect((await shop.get('/api/deliveries?mode=live')).body.data).toMatchObject([{ event: event.id }]);
    const again = await shop.post(`/api/events/${event.id}/replay`, { endpoint: id });
    expect([again.status, again.body.deliveries[0]?.status]).toEqual([200, 'pending']);
  });
});

test('another workspace’s endpoints, deliveries and events are not there', async () => {
  const { id } = await make();
  const event = await eventRow(world.ctx, [{ id }], { handleId: shopId });
  for (const one of [id, newId(world.ctx, 'whs'), 'whs_x']) {
    const path = `/api/webhooks/${one}`;
    for (const answer of [
      await bob.get(path),
      await bob.send('PATCH', path, { disabled: true }),
      await bob.delete(path),
      await bob.post(`${path}/roll`),
      await bob.post(`${path}/test`),
      await bob.post(`${path}/replay`, { since: 0 }),
      await bob.get(`${path}/figures`),
      await bob.get(`${path}/failed?since=0`),
    ])
      expect(codeIn(answer), one).toEqual([404, 'resource_missing', undefined]);
    const listed = await bob.get(`/api/deliveries?endpoint=${one}`);
    expect(codeIn(listed), one).toEqual([404, 'resource_missing', 'endpoint']);
  }
  for (const answer of [await bob.get(`/api/events/${event.id}`), await bob.post(`/api/events/${event.id}/replay`)])
    expect(codeIn(answer)).toEqual([404, 'resource_missing', undefined]);
  const listed = await bob.get(`/api/deliveries?event=${event.id}`);
  expect(codeIn(listed)).toEqual([404, 'resource_missing', 'event']);
  for (const path of ['/api/webhooks', '/api/deliveries', '/api/events'])
    expect(idsIn(await bob.get(path))).toEqual([]);
  expect((await shop.get(`/api/webhooks/${id}`)).body.endpoint.status).toBe('enabled');
  const own = (await bob.post('/api/webhooks', { url: newUrl(), mode: 'test' })).body.endpoint;
  const crossed = await shop.post(`/api/events/${event.id}/replay`, { endpoint: own.id });
  expect(codeIn(crossed)).toEqual([404, 'resource_missing', 'endpoint']);
});

test('401 without a session, 403 from another page, 415 for what is no JSON', async () => {
  const { id } = await make();
  const nobody = visitor(base);
  const reads = [
    '/api/webhooks',
    `/api/webhooks/${id}`,
    `/api/webhooks/${id}/figures`,
    `/api/webhooks/${id}/failed?since=0`,
    '/api/webhooks/stream',
    '/api/deliveries',
    '/api/events',
    '/api/events/evt_1',
  ];
  for (const path of reads) expect(codeIn(await nobody.get(path)), path).toEqual([401, 'session_required', undefined]);
  const writes: [string, string][] = [
    ['POST', '/api/webhooks'],
    ['PATCH', `/api/webhooks/${id}`],
    ['DELETE', `/api/webhooks/${id}`],
    ['POST', `/api/webhooks/${id}/roll`],
    ['POST', `/api/webhooks/${id}/test`],
    ['POST', `/api/webhooks/${id}/replay`],
    ['POST', '/api/events/evt_1/replay'],
  ];
  for (const [method, path] of writes) {
    expect(codeIn(await nobody.send(method, path, {})), path).toEqual([401, 'session_required', undefined]);
    const foreign = await shop.send(method, path, {}, { origin: 'https://evil.example' });
    expect(codeIn(foreign), path).toEqual([403, 'origin_not_allowed', undefined]);
    const form = await shop.send(method, path, 'a=1', { 'content-type': 'application/x-www-form-urlencoded' });
    expect(codeIn(form), path).toEqual([415, 'media_type_unsupported', undefined]);
  }
  expect((await shop.get(`/api/webhooks/${id}`)).body.endpoint.status).toBe('enabled');
});

test('the stream says that something changed, and nothing of what', async () => {
  const away = new AbortController();
  const cookie = [...shop.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const response = await fetch(`${base}/api/webhooks/stream`, { headers: { cookie }, signal: away.signal });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  let text = '';
  const read = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk as Uint8Array, { stream: true });
  })().catch(() => {});
  const told = () =>
    [...text.matchAll(/event: changed\ndata: (\{.*\})\n\n/g)].map((match) => JSON.parse(match[1] ?? ''));
  await until(() => told().length === 1, 'the first stamp');
  await make({}, bob);
  const { id } = await make();
  await until(() => told().length === 2, 'the stamp after a change');
  expect(Object.keys(told()[1])).toEqual(['stamp']);
  expect(new Set(told().map(({ stamp }) => stamp)).size).toBe(2);
  expect(text).not.toContain(id);
  away.abort();
  await read;
});
