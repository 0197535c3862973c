// The dispatcher: how much it sends at once, whom nothing delays, and what becomes of a delivery when something else happens to it meanwhile.
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { lockTable, until } from '../../../test/setup/processes.ts';
import {
  type Desk,
  deliveryOf,
  endpointRow,
  eventRow,
  eventRows,
  HOOK_SECRET,
  type Receiver,
  receiverForTest,
  startDesk,
} from '../../../test/setup/webhooks.ts';
import { type Ctx, newId } from '../../context.ts';
import { LEASE_MS } from '../../domain/delivery.ts';
import { giveUpPending, replayDeliveries } from './deliveryTransitions.ts';
import { createDeliverer, type Deliverer, type DelivererOptions } from './dispatcher.ts';
import { disableEndpoint } from './endpointTransitions.ts';
import { sealSecret } from './secrets.ts';
import { drawSecret } from './signatures.ts';

let desk: Desk;
let ctx: Ctx;
beforeAll(async () => {
  desk = await startDesk();
  ctx = desk.ctx;
});
afterAll(() => desk.stop());

/** A dispatcher of the test's own. */
function dispatcher(options: DelivererOptions = {}, of = ctx): Deliverer {
  const deliverer = createDeliverer(of, { jitter: () => 0, ...options });
  onTestFinished(() => deliverer.close());
  return deliverer;
}
/** What others sent later must not be due now: each test leaves nothing behind. */
async function settle(): Promise<void> {
  await ctx.db.delivery.updateMany({
    where: { status: 'pending' },
    data: { status: 'failed', failure: 'exhausted', nextAttemptAt: null, leaseUntil: null },
  });
}
const idsAt = (receiver: Receiver) => receiver.requests.map(({ headers }) => String(headers['webhook-id']));
const statusesOf = async (endpointId: string) =>
  Object.fromEntries(
    (await ctx.db.delivery.groupBy({ by: ['status'], where: { endpointId }, _count: true })).map((row) => [
      row.status,
      row._count,
    ]),
  );
function hold() {
  let release = () => {};
  const when = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { when, release };
}

describe('at once', () => {
  test('are ten to an endpoint, measured where they arrive, and no more are taken than can be sent', async () => {
    const { when, release } = hold();
    const receiver = await receiverForTest({ status: 200, when });
    const endpoint = await endpointRow(ctx, receiver.url);
    await eventRows(ctx, 60, [endpoint]);
    const round = dispatcher().round();
    await until(() => receiver.requests.length === 10, 'ten arrive');
    expect(await ctx.db.delivery.count({ where: { endpointId: endpoint.id, leaseUntil: { not: null } } })).toBe(10);
    release();
    expect(await round).toBe(60);
    expect(receiver.mostAtOnce()).toBe(10);
    expect(await statusesOf(endpoint.id)).toEqual({ delivered: 60 });
    expect(new Set(idsAt(receiver)).size).toBe(60);
  });

  test('are four to an endpoint that fails', async () => {
    const receiver = await receiverForTest({ status: 500, afterMs: 20 });
    const endpoint = await endpointRow(ctx, receiver.url, { failingSince: new Date(desk.clock.now()) });
    await eventRows(ctx, 25, [endpoint]);
    expect(await dispatcher().round()).toBe(25);
    expect(receiver.mostAtOnce()).toBe(4);
    await settle();
  });

  test('are thirty-two to a host, shared out among its endpoints', async () => {
    const { when, release } = hold();
    const receiver = await receiverForTest({ status: 200, when });
    const endpoints = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((number) => endpointRow(ctx, `${receiver.url}/${number}`)),
    );
    await eventRows(ctx, 15, endpoints);
    const round = dispatcher().round();
    await until(() => receiver.requests.length === 32, 'thirty-two arrive');
    const shares = endpoints.map(
      (_, index) =>
        receiver.requests.filter(({ path }) => path === new URL(`${receiver.url}/${index + 1}`).pathname).length,
    );
    expect(Math.min(...shares)).toBeGreaterThanOrEqual(5);
    release();
    expect(await round).toBe(90);
    expect(receiver.mostAtOnce()).toBe(32);
  });

  test('and a second, a host gets no more than its rate', async () => {
    const receiver = await receiverForTest();
    const slow = await desk.another({ WEBHOOK_HOST_PER_SECOND: '40' });
    const endpoint = await endpointRow(ctx, receiver.url);
    await eventRows(ctx, 24, [endpoint]);
    const began = performance.now();
    expect(await dispatcher({}, slow).round()).toBe(24);
    // Four at once, and the other twenty at forty a second.
    expect(performance.now() - began).toBeGreaterThan(450);
  });
});

test('oldest first: what was due before is taken before', async () => {
  const { when, release } = hold();
  const receiver = await receiverForTest({ status: 200, when });
  const endpoint = await endpointRow(ctx, receiver.url);
  const at = (secondsAgo: number) => ({ createdAt: new Date(desk.clock.now() - secondsAgo * 1_000) });
  await eventRows(ctx, 10, [endpoint], at(1));
  const oldest = await eventRows(ctx, 10, [endpoint], at(3));
  await eventRows(ctx, 10, [endpoint], at(2));
  const round = dispatcher().round();
  await until(() => receiver.requests.length === 10, 'ten arrive');
  expect(new Set(idsAt(receiver))).toEqual(new Set(oldest.map(({ id }) => id)));
  release();
  expect(await round).toBe(30);
});

test('an endpoint that hangs delays nobody: all others have theirs while it still hangs', async () => {
  const hanging = await receiverForTest('hang');
  const silent = await endpointRow(ctx, hanging.url);
  const receivers = await Promise.all(Array.from({ length: 19 }, () => receiverForTest()));
  const endpoints = await Promise.all(receivers.map(({ url }) => endpointRow(ctx, url)));
  await eventRows(ctx, 30, [silent, ...endpoints]);
  let isOver = false;
  const deliverer = dispatcher({ timeoutMs: 60_000 });
  const round = deliverer.round().finally(() => {
    isOver = true;
  });
  const others = () => ctx.db.delivery.count({ where: { endpointId: { not: silent.id }, status: 'pending' } });
  await until(async () => (await others()) === 0, 'all others have theirs');
  expect(isOver).toBe(false);
  expect(hanging.requests).toHaveLength(10);
  expect(await statusesOf(silent.id)).toEqual({ pending: 30 });
  for (const receiver of receivers) expect(new Set(idsAt(receiver)).size).toBe(30);
  await hanging.close();
  await round;
  await settle();
});

test('a record that stands still holds up nobody who sends, and afterwards everything is written once', async () => {
  const receiver = await receiverForTest();
  const endpoint = await endpointRow(ctx, receiver.url);
  await eventRows(ctx, 400, [endpoint]);
  const lock = await lockTable(desk.env['DATABASE_URL'] ?? '', 'delivery_attempt');
  const round = dispatcher().round();
  await until(() => receiver.requests.length === 400, 'all arrive');
  await lock.reached();
  expect(await statusesOf(endpoint.id)).toEqual({ pending: 400 });
  await lock.release();
  expect(await round).toBe(400);
  expect(await statusesOf(endpoint.id)).toEqual({ delivered: 400 });
  expect(await ctx.db.deliveryAttempt.count({ where: { endpointId: endpoint.id } })).toBe(400);
  expect(new Set(idsAt(receiver)).size).toBe(400);
});

test('while the record stands still for long, no more is taken than is kept in mind', async () => {
  const receiver = await receiverForTest();
  const endpoint = await endpointRow(ctx, receiver.url);
  await eventRows(ctx, 1_200, [endpoint]);
  const lock = await lockTable(desk.env['DATABASE_URL'] ?? '', 'delivery_attempt');
  const round = dispatcher().round();
  await until(() => receiver.requests.length >= 1_024, 'as many as are kept');
  const leased = await ctx.db.delivery.count({ where: { endpointId: endpoint.id, leaseUntil: { not: null } } });
  expect(leased).toBeLessThanOrEqual(1_024 + 10);
  await lock.release();
  expect(await round).toBe(1_200);
  expect(await statusesOf(endpoint.id)).toEqual({ delivered: 1_200 });
});

describe('two dispatchers', () => {
  test('at once never send one delivery twice', async () => {
    const { when, release } = hold();
    const receiver = await receiverForTest({ status: 200, when });
    const endpoints = await Promise.all([1, 2, 3].map((number) => endpointRow(ctx, `${receiver.url}/${number}`)));
    const events = await eventRows(ctx, 150, endpoints);
    const second = await desk.another();
    const [one, two] = [dispatcher(), dispatcher({}, second)];
    const rounds = Promise.all([one.round(), two.round()]);
    // Each has ten to an endpoint under way: more than one alone would have.
    await until(() => receiver.requests.length === 60, 'both send');
    release();
    const made = await rounds;
    expect(made[0] + made[1]).toBe(450);
    expect(Math.min(...made)).toBeGreaterThanOrEqual(30);
    const heard = receiver.requests.map(({ path, headers }) => path + headers['webhook-id']);
    expect(heard).toHaveLength(450);
    expect(new Set(heard).size).toBe(450);
    const tries = await ctx.db.deliveryAttempt.findMany({ where: { eventId: { in: events.map(({ id }) => id) } } });
    expect(tries).toHaveLength(450);
    expect(new Set(tries.map(({ number }) => number))).toEqual(new Set([1]));
  });

  test('whoever does not come back is taken for dead after his lease: the same event is sent again under the same id', async () => {
    const receiver = await receiverForTest();
    const first = hold();
    receiver.behave([{ status: 500, when: first.when }, { status: 200 }]);
    const endpoint = await endpointRow(ctx, receiver.url);
    const event = await eventRow(ctx, [endpoint]);
    const [one, two] = [dispatcher({ timeoutMs: 60_000 }), dispatcher()];
    const lost = one.round();
    await until(() => receiver.requests.length === 1, 'the first has it');
    desk.later(LEASE_MS - 1);
    expect(await two.round()).toBe(0);
    desk.later(1);
    expect(await two.round()).toBe(1);
    expect(idsAt(receiver)).toEqual([event.id, event.id]);
    const delivered = await deliveryOf(ctx, event.id, endpoint.id);
    expect(delivered).toMatchObject({ status: 'delivered', attempts: 1 });
    first.release();
    await lost;
    // Its failure comes too late to count, and is noted.
    const { tries, ...after } = await deliveryOf(ctx, event.id, endpoint.id);
    expect(after).toMatchObject({ status: 'delivered', attempts: 2, endedAt: delivered.endedAt, nextAttemptAt: null });
    expect(tries.map(({ number, status }) => [number, status])).toEqual([
      [1, 200],
      [2, 500],
    ]);
  });

  test('an acknowledgement of whoever was taken for dead counts: the other one’s failure does not undo it', async () => {
    const receiver = await receiverForTest();
    const [first, second] = [hold(), hold()];
    receiver.behave([
      { status: 200, when: first.when },
      { status: 500, when: second.when },
    ]);
    const endpoint = await endpointRow(ctx, receiver.url);
    const event = await eventRow(ctx, [endpoint]);
    const rounds = [dispatcher({ timeoutMs: 60_000 }).round()];
    await until(() => receiver.requests.length === 1, 'the first has it');
    desk.later(LEASE_MS);
    rounds.push(dispatcher({ timeoutMs: 60_000 }).round());
    await until(() => receiver.requests.length === 2, 'the second has it');
    first.release();
    await rounds[0];
    expect(await deliveryOf(ctx, event.id, endpoint.id)).toMatchObject({ status: 'delivered', attempts: 1 });
    second.release();
    await rounds[1];
    expect(await deliveryOf(ctx, event.id, endpoint.id)).toMatchObject({ status: 'delivered', attempts: 2 });
  });
});

describe('while an attempt is under way', () => {
  async function underWay(status: number) {
    const receiver = await receiverForTest();
    const { when, release } = hold();
    receiver.behave([{ status, when }, { status: 200 }]);
    const endpoint = await endpointRow(ctx, receiver.url);
    const event = await eventRow(ctx, [endpoint]);
    const deliverer = dispatcher();
    const round = deliverer.round();
    await until(() => receiver.requests.length === 1, 'it is under way');
    const end = async () => {
      release();
      await round;
      return deliveryOf(ctx, event.id, endpoint.id);
    };
    return { receiver, endpoint, event, deliverer, end, pair: { eventId: event.id, endpointId: endpoint.id } };
  }

  test.each([200, 500, 410])(
    'a replay starts the retry schedule again, and a %i of before only is noted',
    async (status) => {
      const { receiver, deliverer, end, pair } = await underWay(status);
      desk.later(5_000);
      expect(await ctx.db.$transaction((tx) => replayDeliveries(ctx, tx, [pair]))).toBe(1);
      const after = await end();
      if (status === 410) {
        expect(after).toMatchObject({ status: 'failed', failure: 'gone', attempts: 1 });
        return;
      }
      expect(after).toMatchObject({
        status: 'pending',
        rung: 0,
        attempts: 1,
        nextAttemptAt: new Date(desk.clock.now()),
      });
      expect(after.tries.map((attempt) => attempt.status)).toEqual([status]);
      expect(await deliverer.round()).toBe(1);
      expect(await deliveryOf(ctx, pair.eventId, pair.endpointId)).toMatchObject({ status: 'delivered', attempts: 2 });
      expect(new Set(idsAt(receiver))).toEqual(new Set([pair.eventId]));
      expect(receiver.requests).toHaveLength(2);
    },
  );

  test.each([200, 500])('disabling ends the delivery, and a %i is noted and does not bring it back', async (status) => {
    const { deliverer, endpoint, end } = await underWay(status);
    await ctx.db.$transaction((tx) => disableEndpoint(ctx, tx, endpoint.id, 'by_owner'));
    const after = await end();
    expect(after).toMatchObject({ status: 'failed', failure: 'endpoint_disabled', nextAttemptAt: null, attempts: 1 });
    expect(after.tries.map((attempt) => attempt.status)).toEqual([status]);
    desk.later(86_400_000);
    expect(await deliverer.round()).toBe(0);
  });

  test('deleting ends it as well', async () => {
    const { endpoint, end } = await underWay(200);
    await ctx.db.$transaction(async (tx) => {
      await tx.webhookEndpoint.update({ where: { id: endpoint.id }, data: { status: 'deleted' } });
      await giveUpPending(ctx, tx, endpoint.id, 'endpoint_deleted');
    });
    expect(await end()).toMatchObject({ status: 'failed', failure: 'endpoint_deleted' });
  });
});

test.each([
  [{ status: 'disabled', disabledReason: 'by_owner' }, 'endpoint_disabled'],
  [{ status: 'disabled', disabledReason: 'failing' }, 'endpoint_disabled'],
  [{ status: 'disabled', disabledReason: 'gone' }, 'gone'],
  [{ status: 'deleted' }, 'endpoint_deleted'],
])('an event that was written in the moment in which its endpoint became %j is given up', async (wishes, failure) => {
  const receiver = await receiverForTest();
  const endpoint = await endpointRow(ctx, receiver.url, wishes);
  const event = await eventRow(ctx, [endpoint]);
  expect(await dispatcher().round()).toBe(0);
  expect(await deliveryOf(ctx, event.id, endpoint.id)).toMatchObject({
    status: 'failed',
    failure,
    nextAttemptAt: null,
  });
  expect(receiver.requests).toEqual([]);
});

test('replays go to enabled endpoints of the event’s own workspace and mode only, each once', async () => {
  const receiver = await receiverForTest();
  const endpoint = await endpointRow(ctx, receiver.url);
  const others = [
    await endpointRow(ctx, receiver.url, { status: 'disabled' }),
    await endpointRow(ctx, receiver.url, { handleId: 'hdl_somebody' }),
    await endpointRow(ctx, receiver.url, { livemode: true }),
  ];
  const event = await eventRow(ctx);
  const pairs = [endpoint, endpoint, ...others].map(({ id }) => ({ eventId: event.id, endpointId: id }));
  const replayed = await ctx.db.$transaction((tx) =>
    replayDeliveries(ctx, tx, [...pairs, { eventId: 'evt_nothing', endpointId: endpoint.id }], { isTest: true }),
  );
  expect(replayed).toBe(1);
  expect(await deliveryOf(ctx, event.id, endpoint.id)).toMatchObject({ status: 'pending', isTest: true });
  expect(await dispatcher().round()).toBe(1);
});

describe('secrets', () => {
  const signatureOf = (secret: string, t: string, body: string) =>
    `v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`;

  test('during a roll both sign, and afterwards the new one alone', async () => {
    const receiver = await receiverForTest();
    const fresh = drawSecret();
    const formerUntil = new Date(desk.clock.now() + 3_600_000);
    const id = newId(ctx, 'whs');
    const endpoint = await endpointRow(ctx, receiver.url, {
      id,
      secret: sealSecret(ctx, id, fresh),
      formerSecret: sealSecret(ctx, id, HOOK_SECRET),
      formerUntil,
    });
    const deliverer = dispatcher();
    const signatures: string[] = [];
    for (const waitMs of [0, 3_599_999, 1]) {
      desk.later(waitMs);
      await eventRow(ctx, [endpoint]);
      await deliverer.round();
      signatures.push(String(receiver.requests.at(-1)?.headers['service-signature']));
    }
    const expected = receiver.requests.map(({ headers, body }, index) => {
      const t = String(headers['webhook-timestamp']);
      const secrets = index < 2 ? [fresh, HOOK_SECRET] : [fresh];
      return [`t=${t}`, ...secrets.map((secret) => signatureOf(secret, t, body))].join(',');
    });
    expect(signatures).toEqual(expected);
  });

  test('a roll is in force for the very next attempt', async () => {
    const receiver = await receiverForTest();
    const endpoint = await endpointRow(ctx, receiver.url);
    const deliverer = dispatcher();
    await eventRow(ctx, [endpoint]);
    await deliverer.round();
    const fresh = drawSecret();
    const secret = sealSecret(ctx, endpoint.id, fresh);
    await ctx.db.webhookEndpoint.update({ where: { id: endpoint.id }, data: { secret } });
    await eventRow(ctx, [endpoint]);
    await deliverer.round();
    const last = receiver.requests.at(-1);
    const t = String(last?.headers['webhook-timestamp']);
    expect(last?.headers['service-signature']).toBe(`t=${t},${signatureOf(fresh, t, last?.body ?? '')}`);
  });

  test('one that does not open is named once; nothing is sent, nothing is lost, and it is not held against the receiver', async () => {
    const receiver = await receiverForTest();
    const endpoint = await endpointRow(ctx, receiver.url);
    const events = await eventRows(ctx, 2, [endpoint]);
    const strange = await desk.another({ WEBHOOK_KEY: 'ab'.repeat(32) });
    const complaints = vi.spyOn(strange.log, 'error').mockReturnValue();
    expect(await dispatcher({}, strange).round()).toBe(2);
    expect(complaints.mock.calls.map(([about]) => about)).toEqual([{ endpoint: endpoint.id }]);
    expect(receiver.requests).toEqual([]);
    for (const { id } of events) {
      const { tries, ...delivery } = await deliveryOf(ctx, id, endpoint.id);
      expect(delivery).toMatchObject({ status: 'pending', rung: 1 });
      expect(tries).toMatchObject([{ failure: 'secret_unreadable', status: null, answer: null }]);
    }
    const { failingSince } = await ctx.db.webhookEndpoint.findUniqueOrThrow({ where: { id: endpoint.id } });
    expect(failingSince).toBeNull();
    desk.later(60_000);
    expect(await dispatcher().round()).toBe(2);
    expect(await statusesOf(endpoint.id)).toEqual({ delivered: 2 });
  });

  test('without WEBHOOK_KEY nothing is sent, which is said once', async () => {
    const receiver = await receiverForTest();
    const endpoint = await endpointRow(ctx, receiver.url);
    await eventRow(ctx, [endpoint]);
    const bare = await desk.another({ WEBHOOK_KEY: '' });
    const said = vi.spyOn(bare.log, 'warn').mockReturnValue();
    const deliverer = dispatcher({}, bare);
    expect([await deliverer.round(), await deliverer.round()]).toEqual([0, 0]);
    await deliverer.run();
    expect(said.mock.calls).toHaveLength(1);
    expect(String(said.mock.calls[0]?.[0])).toContain('WEBHOOK_KEY');
    expect(receiver.requests).toEqual([]);
    await settle();
  });
});
