// What a workspace was paid: day by day, and in a few figures.
import type { Ctx } from '../context.ts';
import { addDays, dayOf, startOfDay } from '../domain/days.ts';
import { formatUnits, formatUsd, scaleUnits } from '../domain/money.ts';

/** `usd`: what was paid in USDC, 1 USDC as 1 USD. Native assets stand beside it in their own units: nobody kept what they were worth. */
type Sum = { usd: string; count: number };

export type Volume = {
  /** Every day in the zone, the oldest first, those without a payment too. */
  days: (Sum & { date: string })[];
  /** All of these days together. */
  currencies: { currency: string; amount: string; count: number }[];
  today: Sum;
  last_7_days: Sum;
  last_30_days: Sum;
  /** Of the orders that were made in the last 30 days and are over: how many were paid. */
  completed: { paid: number; ended: number };
};

const MONTH = 30;
const WEEK = 7;
const USD_DECIMALS = 6;

type Row = { bucket: number; currency: string; decimals: number; units: string; count: number };

/** Completed orders by the day on which they were, in `tz`, before refunds. */
export async function sumVolume(
  ctx: Ctx,
  workspaceId: string,
  { days, tz, mode }: { days: number; tz: string; mode?: 'test' | 'live' | undefined },
): Promise<Volume> {
  const today = dayOf(ctx.clock.now(), tz);
  const length = Math.max(days, MONTH);
  const dates = Array.from({ length }, (_, index) => addDays(today, index - length + 1));
  const starts = dates.map((date) => new Date(startOfDay(date, tz)));
  const livemode = mode === undefined ? null : mode === 'live';
  const month = starts.at(-MONTH) as Date;
  const [rows, [ended]] = await Promise.all([
    ctx.db.$queryRaw<Row[]>`
      select width_bucket(ended_at, ${starts}::timestamptz[])::int as bucket, currency, decimals, sum(units)::text as units, count(*)::int as count
      from payment_order
      where handle_id = ${workspaceId} and (${livemode}::boolean is null or livemode = ${livemode}::boolean)
        and status = 'completed' and ended_at >= ${starts[0]}::timestamptz
      group by 1, 2, 3`,
    ctx.db.$queryRaw<{ paid: number; ended: number }[]>`
      select count(*) filter (where status = 'completed')::int as paid, count(*)::int as ended
      from payment_order
      where handle_id = ${workspaceId} and (${livemode}::boolean is null or livemode = ${livemode}::boolean)
        and status in ('completed', 'expired', 'cancelled') and created_at >= ${month}::timestamptz`,
  ]);
  const sumOf = (wanted: (index: number) => boolean): Sum => {
    const those = rows.filter(({ bucket, currency }) => currency === 'USDC' && wanted(bucket - 1));
    const usd = those.reduce((sum, row) => sum + scaleUnits(BigInt(row.units), row.decimals, USD_DECIMALS), 0n);
    const count = rows.filter(({ bucket }) => wanted(bucket - 1)).reduce((sum, row) => sum + row.count, 0);
    return { usd: formatUsd(usd), count };
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

/** One line a currency, however many decimals its chains give it. */
function byCurrency(rows: Row[]): Volume['currencies'] {
  const most = 18;
  const sums = new Map<string, { units: bigint; count: number }>();
  for (const { currency, decimals, units, count } of rows) {
    const sum = sums.get(currency) ?? { units: 0n, count: 0 };
    sums.set(currency, { units: sum.units + scaleUnits(BigInt(units), decimals, most), count: sum.count + count });
  }
  return [...sums]
    .map(([currency, { units, count }]) => ({ currency, amount: formatUnits(units, most), count }))
    .sort((one, other) => other.count - one.count);
}
