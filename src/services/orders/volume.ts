// What a workspace was paid: day by day and in a few figures, gross, in fees, in refunds and net.
import type { Ctx } from '../../context.ts';
import { addDays, dayOf, startOfDay } from '../../domain/days.ts';
import { formatSigned, formatUnits, scaleUnits } from '../../domain/money.ts';
import { type Mode, usualMode } from '../chains.ts';

/**
 * Decimal strings. A refund counts on the day on which it was sent, so `net`, which is the amount less fees and refunds, may be below zero. `count`
 * is of orders that were paid.
 */
type Money = { fees: string; refunds: string; net: string; count: number };
/** `usd`: gross, of what was paid in USDC, 1 USDC as 1 USD. Native assets stay in their own units: we do not store their price. */
type Sum = { usd: string } & Money;

export type Volume = {
  /** Every day in the zone, the oldest first, those without a payment too. */
  days: (Sum & { date: string })[];
  /** All of these days together, `amount` gross. */
  currencies: ({ currency: string; amount: string } & Money)[];
  today: Sum;
  last_7_days: Sum;
  last_30_days: Sum;
  /** Of the orders that were created in the last 30 days and have ended: how many were paid. */
  completed: { paid: number; ended: number };
};

const MONTH = 30;
const WEEK = 7;
/** No currency has more, so that sums over networks lose no digit. */
const DECIMALS = 18;

type Row = {
  bucket: number;
  currency: string;
  decimals: number;
  units: string;
  fees: string;
  refunds: string;
  count: number;
};

/** Completed orders by the day on which they were paid, and their refunds by the day on which they were sent, in `tz`. */
export async function sumVolume(
  ctx: Ctx,
  workspaceId: string,
  { days, tz, mode = usualMode(ctx) }: { days: number; tz: string; mode?: Mode | undefined },
): Promise<Volume> {
  const today = dayOf(ctx.clock.now(), tz);
  const length = Math.max(days, MONTH);
  const dates = Array.from({ length }, (_, index) => addDays(today, index - length + 1));
  const starts = dates.map((date) => new Date(startOfDay(date, tz)));
  const livemode = mode === 'live';
  const month = starts.at(-MONTH) as Date;
  const [rows, [ended]] = await Promise.all([
    ctx.db.$queryRaw<Row[]>`
      select width_bucket(at, ${starts}::timestamptz[])::int as bucket, currency, decimals,
        sum(units)::text as units, sum(fees)::text as fees, sum(refunds)::text as refunds, sum(paid)::int as count
      from (
        select ended_at as at, currency, decimals, units, fee_units as fees, 0 as refunds, 1 as paid
        from payment_order
        where handle_id = ${workspaceId} and livemode = ${livemode}
          and status = 'completed' and ended_at >= ${starts[0]}::timestamptz
        union all
        select g.block_time, o.currency, o.decimals, 0, 0, g.units, 0
        from payment_order o join order_log g on g.order_id = o.id and g.kind = 'refunded' and g.outcome = 'credited'
        where o.handle_id = ${workspaceId} and o.livemode = ${livemode}
          and o.status = 'completed' and o.refunded_units > 0 and g.block_time >= ${starts[0]}::timestamptz
      ) moved
      group by 1, 2, 3`,
    ctx.db.$queryRaw<{ paid: number; ended: number }[]>`
      select count(*) filter (where status = 'completed')::int as paid, count(*)::int as ended
      from payment_order
      where handle_id = ${workspaceId} and livemode = ${livemode}
        and status in ('completed', 'expired', 'cancelled') and created_at >= ${month}::timestamptz`,
  ]);
  const sumOf = (wanted: (index: number) => boolean): Sum => {
    const those = rows.filter(({ bucket }) => wanted(bucket - 1));
    const { amount, ...money } = moneyOf(those.filter(({ currency }) => currency === 'USDC'));
    return { usd: amount, ...money, count: those.reduce((sum, { count }) => sum + count, 0) };
  };
  const shown = length - days;
  return {
    days: dates.slice(shown).map((date, index) => ({ date, ...sumOf((one) => one === shown + index) })),
    currencies: byCurrency(rows.filter(({ bucket }) => bucket - 1 >= shown)),
    today: sumOf((index) => index === length - 1),
    last_7_days: sumOf((index) => index >= length - WEEK),
    last_30_days: sumOf((index) => index >= length - MONTH),
    completed: ended ?? { paid: 0, ended: 0 },
  };
}

function moneyOf(rows: Row[]): { amount: string } & Money {
  const sum = (name: 'units' | 'fees' | 'refunds') =>
    rows.reduce((all, row) => all + scaleUnits(BigInt(row[name]), row.decimals, DECIMALS), 0n);
  const [units, fees, refunds] = [sum('units'), sum('fees'), sum('refunds')];
  return {
    amount: formatUnits(units, DECIMALS),
    fees: formatUnits(fees, DECIMALS),
    refunds: formatUnits(refunds, DECIMALS),
    net: formatSigned(units - fees - refunds, DECIMALS),
    count: rows.reduce((all, { count }) => all + count, 0),
  };
}

/** One line a currency, however many decimals its chains give it. */
function byCurrency(rows: Row[]): Volume['currencies'] {
  return [...new Set(rows.map(({ currency }) => currency))]
    .map((currency) => ({ currency, ...moneyOf(rows.filter((row) => row.currency === currency)) }))
    .sort((one, other) => other.count - one.count);
}
