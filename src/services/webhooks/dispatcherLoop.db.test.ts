// The dispatcher as the workers run it: rows alone are enough, the queue makes it sooner, and it ends in time.
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { until } from '../../../test/setup/processes.ts';
import {
  type Desk,
  deliveryOf,
  endpointRow,
  eventRow,
  eventRows,
  receiverForTest,
  startDesk,
} from '../../../test/setup/webhooks.ts';
import { runWebhooks } from '../../../workers/webhooks.ts';
import type { Ctx } from '../../context.ts';
import { openClient, type Row } from '../../db.ts';
import { LEASE_MS } from '../../domain/delivery.ts';
import { wakeDeliveries } from '../events.ts';
import { replayDeliveries } from './deliveryTransitions.ts';
import { createDeliverer, type Deliverer, type DelivererOptions } from './dispatcher.ts';

let desk: Desk;
let ctx: Ctx;
beforeAll(async () => {
  desk = await startDesk();
  ctx = desk.ctx;
});
afterAll(() => desk.stop());

function dispatcher(options: DelivererOptions = {}): Deliverer {
  const deliverer = createDeliverer(ctx, { jitter: () => 0, ...options });
  onTestFinished(() => deliverer.close());
  return deliverer;
}
async function running(): Promise<Ctx> {
  const process = await desk.another();
  runWebhooks(process);
  onTestFinished(() => process.shutdown.close());
  return process;
}
const deliveredTo = ({ id }: Row<'WebhookEndpoint'>, count: number) =>
  until(
    async () => (await ctx.db.delivery.count({ where: { endpointId: id, status: 'delivered' } })) === count,
    `${count} are delivered`,
  );

test('sends what is due from rows alone, and what the queue tells of sooner', async () => {
  const receiver = await receiverForTest();
  const endpoint = await endpointRow(ctx, receiver.url);
  await eventRow(ctx, [endpoint]);
  const process = await running();
  await deliveredTo(endpoint, 1);
  // Nobody is told of it: no line in the outbox, no job.
  await eventRow(ctx, [endpoint]);
  await deliveredTo(endpoint, 2);
  const event = await eventRow(ctx);
  await ctx.db.$transaction((tx) => replayDeliveries(ctx, tx, [{ eventId: event.id, endpointId: endpoint.id }]));
  expect(await ctx.db.outbox.count({ where: { queue: 'webhooks' } })).toBeGreaterThan(0);
  await wakeDeliveries(ctx);
  await deliveredTo(endpoint, 3);
  await process.shutdown.close();
});

test('a round of the same dispatcher ends although it always has something under way', async () => {
  const hanging = await receiverForTest('hang');
  const receiver = await receiverForTest();
  const [silent, endpoint] = [await endpointRow(ctx, hanging.url), await endpointRow(ctx, receiver.url)];
  await eventRow(ctx, [silent]);
  const deliverer = dispatcher({ timeoutMs: 60_000 });
  const run = deliverer.run();
  await until(() => hanging.requests.length === 1, 'it is under way');
  await eventRows(ctx, 5, [endpoint]);
  await deliverer.round();
  await deliveredTo(endpoint, 5);
  await hanging.close();
  await deliverer.close();
  await run;
});

test('a process that closes ends soon, though a receiver hangs; what it left is sent by the next one', async () => {
  const receiver = await receiverForTest();
  const endpoint = await endpointRow(ctx, receiver.url);
  receiver.behave(['hang', { status: 200 }]);
  const event = await eventRow(ctx, [endpoint]);
  const process = await running();
  await until(() => receiver.requests.length === 1, 'it is under way');
  const began = performance.now();
  await process.shutdown.close();
  expect(performance.now() - began).toBeLessThan(6_000);
  expect(await deliveryOf(ctx, event.id, endpoint.id)).toMatchObject({ status: 'pending', attempts: 0 });
  desk.later(LEASE_MS);
  expect(await dispatcher().round()).toBe(1);
  expect(await deliveryOf(ctx, event.id, endpoint.id)).toMatchObject({ status: 'delivered', attempts: 1 });
  expect(receiver.requests.map(({ headers }) => headers['webhook-id'])).toEqual([event.id, event.id]);
});

test('what ends within the grace of a close is still written down', async () => {
  let answer = () => {};
  const when = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const receiver = await receiverForTest({ status: 200, when });
  const endpoint = await endpointRow(ctx, receiver.url);
  const event = await eventRow(ctx, [endpoint]);
  const deliverer = dispatcher();
  const round = deliverer.round();
  await until(() => receiver.requests.length === 1, 'it is under way');
  const closed = deliverer.close();
  answer();
  await closed;
  await round;
  expect(await deliveryOf(ctx, event.id, endpoint.id)).toMatchObject({ status: 'delivered', attempts: 1 });
});

test('connections that break again and again lose nothing, and no attempt is written down twice', async () => {
  const receiver = await receiverForTest({ status: 200, afterMs: 5 });
  const endpoint = await endpointRow(ctx, receiver.url);
  const events = await eventRows(ctx, 200, [endpoint]);
  const process = await running();
  const delivered = () => ctx.db.delivery.count({ where: { endpointId: endpoint.id, status: 'delivered' } });
  const breaker = await openClient(desk.env['DATABASE_URL'] ?? '');
  onTestFinished(() => breaker.end());
  for (let cut = 1; cut <= 4; cut++) {
    await until(() => receiver.requests.length >= cut * 30, 'some more arrive');
    await breaker.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
  }
  // What was taken in a statement whose answer was lost is sent when its lease is over.
  await until(async () => {
    const left = await delivered().catch(() => 0);
    if (left < events.length) desk.later(1_000);
    return left === events.length;
  }, 'all are delivered');
  await process.shutdown.close();
  expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id']))).toEqual(
    new Set(events.map(({ id }) => id)),
  );
  const tries = await ctx.db.deliveryAttempt.findMany({ where: { endpointId: endpoint.id } });
  expect(tries.length).toBeGreaterThanOrEqual(events.length);
  expect(tries.length).toBeLessThanOrEqual(receiver.requests.length);
  expect(new Set(tries.map(({ status }) => status))).toEqual(new Set([200]));
});
