// The life of a delivery as the table in the domain has it: every action on every status, by the statements that make the moves.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Desk, deliveryOf, endpointRow, eventRow, startDesk } from '../../../test/setup/webhooks.ts';
import { DELIVERY, type DeliveryAction, type DeliveryStatus, LEASE_MS } from '../../domain/delivery.ts';
import { nextStatus } from '../../domain/lifecycle.ts';
import { giveUpPending, recordAttempts, replayDeliveries } from './deliveryTransitions.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk.stop());

const STATUSES = Object.keys(DELIVERY) as DeliveryStatus[];
const ACTIONS: DeliveryAction[] = ['acknowledge', 'give_up', 'replay'];

test.each(STATUSES.flatMap((status) => ACTIONS.map((action) => ({ status, action }))))(
  '$action of what is $status',
  async ({ status, action }) => {
    const { ctx } = desk;
    const now = desk.clock.now();
    const endpoint = await endpointRow(ctx, 'http://127.0.0.1:9/');
    const event = await eventRow(ctx, [endpoint]);
    const key = { eventId: event.id, endpointId: endpoint.id };
    const over = { nextAttemptAt: null, endedAt: new Date(now - 5) };
    await ctx.db.delivery.update({
      where: { eventId_endpointId: key },
      data: {
        status,
        leaseUntil: new Date(now + 1_000),
        ...(status === 'pending' ? {} : over),
        ...(status === 'failed' ? { failure: 'exhausted' } : {}),
      },
    });
    if (action === 'replay') await ctx.db.$transaction((tx) => replayDeliveries(ctx, tx, [key]));
    if (action === 'give_up')
      await ctx.db.$transaction((tx) => giveUpPending(ctx, tx, endpoint.id, 'endpoint_disabled'));
    if (action === 'acknowledge') {
      const outcome = { status: 200, retryAfter: null, answer: 'ok' };
      const times = { dueMs: now, leaseUntilMs: now + 1_000, startedMs: now, latencyMs: 1, endedMs: now };
      const attempt = { ...key, ...times, outcome, fate: { status: 'delivered' as const } };
      await recordAttempts(ctx.db, [attempt], false);
      // The same batch once more, as after a connection that broke before its answer.
      await recordAttempts(ctx.db, [attempt], true);
    }
    const after = await deliveryOf(ctx, event.id, endpoint.id);
    expect(after.status).toBe(nextStatus(DELIVERY, status, action) ?? status);
    expect(after.nextAttemptAt === null).toBe(after.status !== 'pending');
    expect(after.endedAt === null).toBe(after.status === 'pending');
    expect(after.failure === null).toBe(after.status !== 'failed');
    expect([after.attempts, after.tries.length]).toEqual(action === 'acknowledge' ? [1, 1] : [0, 0]);
  },
);

test.each([
  ['before it, by a process whose clock is ahead', -1_000, 3_600_000, false],
  ['after it, by a process whose clock is behind', 1_000, -3_600_000, true],
  ['at its very moment', 0, 0, true],
])('an attempt is of the replay by the time at which it was taken: %s', async (_what, takenAfter, skew, isReplay) => {
  const { ctx } = desk;
  const endpoint = await endpointRow(ctx, 'http://127.0.0.1:9/');
  const event = await eventRow(ctx, [endpoint]);
  const key = { eventId: event.id, endpointId: endpoint.id };
  await ctx.db.$transaction((tx) => replayDeliveries(ctx, tx, [key]));
  const taken = desk.clock.now() + takenAfter;
  const times = { dueMs: taken, leaseUntilMs: taken + LEASE_MS, startedMs: taken + skew, latencyMs: 1, endedMs: taken };
  const outcome = { status: 500, retryAfter: null, answer: 'no' };
  const fate = { status: 'pending' as const, nextMs: taken + 5_000 };
  await recordAttempts(ctx.db, [{ ...key, ...times, outcome, fate }], false);
  const { tries } = await deliveryOf(ctx, event.id, endpoint.id);
  expect(tries.map((one) => one.isReplay)).toEqual([isReplay]);
});
