// Receivers as they are: slow, silent, endless, rude, redirecting, gone. What each means for the delivery, and what is kept of its answer.
import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { until } from '../../../test/setup/processes.ts';
import {
  type Behaviour,
  type Desk,
  deliveryOf,
  endpointRow,
  eventRow,
  eventRows,
  receiverForTest,
  startDesk,
} from '../../../test/setup/webhooks.ts';
import type { Row } from '../../db.ts';
import { replayDeliveries } from './deliveryTransitions.ts';
import { createDeliverer, type Deliverer } from './dispatcher.ts';
import { enableEndpoint } from './endpointTransitions.ts';

/** For receivers that must be waited for in vain; all others have as long as a busy machine may need. */
const TIMEOUT_MS = 400;
const PATIENCE_MS = 10_000;
let desk: Desk;
let deliverer: Deliverer;
let hasty: Deliverer;
beforeAll(async () => {
  desk = await startDesk();
  deliverer = createDeliverer(desk.ctx, { jitter: () => 0, timeoutMs: PATIENCE_MS });
  hasty = createDeliverer(desk.ctx, { jitter: () => 0, timeoutMs: TIMEOUT_MS });
});
afterAll(() => desk.stop());

/** Sends one event to a receiver that behaves so. @returns the delivery and its only attempt */
async function sendTo(how: Behaviour, by = deliverer) {
  const receiver = await receiverForTest(how);
  const endpoint = await endpointRow(desk.ctx, receiver.url);
  const event = await eventRow(desk.ctx, [endpoint]);
  expect(await by.round()).toBe(1);
  const { tries, ...delivery } = await deliveryOf(desk.ctx, event.id, endpoint.id);
  expect(tries).toHaveLength(1);
  const [attempt] = tries;
  if (!attempt) throw new Error('there is no attempt');
  return { receiver, delivery, attempt };
}

const HEAD = 'HTTP/1.1 200 OK\r\n';

describe('delivers', () => {
  test.each<{ name: string; how: Behaviour; status: number; answer: string }>([
    { name: '200 with a body', how: { status: 200, body: '{"ok":true}' }, status: 200, answer: '{"ok":true}' },
    { name: '201', how: { status: 201 }, status: 201, answer: '' },
    {
      name: '202 that is slow, and in time',
      how: { status: 202, afterMs: 250, body: 'ok' },
      status: 202,
      answer: 'ok',
    },
    { name: '204', how: { status: 204 }, status: 204, answer: '' },
    { name: '299', how: { status: 299 }, status: 299, answer: '' },
    {
      name: 'an answer after early hints',
      how: { raw: `HTTP/1.1 103 Early Hints\r\n\r\n${HEAD}content-length: 2\r\n\r\nok` },
      status: 200,
      answer: 'ok',
    },
    {
      name: 'an answer after several 1xx',
      how: { raw: `HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n${HEAD}content-length: 0\r\n\r\n` },
      status: 200,
      answer: '',
    },
    { name: 'a body that ends with the connection', how: { raw: `${HEAD}\r\nbye` }, status: 200, answer: 'bye' },
    {
      name: 'a body that breaks off',
      how: { raw: `${HEAD}content-length: 100\r\n\r\nhalf` },
      status: 200,
      answer: 'half',
    },
    {
      name: 'a body without end, of which 2 KB are kept',
      how: { endless: 200 },
      status: 200,
      answer: 'x'.repeat(2_048),
    },
  ])('$name', async ({ how, status, answer }) => {
    const { delivery, attempt } = await sendTo(how);
    expect(delivery).toMatchObject({ status: 'delivered', nextAttemptAt: null, endedAt: new Date(desk.clock.now()) });
    expect(attempt).toMatchObject({ status, failure: null, answer });
    expect(attempt.latencyMs).toBeLessThan(PATIENCE_MS);
  });

  test('a body that trickles: the status line decides, and nobody waits longer than an attempt may take', async () => {
    const limitMs = 1_500;
    const trickled = createDeliverer(desk.ctx, { timeoutMs: limitMs });
    const { delivery, attempt } = await sendTo({ endless: 200, everyMs: 20 }, trickled);
    expect(delivery.status).toBe('delivered');
    expect(attempt).toMatchObject({ status: 200, failure: null });
    expect(attempt.answer).toMatch(/^x+$/);
    expect(attempt.latencyMs).toBeGreaterThanOrEqual(limitMs - 10);
    expect(attempt.latencyMs).toBeLessThan(PATIENCE_MS);
    await trickled.close();
  });
});

describe('is tried again after', () => {
  const refused = async () => {
    const receiver = await receiverForTest();
    await receiver.close();
    return receiver.url;
  };
  test.each<{ name: string; how: Behaviour; failure: string | null; status: number | null }>([
    { name: 'silence', how: 'hang', failure: 'timeout', status: null },
    { name: 'a connection that ends', how: 'drop', failure: 'reset', status: null },
    { name: 'a reset', how: 'reset', failure: 'reset', status: null },
    { name: 'what is no HTTP', how: { raw: 'SSH-2.0-OpenSSH_9.6\r\n' }, failure: 'network', status: null },
    { name: 'only a 1xx', how: { raw: 'HTTP/1.1 102 Processing\r\n\r\n' }, failure: 'reset', status: null },
    {
      name: 'an answer that is too late',
      how: { status: 200, afterMs: TIMEOUT_MS + 300 },
      failure: 'timeout',
      status: null,
    },
    { name: '300', how: { status: 300 }, failure: null, status: 300 },
    { name: '304', how: { status: 304 }, failure: null, status: 304 },
    { name: '400', how: { status: 400 }, failure: null, status: 400 },
    { name: '404', how: { status: 404 }, failure: null, status: 404 },
    { name: '500 with a body without end', how: { endless: 500 }, failure: null, status: 500 },
    { name: '599', how: { status: 599 }, failure: null, status: 599 },
  ])('$name', async ({ how, failure, status }) => {
    const { delivery, attempt } = await sendTo(how, failure === 'timeout' ? hasty : deliverer);
    expect(delivery).toMatchObject({ status: 'pending', rung: 1, attempts: 1, leaseUntil: null });
    expect(delivery.nextAttemptAt).toEqual(new Date(desk.clock.now() + 60_000));
    expect(attempt).toMatchObject({ status, failure });
    if (failure) expect(attempt.answer).toBeNull();
    if (failure === 'timeout') expect(attempt.latencyMs).toBeGreaterThanOrEqual(TIMEOUT_MS - 10);
  });

  test('a port at which nobody listens', async () => {
    const endpoint = await endpointRow(desk.ctx, await refused());
    const event = await eventRow(desk.ctx, [endpoint]);
    await deliverer.round();
    const { tries, status } = await deliveryOf(desk.ctx, event.id, endpoint.id);
    expect([status, tries[0]?.failure, tries[0]?.status]).toEqual(['pending', 'refused', null]);
  });

  test('a receiver that takes connections and never reads', async () => {
    const server: Server = createServer((socket) => void socket.pause().on('error', () => {}));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    const endpoint = await endpointRow(desk.ctx, `http://127.0.0.1:${port}/`);
    const event = await eventRow(desk.ctx, [endpoint]);
    await hasty.round();
    const { tries } = await deliveryOf(desk.ctx, event.id, endpoint.id);
    expect(tries[0]?.failure).toBe('timeout');
  });
});

test.each([301, 302, 303, 307, 308])('%i is not followed: the other server hears nothing', async (status) => {
  const other = await receiverForTest();
  const { delivery, attempt } = await sendTo({ status, headers: { location: other.url }, body: 'over there' });
  expect(delivery.status).toBe('pending');
  expect(attempt).toMatchObject({ status, failure: null, answer: 'over there' });
  expect(other.requests).toEqual([]);
});

describe('of an answer is kept', () => {
  test.each<{ name: string; body: Buffer; answer: string }>([
    { name: 'its first 2 KB', body: Buffer.alloc(5_000, 'y'), answer: 'y'.repeat(2_048) },
    {
      name: 'no half of a sign',
      body: Buffer.concat([Buffer.alloc(2_047, 'z'), Buffer.from('€€')]),
      answer: 'z'.repeat(2_047),
    },
    { name: 'what PostgreSQL can keep of NUL', body: Buffer.from('a\0b'), answer: 'a\u{fffd}b' },
    {
      name: 'what can be read of broken UTF-8',
      body: Buffer.from([0x61, 0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80, 0x62]),
      answer: 'a\u{fffd}\u{fffd}(\u{fffd}\u{fffd}\u{fffd}b',
    },
    {
      name: 'what would be code elsewhere',
      body: Buffer.from(`'; drop table delivery; -- <script>\\u0000`),
      answer: `'; drop table delivery; -- <script>\\u0000`,
    },
  ])('$name', async ({ body, answer }) => {
    for (const status of [200, 500]) {
      const { attempt } = await sendTo({ status, body });
      expect(attempt.answer).toBe(answer);
    }
  });
});

test('what is sent: the envelope, signed at the time of the attempt, to path and query of the URL', async () => {
  const receiver = await receiverForTest();
  const endpoint = await endpointRow(desk.ctx, `${receiver.url}/a%20b?key=1&b=%C3%A9`);
  const second = await endpointRow(desk.ctx, receiver.url, { status: 'disabled' });
  const event = await eventRow(desk.ctx, [endpoint, second], {
    type: 'order.expired',
    previous: { status: 'processing' },
    requestId: 'req_1',
    idempotencyKey: 'key 1',
  });
  await desk.ctx.db.delivery.updateMany({
    where: { endpointId: second.id },
    data: { status: 'failed', failure: 'endpoint_disabled', nextAttemptAt: null },
  });
  await deliverer.round();
  const [request] = receiver.requests;
  expect(request?.path).toBe(`${new URL(receiver.url).pathname}/a%20b?key=1&b=%C3%A9`);
  expect(request?.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': event.id });
  expect(JSON.parse(request?.body ?? '')).toEqual({
    id: event.id,
    object: 'event',
    api_version: event.apiVersion,
    type: 'order.expired',
    created: Math.floor(event.createdAt.getTime() / 1_000),
    created_at: event.createdAt.toISOString(),
    livemode: false,
    pending_webhooks: 1,
    request: { id: 'req_1', idempotency_key: 'key 1' },
    data: { object: event.object, previous_attributes: { status: 'processing' } },
  });
});

describe('410', () => {
  test('disables the endpoint and ends what waits for it; a replay after enabling delivers', async () => {
    const receiver = await receiverForTest({ status: 410 });
    const endpoint = await endpointRow(desk.ctx, receiver.url, { url: receiver.url });
    const other = await endpointRow(desk.ctx, (await receiverForTest()).url);
    const [first, ...later] = await eventRows(desk.ctx, 30, [endpoint, other], {
      createdAt: new Date(desk.clock.now()),
    });
    if (!first) throw new Error('no event');
    const waiting = await eventRow(desk.ctx, [endpoint]);
    const inAnHour = new Date(desk.clock.now() + 3_600_000);
    await desk.ctx.db.delivery.update({
      where: { eventId_endpointId: { eventId: waiting.id, endpointId: endpoint.id } },
      data: { nextAttemptAt: inAnHour, rung: 3 },
    });
    await deliverer.round();
    expect(await desk.ctx.db.webhookEndpoint.findUniqueOrThrow({ where: { id: endpoint.id } })).toMatchObject({
      status: 'disabled',
      disabledReason: 'gone',
      disabledAt: new Date(desk.clock.now()),
    });
    const mine = await desk.ctx.db.delivery.findMany({ where: { endpointId: endpoint.id } });
    expect(mine).toHaveLength(later.length + 2);
    for (const row of mine)
      expect(row).toMatchObject({ status: 'failed', failure: 'gone', nextAttemptAt: null, leaseUntil: null });
    expect(await desk.ctx.db.delivery.count({ where: { endpointId: other.id, status: 'delivered' } })).toBe(30);
    const heard = receiver.requests.length;
    desk.later(3_600_000);
    await deliverer.round();
    expect(receiver.requests).toHaveLength(heard);

    const pairs = mine.map(({ eventId, endpointId }) => ({ eventId, endpointId }));
    const replay = () => desk.ctx.db.$transaction((tx) => replayDeliveries(desk.ctx, tx, pairs));
    expect(await replay()).toBe(0);
    expect(await desk.ctx.db.$transaction((tx) => enableEndpoint(desk.ctx, tx, endpoint.id))).toMatchObject({
      status: 'enabled',
      disabledReason: null,
      disabledAt: null,
    });
    receiver.behave({ status: 200 });
    expect(await replay()).toBe(pairs.length);
    expect(await deliverer.round()).toBe(pairs.length);
    expect(await desk.ctx.db.delivery.count({ where: { endpointId: endpoint.id, status: 'delivered' } })).toBe(
      pairs.length,
    );
  });

  test('of an address that the endpoint has left meanwhile disables nothing', async () => {
    const receiver = await receiverForTest({ status: 410, afterMs: 250 });
    const endpoint = await endpointRow(desk.ctx, receiver.url);
    await eventRow(desk.ctx, [endpoint]);
    const round = deliverer.round();
    await until(() => receiver.requests.length === 1, 'the receiver has it');
    await desk.ctx.db.webhookEndpoint.update({ where: { id: endpoint.id }, data: { url: `${receiver.url}/new` } });
    await round;
    const { status } = await desk.ctx.db.webhookEndpoint.findUniqueOrThrow({ where: { id: endpoint.id } });
    expect(status).toBe('enabled');
  });
});

describe('an endpoint that fails', () => {
  const DAY_MS = 86_400_000;
  const endpointNow = (row: Row<'WebhookEndpoint'>) =>
    desk.ctx.db.webhookEndpoint.findUniqueOrThrow({ where: { id: row.id } });

  test('is disabled by its first failure after five days without a success', async () => {
    const receiver = await receiverForTest({ status: 500 });
    const endpoint = await endpointRow(desk.ctx, receiver.url);
    await eventRow(desk.ctx, [endpoint]);
    const since = new Date(desk.clock.now());
    await deliverer.round();
    expect((await endpointNow(endpoint)).failingSince).toEqual(since);
    for (let day = 1; day < 5; day++) {
      desk.later(DAY_MS - 1);
      await eventRow(desk.ctx, [endpoint]);
      await deliverer.round();
      expect(await endpointNow(endpoint)).toMatchObject({ status: 'enabled', failingSince: since });
    }
    desk.later(DAY_MS + 4);
    const last = await eventRow(desk.ctx, [endpoint]);
    await deliverer.round();
    expect(await endpointNow(endpoint)).toMatchObject({ status: 'disabled', disabledReason: 'failing' });
    expect(await deliveryOf(desk.ctx, last.id, endpoint.id)).toMatchObject({
      status: 'failed',
      failure: 'endpoint_disabled',
    });
    expect(await desk.ctx.db.delivery.count({ where: { endpointId: endpoint.id, status: 'pending' } })).toBe(0);
  });

  test('begins anew with every success, also that of a test', async () => {
    const receiver = await receiverForTest({ status: 500 });
    const endpoint = await endpointRow(desk.ctx, receiver.url);
    for (const wishes of [{}, { isTest: true }]) {
      receiver.behave({ status: 500 });
      const failed = await eventRow(desk.ctx, [endpoint]);
      await deliverer.round();
      expect((await endpointNow(endpoint)).failingSince).not.toBeNull();
      receiver.behave({ status: 200 });
      await eventRow(desk.ctx, [endpoint], wishes);
      await deliverer.round();
      expect((await endpointNow(endpoint)).failingSince).toBeNull();
      desk.later(60_000);
      await deliverer.round();
      expect((await deliveryOf(desk.ctx, failed.id, endpoint.id)).status).toBe('delivered');
    }
    desk.later(6 * DAY_MS);
    receiver.behave({ status: 500 });
    await eventRow(desk.ctx, [endpoint]);
    await deliverer.round();
    expect(await endpointNow(endpoint)).toMatchObject({ status: 'enabled', failingSince: new Date(desk.clock.now()) });
  });
});
