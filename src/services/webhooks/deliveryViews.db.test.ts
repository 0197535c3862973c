// What is read of deliveries: pages that stay right, whoever's they are; figures against values computed by hand; and stamps that move when anything does.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Desk, endpointRow, eventRow, eventRows, startDesk } from '../../../test/setup/webhooks.ts';
import { newId } from '../../context.ts';
import type { Row } from '../../db.ts';
import { deliveryId } from '../../domain/deliveryId.ts';
import { formatId } from '../../domain/ids.ts';
import { createWebhookStreams } from './changes.ts';
import { countDeliveries, type DeliveryFilters, listDeliveries } from './deliveryViews.ts';
import { readEndpointMetrics, readLastDay } from './endpointMetrics.ts';
import { type EventFilters, listEvents } from './eventViews.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const URL_A = 'http://127.0.0.1:4000/hook';
let desk: Desk;
let shop: string;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk.stop());
beforeEach(() => {
  shop = newId(desk.ctx, 'hdl');
});

type Endpoint = Row<'WebhookEndpoint'>;
const make = (wishes: Partial<Endpoint> = {}) => endpointRow(desk.ctx, URL_A, { handleId: shop, ...wishes });
const list = (filters: Partial<DeliveryFilters> = {}, who: { workspaceId?: string; livemode?: boolean } = {}) =>
  listDeliveries(desk.ctx, { workspaceId: shop, ...who }, { limit: 20, ...filters });

/** Follows the cursors to the end. */
async function walk(filters: Partial<DeliveryFilters>, between: () => Promise<unknown> = async () => {}) {
  const found: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await list({ ...filters, cursor });
    found.push(...page.data.map(({ id }) => id));
    if (page.nextCursor === null) return found;
    cursor = page.nextCursor;
    await between();
  }
}

type Tried = { startedAt: number; latencyMs?: number; status?: number | null; failure?: string | null };

/** Attempts at one delivery, numbered as they come. */
async function attempts(endpoint: Endpoint, tried: Tried[], isTest = false): Promise<Row<'Event'>> {
  const event = await eventRow(desk.ctx, [endpoint], { handleId: shop, isTest });
  await desk.ctx.db.deliveryAttempt.createMany({
    data: tried.map(({ startedAt, latencyMs = 5, status = 200, failure = null }, index) => ({
      eventId: event.id,
      endpointId: endpoint.id,
      number: index + 1,
      startedAt: new Date(startedAt),
      latencyMs,
      status,
      failure,
      answer: status === null ? null : `answer ${index + 1}`,
    })),
  });
  const eventId_endpointId = { eventId: event.id, endpointId: endpoint.id };
  await desk.ctx.db.delivery.update({ where: { eventId_endpointId }, data: { attempts: tried.length } });
  return event;
}

describe('deliveries', () => {
  test('tell of a name that leads inside as of one that leads nowhere', async () => {
    const startedAt = desk.clock.now();
    const tried = { startedAt, status: null };
    await attempts(await make(), [
      { ...tried, failure: 'address_refused' },
      { ...tried, failure: 'not_found' },
    ]);
    const [two, one] = (await list()).data[0]?.attempts ?? [];
    expect(one).toEqual({ ...two, number: 1 });
    expect(one).toMatchObject({ status: null, failure: 'not_found' });
  });

  test('show the event, the endpoint, and the newest twenty attempts', async () => {
    const endpoint = await make();
    const now = desk.clock.now();
    const tried = Array.from({ length: 23 }, (_, i) => ({ startedAt: now + i, status: i === 22 ? null : 500 }));
    tried[22] = { startedAt: now + 22, status: null, failure: 'timeout' } as never;
    const event = await attempts(endpoint, tried);
    const { data, nextCursor } = await list();
    expect([data.length, nextCursor]).toEqual([1, null]);
    expect(data[0]).toEqual({
      id: `dlv_${event.id.slice(4)}${endpoint.id.slice(4)}`,
      object: 'webhook_delivery',
      event: event.id,
      event_type: 'order.completed',
      resource: event.resourceId,
      endpoint: endpoint.id,
      status: 'pending',
      failure: null,
      attempt_count: 23,
      next_attempt_at: new Date(now).toISOString(),
      is_test: false,
      created_at: new Date(now).toISOString(),
      ended_at: null,
      attempts: Array.from({ length: 20 }, (_, i) => {
        const number = 23 - i;
        const isLast = number === 23;
        return {
          number,
          started_at: new Date(now + number - 1).toISOString(),
          latency_ms: 5,
          status: isLast ? null : 500,
          failure: isLast ? 'timeout' : null,
          answer: isLast ? null : `answer ${number}`,
          is_replay: false,
        };
      }),
    });
  });

  test('thousands come in pages, newest event first, each once, while others are made', async () => {
    const endpoints = [await make(), await make(), await make()];
    const gone = await make({ status: 'deleted' });
    const at = new Date(desk.clock.now() - DAY_MS);
    const events = await eventRows(desk.ctx, 900, [...endpoints, gone], { handleId: shop, createdAt: at });
    const expected = events
      .flatMap((event) => endpoints.map(({ id }) => deliveryId({ eventId: event.id, endpointId: id })))
      .sort()
      .reverse();
    const ongoing = () => eventRow(desk.ctx, endpoints, { handleId: shop });
    expect(await walk({ limit: 97 }, ongoing)).toEqual(expected);
    const [first] = endpoints;
    const ofFirst = expected.filter((id) => id.endsWith(first?.id.slice(4) ?? ''));
    const old = (ids: string[]) => ids.filter((id) => expected.includes(id));
    expect(old(await walk({ limit: 100, endpoint: first?.id }))).toEqual(ofFirst);
  });

  test('are found by status, one event, one endpoint, and together', async () => {
    const [one, two] = [await make(), await make({ livemode: true })];
    const events = await eventRows(desk.ctx, 40, [one], { handleId: shop });
    const statuses = ['pending', 'delivered', 'failed'] as const;
    for (const [index, { id }] of events.entries()) {
      const status = statuses[index % 3] ?? 'pending';
      const ended = status === 'pending' ? {} : { nextAttemptAt: null, endedAt: new Date(desk.clock.now()) };
      await desk.ctx.db.delivery.updateMany({ where: { eventId: id }, data: { status, ...ended } });
    }
    for (const [index, status] of statuses.entries()) {
      const wanted = events
        .filter((_event, at) => at % 3 === index)
        .map(({ id }) => deliveryId({ eventId: id, endpointId: one.id }));
      expect(await walk({ limit: 4, status })).toEqual(wanted.reverse());
      expect(await walk({ limit: 4, status, endpoint: one.id })).toHaveLength(wanted.length);
      expect(await walk({ status, endpoint: two.id })).toEqual([]);
    }
    const event = events[3]?.id ?? '';
    const [delivery] = (await list({ event })).data;
    expect(delivery).toMatchObject({ event, endpoint: one.id, status: 'pending' });
    expect((await list({ event, endpoint: one.id, status: 'pending' })).data).toEqual([delivery]);
    expect((await list({ event, status: 'failed' })).data).toEqual([]);
    expect((await list({}, { livemode: true })).data).toEqual([]);
    expect((await list({}, { livemode: false })).data).toHaveLength(20);
    expect(await countDeliveries(desk.ctx, [event, 'evt_none'])).toEqual(
      new Map([
        [event, { pending: 1, retrying: 0, delivered: 0, failed: 0 }],
        ['evt_none', { pending: 0, retrying: 0, delivered: 0, failed: 0 }],
      ]),
    );
    await desk.ctx.db.delivery.updateMany({ where: { eventId: event }, data: { attempts: 1 } });
    expect((await countDeliveries(desk.ctx, [event])).get(event)).toEqual({
      pending: 0,
      retrying: 1,
      delivered: 0,
      failed: 0,
    });
  });

  test('lead to the events whose deliveries retry or failed, and not to tests', async () => {
    const one = await make();
    const events = await eventRows(desk.ctx, 4, [one], { handleId: shop });
    const [retrying = '', failed = '', test = ''] = events.map(({ id }) => id);
    const end = { status: 'failed', nextAttemptAt: null, endedAt: new Date(desk.ctx.clock.now()) };
    await desk.ctx.db.delivery.updateMany({ where: { eventId: retrying }, data: { attempts: 1 } });
    await desk.ctx.db.delivery.updateMany({ where: { eventId: failed }, data: end });
    await desk.ctx.db.delivery.updateMany({ where: { eventId: test }, data: { ...end, isTest: true } });
    const found = async (filters: Partial<EventFilters>, workspaceId = shop) =>
      (await listEvents(desk.ctx, { workspaceId }, { limit: 20, ...filters })).data.map(({ id }) => id);
    expect(await found({ delivery: 'retrying' })).toEqual([retrying]);
    expect(await found({ delivery: 'failed' })).toEqual([failed]);
    expect(await found({ delivery: 'failed', type: 'order.refunded' })).toEqual([]);
    expect(await found({})).toHaveLength(4);
    expect(await found({ delivery: 'failed' }, newId(desk.ctx, 'hdl'))).toEqual([]);
  });

  test('of one event come in pages too, with those of endpoints that were deleted meanwhile', async () => {
    const endpoints = [await make(), await make({ status: 'deleted' }), await make()];
    const { id } = await eventRow(desk.ctx, endpoints, { handleId: shop });
    const expected = endpoints
      .map((one) => deliveryId({ eventId: id, endpointId: one.id }))
      .sort()
      .reverse();
    expect(await walk({ event: id, limit: 1 })).toEqual(expected);
    await expect(list({ endpoint: endpoints[1]?.id })).rejects.toMatchObject({ code: 'resource_missing' });
  });

  test('of another workspace are not there, whatever is asked for', async () => {
    const endpoint = await make();
    const { id } = await eventRow(desk.ctx, [endpoint], { handleId: shop });
    const stranger = { workspaceId: newId(desk.ctx, 'hdl') };
    const missing = { code: 'resource_missing' };
    expect((await list({}, stranger)).data).toEqual([]);
    await expect(list({ endpoint: endpoint.id }, stranger)).rejects.toMatchObject(missing);
    await expect(list({ event: id }, stranger)).rejects.toMatchObject(missing);
    await expect(list({ event: id }, { livemode: true })).rejects.toMatchObject(missing);
    await expect(list({ endpoint: endpoint.id }, { livemode: true })).rejects.toMatchObject(missing);
    // A cursor is a place and no right.
    const cursor = deliveryId({ eventId: `evt_${'z'.repeat(26)}`, endpointId: endpoint.id });
    expect((await list({ cursor }, stranger)).data).toEqual([]);
    for (const wrong of ['', 'x', cursor.slice(1), `${cursor}0`, cursor.toUpperCase(), cursor.replace('dlv', 'evt')])
      await expect(list({ cursor: wrong })).rejects.toMatchObject({ code: 'parameter_invalid', param: 'cursor' });
  });
});

describe('figures', () => {
  test('count by steps, with latencies of what was answered, and without gaps', async () => {
    const endpoint = await make();
    const other = await make();
    const step = 1_800;
    const newest = Math.floor(desk.clock.now() / 1_000 / step) * step;
    const oldest = newest - 47 * step;
    const at = (seconds: number) => seconds * 1_000;
    await attempts(endpoint, [
      { startedAt: at(oldest) - 1, latencyMs: 9_999 },
      { startedAt: at(oldest), latencyMs: 40 },
      { startedAt: at(oldest + step) - 1, latencyMs: 10 },
      // Ten answers of 100 to 1000 ms, of which three are failures, and two attempts that nobody answered.
      ...Array.from({ length: 10 }, (_, i) => ({
        startedAt: at(newest - step + i),
        latencyMs: (i + 1) * 100,
        status: [500, 301, 404][i] ?? 204,
      })),
      { startedAt: at(newest - step), status: null, failure: 'timeout', latencyMs: 10_000 },
      { startedAt: at(newest - step), status: null, failure: 'refused', latencyMs: 1 },
      { startedAt: at(newest), status: null, failure: 'reset' },
    ]);
    await attempts(other, [{ startedAt: at(newest) }]);
    const figures = await readEndpointMetrics(desk.ctx, { workspaceId: shop }, endpoint.id, 24);
    expect([figures.object, figures.step_seconds, figures.buckets.length]).toEqual(['webhook_figures', step, 48]);
    const none = { succeeded: 0, failed: 0, p50_ms: null, p95_ms: null };
    const expected = Array.from({ length: 48 }, (_, i) => ({ time: oldest + i * step, ...none }));
    expected[0] = { time: oldest, succeeded: 2, failed: 0, p50_ms: 10, p95_ms: 40 } as never;
    expected[46] = { time: newest - step, succeeded: 7, failed: 5, p50_ms: 500, p95_ms: 1_000 } as never;
    expected[47] = { ...none, time: newest, failed: 1 };
    expect(figures.buckets).toEqual(expected);
    const days = await readLastDay(desk.ctx, [endpoint, other]);
    expect([...days.values()].map(({ failed_attempts }) => failed_attempts)).toEqual([6, 0]);
    expect(days.get(other.id)).toEqual({ delivered: 1, failed_attempts: 0 });
  });

  test.each([
    [168, 14_400, 42],
    [720, 43_200, 60],
  ] as const)(
    'of %i hours have steps of %i seconds, %i of them, of which the newest has now',
    async (hours, step, count) => {
      const endpoint = await make();
      const now = desk.clock.now();
      await attempts(endpoint, [
        { startedAt: now },
        { startedAt: now - hours * HOUR_MS + step * 1_000 },
        { startedAt: now - (hours + 25) * HOUR_MS },
      ]);
      const { buckets, step_seconds } = await readEndpointMetrics(desk.ctx, { workspaceId: shop }, endpoint.id, hours);
      expect([step_seconds, buckets.length]).toEqual([step, count]);
      expect(buckets.map(({ time }, i) => time - (buckets[0]?.time ?? 0) - i * step)).toEqual(buckets.map(() => 0));
      expect(buckets.at(-1)).toMatchObject({ succeeded: 1 });
      expect(buckets[0]).toMatchObject({ succeeded: 1 });
      expect(buckets.reduce((sum, { succeeded }) => sum + succeeded, 0)).toBe(2);
      expect(buckets.at(-1)?.time).toBeLessThanOrEqual(now / 1_000);
      expect((buckets.at(-1)?.time ?? 0) + step).toBeGreaterThan(now / 1_000);
    },
  );

  test('leave out test events, whatever came of them', async () => {
    const endpoint = await make();
    const startedAt = desk.clock.now();
    await attempts(endpoint, [{ startedAt }]);
    await attempts(endpoint, [{ startedAt, status: 500, latencyMs: 9_000 }], true);
    await attempts(endpoint, [{ startedAt, status: null, failure: 'refused' }], true);
    await attempts(endpoint, [{ startedAt, latencyMs: 9_000 }], true);
    const { buckets } = await readEndpointMetrics(desk.ctx, { workspaceId: shop }, endpoint.id, 24);
    expect(buckets.at(-1)).toMatchObject({ succeeded: 1, failed: 0, p50_ms: 5, p95_ms: 5 });
    expect((await readLastDay(desk.ctx, [endpoint])).get(endpoint.id)).toEqual({ delivered: 1, failed_attempts: 0 });
  });

  test('are nobody else’s', async () => {
    const endpoint = await make();
    for (const who of [{ workspaceId: newId(desk.ctx, 'hdl') }, { workspaceId: shop, livemode: true }])
      await expect(readEndpointMetrics(desk.ctx, who, endpoint.id, 24)).rejects.toMatchObject({
        code: 'resource_missing',
      });
  });
});

describe('the stream', () => {
  const own = (workspaceId: string) => ({ workspaceId, accountId: workspaceId });

  /** A page that watches. */
  async function watch(workspaceId = shop) {
    const streams = createWebhookStreams(desk.ctx);
    const page = { stamps: [] as string[], over: false };
    const stop = await streams.watch(own(workspaceId), {
      tell: (stamp) => page.stamps.push(stamp),
      end: () => {
        page.over = true;
      },
    });
    return { page, streams, stop };
  }

  test('tells a stamp at once, and a new one after each kind of change, and no other', async () => {
    const endpoint = await make();
    const other = await endpointRow(desk.ctx, URL_A, { handleId: newId(desk.ctx, 'hdl') });
    const event = await eventRow(desk.ctx, [], { handleId: shop });
    const { page, streams, stop } = await watch();
    const { db } = desk.ctx;
    const now = desk.clock.now();
    const key = { endpointId: endpoint.id };
    const deliver = () =>
      db.delivery.create({
        data: { ...key, eventId: event.id, status: 'pending', nextAttemptAt: new Date(now), createdAt: new Date(now) },
      });
    const attempt = (number: number, startedAt: number) =>
      db.deliveryAttempt.create({
        data: { ...key, eventId: event.id, number, startedAt: new Date(startedAt), latencyMs: 1, status: 500 },
      });
    const changes: [string, () => Promise<unknown>][] = [
      ['an event without a delivery', () => eventRow(desk.ctx, [], { handleId: shop })],
      ['one of live mode', () => eventRow(desk.ctx, [], { handleId: shop, livemode: true })],
      ['a delivery of it', deliver],
      ['an attempt', () => attempt(1, now)],
      ['one that began before it and was written after it', () => attempt(2, now - 5_000)],
      ['another retry', () => db.delivery.updateMany({ where: key, data: { nextAttemptAt: new Date(now + 60_000) } })],
      ['a failure', () => db.delivery.updateMany({ where: key, data: { status: 'failed', nextAttemptAt: null } })],
      [
        'a replay',
        () => db.delivery.updateMany({ where: key, data: { status: 'pending', nextAttemptAt: new Date(now) } }),
      ],
      ['an end', () => db.delivery.updateMany({ where: key, data: { status: 'delivered', nextAttemptAt: null } })],
      [
        'a change of the endpoint',
        () => db.webhookEndpoint.update({ where: { id: endpoint.id }, data: { description: 'x' } }),
      ],
      ['a new endpoint', () => make()],
      ['a deleted one', () => db.webhookEndpoint.update({ where: { id: endpoint.id }, data: { status: 'deleted' } })],
    ];
    expect(page.stamps).toHaveLength(1);
    for (const [what, happen] of changes) {
      const before = page.stamps.length;
      await streams.look();
      expect(page.stamps, `before ${what}`).toHaveLength(before);
      await happen();
      await streams.look();
      expect(page.stamps, what).toHaveLength(before + 1);
    }
    await eventRow(desk.ctx, [other], { handleId: other.handleId });
    // What only time changes is no change.
    desk.later(HOUR_MS / 4);
    await streams.look();
    expect(page.stamps).toHaveLength(changes.length + 1);
    expect(page.stamps.join()).not.toContain(endpoint.id);
    stop();
  });

  test('429 for more than twenty pages of one workspace; one that leaves makes room; half an hour is the longest', async () => {
    const { page, streams, stop } = await watch();
    const quiet = { tell: () => {}, end: () => {} };
    for (let i = 0; i < 19; i++) await streams.watch(own(shop), quiet);
    await expect(streams.watch(own(shop), quiet)).rejects.toMatchObject({ code: 'rate_limited' });
    await streams.watch(own(newId(desk.ctx, 'hdl')), quiet);
    expect(streams.count()).toBe(21);
    stop();
    await streams.watch(own(shop), quiet);
    const fresh = await watch();
    desk.later(30 * 60_000 - 1);
    await streams.look();
    expect(streams.count()).toBe(21);
    desk.later(1);
    await Promise.all([streams.look(), fresh.streams.look()]);
    expect([streams.count(), fresh.streams.count(), fresh.page.over]).toEqual([0, 0, true]);
    expect(page.over).toBe(false);
  });
});

test('a delivery’s id sorts as its two ids do', () => {
  const at = (ms: number) => formatId('evt', ms, randomBytes(10));
  const keys = Array.from({ length: 50 }, (_, i) => ({ eventId: at(i % 7), endpointId: newId(desk.ctx, 'whs') }));
  const byParts = [...keys].sort((a, b) => {
    const [one, two] = [`${a.eventId} ${a.endpointId}`, `${b.eventId} ${b.endpointId}`];
    return one < two ? -1 : 1;
  });
  expect(keys.map(deliveryId).sort()).toEqual(byParts.map(deliveryId));
});

test('what failed since a moment is found by its index', async () => {
  const endpoint = await make();
  const events = await eventRows(desk.ctx, 400, [endpoint], { handleId: shop });
  const now = desk.ctx.clock.now();
  await desk.ctx.db.delivery.updateMany({
    where: { endpointId: endpoint.id, eventId: { in: events.map(({ id }) => id) } },
    data: { status: 'failed', failure: 'exhausted', nextAttemptAt: null, endedAt: new Date(now - DAY_MS) },
  });
  await desk.ctx.db.$executeRaw`analyze delivery`;
  const plan = await desk.ctx.db.$transaction(async (tx) => {
    await tx.$executeRaw`set local enable_seqscan = off`;
    return tx.$queryRaw<Record<string, string>[]>`
      explain select f.event_id from delivery f
        where f.endpoint_id = ${endpoint.id} and f.status = 'failed' and not f.is_test and f.ended_at >= ${new Date(now)}::timestamptz`;
  });
  expect(JSON.stringify(plan)).toContain('delivery_failed_since');
});
