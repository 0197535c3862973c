// The periods of a workspace's overview: which days they have in a zone, how they are cut into parts, and what they are compared with.
import { addDays, dayOf, startOfDay } from './days.ts';

export const PERIODS = ['today', '7d', '30d', '12m', 'custom'] as const;
export type PeriodName = (typeof PERIODS)[number];

/** Of a custom period, in days. */
export const LONGEST_PERIOD = 366;
/** A longer one is cut into months. */
const MOST_DAY_PARTS = 92;
const HOUR_MS = 3_600_000;

/** Moments are Unix milliseconds; a start is included, an end is not. Days are `YYYY-MM-DD`, both included. */
export type OverviewPeriod = {
  from: string;
  to: string;
  start: number;
  end: number;
  step: 'hour' | 'day' | 'month';
  /** Where each part begins, the first one with the period. */
  parts: number[];
  /** The same number of days right before; of a period that is not over yet, as much of them as has passed of it. */
  before: { start: number; end: number };
};

/** Why there is no such period: the parameter at fault, and what it must be. */
export type PeriodFault = { param: 'from' | 'to'; words: string };

/**
 * @param from first day of a custom period
 * @param to its last day
 * @param now Unix milliseconds
 */
export function overviewPeriod(
  { period, from, to, tz }: { period: PeriodName; from?: string | undefined; to?: string | undefined; tz: string },
  now: number,
): OverviewPeriod | PeriodFault {
  const today = dayOf(now, tz);
  if (period !== 'custom') return cut(firstDay(period, today), today, tz, now);
  if (from === undefined) return { param: 'from', words: 'is required for a custom period' };
  if (to === undefined) return { param: 'to', words: 'is required for a custom period' };
  const fault = faultOf({ from, to, today });
  return fault ?? cut(from, to, tz, now);
}

/** The pages check what is typed by the same rules. */
export function faultOf({ from, to, today }: { from: string; to: string; today: string }): PeriodFault | null {
  if (from < EARLIEST) return { param: 'from', words: 'must be a day since 2020-01-01' };
  if (from > today) return { param: 'from', words: 'must not be in the future' };
  if (to > today) return { param: 'to', words: 'must not be in the future' };
  if (to < from) return { param: 'to', words: 'must not be before the first day' };
  if (to >= addDays(from, LONGEST_PERIOD))
    return { param: 'to', words: `must be at most ${LONGEST_PERIOD - 1} days after the first day` };
  return null;
}

export function isPeriodFault(period: OverviewPeriod | PeriodFault): period is PeriodFault {
  return 'param' in period;
}

/** Nothing of ours is older. */
const EARLIEST = '2020-01-01';

function firstDay(period: Exclude<PeriodName, 'custom'>, today: string): string {
  if (period === 'today') return today;
  if (period === '12m') return addMonths(`${today.slice(0, 7)}-01`, -11);
  return addDays(today, period === '7d' ? -6 : -29);
}

function cut(from: string, to: string, tz: string, now: number): OverviewPeriod {
  const length = daysBetween(from, to) + 1;
  const [start, end] = [startOfDay(from, tz), startOfDay(addDays(to, 1), tz)];
  const beforeStart = startOfDay(addDays(from, -length), tz);
  const passed = now < end ? now - start : Number.POSITIVE_INFINITY;
  const step = length === 1 ? 'hour' : length <= MOST_DAY_PARTS ? 'day' : 'month';
  return {
    from,
    to,
    start,
    end,
    step,
    parts: partsOf(step, { from, to, start, end }, tz),
    before: { start: beforeStart, end: Math.min(start, beforeStart + passed) },
  };
}

/** Hours are an hour each, so a day on which clocks change has 23 or 25 of them. */
function partsOf(
  step: OverviewPeriod['step'],
  { from, to, start, end }: { from: string; to: string; start: number; end: number },
  tz: string,
): number[] {
  if (step === 'hour')
    return Array.from({ length: Math.ceil((end - start) / HOUR_MS) }, (_, index) => start + index * HOUR_MS);
  const next = (day: string) => (step === 'day' ? addDays(day, 1) : addMonths(`${day.slice(0, 7)}-01`, 1));
  const days: string[] = [];
  for (let day = from; day <= to; day = next(day)) days.push(day);
  return days.map((day) => startOfDay(day, tz));
}

/** @param day the first of a month */
function addMonths(day: string, months: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + months);
  return date.toISOString().slice(0, 10);
}

function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000);
}

/** Of the orders whose checkout was opened, the share that was paid, in hundredths of a percent, rounded down; null while none was opened. */
export function conversionOf({ opened, paid }: { opened: number; paid: number }): number | null {
  return opened === 0 ? null : Math.floor((paid * 10_000) / opened);
}

/**
 * The change from one figure to the next in tenths of a percent, rounded half away from zero; null where there was nothing before.
 * Figures may be below zero: the change is of the size of the one before. A larger one than 2^53 − 1 is that.
 */
export function changeOf(before: bigint, now: bigint): number | null {
  if (before === 0n) return null;
  const size = before < 0n ? -before : before;
  const thousandths = (now - before) * 2_000n;
  const rounded = (thousandths + (thousandths < 0n ? -size : size)) / (2n * size);
  return Number(rounded > MOST ? MOST : rounded < -MOST ? -MOST : rounded);
}

/** The largest whole number that JSON and its readers keep exactly. */
const MOST = BigInt(Number.MAX_SAFE_INTEGER);
