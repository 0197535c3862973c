// The overview behind the session: exact against a recount of the rows, its periods, its file, and the openings of checkouts.
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { atOneMoment } from '../../../test/setup/api.ts';
import { orderRow } from '../../../test/setup/orders.ts';
import { serveWorld, type Visitor, visitor } from '../../../test/setup/visitor.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import { orderIdHash } from '../../chain/routers/payment.ts';
import { addDays, dayOf, startOfDay } from '../../domain/days.ts';
import { formatId } from '../../domain/ids.ts';
import { formatSigned, formatUnits } from '../../domain/money.ts';
import type { OrderStatus } from '../../domain/order.ts';
import type { PeriodName } from '../../domain/overview.ts';
import { type Overview, readOverview } from '../../services/orders/overview.ts';
import { BALANCE_TOO_LOW, EXPIRED, PAID_OTHERWISE, REFUSED } from '../../services/orders/payments/failures.ts';

const DAY_MS = 86_400_000;
const ADDRESS = `0x${'ab'.repeat(20)}`;
const BERLIN = 'Europe/Berlin';

let world: World;
let base: string;
let shop: Visitor;
let stranger: Visitor;
beforeAll(async () => {
  world = await startWorld();
  base = await serveWorld(world);
  shop = visitor(base);
  stranger = visitor(base);
  expect((await shop.signIn(privateKeyToAccount(localPerson('shop').key))).status).toBe(200);
});
afterAll(() => world.stop());

type Drawn = {
  createdAgo: number;
  endedAfter: number;
  status: OrderStatus;
  currency: 'USDC' | 'ETH' | 'BSC_USDC';
  units: bigint;
  fee: bigint;
  refunds: { after: number; units: bigint; credited: boolean }[];
  openedAfter: number | null;
  recorded: boolean;
  received: boolean;
  failure: string | null;
  link: number | null;
  livemode: boolean;
};
const DECIMALS = { USDC: 6, ETH: 18, BSC_USDC: 18 } as const;
const symbolOf = ({ currency }: Drawn) => (currency === 'ETH' ? 'ETH' : 'USDC');
const at18 = (order: Drawn, units: bigint) => units * 10n ** BigInt(18 - DECIMALS[order.currency]);

const drawnOrder: fc.Arbitrary<Drawn> = fc.record({
  createdAgo: fc.integer({ min: 0, max: 40 * DAY_MS }),
  endedAfter: fc.integer({ min: 1_000, max: 2 * DAY_MS }),
  status: fc.constantFrom<OrderStatus>(
    'awaiting_payment',
    'processing',
    'completed',
    'completed',
    'completed',
    'expired',
    'cancelled',
  ),
  currency: fc.constantFrom('USDC', 'ETH', 'BSC_USDC'),
  units: fc.bigInt({ min: 1n, max: 10n ** 30n }),
  fee: fc.bigInt({ min: 0n, max: 10n ** 9n }),
  refunds: fc.array(
    fc.record({
      after: fc.integer({ min: 1, max: 9 * DAY_MS }),
      units: fc.bigInt({ min: 1n, max: 10n ** 31n }),
      credited: fc.boolean(),
    }),
    { maxLength: 2 },
  ),
  openedAfter: fc.option(fc.integer({ min: 0, max: 60_000 })),
  recorded: fc.boolean(),
  received: fc.boolean(),
  failure: fc.option(
    fc.constantFrom(REFUSED, EXPIRED, PAID_OTHERWISE, `${BALANCE_TOO_LOW} Base is 1.00 USDC`, 'Something else.'),
  ),
  link: fc.option(fc.nat(6)),
  livemode: fc.boolean(),
});

/** Puts orders of a workspace that only these rows know into the database. */
async function store(drawn: Drawn[], now: number): Promise<{ workspaceId: string; links: string[] }> {
  const { db } = world.ctx;
  const workspaceId = formatId('hdl', now, randomBytes(10));
  const links = Array.from({ length: 7 }, () => formatId('plk', now, randomBytes(10)));
  const shared = { livemode: false, currency: 'USDC', chain: 'base', createdAt: new Date(now), openAmount: true };
  await db.paymentLink.createMany({
    data: links.map((id, index) => ({
      ...shared,
      id,
      handleId: workspaceId,
      recipientId: workspaceId,
      label: `Link ${index}`,
    })),
  });
  const rows = drawn.map((order) => {
    const createdAt = now - order.createdAgo;
    const id = formatId('ord', createdAt, randomBytes(10));
    const isOver = order.status !== 'awaiting_payment' && order.status !== 'processing';
    const refunded =
      order.status === 'completed'
        ? order.refunds.reduce((sum, { units, credited }) => sum + (credited ? units : 0n), 0n)
        : 0n;
    return {
      order,
      id,
      data: {
        id,
        handleId: workspaceId,
        recipientId: workspaceId,
        livemode: order.livemode,
        origin: 'api',
        linkId: order.link === null ? null : (links[order.link] ?? null),
        status: order.status,
        currency: symbolOf(order),
        chain: 'base',
        router: 'business',
        routerAddress: ADDRESS,
        token: ADDRESS,
        decimals: DECIMALS[order.currency],
        payee: ADDRESS,
        units: String(order.units),
        feeUnits: String(order.fee),
        deadline: BigInt(Math.floor(createdAt / 1_000) + 3_600),
        onChainId: orderIdHash(id),
        receivedUnits: order.received ? '1' : '0',
        refundedUnits: String(refunded),
        createdAt: new Date(createdAt),
        endedAt: isOver ? new Date(createdAt + order.endedAfter) : null,
        openedAt: order.openedAfter === null ? null : new Date(createdAt + order.openedAfter),
        opensRecorded: order.recorded,
      },
    };
  });
  await db.order.createMany({ data: rows.map(({ data }) => data) });
  await db.orderSubmission.createMany({
    data: rows.flatMap(({ id, order: { failure } }) =>
      failure === null
        ? []
        : [
            {
              id: `sub_${id}`,
              orderId: id,
              chain: 'base',
              payer: ADDRESS,
              way: 'eip3009',
              toAddress: ADDRESS,
              data: '0x',
              gas: 1n,
              status: 'failed',
              failure,
              createdAt: new Date(now),
              expiresAt: new Date(now),
            },
          ],
    ),
  });
  await db.orderLog.createMany({
    data: rows.flatMap(({ id, order, data }) =>
      (order.status === 'completed' ? order.refunds : []).map(({ after, units, credited }, logIndex) => ({
        chain: 'base',
        txHash: orderIdHash(id),
        logIndex,
        block: 1n,
        blockHash: orderIdHash(id),
        blockTime: new Date((data.endedAt?.getTime() ?? now) + after),
        kind: 'refunded',
        orderId: id,
        outcome: credited ? 'credited' : 'already_paid',
        router: ADDRESS,
        toAddress: ADDRESS,
        token: ADDRESS,
        units: String(units),
      })),
    ),
  });
  return { workspaceId, links };
}

/** Counted one by one, without the database. */
function recount(drawn: Drawn[], now: number, [start, end]: [number, number]) {
  const within = (moment: number) => moment >= start && moment < end;
  const createdAt = (order: Drawn) => now - order.createdAgo;
  const endedAt = (order: Drawn) => createdAt(order) + order.endedAfter;
  const money = new Map<string, { gross: bigint; fees: bigint; refunds: bigint; payments: number; refunded: number }>();
  const of = (order: Drawn) => {
    const known = money.get(symbolOf(order)) ?? { gross: 0n, fees: 0n, refunds: 0n, payments: 0, refunded: 0 };
    money.set(symbolOf(order), known);
    return known;
  };
  for (const order of drawn) {
    if (order.status !== 'completed') continue;
    if (within(endedAt(order))) {
      const sum = of(order);
      sum.gross += at18(order, order.units);
      sum.fees += at18(order, order.fee);
      sum.payments += 1;
    }
    for (const { after, units, credited } of order.refunds) {
      if (!credited || !within(endedAt(order) + after)) continue;
      const sum = of(order);
      sum.refunds += at18(order, units);
      sum.refunded += 1;
    }
  }
  const created = drawn.filter((order) => within(createdAt(order)));
  const opened = created.filter(({ openedAfter }) => openedAfter !== null);
  return {
    money: Object.fromEntries(
      [...money].map(([currency, { gross, fees, refunds, ...counts }]) => [
        currency,
        {
          gross: formatUnits(gross, 18),
          fees: formatUnits(fees, 18),
          refunds: formatUnits(refunds, 18),
          net: formatSigned(gross - fees - refunds, 18),
          ...counts,
        },
      ]),
    ),
    created: created.length,
    opened: opened.length,
    openedPaid: opened.filter(({ status }) => status === 'completed').length,
    expired: created.filter(({ status }) => status === 'expired'),
    failures: created.filter(({ failure }) => failure !== null && failure !== PAID_OTHERWISE).length,
    links: created.length,
  };
}

const moneyOf = ({ gross, fees, refunds, net, payments, refunded }: Overview['currencies'][number]['before']) => ({
  gross,
  fees,
  refunds,
  net,
  payments,
  refunded,
});
const isSomething = ({ payments, refunded }: { payments: number; refunded: number }) => payments + refunded > 0;

test('is what a recount of the rows gives, to the last unit, in each part and before', async () => {
  const now = world.ctx.clock.now();
  await fc.assert(
    fc.asyncProperty(
      fc.array(drawnOrder, { minLength: 20, maxLength: 60 }),
      fc.constantFrom<PeriodName>('today', '7d', '30d', '12m'),
      fc.constantFrom('UTC', BERLIN, 'Pacific/Apia'),
      async (drawn, period, tz) => {
        const { workspaceId } = await store(drawn, now);
        const found = await readOverview(world.ctx, workspaceId, { period, tz, mode: 'test' });
        const own = drawn.filter(({ livemode }) => !livemode);
        const starts = found.period.parts.map((text) => Date.parse(text));
        const [start, end] = [starts[0] ?? 0, startOfDay(addDays(found.period.to, 1), tz)];
        const whole = recount(own, now, [start, end]);
        const some = found.currencies.filter(isSomething);
        expect(Object.fromEntries(some.map((one) => [one.currency, moneyOf(one)]))).toEqual(whole.money);
        const before = recount(own, now, [Date.parse(found.before.start), Date.parse(found.before.end)]);
        const past = found.currencies.filter((one) => isSomething(one.before));
        expect(Object.fromEntries(past.map((one) => [one.currency, moneyOf(one.before)]))).toEqual(before.money);
        for (const [index, part] of starts.entries()) {
          const counted = recount(own, now, [part, starts[index + 1] ?? end]).money;
          for (const { currency, parts } of found.currencies) {
            const [one] = parts.slice(index, index + 1);
            if (one && isSomething(one)) expect(moneyOf(one)).toEqual(counted[currency]);
            else expect(counted[currency]).toBeUndefined();
          }
        }
        const { orders } = found;
        expect([orders.created, orders.opened, orders.opened_paid]).toEqual([
          whole.created,
          whole.opened,
          whole.openedPaid,
        ]);
        expect(orders.before.created).toBe(before.created);
        expect(orders.paid + orders.open + orders.expired + orders.cancelled).toBe(orders.created);
        expect(found.expired.reduce((sum, { count }) => sum + count, 0)).toBe(whole.expired.length);
        const reasonOf = ({ received, failure, openedAfter, recorded }: Drawn) =>
          received
            ? 'part_paid'
            : failure !== null
              ? 'payment_failed'
              : openedAfter !== null
                ? 'opened'
                : recorded
                  ? 'not_opened'
                  : 'unrecorded';
        for (const { reason, count } of found.expired)
          expect(whole.expired.filter((order) => reasonOf(order) === reason)).toHaveLength(count);
        expect(found.failed_payments.reduce((sum, { count }) => sum + count, 0)).toBe(whole.failures);
        expect(found.links.length).toBeLessThanOrEqual(5);
      },
    ),
    { numRuns: 12 },
  );
});

test('an unfinished period is compared with orders of the same age: what happened to older ones later is no part of it', async () => {
  const HOUR_MS = 3_600_000;
  await atOneMoment(world, async () => {
    // Noon in UTC, so that half of the day is over.
    const now = Math.floor(world.ctx.clock.now() / DAY_MS) * DAY_MS + 12 * HOUR_MS;
    world.ctx.clock.now = () => now;
    const one: Omit<Drawn, 'createdAgo' | 'endedAfter' | 'status'> = {
      currency: 'USDC',
      ...{ units: 1_000_000n, fee: 0n, refunds: [], recorded: true, received: false },
      ...{ failure: null, link: null, livemode: false, openedAfter: 1_000 },
    };
    const paid = (createdAgo: number, endedAfter: number, more: Partial<Drawn> = {}): Drawn => ({
      ...{ ...one, refunds: [], createdAgo, endedAfter, status: 'completed' },
      ...more,
    });
    const { workspaceId } = await store(
      [
        paid(2 * HOUR_MS, HOUR_MS),
        { ...paid(HOUR_MS, 1), status: 'awaiting_payment' },
        // The day before: the same two, the second of which was paid after three hours, at an age that today’s has not reached.
        paid(26 * HOUR_MS, HOUR_MS),
        paid(25 * HOUR_MS, 3 * HOUR_MS),
        // Opened later than today’s can have been, and expired so.
        paid(24 * HOUR_MS + 60_000, 2 * HOUR_MS, { status: 'expired', openedAfter: HOUR_MS }),
      ],
      now,
    );
    const { orders } = await readOverview(world.ctx, workspaceId, { period: 'today', tz: 'UTC', mode: 'test' });
    expect(orders).toMatchObject({ created: 2, paid: 1, open: 1, opened: 2, opened_paid: 1, conversion: 5_000 });
    expect(orders.before).toMatchObject({
      ...{ created: 3, paid: 1, open: 2, expired: 0, opened: 2, opened_paid: 1, conversion: 5_000 },
    });
  });
});

test('refunds of a period are found by their index', async () => {
  const plan = await world.ctx.db.$transaction(async (tx) => {
    await tx.$executeRaw`set local enable_seqscan = off`;
    return tx.$queryRaw<Record<string, string>[]>`
      explain select g.order_id, g.units from order_log g
        where g.kind = 'refunded' and g.outcome = 'credited' and g.block_time >= now() - interval '1 day' and g.block_time < now()`;
  });
  expect(JSON.stringify(plan)).toContain('order_log_refunds');
});

test('an index holds all that orders are counted by', async () => {
  const [index] = await world.ctx.db.$queryRaw<{ text: string; valid: boolean }[]>`
    select pg_get_indexdef(indexrelid) as text, indisvalid as valid from pg_index
      where indexrelid = to_regclass('payment_order_created_ended')`;
  expect(index?.valid).toBe(true);
  const read = 'handle_id livemode created_at id status opened_at ended_at opens_recorded received_units';
  for (const column of read.split(' ')) expect(index?.text).toMatch(new RegExp(`\\b${column}\\b`));
});

test('reads at most two statements at a time', async () => {
  const { db } = world.ctx;
  const [atOnce, most] = [{ now: 0 }, { of: 0 }];
  const counted = {
    ...world.ctx,
    db: db.$extends({
      query: {
        async $queryRaw({ args, query }) {
          most.of = Math.max(most.of, ++atOnce.now);
          return await Promise.resolve(query(args)).finally(() => atOnce.now--);
        },
      },
    }) as unknown as typeof db,
  };
  await readOverview(counted, formatId('hdl', world.ctx.clock.now(), randomBytes(10)), {
    ...{ period: '30d', tz: 'UTC', mode: 'test' },
  });
  expect(most.of).toBe(2);
});

test('links: those with the most paid orders first, each currency on its own', async () => {
  const now = world.ctx.clock.now();
  const paid = {
    createdAgo: 3 * 3_600_000,
    endedAfter: 1_000,
    status: 'completed',
    fee: 0n,
    refunds: [],
    openedAfter: 1,
    recorded: true,
    received: false,
    failure: null,
    livemode: false,
  } as const;
  const { workspaceId, links } = await store(
    [
      { ...paid, refunds: [], link: 1, currency: 'USDC', units: 1_500_000n },
      { ...paid, refunds: [], link: 1, currency: 'BSC_USDC', units: 10n ** 18n },
      { ...paid, refunds: [], link: 1, currency: 'ETH', units: 5n * 10n ** 17n },
      { ...paid, refunds: [], link: 2, currency: 'USDC', units: 900_000_000n },
      { ...paid, refunds: [], link: null, currency: 'USDC', units: 1n },
      { ...paid, refunds: [], link: 3, currency: 'USDC', units: 1n, status: 'expired' },
    ],
    now,
  );
  const found = await readOverview(world.ctx, workspaceId, { period: '7d', tz: 'UTC', mode: 'test' });
  expect(found.links).toEqual([
    {
      id: links[1],
      label: 'Link 1',
      payments: 3,
      amounts: [
        { currency: 'ETH', gross: '0.50' },
        { currency: 'USDC', gross: '2.50' },
      ],
    },
    { id: links[2], label: 'Link 2', payments: 1, amounts: [{ currency: 'USDC', gross: '900.00' }] },
  ]);
});

describe('GET /api/overview', () => {
  test('a new workspace is told what it has not set up', async () => {
    const bob = visitor(base);
    await bob.signIn(privateKeyToAccount(localPerson('bob').key));
    const { status, body } = await bob.get('/api/overview');
    // The people of the local stack have a test key each.
    expect([status, body.setup, body.currencies, body.orders.conversion]).toEqual([
      200,
      { order: false, key: true, endpoint: false },
      [],
      null,
    ]);
    await orderRow(world, { merchant: 'bob' });
    expect((await bob.get('/api/overview')).body.setup).toEqual({ order: true, key: true, endpoint: false });
    const live = async () => (await bob.get('/api/overview?mode=live')).body.setup;
    expect(await live()).toEqual({ order: false, key: false, endpoint: false });
    expect((await bob.post('/api/keys', { label: 'k', mode: 'live', scopes: ['orders'] })).status).toBe(201);
    expect(await live()).toEqual({ order: false, key: true, endpoint: false });
  });

  test.each([
    ['period=custom&from=0026-11-01&to=2026-11-02', 'from'],
    ['period=custom&from=2026-13-01&to=2026-11-02', 'from'],
    ['period=custom&from=2026-11-31&to=2026-12-01', 'from'],
    ['period=custom&from=20261-11-01&to=2026-11-02', 'from'],
    ['period=custom&from=9999-11-01&to=9999-11-02', 'from'],
    ['period=custom&from=2021-01-01&to=2022-11-02', 'to'],
    ['period=custom&from=2021-01-01', 'to'],
    ['period=week', 'period'],
    ['tz=Mars/Base', 'tz'],
    ['mode=both', 'mode'],
    ['q=1', 'q'],
  ])('?%s: 400 that names %s', async (query, param) => {
    for (const path of ['/api/overview', '/api/overview.csv']) {
      const { status, body } = await shop.get(`${path}?${query}`);
      expect([status, body.error?.param]).toEqual([400, param]);
    }
  });

  test('401 without a session', async () => {
    for (const path of ['/api/overview', '/api/overview.csv']) expect((await stranger.get(path)).status).toBe(401);
  });

  test('the file has a line a part and currency, a negative number stays one, and its name says whose it is', async () => {
    const { db, clock } = world.ctx;
    const order = await orderRow(world, { merchant: 'shop', units: '25000000', feeUnits: '250000' } as object);
    const ended = new Date(clock.now() - 3 * DAY_MS);
    await db.order.update({
      where: { id: order.id },
      data: { status: 'completed', endedAt: ended, refundedUnits: '25000000' },
    });
    await db.orderLog.create({
      data: {
        chain: 'base',
        txHash: order.onChainId,
        logIndex: 0,
        block: 1n,
        blockHash: order.onChainId,
        blockTime: new Date(clock.now() - 1_000),
        kind: 'refunded',
        orderId: order.id,
        outcome: 'credited',
        router: ADDRESS,
        toAddress: ADDRESS,
        token: ADDRESS,
        units: '25000000',
      },
    });
    const file = await shop.get('/api/overview.csv?period=7d&tz=UTC');
    const today = dayOf(clock.now(), 'UTC');
    expect(file.headers.get('content-disposition')).toContain(
      `ampersat-overview-shop-test-${addDays(today, -6)}-${today}.csv`,
    );
    const [head, ...lines] = (file.body as string).trimEnd().split('\r\n');
    expect(head).toBe('start,end,currency,gross,fees,refunds,net,payments,refund_count,mode');
    expect(lines).toHaveLength(7);
    expect(lines.at(3)).toMatch(/,USDC,25\.00,0\.25,0\.00,24\.75,1,0,test$/);
    expect(lines.at(-1)).toMatch(/,USDC,0\.00,0\.00,25\.00,-25\.00,0,1,test$/);
    expect(lines.every((line) => line.endsWith(',test'))).toBe(true);
    const live = (await shop.get('/api/overview.csv?period=7d&mode=live')).body as string;
    expect(live.trimEnd().split('\r\n')).toHaveLength(1);
  });
});

describe('POST /api/checkout/{order}/opened', () => {
  const openedAt = async (id: string) => (await world.ctx.db.order.findUniqueOrThrow({ where: { id } })).openedAt;

  test('is recorded once, by the post alone: a read writes nothing', async () => {
    const { id } = await orderRow(world, { merchant: 'shop' });
    for (const path of [`/api/checkout/${id}`, `/o/${id}`]) await stranger.get(path);
    expect(await openedAt(id)).toBeNull();
    expect((await stranger.post(`/api/checkout/${id}/opened`)).body).toEqual({ object: 'checkout.opened', order: id });
    const first = await openedAt(id);
    expect(first).not.toBeNull();
    await world.later(5_000);
    expect((await stranger.post(`/api/checkout/${id}/opened`)).status).toBe(200);
    expect(await openedAt(id)).toEqual(first);
  });

  test('is not recorded of an order that can no longer be paid', async () => {
    const ended = await orderRow(world, { merchant: 'shop', status: 'expired' });
    const late = await orderRow(world, { merchant: 'shop', deadline: 1n });
    for (const { id } of [ended, late]) {
      expect((await stranger.post(`/api/checkout/${id}/opened`)).status).toBe(200);
      expect(await openedAt(id)).toBeNull();
    }
  });

  test('an unknown order is 404, another page’s post 403', async () => {
    expect((await stranger.post('/api/checkout/ord_00000000000000000000000000/opened')).status).toBe(404);
    const { id } = await orderRow(world, { merchant: 'shop' });
    expect((await stranger.post(`/api/checkout/${id}/opened`, {}, { origin: 'https://evil.example' })).status).toBe(
      403,
    );
    expect(await openedAt(id)).toBeNull();
  });

  test('a new order says that its openings are recorded', async () => {
    const made = await shop.post('/api/orders', { amount: '25', chain: 'base' });
    const row = await world.ctx.db.order.findUniqueOrThrow({ where: { id: made.body.order.id } });
    expect([row.opensRecorded, row.openedAt]).toEqual([true, null]);
  });
});
