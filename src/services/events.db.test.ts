// Writing events: with them, in one statement, a delivery for every endpoint that takes them and one line that wakes the workers; or nothing at all.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Desk, endpointRow, startDesk } from '../../test/setup/webhooks.ts';
import { newId } from '../context.ts';
import { EVENT_TYPES, type EventType, typesOfFilter } from '../domain/events.ts';
import { formatId, timeOfId } from '../domain/ids.ts';
import { type EventDraft, envelopeOf, writeEvents } from './events.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk.stop());

/** Every test is a workspace of its own. */
let merchants = 0;
const merchant = () => `hdl_${++merchants}`;

function draft(handleId: string, more: Partial<EventDraft> = {}): EventDraft {
  const resourceId = newId(desk.ctx, 'ord');
  const base = { handleId, livemode: false, type: 'order.created' as EventType, resourceId };
  return { ...base, uniqueKey: `${resourceId}:x`, object: { order: { id: resourceId } }, ...more };
}
const write = (drafts: EventDraft[]) => desk.ctx.db.$transaction((tx) => writeEvents(desk.ctx, tx, drafts));
const hook = (handleId: string, more: object = {}) =>
  endpointRow(desk.ctx, 'http://127.0.0.1:9/hook', { handleId, ...more });
const eventsOf = (handleId: string) => desk.ctx.db.event.findMany({ where: { handleId }, orderBy: { id: 'asc' } });
async function toldTo(handleId: string) {
  const deliveries = await desk.ctx.db.delivery.findMany({ where: { event: { handleId } }, include: { event: true } });
  return deliveries.map(({ endpointId, event }) => `${endpointId} ${event.type}`).sort();
}
async function outbox() {
  const rows = await desk.ctx.db.outbox.findMany({ orderBy: { id: 'asc' } });
  await desk.ctx.db.outbox.deleteMany();
  return rows;
}

test('an enabled endpoint of the workspace and mode that takes the type gets a delivery, nobody else', async () => {
  const me = merchant();
  const all = await hook(me);
  const orders = await hook(me, { eventTypes: ['order.created', 'order.refunded'] });
  await hook(me, { eventTypes: ['escrow.created'] });
  await hook(me, { status: 'disabled', disabledReason: 'by_owner' });
  await hook(me, { status: 'deleted' });
  const live = await hook(me, { livemode: true });
  await hook(merchant());
  expect(await write([draft(me), draft(me, { type: 'order.expired' }), draft(me, { livemode: true })])).toBe(4);
  expect(await toldTo(me)).toEqual(
    [
      `${all.id} order.created`,
      `${orders.id} order.created`,
      `${all.id} order.expired`,
      `${live.id} order.created`,
    ].sort(),
  );
  const [delivery] = await desk.ctx.db.delivery.findMany({ where: { endpointId: orders.id } });
  const now = new Date(desk.ctx.clock.now());
  expect(delivery).toMatchObject({ status: 'pending', rung: 0, attempts: 0, nextAttemptAt: now, createdAt: now });
  expect(delivery).toMatchObject({ isTest: false, leaseUntil: null, failure: null, endedAt: null });
  await outbox();
});

test('one line wakes the workers, and names only events that somebody gets', async () => {
  const [me, nobody] = [merchant(), merchant()];
  await hook(me);
  await hook(me);
  expect(await write([draft(nobody)])).toBe(0);
  expect(await outbox()).toEqual([]);
  await write([draft(nobody), draft(me), draft(me)]);
  const ids = (await eventsOf(me)).map(({ id }) => id);
  expect(await outbox()).toEqual([
    expect.objectContaining({
      queue: 'webhooks',
      jobId: `webhooks-${ids[0]}-2`,
      payload: { eventIds: ids },
      createdAt: new Date(desk.ctx.clock.now()),
    }),
  ]);
});

test('a key is told once, ever: what comes with it again has no event, no delivery and wakes nobody', async () => {
  const me = merchant();
  await hook(me);
  const first = draft(me);
  expect(await write([first])).toBe(1);
  await outbox();
  desk.later(1);
  const again = { ...first, object: { order: { id: 'another' } } };
  expect(await write([again])).toBe(0);
  expect(await write([again, again, draft(me)])).toBe(1);
  expect((await eventsOf(me)).map(({ object }) => object)).toEqual([first.object, expect.anything()]);
  const ids = (await eventsOf(me)).map(({ id }) => id);
  expect((await outbox()).map(({ payload }) => payload)).toEqual([{ eventIds: [ids[1]] }]);
});

test('a change that is rolled back leaves nothing of it', async () => {
  const me = merchant();
  await hook(me);
  const failing = desk.ctx.db.$transaction(async (tx) => {
    expect(await writeEvents(desk.ctx, tx, [draft(me)])).toBe(1);
    throw new Error('the change failed');
  });
  await expect(failing).rejects.toThrow('the change failed');
  expect([await eventsOf(me), await toldTo(me), await outbox()]).toEqual([[], [], []]);
});

test('event, deliveries and wake are one statement: no kill falls between them', async () => {
  const me = merchant();
  await hook(me);
  const statements: string[] = [];
  await desk.ctx.db.$transaction(async (tx) => {
    const counting = new Proxy(tx, {
      get(target, name) {
        if (typeof name === 'string' && !name.startsWith('$')) throw new Error(`${name} is a statement of its own`);
        const value = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return (...given: unknown[]) => {
          statements.push(String(name));
          return Reflect.apply(value, target, given);
        };
      },
    });
    await writeEvents(desk.ctx, counting, [draft(me), draft(me)]);
  });
  expect(statements).toEqual(['$queryRaw']);
  expect([(await eventsOf(me)).length, (await toldTo(me)).length, (await outbox()).length]).toEqual([2, 2, 1]);
});

test('events of one change are read in the order in which they are told, however many', async () => {
  const me = merchant();
  const drafts = Array.from({ length: 3_000 }, (_, index) => draft(me, { uniqueKey: `${me}:${index}` }));
  await write(drafts);
  const keys = (await eventsOf(me)).map(({ uniqueKey }) => uniqueKey);
  expect(keys).toEqual(drafts.map(({ uniqueKey }) => uniqueKey));
});

test('the envelope says when, what caused it, and what was different only where something was', async () => {
  const me = merchant();
  const cause = { requestId: 'req_1', idempotencyKey: 'my key' };
  const { db } = desk.ctx;
  await db.$transaction((tx) => writeEvents(desk.ctx, tx, [draft(me, { previous: { status: 'processing' } })], cause));
  const now = desk.ctx.clock.now();
  desk.later(1);
  await write([draft(me)]);
  const [changed, made] = (await eventsOf(me)).map((row) => envelopeOf(row, 3));
  expect(changed).toMatchObject({
    object: 'event',
    api_version: '2026-11-20',
    type: 'order.created',
    created: Math.floor(now / 1_000),
    created_at: new Date(now).toISOString(),
    livemode: false,
    pending_webhooks: 3,
    request: { id: 'req_1', idempotency_key: 'my key' },
    data: { previous_attributes: { status: 'processing' } },
  });
  expect(made?.request).toEqual({ id: null, idempotency_key: null });
  expect(Object.keys(made?.data ?? {})).toEqual(['object']);
});

test('an id says when it was drawn, and sorts by that', () => {
  const random = fc.uint8Array({ minLength: 10, maxLength: 10 });
  const at = fc.integer({ min: 0, max: 2 ** 47 });
  fc.assert(fc.property(at, random, (ms, bytes) => timeOfId(formatId('evt', ms, bytes)) === ms));
  fc.assert(
    fc.property(at, at, random, random, (a, b, one, other) => {
      const [first, second] = [formatId('evt', a, one), formatId('evt', b, other)];
      return a === b || a < b === first < second;
    }),
  );
});

test('a filter is one type or a group of them', () => {
  for (const type of EVENT_TYPES) expect(typesOfFilter(type)).toEqual([type]);
  expect(typesOfFilter('escrow.*')).toEqual(['escrow.created', 'escrow.claimed', 'escrow.refunded']);
  expect(typesOfFilter('campaign.*')).toEqual(['campaign.grant_paid']);
  expect(typesOfFilter('invoice.*')).toBeNull();
  for (const none of ['', '*', '.*', 'order', 'order.', 'order*', 'order.c*', 'orders.*', 'order.paid', 'order.*.*'])
    expect(typesOfFilter(none), none).toBeNull();
});
