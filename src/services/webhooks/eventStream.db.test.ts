// The stream of events: what is written reaches whoever listens, in whatever order it was committed, once, and nobody else's; and coming back loses none.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Desk, endpointRow, eventRow, eventRows, startDesk } from '../../../test/setup/webhooks.ts';
import { createContext, newId } from '../../context.ts';
import type { Row } from '../../db.ts';
import type { EventEnvelope } from '../../domain/events.ts';
import { formatId } from '../../domain/ids.ts';
import { readEnv } from '../../env.ts';
import { createEventStreams, type EventStreams, type EventWatcher } from './eventStream.ts';

const MINUTE_MS = 60_000;

let desk: Desk;
let streams: EventStreams;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk.stop());
beforeEach(() => {
  // Nothing of an earlier test is late any more.
  desk.later(MINUTE_MS);
  streams = createEventStreams(desk.ctx);
});

let merchants = 0;
/** A workspace of its own with a key. */
async function merchant(livemode = false) {
  const workspaceId = `hdl_${++merchants}`;
  const keyId = await keyRow(workspaceId);
  return {
    listener: { keyId, workspaceId, livemode },
    write: (more: Partial<Row<'Event'>> = {}) => eventRow(desk.ctx, [], { handleId: workspaceId, livemode, ...more }),
    writeMany: (count: number) => eventRows(desk.ctx, count, [], { handleId: workspaceId, livemode }),
  };
}
async function keyRow(handleId: string): Promise<string> {
  const id = newId(desk.ctx, 'key');
  const own = { label: '', mode: 'test', scopes: [], last4: '', hash: id, createdAt: new Date(desk.ctx.clock.now()) };
  await desk.ctx.db.apiKey.create({ data: { id, handleId, ...own } });
  return id;
}
/** An id that was drawn some time before its event is committed. */
const idBefore = (ms: number) => formatId('evt', desk.ctx.clock.now() - ms, crypto.getRandomValues(new Uint8Array(10)));

type Heard = EventWatcher & { events: EventEnvelope[]; ids(): string[]; ended: boolean };
/** Takes what it is told at once, or when `takes` lets it. */
function hearing(takes: (event: EventEnvelope) => Promise<void> = async () => {}): Heard {
  const heard: Heard = {
    events: [],
    ended: false,
    ids: () => heard.events.map(({ id }) => id),
    tell(event) {
      heard.events.push(event);
      return takes(event);
    },
    end() {
      heard.ended = true;
    },
  };
  return heard;
}
/** Looks until somebody has heard so much. What they were told too much stays there to be seen. */
async function hears(heard: Heard, count: number): Promise<string[]> {
  while (heard.events.length < count) {
    await streams.look();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await streams.look();
  await new Promise((resolve) => setImmediate(resolve));
  return heard.ids();
}

test('tells what is written from now on, as it is read by its id, and each once', async () => {
  const { listener, write } = await merchant();
  await write();
  const heard = hearing();
  await streams.watch(listener, undefined, heard);
  await streams.look();
  expect(heard.events).toEqual([]);
  desk.later(10);
  const endpoint = await endpointRow(desk.ctx, 'http://127.0.0.1:9/', { handleId: listener.workspaceId });
  const event = await eventRow(desk.ctx, [endpoint], { handleId: listener.workspaceId });
  expect(await hears(heard, 1)).toEqual([event.id]);
  expect(heard.events[0]).toMatchObject({
    object: 'event',
    type: 'order.completed',
    pending_webhooks: 1,
    data: { object: event.object },
  });
  desk.later(20_000);
  await streams.look();
  expect(heard.ids()).toEqual([event.id]);
});

test('never tells another workspace’s events, those of the other mode, or tests of endpoints', async () => {
  const [mine, theirs] = [await merchant(), await merchant()];
  const [heard, other] = [hearing(), hearing()];
  await streams.watch(mine.listener, undefined, heard);
  await streams.watch(theirs.listener, undefined, other);
  desk.later(10);
  await mine.write({ livemode: true });
  await mine.write({ isTest: true });
  const [one, two] = [await mine.write(), await theirs.write()];
  expect(await hears(heard, 1)).toEqual([one.id]);
  expect(await hears(other, 1)).toEqual([two.id]);
});

test('what is committed late is told too, in whatever order', async () => {
  const { listener, write } = await merchant();
  const heard = hearing();
  await streams.watch(listener, undefined, heard);
  desk.later(25_000);
  const late = idBefore(20_000);
  const early = await write();
  expect(await hears(heard, 1)).toEqual([early.id]);
  desk.later(9_000);
  await write({ id: late });
  expect(await hears(heard, 2)).toEqual([early.id, late]);
  // It was open when the listener came, and is committed half a minute after it began.
  const latest = idBefore(29_900);
  await write({ id: latest });
  expect(await hears(heard, 3)).toEqual([early.id, late, latest]);
  desk.later(MINUTE_MS);
  await streams.look();
  expect(heard.ids()).toHaveLength(3);
});

test('a look that failed, or came much later, leaves nothing out', async () => {
  const { listener, write } = await merchant();
  const heard = hearing();
  await streams.watch(listener, undefined, heard);
  const first = await write();
  desk.later(10 * MINUTE_MS);
  const second = await write();
  expect(await hears(heard, 2)).toEqual([first.id, second.id]);
});

test('goes on after what was told last: whatever was written meanwhile, oldest first', async () => {
  const { listener, writeMany, write } = await merchant();
  const [last] = await writeMany(1);
  desk.later(MINUTE_MS);
  const old = await writeMany(250);
  desk.later(MINUTE_MS);
  const young = await writeMany(30);
  const heard = hearing();
  await streams.watch(listener, last?.id, heard);
  const written = [...old, ...young].map(({ id }) => id);
  expect(await hears(heard, written.length)).toEqual(written);
  desk.later(10);
  const next = await write();
  expect((await hears(heard, written.length + 1)).at(-1)).toBe(next.id);
});

test('what was committed late before the listener went is not lost when it comes back', async () => {
  const { listener, write } = await merchant();
  const heard = hearing();
  const leave = await streams.watch(listener, undefined, heard);
  desk.later(10_000);
  const [late, told] = [idBefore(8_000), await write()];
  expect(await hears(heard, 1)).toEqual([told.id]);
  leave();
  await write({ id: late });
  for (const afterMs of [0, 10 * MINUTE_MS]) {
    desk.later(afterMs);
    const back = hearing();
    await streams.watch(listener, told.id, back);
    expect(await hears(back, 1)).toEqual([late]);
  }
});

test('who comes back while events are written hears each once, also those that are committed late', async () => {
  const { listener, writeMany, write } = await merchant();
  const [last] = await writeMany(1);
  desk.later(MINUTE_MS);
  const settled = await writeMany(150);
  desk.later(40_000);
  const young = await writeMany(20);
  const late = idBefore(15_000);
  const [other, heard] = [hearing(), hearing()];
  await streams.watch(listener, undefined, other);
  // In the middle of what is old, somebody commits; and another one listens the whole time.
  const meanwhile: string[] = [];
  const { tell } = heard;
  heard.tell = async (event) => {
    await tell(event);
    if (heard.events.length === 50) meanwhile.push((await write({ id: late })).id, (await write()).id);
  };
  await streams.watch(listener, last?.id, heard);
  const before = [...settled, ...young].map(({ id }) => id);
  const told = await hears(heard, before.length + 2);
  expect(meanwhile).toHaveLength(2);
  expect([...told].sort()).toEqual([...before, ...meanwhile].sort());
  expect([...(await hears(other, 2))].sort()).toEqual(meanwhile.sort());
});

test('who reads slowly holds up nobody, and still hears all', async () => {
  const { listener, writeMany } = await merchant();
  let read = () => {};
  const room = () => new Promise<void>((resolve) => (read = resolve));
  const [slow, quick] = [hearing(room), hearing()];
  await streams.watch(listener, undefined, slow);
  await streams.watch(listener, undefined, quick);
  desk.later(10);
  const events = await writeMany(120);
  const ids = events.map(({ id }) => id);
  expect(await hears(quick, 120)).toEqual(ids);
  expect(slow.events).toHaveLength(1);
  while (slow.events.length < 120) {
    read();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(slow.ids()).toEqual(ids);
});

test('ends when its key does, and after half an hour; whoever left hears nothing', async () => {
  const { listener, write } = await merchant();
  const second = { ...listener, keyId: await keyRow(listener.workspaceId) };
  const [gone, revoked, stays] = [hearing(), hearing(), hearing()];
  (await streams.watch(listener, undefined, gone))();
  await streams.watch(listener, undefined, revoked);
  await streams.watch(second, undefined, stays);
  expect(streams.count()).toBe(2);
  await desk.ctx.db.apiKey.update({ where: { id: listener.keyId }, data: { revokedAt: new Date() } });
  desk.later(10);
  const event = await write();
  expect(await hears(stays, 1)).toEqual([event.id]);
  expect([revoked.ended, revoked.events, gone.events, stays.ended]).toEqual([true, [], [], false]);
  await desk.ctx.db.apiKey.update({
    where: { id: second.keyId },
    data: { expiresAt: new Date(desk.ctx.clock.now() + 40 * MINUTE_MS) },
  });
  desk.later(29 * MINUTE_MS);
  await streams.look();
  expect(stays.ended).toBe(false);
  desk.later(MINUTE_MS);
  await streams.look();
  expect([stays.ended, streams.count()]).toEqual([true, 0]);
});

test('of a key that was rolled ends with its overlap', async () => {
  const { listener } = await merchant();
  const heard = hearing();
  await streams.watch(listener, undefined, heard);
  const expiresAt = new Date(desk.ctx.clock.now() + 5_000);
  await desk.ctx.db.apiKey.update({ where: { id: listener.keyId }, data: { expiresAt } });
  desk.later(4_999);
  await streams.look();
  expect(heard.ended).toBe(false);
  desk.later(1);
  await streams.look();
  expect(heard.ended).toBe(true);
});

test('429 for too many of one key, which are nobody else’s matter; 400 for what is no event', async () => {
  const [mine, theirs] = [await merchant(), await merchant()];
  for (let i = 0; i < 20; i++) await streams.watch(mine.listener, undefined, hearing());
  await expect(streams.watch(mine.listener, undefined, hearing())).rejects.toMatchObject({ code: 'rate_limited' });
  await streams.watch(theirs.listener, undefined, hearing());
  for (const id of ['1', 'evt_', 'ord_01jd3xkq8fz6m2v7w4t9y5c1bn', `evt_${'x'.repeat(27)}`])
    await expect(streams.watch(theirs.listener, id, hearing())).rejects.toMatchObject({ code: 'parameter_invalid' });
  expect(streams.count()).toBe(21);
});

test('429 for too many of one workspace, whatever keys they come with', async () => {
  const { listener } = await merchant();
  const withKey = (index: number) => ({ ...listener, keyId: `key_${index % 5}` });
  for (let i = 0; i < 50; i++) await streams.watch(withKey(i), undefined, hearing());
  await expect(streams.watch(withKey(9), undefined, hearing())).rejects.toMatchObject({ code: 'rate_limited' });
  await streams.watch((await merchant()).listener, undefined, hearing());
  expect(streams.count()).toBe(51);
});

test('an end of the process ends every stream, before anything waits for it', async () => {
  const ctx = await createContext(readEnv(desk.env), 'ending', { clock: desk.clock });
  const ending = createEventStreams(ctx);
  const { listener } = await merchant();
  const heard = hearing();
  await ending.watch(listener, undefined, heard);
  await ctx.shutdown.close();
  expect([heard.ended, ending.count()]).toEqual([true, 0]);
  await expect(ending.watch(listener, undefined, hearing())).rejects.toMatchObject({ code: 'rate_limited' });
});
