// Deliveries of long ago go in batches, with their attempts; what is pending, what ended lately, and events stay.
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Desk,
  deliveryOf,
  endpointRow,
  eventRow,
  eventRows,
  receiverForTest,
  startDesk,
} from '../../../test/setup/webhooks.ts';
import { dropOldRows } from '../operations/housekeeping.ts';
import { replayDeliveries } from './deliveryTransitions.ts';
import { createDeliverer } from './dispatcher.ts';

const DAY_MS = 86_400_000;
let desk: Desk;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk.stop());

test('30 days after its end a delivery goes, and not before; a replay lets it stay; test events go with it', async () => {
  const { ctx } = desk;
  const receiver = await receiverForTest();
  const endpoint = await endpointRow(ctx, receiver.url);
  const deliverer = createDeliverer(ctx, { jitter: () => 0 });
  const [done, again] = await eventRows(ctx, 2, [endpoint]);
  const tried = await eventRow(ctx, [endpoint], { isTest: true });
  await deliverer.round();
  receiver.behave({ status: 500 });
  const failing = await eventRow(ctx, [endpoint]);
  await deliverer.round();
  if (!done || !again) throw new Error('no events');
  const left = async () => {
    await dropOldRows(ctx);
    const [deliveries, events, attempts] = await Promise.all([
      ctx.db.delivery.findMany({ orderBy: { eventId: 'asc' } }),
      ctx.db.event.count(),
      ctx.db.deliveryAttempt.count(),
    ]);
    return { deliveries: deliveries.map((row) => row.eventId).sort(), events, attempts };
  };
  const all = [done.id, again.id, tried.id, failing.id].sort();
  desk.later(30 * DAY_MS);
  expect(await left()).toEqual({ deliveries: all, events: 4, attempts: 4 });
  await ctx.db.$transaction((tx) => replayDeliveries(ctx, tx, [{ eventId: again.id, endpointId: endpoint.id }]));
  receiver.behave({ status: 200 });
  // Pending for longer than anything is kept: nobody was there to send it.
  await ctx.db.delivery.updateMany({
    where: { eventId: failing.id },
    data: { nextAttemptAt: new Date(desk.clock.now() + DAY_MS) },
  });
  await deliverer.round();
  desk.later(1);
  expect(await left()).toEqual({ deliveries: [again.id, failing.id].sort(), events: 3, attempts: 3 });
  expect(await ctx.db.event.findUnique({ where: { id: tried.id } })).toBeNull();
  expect(await deliveryOf(ctx, again.id, endpoint.id)).toMatchObject({ status: 'delivered', attempts: 2 });
  desk.later(30 * DAY_MS);
  expect((await left()).deliveries).toEqual([failing.id]);
  // What went can be sent again: the event is still there.
  await ctx.db.$transaction((tx) => replayDeliveries(ctx, tx, [{ eventId: done.id, endpointId: endpoint.id }]));
  await deliverer.round();
  expect(await deliveryOf(ctx, done.id, endpoint.id)).toMatchObject({ status: 'delivered', attempts: 1 });
});

test('more than a batch goes in one go', async () => {
  const { ctx } = desk;
  const endpoint = await endpointRow(ctx, 'http://127.0.0.1:9/');
  const at = new Date(desk.clock.now());
  await eventRows(ctx, 1_100, [endpoint]);
  await ctx.db.delivery.updateMany({
    where: { endpointId: endpoint.id },
    data: { status: 'delivered', nextAttemptAt: null, endedAt: at },
  });
  desk.later(31 * DAY_MS);
  await dropOldRows(ctx);
  expect(await ctx.db.delivery.count({ where: { endpointId: endpoint.id } })).toBe(0);
});
