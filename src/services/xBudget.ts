// The ledger of a UTC day at X: the worst case of every call is reserved before it and settled by the answer. A call whose outcome nobody
// learns stays reserved: it may have cost that much.
import type { Ctx } from '../context.ts';
import { type Row, sqlPart, type Tx } from '../db.ts';
import {
  type BudgetDay,
  type BudgetState,
  budgetState,
  type Halt,
  mayCall,
  PROBE_MS,
  pageSize,
  readCost,
  utcDay,
} from '../domain/xBudget.ts';
import { lockKey } from './rateLimit.ts';

/** What was set aside for a call. */
export type Reservation = { day: string; worst: bigint; isProbe: boolean };
export type PollAnswer = { kind: 'read'; size: number; reservation: Reservation } | { kind: 'wait' } | { kind: 'halt' };

/** Rows of the days that a turn is about; today's is there always. What is written in them is stored when the turn ends. */
type Turn = { now: number; today: Row<'XBudgetDay'>; days: Map<string, Row<'XBudgetDay'>>; owed: number };
type Step = { day?: string; needsOwed?: boolean; take(turn: Turn): void; fail(error: unknown): void };

/**
 * One turn after the other in a process, each for all that came meanwhile: two hundred answers at once must neither hold two hundred
 * connections to the database nor make two hundred transactions.
 */
const waiting = new WeakMap<Ctx, Step[]>();

function inTurn<T>(ctx: Ctx, part: Pick<Step, 'day' | 'needsOwed'>, work: (turn: Turn) => T): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    let result: T;
    const take = (turn: Turn) => {
      result = work(turn);
    };
    const step = { ...part, take, fail: reject, done: () => resolve(result) };
    const steps = waiting.get(ctx);
    if (steps) steps.push(step);
    else {
      waiting.set(ctx, [step]);
      void runTurns(ctx);
    }
  });
}

async function runTurns(ctx: Ctx): Promise<void> {
  for (;;) {
    const steps = (waiting.get(ctx) ?? []).splice(0) as (Step & { done(): void })[];
    if (steps.length === 0) break;
    try {
      await ctx.db.$transaction((tx) => runTurn(ctx, tx, steps));
      for (const { done } of steps) done();
    } catch (error) {
      for (const { fail } of steps) fail(error);
    }
  }
  waiting.delete(ctx);
}

async function runTurn(ctx: Ctx, tx: Tx, steps: Step[]): Promise<void> {
  const now = ctx.clock.now();
  const day = utcDay(now);
  // Everybody takes the locks in one order.
  const names = [...new Set([day, ...steps.flatMap((step) => step.day ?? [])])].sort();
  for (const name of names) await lockKey(tx, `x budget ${name}`);
  const today = { ...(await openToday(tx, day)), budgetMicros: budgetOf(ctx) };
  const others = await tx.xBudgetDay.findMany({ where: { day: { in: names.filter((name) => name !== day) } } });
  const days = new Map([today, ...others].map((row) => [row.day, row]));
  const owed = steps.some((step) => step.needsOwed) ? await answersOwed(tx) : 0;
  for (const step of steps) step.take({ now, today, days, owed });
  for (const { day: name, ...data } of days.values()) await tx.xBudgetDay.update({ where: { day: name }, data });
}

/** Sets aside what a call can cost at most. @returns null when the budget has no room for it */
export function reserve(ctx: Ctx, purpose: 'owed' | 'courtesy', worst: bigint): Promise<Reservation | null> {
  return inTurn(ctx, {}, ({ today }) => {
    if (!mayCall(figures(today), purpose, worst)) return null;
    today.reservedMicros += worst;
    return { day: today.day, worst, isProbe: false };
  });
}

/** Sets aside what one page of mentions can cost. Halts the day when nothing more may be read. */
export function reservePoll(ctx: Ctx): Promise<PollAnswer> {
  return inTurn(ctx, { needsOwed: true }, ({ now, today, owed }): PollAnswer => {
    const answer = pageSize(figures(today), owed, now);
    if (answer.kind === 'halt') halt(today, now, 'budget');
    if (answer.kind !== 'read') return answer;
    const isProbe = today.probe !== null;
    if (isProbe) Object.assign(today, { probe: 'under_way', probeUntil: new Date(now + PROBE_MS) });
    const worst = readCost(answer.size, answer.size);
    today.reservedMicros += worst;
    return { ...answer, reservation: { day: today.day, worst, isProbe } };
  });
}

/**
 * Notes what a call has cost. @param outcome `well` ends a half-open state; `credits` (X has no more credit for us) halts the day; `failed`
 * lets a later poll try
 */
export function settle(
  ctx: Ctx,
  { day, worst, isProbe }: Reservation,
  cost: bigint,
  outcome: 'well' | 'failed' | 'credits',
): Promise<void> {
  return inTurn(ctx, { day }, ({ now, today, days }) => {
    const row = days.get(day);
    if (row) {
      row.reservedMicros -= worst;
      row.spentMicros += cost;
      row.requests += 1;
      if (isProbe) Object.assign(row, { probe: outcome === 'well' ? null : 'wanted', probeUntil: null });
    }
    if (outcome === 'credits') halt(today, now, 'credits');
  });
}

export type BudgetView = {
  day: string;
  state: BudgetState;
  halted: Halt | null;
  budget: bigint;
  spent: bigint;
  reserved: bigint;
  requests: number;
};

/** The budget of today as it stands. */
export async function budgetToday(ctx: Ctx): Promise<BudgetView> {
  const day = utcDay(ctx.clock.now());
  const row = await ctx.db.xBudgetDay.findUnique({ where: { day } });
  const unused = { day, budgetMicros: budgetOf(ctx), spentMicros: 0n, reservedMicros: 0n, requests: 0 };
  return view(row ?? { ...unused, halted: null, haltedAt: null, probe: null, probeUntil: null });
}

/** The last days, oldest first, for the operators' chart. */
export async function budgetDays(ctx: Ctx, days: number): Promise<BudgetView[]> {
  const rows = await ctx.db.xBudgetDay.findMany({ orderBy: { day: 'desc' }, take: days });
  return rows.reverse().map(view);
}

function view(row: Row<'XBudgetDay'>): BudgetView {
  const day = figures(row);
  const { budget, spent, reserved, halted } = day;
  return { day: row.day, state: budgetState(day), halted, budget, spent, reserved, requests: row.requests };
}

function budgetOf(ctx: Ctx): bigint {
  return BigInt(Math.round(ctx.env.X_DAILY_BUDGET_USD * 1_000_000));
}

function figures(row: Row<'XBudgetDay'>): BudgetDay {
  return {
    budget: row.budgetMicros,
    spent: row.spentMicros,
    reserved: row.reservedMicros,
    halted: row.halted as Halt | null,
    probe: row.probe as BudgetDay['probe'],
    probeUntil: row.probeUntil?.getTime() ?? 0,
  };
}

/** The row of today. The first call of a day after a halted one finds that one poll has to go first. */
async function openToday(tx: Tx, day: string): Promise<Row<'XBudgetDay'>> {
  const known = await tx.xBudgetDay.findUnique({ where: { day } });
  if (known) return known;
  const before = await tx.xBudgetDay.findFirst({ where: { day: { lt: day } }, orderBy: { day: 'desc' } });
  const probe = before !== null && (before.halted !== null || before.probe !== null) ? 'wanted' : null;
  return tx.xBudgetDay.create({ data: { day, probe } });
}

function halt(row: Row<'XBudgetDay'>, now: number, reason: Halt): void {
  row.halted ??= reason;
  row.haltedAt ??= new Date(now);
}

/** Answers that are still to be posted for what was taken in: each of them keeps its price. */
async function answersOwed(tx: Tx): Promise<number> {
  const unsaid = sqlPart`coalesce(r.said, '') not like 'receipt%'`;
  const [row] = await tx.$queryRaw<{ owed: number }[]>`
    select (select count(*) from inbox where platform = 'x' and status = 'received')
      + (select count(*) from reply where platform = 'x' and open)
      + (select count(*) from intent i left join reply r on r.key = 'intent:' || i.id
          where i.platform = 'x' and i.status in ('accepted', 'awaiting_confirmation', 'routed')
            and not coalesce(r.open, false) and ${unsaid}) as owed`;
  return Number(row?.owed ?? 0);
}
