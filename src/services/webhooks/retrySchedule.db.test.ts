// The retry schedule against a real receiver on a moved clock: to the second, whatever fails, and what Retry-After, outages and jitter do to it.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type Behaviour,
  type Desk,
  deliveryOf,
  endpointRow,
  eventRow,
  type Receiver,
  receiverForTest,
  startDesk,
} from '../../../test/setup/webhooks.ts';
import type { Row } from '../../db.ts';
import { RETRY_SCHEDULE_S } from '../../domain/delivery.ts';
import { replayDeliveries } from './deliveryTransitions.ts';
import { createDeliverer, type Deliverer } from './dispatcher.ts';

const HOUR_MS = 3_600_000;
let desk: Desk;
let deliverer: Deliverer;
beforeAll(async () => {
  desk = await startDesk();
  deliverer = createDeliverer(desk.ctx, { jitter: () => 0 });
});
afterAll(() => desk.stop());

let receiver: Receiver;
let endpoint: Row<'WebhookEndpoint'>;
beforeEach(async () => {
  receiver = await receiverForTest();
  endpoint = await endpointRow(desk.ctx, receiver.url);
});

const now = () => desk.clock.now();
const stateOf = (event: Row<'Event'>) => deliveryOf(desk.ctx, event.id, endpoint.id);

/** Sends what is due whenever it is due, until nothing is; checks that a millisecond earlier nothing went. @returns the seconds from `since` on */
async function climb(event: Row<'Event'>, since = now()): Promise<number[]> {
  const at: number[] = [];
  for (;;) {
    const { nextAttemptAt } = await stateOf(event);
    if (!nextAttemptAt) return at;
    const waitMs = nextAttemptAt.getTime() - now();
    if (waitMs > 0) {
      desk.later(waitMs - 1);
      expect(await deliverer.round()).toBe(0);
      desk.later(1);
    }
    expect(await deliverer.round()).toBe(1);
    at.push((now() - since) / 1_000);
  }
}

test.each([0, 1, 2, 3, 4, 5, 6])('a receiver that fails %i times gets it with the attempt after', async (fails) => {
  const event = await eventRow(desk.ctx, [endpoint]);
  const failures: Behaviour[] = Array.from({ length: fails }, () => ({ status: 500, body: 'not today' }));
  receiver.behave([...failures, { status: 200, body: 'thanks' }]);
  const began = now();
  expect(await climb(event)).toEqual([0, ...RETRY_SCHEDULE_S].slice(0, fails + 1));
  const { tries, ...delivery } = await stateOf(event);
  expect(delivery).toMatchObject({ status: 'delivered', attempts: fails + 1, failure: null, leaseUntil: null });
  expect(delivery.endedAt).toEqual(new Date(now()));
  expect(tries.map(({ number, status, answer }) => [number, status, answer])).toEqual(
    [...failures.map(() => [500, 'not today']), [200, 'thanks']].map((rest, i) => [i + 1, ...rest]),
  );
  expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([event.id]));
  const signedAt = receiver.requests.map(({ headers }) => Number(headers['webhook-timestamp']));
  expect(signedAt).toEqual([0, ...RETRY_SCHEDULE_S].slice(0, fails + 1).map((s) => Math.floor(began / 1_000 + s)));
  desk.later(48 * HOUR_MS);
  expect(await deliverer.round()).toBe(0);
});

test('after seven failures it has failed for good; a replay climbs anew and delivers the same event', async () => {
  const event = await eventRow(desk.ctx, [endpoint]);
  receiver.behave({ status: 503 });
  expect(await climb(event)).toEqual([0, 60, 300, 900, 3_600, 21_600, 86_400]);
  expect(await stateOf(event)).toMatchObject({ status: 'failed', failure: 'exhausted', attempts: 7, rung: 7 });
  desk.later(48 * HOUR_MS);
  expect(await deliverer.round()).toBe(0);
  const replay = () =>
    desk.ctx.db.$transaction((tx) => replayDeliveries(desk.ctx, tx, [{ eventId: event.id, endpointId: endpoint.id }]));
  expect(await replay()).toBe(1);
  expect(await stateOf(event)).toMatchObject({ status: 'pending', failure: null, endedAt: null, rung: 0, attempts: 7 });
  receiver.behave([{ status: 500 }, { status: 200 }]);
  expect(await climb(event)).toEqual([0, 60]);
  const { tries, ...delivery } = await stateOf(event);
  expect(delivery).toMatchObject({ status: 'delivered', attempts: 9 });
  expect(tries.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([event.id]));
});

test('a test event is tried once, and a failed one is held against nobody', async () => {
  const event = await eventRow(desk.ctx, [endpoint], { isTest: true });
  receiver.behave({ status: 500 });
  expect(await climb(event)).toEqual([0]);
  expect(await stateOf(event)).toMatchObject({ status: 'failed', failure: 'exhausted', attempts: 1 });
  const { failingSince } = await desk.ctx.db.webhookEndpoint.findUniqueOrThrow({ where: { id: endpoint.id } });
  expect(failingSince).toBeNull();
});

describe('Retry-After', () => {
  const dateIn = (seconds: number) => new Date(now() + seconds * 1_000).toUTCString();
  test.each([
    { name: '429 with seconds', how: () => ({ status: 429, headers: { 'retry-after': '600' } }), second: 600 },
    { name: '503 with a date', how: () => ({ status: 503, headers: { 'retry-after': dateIn(600) } }), second: 600 },
    { name: 'less than the scheduled wait', how: () => ({ status: 503, headers: { 'retry-after': '5' } }), second: 60 },
    { name: 'years', how: () => ({ status: 429, headers: { 'retry-after': '999999999' } }), second: 86_400 },
    { name: 'nonsense', how: () => ({ status: 429, headers: { 'retry-after': 'when I am back' } }), second: 60 },
    { name: 'of any failure', how: () => ({ status: 400, headers: { 'retry-after': '90' } }), second: 90 },
  ])('$name: the second try is after $second s, and the third a scheduled wait later', async ({ how, second }) => {
    // On a whole second, as the dates of HTTP are.
    desk.later(1_000 - (now() % 1_000));
    const event = await eventRow(desk.ctx, [endpoint]);
    receiver.behave([how(), { status: 500 }, { status: 200 }]);
    expect(await climb(event)).toEqual([0, second, second + 240]);
  });
});

test('after an outage of ours the attempts do not bunch: each is as long after the one before as it always is', async () => {
  const event = await eventRow(desk.ctx, [endpoint]);
  receiver.behave({ status: 500 });
  await deliverer.round();
  const since = now();
  desk.later(3 * HOUR_MS);
  const hours = 3 * 3_600;
  expect(await climb(event, since)).toEqual([
    hours,
    hours + 240,
    hours + 840,
    hours + 3_540,
    hours + 21_540,
    hours + 86_340,
  ]);
});

test('an event that waited for hours has its whole retry schedule from the first attempt on', async () => {
  const event = await eventRow(desk.ctx, [endpoint]);
  receiver.behave({ status: 500 });
  desk.later(5 * HOUR_MS);
  expect(await climb(event)).toEqual([0, ...RETRY_SCHEDULE_S]);
});

test('jitter only delays: with the most of it each wait is a tenth longer', async () => {
  const event = await eventRow(desk.ctx, [endpoint]);
  receiver.behave({ status: 500 });
  const shaky = createDeliverer(desk.ctx, { jitter: () => 1 });
  const at: number[] = [];
  const since = now();
  for (let { nextAttemptAt } = await stateOf(event); nextAttemptAt; { nextAttemptAt } = await stateOf(event)) {
    desk.later(nextAttemptAt.getTime() - now());
    expect(await shaky.round()).toBe(1);
    at.push(now() - since);
  }
  expect(at).toEqual([0, ...RETRY_SCHEDULE_S].map((s) => s * 1_100));
  await shaky.close();
});

test('without a seed the jitter is drawn, between nothing and a tenth', async () => {
  receiver.behave({ status: 500 });
  const drawn = createDeliverer(desk.ctx);
  const since = now();
  const events = await Promise.all(Array.from({ length: 8 }, () => eventRow(desk.ctx, [endpoint])));
  expect(await drawn.round()).toBe(8);
  const waits = await Promise.all(
    events.map(async (event) => ((await stateOf(event)).nextAttemptAt?.getTime() ?? 0) - since),
  );
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(60_000);
  expect(Math.max(...waits)).toBeLessThanOrEqual(66_000);
  expect(new Set(waits).size).toBeGreaterThan(1);
  await drawn.close();
  desk.later(7 * HOUR_MS);
  receiver.behave({ status: 200 });
  await deliverer.round();
});
