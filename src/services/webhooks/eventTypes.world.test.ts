// Every event that there is: told once, in the transaction of its change, to the endpoints that take it; and the workers are woken at once.
import { concatHex, pad } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Escrows, escrowsOf } from '../../../test/setup/escrows.ts';
import { giveUsdc, orderRow, payOrder, sendAs, termsOf } from '../../../test/setup/orders.ts';
import { type Payments, paymentsOf } from '../../../test/setup/payments.ts';
import { shopOf, signedIn } from '../../../test/setup/shop.ts';
import { endpointRow } from '../../../test/setup/webhooks.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import { encodeRefund } from '../../chain/routers/payment.ts';
import { EVENT_TYPES, type EventType } from '../../domain/events.ts';
import type { OrderRouter } from '../../domain/typedData/orders.ts';
import { sampleOf } from '../../http/sampleEvents.ts';
import { EVENT_SCHEMAS } from '../../http/v1/eventSchemas.ts';
import { askClaim } from '../escrow/claims.ts';
import { confirmCreate } from '../escrow/opening.ts';
import { stageEscrow } from '../escrow/staging.ts';
import { envelopeOf } from '../events.ts';
import { runIdempotent } from '../idempotency.ts';
import { indexChain } from '../operations/feed.ts';
import { cancelIn, cancelOrder } from '../orders/orders.ts';
import { confirmOrderRefund } from '../orders/refunds.ts';

let world: World;
let payments: Payments;
let escrows: Escrows;
beforeAll(async () => {
  world = await startWorld();
  payments = paymentsOf(world);
  escrows = escrowsOf(world);
  await escrows.approve('alice');
  await payments.settle();
  await escrows.settle();
});
afterAll(() => world.stop());
beforeEach(() => escrows.later(61));

const PAYER = 'payer';
const idOf = async (slug: string) => (await world.ctx.db.handle.findUniqueOrThrow({ where: { slug } })).id;
const eventsOf = (resourceId: string) =>
  world.ctx.db.event.findMany({ where: { resourceId }, include: { deliveries: true }, orderBy: { id: 'asc' } });

/** Endpoints of somebody's workspace of which one takes everything and one just this type; the others take nothing of it. */
async function hooksOf(slug: string, type: EventType): Promise<string[]> {
  const handleId = await idOf(slug);
  const hook = (more: object) => endpointRow(world.ctx, 'http://127.0.0.1:9/hook', { handleId, ...more });
  await world.ctx.db.webhookEndpoint.updateMany({ data: { status: 'deleted' } });
  const taking = [await hook({}), await hook({ eventTypes: [type] })];
  await hook({ eventTypes: ['subscription.started'] });
  await hook({ status: 'disabled' });
  await hook({ livemode: true });
  await hook({ handleId: 'hdl_somebody_else' });
  return taking.map(({ id }) => id).sort();
}

/** What the workers were woken for, all of it: nothing waits in the outbox for a later flush. */
async function woken(): Promise<string[]> {
  expect(await world.ctx.db.outbox.count({ where: { queue: 'webhooks' } })).toBe(0);
  const queue = world.ctx.queues.all().find(({ name }) => name === 'webhooks');
  const jobs = (await queue?.getJobs(['waiting', 'prioritized', 'active'])) ?? [];
  return jobs.flatMap((job) => (job.data as { eventIds: string[] }).eventIds);
}

/** Exactly one event of the type, to exactly these endpoints, with the workers awake. @returns it */
async function expectTold(resourceId: string, type: EventType, slug: string, endpoints: string[]) {
  const events = (await eventsOf(resourceId)).filter((event) => event.type === type);
  expect(events.map((event) => event.type)).toEqual([type]);
  const [event] = events;
  if (!event) throw new Error('there is one');
  expect(event).toMatchObject({ handleId: await idOf(slug), livemode: false, isTest: false });
  expect(event.deliveries.map(({ endpointId }) => endpointId).sort()).toEqual(endpoints);
  expect(await woken()).toContain(event.id);
  // What the interface says of it.
  const parsed = EVENT_SCHEMAS[type as keyof typeof EVENT_SCHEMAS].safeParse(envelopeOf(event, 2));
  expect(parsed.error?.issues ?? []).toEqual([]);
  return event;
}

describe('orders', () => {
  const shop = () => shopOf(world);

  test('order.created, on POST', async () => {
    const hooks = await hooksOf('alice', 'order.created');
    const { order } = await shop().ask('alice', { metadata: { cart: '7' } }, { requestId: 'req_7' });
    const event = await expectTold(order.id, 'order.created', 'alice', hooks);
    expect(event.object).toEqual({ order });
    expect(event).toMatchObject({ requestId: 'req_7', previous: null, createdAt: new Date(order.created_at) });
    for (const { nextAttemptAt, createdAt, status } of event.deliveries)
      expect([nextAttemptAt, createdAt, status]).toEqual([event.createdAt, event.createdAt, 'pending']);
  });

  test('order.created with a key that was used before is told once', async () => {
    await hooksOf('alice', 'order.created');
    const idempotency = { keyId: 'key_1', path: '/v1/orders', key: 'once', bodyHash: 'x' };
    const made = await Promise.all([1, 2, 3].map(() => shop().ask('alice', {}, { idempotency })));
    expect(new Set(made.map(({ order }) => order.id)).size).toBe(1);
    const events = await eventsOf(made[0]?.order.id ?? '');
    expect(events.map(({ deliveries }) => deliveries.length)).toEqual([2]);
    expect(events[0]?.idempotencyKey).toBe('once');
  });

  test('order.created is told from the first endpoint on, and to nobody after the last', async () => {
    const deliveriesOf = async (id: string) => (await eventsOf(id)).flatMap(({ deliveries }) => deliveries).length;
    const told: number[] = [];
    for (const [index, hooks] of [[], ['one'], ['one'], [], [], ['two']].entries()) {
      await world.ctx.db.webhookEndpoint.updateMany({ data: { status: 'deleted' } });
      const handleId = await idOf('bob');
      for (const name of hooks) await endpointRow(world.ctx, `http://127.0.0.1:9/${name}`, { handleId });
      const idempotency = { keyId: 'key_1', path: '/v1/orders', key: `${index}`, bodyHash: 'x' };
      const made = await shop().ask('bob', {}, index % 2 === 0 ? {} : { idempotency });
      expect(made.replayed).toBe(false);
      told.push(await deliveriesOf(made.order.id));
    }
    expect(told).toEqual([0, 1, 1, 0, 0, 1]);
  });

  test('nothing is put into the outbox, nor looked for there, where nobody listens', async () => {
    await world.ctx.db.webhookEndpoint.updateMany({ data: { status: 'deleted' } });
    const { order } = await shop().ask('alice');
    expect((await eventsOf(order.id)).map(({ deliveries }) => deliveries)).toEqual([[]]);
    expect(await world.ctx.db.outbox.count({ where: { queue: 'webhooks' } })).toBe(0);
  });

  test('order.cancelled, in the dashboard and by a call', async () => {
    const hooks = await hooksOf('alice', 'order.cancelled');
    const reader = { workspaceId: await idOf('alice') };
    const [one, other] = [(await shop().ask('alice')).order, (await shop().ask('alice')).order];
    await cancelOrder(world.ctx, reader, one.id);
    const event = await expectTold(one.id, 'order.cancelled', 'alice', hooks);
    expect(event).toMatchObject({
      object: { order: { status: 'cancelled' } },
      previous: { status: 'awaiting_payment' },
    });
    await runIdempotent(world.ctx, { keyId: 'k', path: '/p', key: 'k', bodyHash: 'x' }, async (tx) => ({
      status: 200,
      body: await cancelIn(world.ctx, tx, reader, other.id),
    }));
    await expectTold(other.id, 'order.cancelled', 'alice', hooks);
  });

  test('order.expired', async () => {
    const hooks = await hooksOf('bob', 'order.expired');
    const order = await orderRow(world, { deadline: (await escrows.now()) + 30n });
    await escrows.later(60);
    await payments.settle();
    const event = await expectTold(order.id, 'order.expired', 'bob', hooks);
    expect(event).toMatchObject({ object: { order: { status: 'expired' } }, previous: { status: 'awaiting_payment' } });
  });

  test('order.completed and order.refunded', async () => {
    const hooks = await hooksOf('bob', 'order.completed');
    const order = await orderRow(world);
    const txHash = await payOrder(world, order, PAYER);
    await payments.settle();
    const paid = await expectTold(order.id, 'order.completed', 'bob', hooks);
    expect(paid).toMatchObject({
      object: { order: { status: 'completed', txHash } },
      previous: { status: 'processing' },
    });
    const refunds = await hooksOf('bob', 'order.refunded');
    const bob = localPerson('bob');
    const router = world.evmChain().routers[order.router as OrderRouter];
    await giveUsdc(world, bob.address, 1_000_000n);
    const approve = concatHex(['0x095ea7b3', pad(router), pad('0xffffffff')]);
    await sendAs(world, bob.key, { to: world.evmChain().usdc, data: approve });
    const { payer } = await payments.read(order);
    const data = encodeRefund(termsOf(order), payer as `0x${string}`, 400_000n);
    const refund = await sendAs(world, bob.key, { to: router, data });
    await world.mine(3);
    await confirmOrderRefund(world.ctx, { workspaceId: await idOf('bob') }, order.id, { txHash: refund });
    await payments.settle();
    const back = await expectTold(order.id, 'order.refunded', 'bob', refunds);
    expect(back).toMatchObject({
      object: { order: { status: 'completed', amount_refunded: '0.40' } },
      previous: { amount_refunded: '0.00' },
    });
  });
});

describe('tabs', () => {
  const WISH = { handleSlug: 'bob', amount: '2.50', chain: 'base', note: 'for lunch' };

  test('escrow.created when the opening of one of our pages is verified, and nothing while it is staged', async () => {
    const hooks = await hooksOf('alice', 'escrow.created');
    const alice = await signedIn(world, 'alice');
    const { escrow, onChainArgs } = await stageEscrow(world.ctx, alice, WISH);
    expect(await eventsOf(escrow.id)).toEqual([]);
    const txHash = await escrows.open('alice', onChainArgs);
    await world.mine(3);
    await confirmCreate(world.ctx, alice, escrow.id, { txHash, onChainId: escrow.onChainId });
    const event = await expectTold(escrow.id, 'escrow.created', 'alice', hooks);
    expect(event.previous).toEqual({ status: 'pending_create' });
    const { deadline, created_at, ...rest } = (event.object as { escrow: Record<string, unknown> }).escrow;
    expect(rest).toEqual({
      id: escrow.id,
      object: 'escrow',
      status: 'open',
      amount: '2.50',
      currency: 'USDC',
      chain: 'base',
      handleSlug: 'bob',
      recipient_label: 'bob@ampersat',
      revocable: escrow.revocable,
      note: 'for lunch',
      onChainId: escrow.onChainId,
      tx_hash: txHash,
      txHash,
      close_tx_hash: null,
      paid_to: null,
      opened_at: expect.stringMatching(/Z$/),
      closed_at: null,
      livemode: false,
    });
    expect([deadline, created_at]).toEqual([new Date(escrow.deadline * 1_000).toISOString(), escrow.created_at]);
    // The indexer sees the same opening again.
    await escrows.settle();
    expect(await eventsOf(escrow.id)).toHaveLength(1);
  });

  test('escrow.created for a tip to somebody without an account, once it is final', async () => {
    const hooks = await hooksOf('alice', 'escrow.created');
    await world.say('alice', '/tip @carol 5');
    const { id, openTxHash } = await world.ctx.db.escrow.findFirstOrThrow({ where: { origin: 'tip' } });
    const event = await expectTold(id, 'escrow.created', 'alice', hooks);
    expect(event.object).toMatchObject({
      escrow: { status: 'open', txHash: openTxHash, recipient_label: '@carol on Telegram', note: null },
    });
    await escrows.index();
    expect(await eventsOf(id)).toHaveLength(1);
  });

  test('escrow.claimed and escrow.refunded, of tabs of which only the chain knew', async () => {
    const [mine, back] = [
      await escrows.terms('alice', 'bob'),
      await escrows.terms('alice', 'bob', { revocable: true }),
    ];
    const hooks = await hooksOf('alice', 'escrow.created');
    const opened = await escrows.open('alice', mine);
    await escrows.open('alice', back);
    await escrows.settle();
    const [claimable, revocable] = [await escrows.row(mine), await escrows.row(back)];
    const made = await expectTold(claimable?.id ?? '', 'escrow.created', 'alice', hooks);
    expect(made.object).toMatchObject({ escrow: { txHash: opened, note: null } });

    const claims = await hooksOf('alice', 'escrow.claimed');
    await askClaim(world.ctx, world.evmChain(), mine, await idOf('bob'));
    await escrows.pay();
    const claimed = await expectTold(claimable?.id ?? '', 'escrow.claimed', 'alice', claims);
    expect(claimed).toMatchObject({
      object: { escrow: { status: 'claimed', handleSlug: 'bob', paid_to: localPerson('bob').address } },
      previous: { status: 'open' },
    });

    const refunds = await hooksOf('alice', 'escrow.refunded');
    const hash = await escrows.refund('alice', back);
    await escrows.settle();
    const refunded = await expectTold(revocable?.id ?? '', 'escrow.refunded', 'alice', refunds);
    expect(refunded).toMatchObject({
      object: { escrow: { status: 'refunded', close_tx_hash: hash, paid_to: localPerson('alice').address } },
      previous: { status: 'open' },
    });
    expect(await eventsOf(revocable?.id ?? '')).toHaveLength(2);
  });

  test('that nobody of ours opened are told to nobody', async () => {
    const terms = await escrows.terms('alice', 'bob');
    await escrows.open('alice', terms);
    await world.mine(3);
    // A wallet that belongs to no handle.
    const { address } = localPerson('alice');
    const elsewhere = `0x${'12'.repeat(20)}`;
    await world.ctx.db.wallet.updateMany({ where: { address }, data: { address: elsewhere } });
    await escrows.settle();
    await world.ctx.db.wallet.updateMany({ where: { address: elsewhere }, data: { address } });
    const row = await escrows.row(terms);
    expect(row).toMatchObject({ status: 'open', senderHandleId: null });
    expect(await eventsOf(row?.id ?? '')).toEqual([]);
  });

  test('are told once each, also when a chain takes blocks back and brings them again', async () => {
    await hooksOf('alice', 'escrow.created');
    const terms = await escrows.terms('alice', 'bob', { revocable: true });
    await escrows.open('alice', terms);
    await escrows.settle();
    await payments.reorg(6);
    await world.mine(6);
    await escrows.index();
    const row = await escrows.row(terms);
    expect(row?.status).toBe('pending_create');
    await escrows.open('alice', terms);
    await escrows.refund('alice', terms);
    await escrows.settle();
    await payments.reorg(6);
    await world.mine(6);
    await escrows.index();
    expect((await escrows.row(terms))?.status).toBe('pending_create');
    await escrows.open('alice', terms);
    await escrows.refund('alice', terms);
    await escrows.settle();
    expect((await escrows.row(terms))?.status).toBe('refunded');
    const moves = await world.ctx.db.transition.findMany({ where: { resourceId: row?.id ?? '' } });
    expect(moves.filter(({ action }) => action === 'confirm')).toHaveLength(3);
    expect(moves.filter(({ action }) => action === 'refund')).toHaveLength(2);
    const events = await eventsOf(row?.id ?? '');
    expect(events.map(({ type, deliveries }) => [type, deliveries.length])).toEqual([
      ['escrow.created', 2],
      ['escrow.refunded', 1],
    ]);
  });

  test('whose change is rolled back are told to nobody', async () => {
    await hooksOf('alice', 'escrow.created');
    const terms = await escrows.terms('alice', 'bob');
    await escrows.open('alice', terms);
    await world.mine(3);
    const before = await world.ctx.db.event.count();
    let most = 0;
    const dying = new Proxy(world.ctx.db, {
      get: (target, name) =>
        name === '$transaction'
          ? (work: (tx: unknown) => Promise<unknown>) =>
              target.$transaction(async (tx) => {
                await work(tx);
                most = Math.max(most, await tx.event.count());
                throw new Error('killed');
              })
          : Reflect.get(target, name),
    });
    await expect(indexChain({ ...world.ctx, db: dying }, world.evmChain())).rejects.toThrow('killed');
    expect([most, await world.ctx.db.event.count()]).toEqual([before + 1, before]);
    await escrows.index();
    expect(await world.ctx.db.event.count()).toBe(before + 1);
  });
});

test('what a test event shows is what the real one would', () => {
  const now = new Date(world.ctx.clock.now());
  for (const type of EVENT_TYPES) {
    const { object, previous } = sampleOf(world.ctx, type, 'alice');
    const row = { id: `evt_${'0'.repeat(26)}`, apiVersion: '2026-11-20', type, livemode: false, createdAt: now };
    const cause = { requestId: null, idempotencyKey: null };
    const envelope = envelopeOf({ ...row, ...cause, object, previous: previous ?? null } as never, 1);
    expect(EVENT_SCHEMAS[type].safeParse(envelope).error?.issues ?? [], type).toEqual([]);
  }
  expect(Object.keys(EVENT_SCHEMAS).sort()).toEqual([...EVENT_TYPES].sort());
});
