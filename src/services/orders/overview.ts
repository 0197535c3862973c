// A workspace's overview: what it was paid in a period, how its orders ended, and the same of the period before.
import type { Ctx } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import { isPeriodFault, type OverviewPeriod, overviewPeriod, type PeriodName } from '../../domain/overview.ts';
import type { Mode } from '../chains.ts';
import { idsIn } from '../period.ts';
import {
  type CurrencyMoney,
  type ExpiredReason,
  expiredReasons,
  type LinkMoney,
  type LinkRow,
  type MoneyRow,
  type OrderCountsRow,
  type OrderFigures,
  orderFigures,
  type Place,
  sumCurrencies,
  sumLinks,
} from './overviewSums.ts';
import { type FailureReason, failureReason } from './payments/failures.ts';

export type OverviewQuery = {
  period: PeriodName;
  from?: string | undefined;
  to?: string | undefined;
  tz: string;
  mode: Mode;
};

export type Overview = {
  object: 'overview';
  mode: Mode;
  tz: string;
  /** Days in the zone, both included; each part begins at its moment, ISO 8601. */
  period: { from: string; to: string; step: OverviewPeriod['step']; parts: string[] };
  /** Moments, ISO 8601; the end is not included. */
  before: { start: string; end: string };
  /** That with the most payments first. None is converted into another. */
  currencies: CurrencyMoney[];
  orders: OrderFigures & { before: OrderFigures };
  expired: { reason: ExpiredReason; count: number }[];
  /** Payments that were signed for these orders and failed, by reason. */
  failed_payments: { reason: FailureReason; count: number }[];
  links: LinkMoney[];
  /** Whether the workspace has an order in this mode at all, an API key and a webhook endpoint. */
  setup: { order: boolean; key: boolean; endpoint: boolean };
};

const MOST_LINKS = 5;

/** @throws AppError `parameter_invalid` for days that make no period */
export function readPeriod(ctx: Ctx, query: Omit<OverviewQuery, 'mode'>): OverviewPeriod {
  const period = overviewPeriod(query, ctx.clock.now());
  if (!isPeriodFault(period)) return period;
  throw new AppError('parameter_invalid', `${period.param} ${period.words}.`, { param: period.param });
}

/** @throws AppError as {@link readPeriod} */
export async function readOverview(ctx: Ctx, workspaceId: string, query: OverviewQuery): Promise<Overview> {
  const period = readPeriod(ctx, query);
  const scope = { workspaceId, livemode: query.mode === 'live', cuts: cutsOf(period) };
  // Two statements at a time: all at once would take the pool’s connections from the requests beside it.
  const [[payments, refunds, links], [orders, failed, setup]] = await Promise.all([
    inTurn(
      () => readPayments(ctx, scope),
      () => readRefunds(ctx, scope),
      () => readLinks(ctx, scope, period),
    ),
    inTurn(
      () => countEnds(ctx, scope, period),
      () => countFailures(ctx, scope, period),
      () => readSetup(ctx, workspaceId, query.mode),
    ),
  ]);
  const placed = (place: 'now' | 'before') => orders.filter((row) => (row.place === 'before') === (place === 'before'));
  return {
    object: 'overview',
    mode: query.mode,
    tz: query.tz,
    period: { from: period.from, to: period.to, step: period.step, parts: period.parts.map(isoTime) },
    before: { start: isoTime(period.before.start), end: isoTime(period.before.end) },
    currencies: sumCurrencies([...payments, ...refunds], period.parts.length),
    orders: { ...orderFigures(placed('now')), before: orderFigures(placed('before')) },
    expired: expiredReasons(placed('now')),
    failed_payments: failed,
    links: sumLinks(links),
    setup,
  };
}

async function inTurn<A, B, C>(
  first: () => Promise<A>,
  second: () => Promise<B>,
  third: () => Promise<C>,
): Promise<[A, B, C]> {
  return [await first(), await second(), await third()];
}

/** What each currency brought in each part of the period, for the file. @throws AppError as {@link readPeriod} */
export async function readOverviewMoney(
  ctx: Ctx,
  workspaceId: string,
  query: OverviewQuery,
): Promise<{ period: OverviewPeriod; currencies: CurrencyMoney[] }> {
  const period = readPeriod(ctx, query);
  const scope = { workspaceId, livemode: query.mode === 'live', cuts: cutsOf(period) };
  const [payments, refunds] = await Promise.all([readPayments(ctx, scope), readRefunds(ctx, scope)]);
  return { period, currencies: sumCurrencies([...payments, ...refunds], period.parts.length) };
}

function isoTime(at: number): string {
  return new Date(at).toISOString();
}

/** The moments at which the database cuts rows, rising, and where the rows from each on belong: null for what is in neither period. */
type Cuts = { starts: Date[]; places: (Place | null)[]; first: Date; end: Date };
type Scope = { workspaceId: string; livemode: boolean; cuts: Cuts };

function cutsOf({ before, start, end, parts }: OverviewPeriod): Cuts {
  const cuts: [number, Place | null][] = [[before.start, 'before']];
  if (before.end < start) cuts.push([before.end, null]);
  cuts.push(...parts.map((at, index): [number, Place] => [at, index]));
  return {
    starts: cuts.map(([at]) => new Date(at)),
    places: cuts.map(([, place]) => place),
    first: new Date(before.start),
    end: new Date(end),
  };
}

/** `bucket` counts from 1, as `width_bucket` does. */
function placed<T extends { bucket: number }>(rows: T[], { places }: Cuts): (T & { place: Place })[] {
  return rows.flatMap((row) => {
    const place = places[row.bucket - 1] ?? null;
    return place === null ? [] : [{ ...row, place }];
  });
}

type Bucketed<T> = Omit<T, 'place'> & { bucket: number };

/** Orders by the moment at which they were paid. */
async function readPayments(ctx: Ctx, { workspaceId, livemode, cuts }: Scope): Promise<MoneyRow[]> {
  const rows = await ctx.db.$queryRaw<Bucketed<MoneyRow>[]>`
    select width_bucket(ended_at, ${cuts.starts}::timestamptz[])::int as bucket, currency, decimals, sum(units)::text as units,
      sum(fee_units)::text as fees, '0' as refunds, count(*)::int as payments, 0 as refunded
    from payment_order
    where handle_id = ${workspaceId} and livemode = ${livemode} and status = 'completed'
      and ended_at >= ${cuts.first}::timestamptz and ended_at < ${cuts.end}::timestamptz
    group by 1, 2, 3`;
  return placed(rows, cuts);
}

/** Refunds by the time of their block: either those of the period are read, by their index, or the refunded orders of the workspace, whichever are fewer. */
async function readRefunds(ctx: Ctx, { workspaceId, livemode, cuts }: Scope): Promise<MoneyRow[]> {
  const rows = await ctx.db.$queryRaw<Bucketed<MoneyRow>[]>`
    select width_bucket(g.block_time, ${cuts.starts}::timestamptz[])::int as bucket, o.currency, o.decimals, '0' as units, '0' as fees,
      sum(g.units)::text as refunds, 0 as payments, count(*)::int as refunded
    from payment_order o join order_log g on g.order_id = o.id and g.kind = 'refunded' and g.outcome = 'credited'
    where o.handle_id = ${workspaceId} and o.livemode = ${livemode} and o.refunded_units > 0 and o.status = 'completed'
      and g.block_time >= ${cuts.first}::timestamptz and g.block_time < ${cuts.end}::timestamptz
    group by 1, 2, 3`;
  return placed(rows, cuts);
}

/**
 * Orders by the moment at which they were created. Those before the period count by what had happened to each at the age that orders of the period
 * have now: an older one has had longer to be paid. A payment of ours that failed says more of an expired order than that its checkout was opened.
 */
async function countEnds(
  ctx: Ctx,
  { workspaceId, livemode, cuts }: Scope,
  { start, before }: OverviewPeriod,
): Promise<OrderCountsRow[]> {
  const asOf = new Date(ctx.clock.now() - (start - before.start));
  // “offset 0” has the orders of this workspace looked up one by one, instead of the failures of all workspaces.
  const rows = await ctx.db.$queryRaw<Bucketed<OrderCountsRow>[]>`
    select width_bucket(o.created_at, ${cuts.starts}::timestamptz[])::int as bucket, t.status, t.opened,
      case when t.status <> 'expired' then null
        when o.received_units > 0 then 'part_paid'
        when exists (
          select from order_submission s where s.order_id = o.id and s.status = 'failed' and s.way <> 'sweep' offset 0
        ) then 'payment_failed'
        when t.opened then 'opened'
        when o.opens_recorded then 'not_opened'
        else 'unrecorded' end as reason,
      count(*)::int as count
    from payment_order o
      cross join lateral (select o.created_at < ${new Date(start)}::timestamptz as is_before) w
      cross join lateral (
        select case when w.is_before and o.ended_at >= ${asOf}::timestamptz then 'awaiting_payment' else o.status end as status,
          o.opened_at is not null and not (w.is_before and o.opened_at >= ${asOf}::timestamptz) as opened
      ) t
    where o.handle_id = ${workspaceId} and o.livemode = ${livemode}
      and o.created_at >= ${cuts.first}::timestamptz and o.created_at < ${cuts.end}::timestamptz
    group by 1, 2, 3, 4`;
  return placed(rows, cuts);
}

/** Payments that failed, of the orders that were created in the period, the most frequent reason first. */
async function countFailures(
  ctx: Ctx,
  { workspaceId, livemode, cuts }: Scope,
  { start }: OverviewPeriod,
): Promise<{ reason: FailureReason; count: number }[]> {
  const { first, behind } = idsIn('ord', { from: start, before: cuts.end.getTime() });
  const rows = await ctx.db.$queryRaw<{ failure: string | null; count: number }[]>`
    select s.failure, count(*)::int as count
    from payment_order o join order_submission s on s.order_id = o.id
    where o.handle_id = ${workspaceId} and o.livemode = ${livemode} and o.id >= ${first} and o.id < ${behind}
      and o.created_at >= ${new Date(start)}::timestamptz and o.created_at < ${cuts.end}::timestamptz
      and s.status = 'failed' and s.way <> 'sweep' and s.order_id >= ${first} and s.order_id < ${behind}
    group by 1`;
  const counts = new Map<FailureReason, number>();
  for (const { failure, count } of rows) {
    const reason = failureReason(failure);
    if (reason) counts.set(reason, (counts.get(reason) ?? 0) + count);
  }
  return [...counts].map(([reason, count]) => ({ reason, count })).sort((a, b) => b.count - a.count);
}

/** The links from which most orders were paid in the period, with what each currency brought. */
function readLinks(ctx: Ctx, { workspaceId, livemode, cuts }: Scope, { start }: OverviewPeriod): Promise<LinkRow[]> {
  return ctx.db.$queryRaw<LinkRow[]>`
    with paid as (
      select link_id, currency, decimals, sum(units) as units, count(*)::int as payments
      from payment_order
      where handle_id = ${workspaceId} and livemode = ${livemode} and status = 'completed' and link_id is not null
        and ended_at >= ${new Date(start)}::timestamptz and ended_at < ${cuts.end}::timestamptz
      group by 1, 2, 3
    ), top as (
      select link_id from paid group by 1 order by sum(payments) desc, link_id limit ${MOST_LINKS}
    )
    select l.id, l.label, p.currency, p.decimals, p.units::text as units, p.payments
    from top t join paid p on p.link_id = t.link_id join payment_link l on l.id = t.link_id`;
}

async function readSetup(ctx: Ctx, workspaceId: string, mode: Mode): Promise<Overview['setup']> {
  const livemode = mode === 'live';
  const [found] = await ctx.db.$queryRaw<Overview['setup'][]>`
    select exists (select from payment_order where handle_id = ${workspaceId} and livemode = ${livemode}) as order,
      exists (select from api_key where handle_id = ${workspaceId} and mode = ${mode} and revoked_at is null) as key,
      exists (select from webhook_endpoint where handle_id = ${workspaceId} and livemode = ${livemode} and status <> 'deleted') as endpoint`;
  if (!found) throw new Error('the statement answers one row');
  return found;
}
