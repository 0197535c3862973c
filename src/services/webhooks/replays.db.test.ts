// Replays: what is sent again and where to, and the caps that keep a host from being flooded in somebody else's name.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lockTable, until } from '../../../test/setup/processes.ts';
import { type Desk, deliveryOf, endpointRow, eventRow, eventRows, startDesk } from '../../../test/setup/webhooks.ts';
import type { Row } from '../../db.ts';
import { hitMany, type Limit } from '../rateLimit.ts';
import { capsOf, replayEvent, replayFailedSince } from './replays.ts';

const HOUR_MS = 3_600_000;

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk.stop());

let merchants = 0;
/** A workspace of its own, whose endpoints are at a host of its own. */
function merchant() {
  const number = ++merchants;
  const workspaceId = `hdl_${number}`;
  const hook = (more: Partial<Row<'WebhookEndpoint'>> = {}) =>
    endpointRow(desk.ctx, `http://127.0.0.1:${10_000 + number}/hook`, { handleId: workspaceId, ...more });
  return { reader: { workspaceId, livemode: false }, handleId: workspaceId, hook };
}
type Hook = Row<'WebhookEndpoint'>;
/** Its deliveries failed for good, at a time. */
async function fail(events: { id: string }[], endpoint: Hook, endedAt: Date): Promise<void> {
  await desk.ctx.db.delivery.updateMany({
    where: { endpointId: endpoint.id, eventId: { in: events.map(({ id }) => id) } },
    data: { status: 'failed', failure: 'exhausted', nextAttemptAt: null, rung: 7, attempts: 7, endedAt },
  });
}
const count = (endpoint: Hook, status: string) =>
  desk.ctx.db.delivery.count({ where: { endpointId: endpoint.id, status } });
const waiting = async (eventId: string) =>
  (await desk.ctx.db.delivery.findMany({ where: { eventId, status: 'pending' } }))
    .map(({ endpointId }) => endpointId)
    .sort();
const jobs = async () => {
  const queue = desk.ctx.queues.all().find(({ name }) => name === 'webhooks');
  return ((await queue?.getJobs(['waiting'])) ?? []).flatMap((job) => job.data.eventIds as string[]);
};

test('an event goes to every enabled endpoint that takes its type, from the first try on, and at once', async () => {
  const { reader, handleId, hook } = merchant();
  const [failed, fresh] = [await hook(), await hook({ eventTypes: ['order.completed'] })];
  const others = [
    { eventTypes: ['order.created'] },
    { status: 'disabled' },
    { status: 'deleted' },
    { livemode: true },
    { handleId: 'hdl_other' },
  ];
  for (const more of others) await hook(more);
  const event = await eventRow(desk.ctx, [failed], { handleId });
  await fail([event], failed, new Date(desk.ctx.clock.now()));
  desk.later(5_000);
  const answer = await replayEvent(desk.ctx, reader, event.id);
  expect(answer).toMatchObject({ id: event.id, type: 'order.completed', pending_webhooks: 2 });
  expect(await waiting(event.id)).toEqual([failed.id, fresh.id].sort());
  const now = new Date(desk.ctx.clock.now());
  expect(await deliveryOf(desk.ctx, event.id, failed.id)).toMatchObject({
    rung: 0,
    attempts: 7,
    nextAttemptAt: now,
    failure: null,
    endedAt: null,
  });
  expect(await jobs()).toContain(event.id);
});

test('one that is named gets it alone, also when it is told of other types by now', async () => {
  const { reader, handleId, hook } = merchant();
  const [had, other, narrow] = [
    await hook({ eventTypes: ['order.created'] }),
    await hook(),
    await hook({ eventTypes: ['order.created'] }),
  ];
  const event = await eventRow(desk.ctx, [had], { handleId });
  await fail([event], had, new Date(desk.ctx.clock.now()));
  await replayEvent(desk.ctx, reader, event.id, { endpointId: had.id });
  expect(await waiting(event.id)).toEqual([had.id]);
  // What it neither takes nor ever had is not sent there.
  await expect(replayEvent(desk.ctx, reader, event.id, { endpointId: narrow.id })).rejects.toMatchObject({
    code: 'state_conflict',
  });
  await replayEvent(desk.ctx, reader, event.id, { endpointId: other.id });
  expect(await waiting(event.id)).toEqual([had.id, other.id].sort());
});

test('409 where no enabled endpoint takes it, 404 for what is somebody else’s or of the other mode', async () => {
  const [mine, theirs] = [merchant(), merchant()];
  const disabled = await mine.hook({ status: 'disabled' });
  const [deleted, live, foreign] = [
    await mine.hook({ status: 'deleted' }),
    await mine.hook({ livemode: true }),
    await theirs.hook(),
  ];
  const event = await eventRow(desk.ctx, [], { handleId: mine.handleId });
  const replay = (endpointId?: string) => replayEvent(desk.ctx, mine.reader, event.id, { endpointId });
  await expect(replay()).rejects.toMatchObject({ code: 'state_conflict' });
  await expect(replay(disabled.id)).rejects.toMatchObject({ code: 'state_conflict' });
  for (const { id } of [deleted, live, foreign])
    await expect(replay(id)).rejects.toMatchObject({ code: 'resource_missing' });
  await expect(replay('whs_nothing')).rejects.toMatchObject({ code: 'resource_missing' });
  await mine.hook();
  for (const reader of [theirs.reader, { ...mine.reader, livemode: true }])
    await expect(replayEvent(desk.ctx, reader, event.id)).rejects.toMatchObject({ code: 'resource_missing' });
  expect(await waiting(event.id)).toEqual([]);
});

test('a test event goes to nobody but whom it was for', async () => {
  const { reader, handleId, hook } = merchant();
  const [had, other] = [await hook(), await hook()];
  const event = await eventRow(desk.ctx, [had], { handleId, isTest: true });
  await replayEvent(desk.ctx, reader, event.id);
  expect(await waiting(event.id)).toEqual([had.id]);
  await expect(replayEvent(desk.ctx, reader, event.id, { endpointId: other.id })).rejects.toMatchObject({
    code: 'state_conflict',
  });
});

test('all that failed since a time: not what failed before, was delivered, or is another endpoint’s', async () => {
  const { reader, handleId, hook } = merchant();
  const [mine, other] = [await hook(), await hook()];
  const events = await eventRows(desk.ctx, 650, [mine, other], { handleId });
  const since = desk.ctx.clock.now();
  await fail(events.slice(0, 20), mine, new Date(since - 1));
  await fail(events.slice(20, 640), mine, new Date(since));
  await fail(events.slice(0, 10), other, new Date(since));
  await desk.ctx.db.delivery.updateMany({
    where: { endpointId: mine.id, status: 'pending' },
    data: { status: 'delivered', nextAttemptAt: null },
  });
  expect(await replayFailedSince(desk.ctx, reader, mine.id, since)).toBe(620);
  expect([await count(mine, 'pending'), await count(mine, 'failed'), await count(mine, 'delivered')]).toEqual([
    620, 20, 10,
  ]);
  expect(await count(other, 'failed')).toBe(10);
  expect(await replayFailedSince(desk.ctx, reader, mine.id, since)).toBe(0);
  expect(await desk.ctx.db.outbox.count()).toBe(0);
});

test('asked for twice at once, all that failed is replayed once', async () => {
  const { reader, handleId, hook } = merchant();
  const mine = await hook();
  const events = await eventRows(desk.ctx, 30, [mine], { handleId });
  const at = new Date(desk.ctx.clock.now());
  await fail(events, mine, at);
  const replay = () => replayFailedSince(desk.ctx, reader, mine.id, at.getTime());
  // Both have begun before either can write what it replays.
  const lock = await lockTable(desk.env['DATABASE_URL'] ?? '', 'outbox');
  const counts = Promise.all([replay(), replay()]);
  await until(async () => (await waiters()) === 2, 'both wait');
  await lock.release();
  expect((await counts).sort((a, b) => a - b)).toEqual([0, 30]);
  expect(await count(mine, 'pending')).toBe(30);
});

/** Who waits for a lock that somebody else holds. */
async function waiters(): Promise<number> {
  const [row] = await desk.ctx.db.$queryRaw<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return row?.count ?? 0;
}

test('an endpoint that is not enabled, or not the reader’s, is not replayed to', async () => {
  const { reader, hook } = merchant();
  const disabled = await hook({ status: 'disabled' });
  await expect(replayFailedSince(desk.ctx, reader, disabled.id, 0)).rejects.toMatchObject({ code: 'state_conflict' });
  const mine = await hook();
  for (const who of [merchant().reader, { ...reader, livemode: true }])
    await expect(replayFailedSince(desk.ctx, who, mine.id, 0)).rejects.toMatchObject({ code: 'resource_missing' });
});

/** So many replays of this hour are behind us. */
async function replayedBefore(times: number, limit: Limit): Promise<void> {
  const actions = Array.from({ length: times }, (_, index) => ({ id: `before ${index}`, limits: [limit] }));
  // In several transactions: one of ten thousand may outlast its time on a busy machine.
  for (let from = 0; from < times; from += 1_000) {
    const some = actions.slice(from, from + 1_000);
    await desk.ctx.db.$transaction((tx) => hitMany(desk.ctx, tx, some, desk.ctx.clock.now()));
  }
}

test('one host gets a thousand an hour, whoever asks; the rest stays failed and is gone on with', async () => {
  const [one, two] = [merchant(), merchant()];
  const host = '127.0.0.1:9999';
  const [first, second] = [await one.hook({ host }), await two.hook({ host })];
  await replayedBefore(900, capsOf(second).host);
  const events = await eventRows(desk.ctx, 250, [first], { handleId: one.handleId });
  const at = new Date(desk.ctx.clock.now());
  await fail(events, first, at);
  expect(await replayFailedSince(desk.ctx, one.reader, first.id, at.getTime())).toBe(100);
  // The oldest were first.
  const left = await desk.ctx.db.delivery.findMany({ where: { endpointId: first.id, status: 'failed' } });
  expect(left.map(({ eventId }) => eventId).sort()).toEqual(events.slice(100).map(({ id }) => id));
  const refused = { code: 'rate_limited', retryAfterMs: HOUR_MS };
  await expect(replayFailedSince(desk.ctx, one.reader, first.id, at.getTime())).rejects.toMatchObject(refused);
  const theirs = await eventRow(desk.ctx, [], { handleId: two.handleId });
  await expect(replayEvent(desk.ctx, two.reader, theirs.id)).rejects.toMatchObject(refused);
  expect(await waiting(theirs.id)).toEqual([]);
  desk.later(HOUR_MS);
  expect(await replayFailedSince(desk.ctx, one.reader, first.id, at.getTime())).toBe(150);
  await replayEvent(desk.ctx, two.reader, theirs.id);
  expect(await waiting(theirs.id)).toEqual([second.id]);
});

test('an event that one host may not have any more is in the audit log with the endpoints that it goes to', async () => {
  const { reader, handleId, hook } = merchant();
  const [open, full] = [await hook(), await hook({ url: 'http://127.0.0.2/hook', host: '127.0.0.2' })];
  const event = await eventRow(desk.ctx, [open, full], { handleId });
  await fail([event], open, new Date(desk.ctx.clock.now()));
  await fail([event], full, new Date(desk.ctx.clock.now()));
  await replayedBefore(1_000, capsOf(full).host);
  await replayEvent(desk.ctx, reader, event.id);
  expect(await waiting(event.id)).toEqual([open.id]);
  const entries = await desk.ctx.db.auditEntry.findMany({ where: { objectId: event.id } });
  expect(entries.map(({ after }) => after)).toEqual([{ type: event.type, endpoints: [open.id] }]);
});

test('one workspace replays ten thousand an hour, to however many hosts', async () => {
  const { reader, handleId, hook } = merchant();
  const [first, second] = [await hook({ host: '127.0.0.1:20001' }), await hook({ host: '127.0.0.1:20002' })];
  await replayedBefore(9_900, capsOf(first).workspace);
  const events = await eventRows(desk.ctx, 60, [first, second], { handleId });
  const at = new Date(desk.ctx.clock.now());
  for (const endpoint of [first, second]) await fail(events, endpoint, at);
  expect(await replayFailedSince(desk.ctx, reader, first.id, at.getTime())).toBe(60);
  expect(await replayFailedSince(desk.ctx, reader, second.id, at.getTime())).toBe(40);
  await expect(replayEvent(desk.ctx, reader, events[0]?.id ?? '')).rejects.toMatchObject({ code: 'rate_limited' });
});
