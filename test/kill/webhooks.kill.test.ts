// kill -9 of the workers between a webhook and the record of it, with many under way, and queues that are emptied: every event arrives, under its one id.
// A lease lasts half a minute by the real clock of the processes; here its end is written into the rows, which is all that passing time would do.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Row } from '../../src/db.ts';
import { wakeDeliveries, writeEvents } from '../../src/services/events.ts';
import { lockTable, processOf, type Runner, until } from '../setup/processes.ts';
import { deliveryOf, endpointRow, eventRow, type Receiver, startReceiver } from '../setup/webhooks.ts';
import { startWorld, type World } from '../setup/world.ts';

const ENDPOINTS = 3;
const MERCHANT = 'hdl_merchant';
let world: World;
let workers: Runner;
let receivers: Receiver[];
let endpoints: Row<'WebhookEndpoint'>[];
// Processes are started twice and three times in a test, and each of its waits may take most of a minute.
vi.setConfig({ testTimeout: 180_000 });
beforeAll(async () => {
  world = await startWorld();
  workers = processOf(world, 'workers');
});
afterAll(() => world.stop());
beforeEach(async () => {
  receivers = await Promise.all(Array.from({ length: ENDPOINTS }, () => startReceiver()));
  endpoints = await Promise.all(receivers.map(({ url }) => endpointRow(world.ctx, url)));
});
afterEach(async () => {
  await workers.stop();
  await Promise.all(receivers.map((receiver) => receiver.close()));
  // What a test left is nothing to the next one.
  await world.ctx.db.webhookEndpoint.updateMany({ data: { status: 'deleted' } });
  await world.ctx.db.delivery.updateMany({ data: { nextAttemptAt: null, leaseUntil: null } });
});

const one = () => ({ receiver: receivers[0] as Receiver, endpoint: endpoints[0] as Row<'WebhookEndpoint'> });
const leasesEnd = () =>
  world.ctx.db.delivery.updateMany({ where: { leaseUntil: { not: null } }, data: { leaseUntil: new Date(0) } });
const idsAt = ({ requests }: Receiver) => requests.map(({ headers }) => String(headers['webhook-id']));
const pending = () => world.ctx.db.delivery.count({ where: { nextAttemptAt: { not: null } } });
const arrived = () => receivers.reduce((sum, { requests }) => sum + requests.length, 0);

/** The sessions that record what attempts came to, and wait for a lock. Others read the table of attempts too. */
async function recording(): Promise<number[]> {
  const rows = await world.ctx.db.$queryRaw<{ pid: number }[]>`
    select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%with told as%latency_ms int%'`;
  return rows.map(({ pid }) => pid);
}

/** As services write them: each with its deliveries and the line that wakes the workers. @returns their ids */
async function happen(count: number): Promise<string[]> {
  const before = new Set((await world.ctx.db.event.findMany({ select: { id: true } })).map(({ id }) => id));
  for (let number = 0; number < count; number++) {
    const resourceId = `ord_${before.size}_${number}`;
    const draft = { handleId: MERCHANT, livemode: false, type: 'order.completed', resourceId } as const;
    const object = { order: { id: resourceId } };
    await world.ctx.db.$transaction((tx) => writeEvents(world.ctx, tx, [{ ...draft, uniqueKey: resourceId, object }]));
    await wakeDeliveries(world.ctx);
  }
  const all = await world.ctx.db.event.findMany({ select: { id: true }, orderBy: { id: 'asc' } });
  return all.map(({ id }) => id).filter((id) => !before.has(id));
}

/** Each event reached each endpoint, and each delivery is over with its attempts numbered without a gap. */
async function allDelivered(eventIds: string[]): Promise<void> {
  await until(async () => (await pending()) === 0, 'nothing is pending', 60_000);
  for (const receiver of receivers) expect(new Set(idsAt(receiver))).toEqual(new Set(eventIds));
  const rows = await world.ctx.db.delivery.findMany({
    where: { eventId: { in: eventIds } },
    include: { tries: { orderBy: { number: 'asc' } } },
  });
  expect(rows).toHaveLength(eventIds.length * ENDPOINTS);
  for (const { status, attempts, tries, leaseUntil } of rows) {
    expect([status, leaseUntil, tries.at(-1)?.status]).toEqual(['delivered', null, 200]);
    expect(tries.map(({ number }) => number)).toEqual(Array.from({ length: attempts }, (_, index) => index + 1));
  }
}

test('killed between the sending and the answer: it comes again with the same id, and counts once', async () => {
  const { receiver, endpoint } = one();
  receiver.behave(['hang', { status: 200 }]);
  const { id } = await eventRow(world.ctx, [endpoint]);
  await workers.start();
  await until(() => receiver.requests.length === 1, 'the receiver has it');
  await workers.kill();
  const left = await deliveryOf(world.ctx, id, endpoint.id);
  expect([left.status, left.attempts, left.tries]).toEqual(['pending', 0, []]);

  await workers.start();
  // Its lease stands: whoever was killed might have been slow only.
  await until(async () => (await world.ctx.db.beat.count({ where: { process: 'workers' } })) > 0, 'they run');
  expect(receiver.requests).toHaveLength(1);
  await leasesEnd();
  await until(async () => (await pending()) === 0, 'it is delivered');
  expect(idsAt(receiver)).toEqual([id, id]);
  const [first, second] = receiver.requests;
  expect(second?.body).toBe(first?.body);
  const { status, attempts, tries } = await deliveryOf(world.ctx, id, endpoint.id);
  expect([status, attempts, tries.map((attempt) => attempt.status)]).toEqual(['delivered', 1, [200]]);
});

test('killed between the answer and the record of it: the same', async () => {
  const { receiver, endpoint } = one();
  const { id } = await eventRow(world.ctx, [endpoint]);
  const lock = await lockTable(world.databaseUrl, 'delivery_attempt');
  await workers.start();
  try {
    await until(async () => (await recording()).length > 0, 'the answer is to be written down');
    expect(receiver.requests).toHaveLength(1);
    await workers.kill();
    // What a process has said is done by the server although that process is dead: so that it never said it.
    for (const pid of await recording()) await world.ctx.db.$queryRaw`select pg_terminate_backend(${pid}::int)`;
    await until(async () => (await recording()).length === 0, 'nobody writes it down');
  } finally {
    await lock.release();
  }
  expect((await deliveryOf(world.ctx, id, endpoint.id)).tries).toEqual([]);
  await leasesEnd();
  await workers.start();
  await until(async () => (await pending()) === 0, 'it is delivered');
  expect(idsAt(receiver)).toEqual([id, id]);
  expect((await deliveryOf(world.ctx, id, endpoint.id)).attempts).toBe(1);
});

test('killed twice with many under way: every event reaches every endpoint', async () => {
  for (const receiver of receivers) receiver.behave({ status: 200, afterMs: 30 });
  const ids = await happen(60);
  await workers.start();
  for (const share of [0.25, 0.6]) {
    await until(() => arrived() >= share * ids.length * ENDPOINTS, 'a part of them arrived');
    await workers.kill();
    expect(await pending()).toBeGreaterThan(0);
    await leasesEnd();
    await workers.start();
  }
  await allDelivered(ids);
  // What comes twice is what was under way when they were killed, at most ten to an endpoint each time, and what was not written yet.
  expect(arrived()).toBeLessThan(2 * ids.length * ENDPOINTS);
});

test('queues that are emptied, before the workers start and again and again while they run, lose nothing', async () => {
  const empty = async () => {
    for (const queue of world.ctx.queues.all()) await queue.obliterate({ force: true });
  };
  // Workers that were stopped leave lines that nothing is due for any more.
  await empty();
  const ids = await happen(20);
  expect((await world.ctx.queues.counts()).webhooks).toMatchObject({ waiting: 20 });
  await empty();
  expect(await world.ctx.db.outbox.count()).toBe(0);
  await workers.start();
  for (let round = 0; round < 10; round++) {
    ids.push(...(await happen(2)));
    await empty();
  }
  await allDelivered(ids);
});

test('the workers say by themselves what comes again and again', async () => {
  const cron = world.ctx.queues.all().find((queue) => queue.name === 'cron');
  await cron?.obliterate({ force: true });
  await workers.start();
  await until(async () => (await cron?.getJobSchedulers())?.length === 2, 'both tasks are scheduled');
  expect((await cron?.getJobSchedulers())?.map(({ key, every }) => [key, every]).sort()).toEqual([
    ['indexer base', 30_000],
    ['process-webhooks', 30_000],
  ]);
  // The first turn is at once, and leaves its mark where runs are claimed.
  await until(async () => (await world.ctx.db.cronRun.count()) > 0, 'a run was claimed');
});
