// When an endpoint is disabled for failing, and that disabling one holds up nobody else, however much waits for it.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../../test/setup/processes.ts';
import {
  type Desk,
  deliveryOf,
  endpointRow,
  eventRow,
  eventRows,
  type Receiver,
  receiverForTest,
  startDesk,
} from '../../../test/setup/webhooks.ts';
import type { Row } from '../../db.ts';
import { GIVEN_UP_AT_ONCE } from './deliveryTransitions.ts';
import { createDeliverer, type Deliverer } from './dispatcher.ts';
import { disableEndpoint, disableFailing } from './endpointTransitions.ts';

const DAY_MS = 86_400_000;
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
  receiver = await receiverForTest({ status: 500 });
  endpoint = await endpointRow(desk.ctx, receiver.url);
});
const endpointNow = () => desk.ctx.db.webhookEndpoint.findUniqueOrThrow({ where: { id: endpoint.id } });

/** Sends what is due whenever it is due, until the event is over or its endpoint disabled. */
async function climb(event: Row<'Event'>): Promise<void> {
  for (;;) {
    await deliverer.round();
    const { nextAttemptAt } = await deliveryOf(desk.ctx, event.id, endpoint.id);
    if (!nextAttemptAt) return;
    desk.later(nextAttemptAt.getTime() - desk.clock.now());
  }
}

describe('for failing', () => {
  test('takes failures on five days: one that was quiet for long is not disabled by what fails next', async () => {
    await climb(await eventRow(desk.ctx, [endpoint]));
    const { failingSince } = await endpointNow();
    // Of each event two days: the first tries, and the one after 24 hours.
    desk.later(9 * DAY_MS);
    await climb(await eventRow(desk.ctx, [endpoint]));
    expect(await endpointNow()).toMatchObject({ status: 'enabled', failingSince });
    desk.later(9 * DAY_MS);
    const last = await eventRow(desk.ctx, [endpoint]);
    await climb(last);
    expect(await endpointNow()).toMatchObject({ status: 'disabled', disabledReason: 'failing', failingSince });
    expect(await deliveryOf(desk.ctx, last.id, endpoint.id)).toMatchObject({ failure: 'endpoint_disabled' });
  });

  const failed = (day: number, how: { status?: number; failure?: string; isTest?: boolean } = { status: 500 }) => ({
    day,
    ...how,
  });
  const daily = [0, 1, 2, 3, 4].map((day) => failed(day));
  const but = (how: Parameters<typeof failed>[1]) => [...daily.slice(0, 4), failed(4, how)];
  test.each([
    { name: 'a failure on each of five days', attempts: daily, isDisabled: true },
    { name: 'five days out of twelve', attempts: [0, 3, 4, 8.9, 11].map((day) => failed(day)), isDisabled: true },
    { name: 'no answer', attempts: but({ failure: 'timeout' }), isDisabled: true },
    {
      name: 'five failures on two days',
      attempts: [0, 0.2, 0.4, 0.99, 12].map((day) => failed(day)),
      isDisabled: false,
    },
    { name: 'four days', attempts: daily.slice(0, 4), isDisabled: false },
    { name: 'one of the five a test', attempts: but({ status: 500, isTest: true }), isDisabled: false },
    { name: 'one of the five our fault', attempts: but({ failure: 'proxy' }), isDisabled: false },
    { name: 'one of the five acknowledged', attempts: but({ status: 204 }), isDisabled: false },
  ])('$name: $isDisabled', async ({ attempts, isDisabled }) => {
    const since = desk.clock.now();
    await desk.ctx.db.webhookEndpoint.update({ where: { id: endpoint.id }, data: { failingSince: new Date(since) } });
    for (const { day, isTest = false, ...outcome } of attempts) {
      const { id: eventId } = await eventRow(desk.ctx, [endpoint], { isTest });
      const startedAt = new Date(since + day * DAY_MS);
      const attempt = { eventId, endpointId: endpoint.id, number: 1, startedAt, latencyMs: 5, ...outcome };
      await desk.ctx.db.deliveryAttempt.create({ data: attempt });
    }
    const judge = (limitMs: number) =>
      desk.ctx.db.$transaction((tx) => disableFailing(desk.ctx, tx, endpoint.id, limitMs));
    // It has failed for less than that.
    expect(await judge(since - 1)).toBeNull();
    expect((await judge(since))?.disabledReason ?? null).toBe(isDisabled ? 'failing' : null);
    await desk.ctx.db.$transaction((tx) => disableEndpoint(desk.ctx, tx, endpoint.id, 'by_owner'));
  });
});

describe('with much that waits', () => {
  test('an endpoint that is being disabled holds up no other: what is sent meanwhile is written down', async () => {
    receiver.behave({ status: 410 });
    let answer = () => {};
    const when = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const other = await endpointRow(desk.ctx, (await receiverForTest({ status: 200, when })).url);
    await eventRow(desk.ctx, [endpoint, other]);
    const later = await eventRow(desk.ctx, [endpoint]);
    const notYet = { nextAttemptAt: new Date(desk.clock.now() + DAY_MS) };
    await desk.ctx.db.delivery.updateMany({ where: { eventId: later.id }, data: notYet });
    const written = (id: string) => desk.ctx.db.deliveryAttempt.count({ where: { endpointId: id } });
    // Somebody holds one of its deliveries, so that its disabling has to wait.
    const round = await desk.ctx.db.$transaction(async (tx) => {
      await tx.$queryRaw`select 1 from delivery where event_id = ${later.id} for update`;
      const sending = deliverer.round();
      await until(async () => (await written(endpoint.id)) === 1, 'the 410 is written down');
      answer();
      await until(async () => (await written(other.id)) === 1, 'what the other took is written down');
      expect((await endpointNow()).status).toBe('enabled');
      return { sending };
    });
    await round.sending;
    expect(await endpointNow()).toMatchObject({ status: 'disabled', disabledReason: 'gone' });
    expect(await deliveryOf(desk.ctx, later.id, endpoint.id)).toMatchObject({ status: 'failed', failure: 'gone' });
  });

  test('it ends in short transactions, also what is not due yet, and nothing of it is sent', async () => {
    const events = await eventRows(desk.ctx, GIVEN_UP_AT_ONCE * 2 + 1, [endpoint]);
    const notYet = { nextAttemptAt: new Date(desk.clock.now() + DAY_MS) };
    await desk.ctx.db.delivery.updateMany({ where: { eventId: { gt: events[500]?.id ?? '' } }, data: notYet });
    await desk.ctx.db.$transaction((tx) => disableEndpoint(desk.ctx, tx, endpoint.id, 'by_owner'));
    const count = (where: object) => desk.ctx.db.delivery.count({ where: { endpointId: endpoint.id, ...where } });
    expect(await count({ status: 'pending' })).toBe(GIVEN_UP_AT_ONCE + 1);
    expect(await deliverer.round()).toBe(0);
    expect(await count({ status: 'failed', failure: 'endpoint_disabled', nextAttemptAt: null })).toBe(events.length);
    expect(receiver.requests).toEqual([]);
  });
});
