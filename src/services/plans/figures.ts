// A creator's plans in figures: what recurs each month, who came and left, what was charged, and what is to come.
import type { Ctx } from '../../context.ts';
import { addDays, dayOf, startOfDay } from '../../domain/days.ts';
import { formatUnits, scaleUnits } from '../../domain/money.ts';
import { monthlyUnits } from '../../domain/subscription.ts';
import { ownPlanRow } from './plans.ts';

export type PlanFigures = {
  currency: 'USDC';
  /** Subscriptions that stand, and those of them whose newest charge was not made. */
  active: number;
  failing: number;
  /** Waiting trials. */
  trials: number;
  /** Gross, of the subscriptions that stand, in a month of thirty days. */
  mrr: string;
  /** In the days that are shown. */
  started: number;
  ended: number;
  /** Of those that stood in the days that are shown, the part that ended; null while there was none. */
  churn: number | null;
  charged: { count: number; amount: string; fees: string; net: string };
  /** Every day in the zone, the oldest first; `mrr` and `active` at its end. */
  days: { date: string; mrr: string; active: number; started: number; ended: number; charged: string }[];
  /** What falls due in the next thirty days, day by day, first charges of trials among it. */
  upcoming: { count: number; amount: string; days: { date: string; count: number; amount: string }[] };
};

const UPCOMING_DAYS = 30;
const DAY_MS = 86_400_000;
/** No chain's USDC has more, so that sums over networks lose no digit. */
const DECIMALS = 18;
/** MRR is a rate: it is shown in the decimals of USDC. */
const RATE_DECIMALS = 6;

type Terms = { units: string; decimals: number; periodS: number };
type Standing = Terms & { active: number; failing: number };
type Move = Terms & { bucket: number; started: number; ended: number };
type Charged = { bucket: number; decimals: number; count: number; units: string; fees: string };
type Due = Terms & { bucket: number; count: number };

/** @throws AppError `resource_missing` for a plan that is not the workspace's own */
export async function readFigures(
  ctx: Ctx,
  handleId: string,
  {
    days,
    tz,
    mode,
    planId,
  }: { days: number; tz: string; mode?: 'test' | 'live' | undefined; planId?: string | undefined },
): Promise<PlanFigures> {
  const plan = planId === undefined ? null : (await ownPlanRow(ctx, handleId, planId)).id;
  const livemode = mode === undefined ? null : mode === 'live';
  const now = ctx.clock.now();
  const today = dayOf(now, tz);
  const dates = Array.from({ length: days }, (_, index) => addDays(today, index - days + 1));
  const starts = dates.map((date) => new Date(startOfDay(date, tz)));
  const ahead = Array.from({ length: UPCOMING_DAYS }, (_, index) => addDays(today, index));
  const aheadStarts = ahead.map((date) => new Date(startOfDay(date, tz)));
  const until = new Date(now + UPCOMING_DAYS * DAY_MS);
  const [standing, moves, charges, dues, trials] = await Promise.all([
    ctx.db.$queryRaw<Standing[]>`
      select p.units::text as units, p.decimals, p.period_s as "periodS", count(*)::int as active,
        count(s.failure)::int as failing
      from plan p join subscription s on s.plan_id = p.id and s.status = 'active'
      where p.handle_id = ${handleId} and (${plan}::text is null or p.id = ${plan}::text)
        and (${livemode}::boolean is null or p.livemode = ${livemode}::boolean)
      group by 1, 2, 3`,
    ctx.db.$queryRaw<Move[]>`
      select width_bucket(at, ${starts}::timestamptz[])::int as bucket, units::text as units, decimals,
        period_s as "periodS", sum(started)::int as started, sum(ended)::int as ended
      from (
        select s.started_at as at, p.units, p.decimals, p.period_s, 1 as started, 0 as ended
        from plan p join subscription s on s.plan_id = p.id and s.status <> 'reverted' and s.started_at >= ${starts[0]}::timestamptz
        where p.handle_id = ${handleId} and (${plan}::text is null or p.id = ${plan}::text)
          and (${livemode}::boolean is null or p.livemode = ${livemode}::boolean)
        union all
        select s.ended_at, p.units, p.decimals, p.period_s, 0, 1
        from plan p join subscription s on s.plan_id = p.id and s.status in ('cancelled', 'halted') and s.ended_at >= ${starts[0]}::timestamptz
        where p.handle_id = ${handleId} and (${plan}::text is null or p.id = ${plan}::text)
          and (${livemode}::boolean is null or p.livemode = ${livemode}::boolean)
      ) moved
      group by 1, 2, 3, 4`,
    ctx.db.$queryRaw<Charged[]>`
      select width_bucket(l.at, ${starts}::timestamptz[])::int as bucket, p.decimals, count(*)::int as count,
        sum(l.units)::text as units, sum(l.fee_units)::text as fees
      from plan p
        join subscription s on s.plan_id = p.id and s.last_charged_at >= ${starts[0]}::timestamptz
        join subscription_log l on l.subscription_id = s.id and l.at >= ${starts[0]}::timestamptz
      where p.handle_id = ${handleId} and (${plan}::text is null or p.id = ${plan}::text)
        and (${livemode}::boolean is null or p.livemode = ${livemode}::boolean)
      group by 1, 2`,
    // What has a short period falls due again and again within the month; a trial that goes on is charged at its end.
    ctx.db.$queryRaw<Due[]>`
      select greatest(width_bucket(due, ${aheadStarts}::timestamptz[]), 1)::int as bucket, p.units::text as units,
        p.decimals, p.period_s as "periodS", count(*)::int as count
      from plan p
        join (
          select plan_id, next_charge_at as at from subscription where status = 'active'
          union all select plan_id, ends_at from trial where status = 'waiting'
        ) first on first.plan_id = p.id and first.at <= ${until}::timestamptz
        cross join lateral generate_series(
          greatest(first.at, ${new Date(now)}::timestamptz), ${until}::timestamptz, make_interval(secs => p.period_s)
        ) due
      where p.handle_id = ${handleId} and (${plan}::text is null or p.id = ${plan}::text) and p.status = 'active'
        and (${livemode}::boolean is null or p.livemode = ${livemode}::boolean)
      group by 1, 2, 3, 4`,
    ctx.db.trial.count({
      where: {
        status: 'waiting',
        plan: { handleId, ...(plan === null ? {} : { id: plan }), ...(livemode === null ? {} : { livemode }) },
      },
    }),
  ]);
  const active = sum(standing, (row) => row.active);
  const started = sum(moves, (row) => row.started);
  const ended = sum(moves, (row) => row.ended);
  const stood = active + ended;
  const charged = moneyOf(charges);
  return {
    currency: 'USDC',
    active,
    failing: sum(standing, (row) => row.failing),
    trials,
    mrr: formatUnits(
      rateOf(standing, (row) => row.active),
      RATE_DECIMALS,
    ),
    started,
    ended,
    churn: stood === 0 ? null : Math.round((ended / stood) * 1_000) / 1_000,
    charged: { count: sum(charges, (row) => row.count), ...charged },
    days: dates.map((date, index) => {
      const after = moves.filter(({ bucket }) => bucket > index + 1);
      const on = moves.filter(({ bucket }) => bucket === index + 1);
      const rate = rateOf(standing, (row) => row.active) - rateOf(after, (row) => row.started - row.ended);
      return {
        date,
        mrr: formatUnits(rate < 0n ? 0n : rate, RATE_DECIMALS),
        active: active - sum(after, (row) => row.started - row.ended),
        started: sum(on, (row) => row.started),
        ended: sum(on, (row) => row.ended),
        charged: moneyOf(charges.filter(({ bucket }) => bucket === index + 1)).amount,
      };
    }),
    upcoming: {
      count: sum(dues, (row) => row.count),
      amount: dueOf(dues),
      days: ahead.map((date, index) => {
        const those = dues.filter(({ bucket }) => bucket === index + 1);
        return { date, count: sum(those, (row) => row.count), amount: dueOf(those) };
      }),
    },
  };
}

function sum<R>(rows: readonly R[], of: (row: R) => number): number {
  return rows.reduce((all, row) => all + of(row), 0);
}

/** What so many subscriptions are worth in a month, at six decimals. */
function rateOf<R extends Terms>(rows: readonly R[], count: (row: R) => number): bigint {
  return rows.reduce((all, row) => {
    const monthly = monthlyUnits(scaleUnits(BigInt(row.units), row.decimals, DECIMALS), row.periodS);
    return all + (monthly * BigInt(count(row))) / 10n ** BigInt(DECIMALS - RATE_DECIMALS);
  }, 0n);
}

function dueOf(rows: readonly Due[]): string {
  const units = rows.reduce(
    (all, row) => all + scaleUnits(BigInt(row.units), row.decimals, DECIMALS) * BigInt(row.count),
    0n,
  );
  return formatUnits(units, DECIMALS);
}

function moneyOf(rows: readonly Charged[]): { amount: string; fees: string; net: string } {
  const of = (name: 'units' | 'fees') =>
    rows.reduce((all, row) => all + scaleUnits(BigInt(row[name]), row.decimals, DECIMALS), 0n);
  const [units, fees] = [of('units'), of('fees')];
  return {
    amount: formatUnits(units, DECIMALS),
    fees: formatUnits(fees, DECIMALS),
    net: formatUnits(units - fees, DECIMALS),
  };
}
