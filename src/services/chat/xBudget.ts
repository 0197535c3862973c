// The ledger of a UTC day at X: the worst case of every call is reserved before it and settled by the answer. A call with an unknown outcome
// stays reserved: it may have cost that much.

import type { Ctx, ReadCtx } from '../../context.ts';
import { type Json, type Row, sqlPart, sqlRows, type Tx } from '../../db.ts';
import {
  authorShareOf,
  type BudgetDay,
  type BudgetState,
  budgetState,
  endsByItself,
  givenBack,
  type Halt,
  mayCall,
  PROBE_MS,
  pageSize,
  readCost,
  unreadCost,
  utcDay,
} from '../../domain/xBudget.ts';
import { lockKey } from '../locks.ts';

/** What is read again and again: each has outages of its own. */
export type XFeed = 'mentions' | 'dms';
/** Whom a call answers. What is not owed stays within their share of the day. */
export type AnsweredAuthor = { id: string; isOwed: boolean };
/** What was set aside for a call. */
export type Reservation = { day: string; worst: bigint; isProbe: boolean; feed?: XFeed; author?: string };
/** `state` is the day's before this poll. */
export type PollAnswer = { state: BudgetState } & (
  | { kind: 'read'; size: number; reservation: Reservation }
  | { kind: 'wait' }
  | { kind: 'halt' }
);

/** Rows of the days that a turn is about; today's is there always. What is written in them is stored when the turn ends. */
type Turn = {
  now: number;
  today: Row<'XBudgetDay'>;
  days: Map<string, Row<'XBudgetDay'>>;
  owed: number;
  /** What the authors that the turn is about have cost today. */
  used: Map<string, bigint>;
  charges: { day: string; author: string; cost: bigint }[];
};
type Step = { day?: string; needsOwed?: boolean; author?: string; take(turn: Turn): void; fail(error: unknown): void };

/**
 * One turn after the other in a process, each for all that came meanwhile: two hundred answers at once must neither hold two hundred
 * connections to the database nor make two hundred transactions.
 */
const waiting = new WeakMap<Ctx, Step[]>();

function inTurn<T>(ctx: Ctx, part: Pick<Step, 'day' | 'needsOwed' | 'author'>, work: (turn: Turn) => T): Promise<T> {
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
  for (const name of names) await lockDay(tx, name);
  const today = { ...(await openToday(tx, day)), budgetMicros: budgetOf(ctx) };
  const before = names.filter((name) => name !== day);
  const others = before.length > 0 ? await tx.xBudgetDay.findMany({ where: { day: { in: before } } }) : [];
  const days = new Map([today, ...others].map((row) => [row.day, row]));
  const needsOwed = today.halted === 'budget' || steps.some((step) => step.needsOwed);
  const owed = needsOwed ? await answersOwed(tx) : 0;
  if (endsByItself(figures(today), owed, now)) {
    await noteResume(ctx, tx, today, 'the raised budget');
    endHalt(today);
  }
  const used = await usedBy(
    tx,
    day,
    steps.flatMap(({ author }) => author ?? []),
  );
  const charges: Turn['charges'] = [];
  for (const step of steps) step.take({ now, today, days, owed, used, charges });
  for (const { day: name, ...data } of days.values()) await tx.xBudgetDay.update({ where: { day: name }, data });
  await chargeAuthors(tx, charges);
}

/** Sets aside what a call can cost at most. @returns null when the budget has no room for it */
export async function reserve(
  ctx: Ctx,
  purpose: 'owed' | 'courtesy',
  worst: bigint,
  feed?: XFeed,
): Promise<Reservation | null> {
  return inTurn(ctx, {}, ({ today }) => {
    if (!mayCall(figures(today), purpose, worst)) return null;
    today.reservedMicros += worst;
    return { day: today.day, worst, isProbe: false, ...(feed === undefined ? {} : { feed }) };
  });
}

/** The same for an answer to an account. @returns why not: the budget has no room for it, or the account's share has not */
export function reserveAnswer(
  ctx: Ctx,
  purpose: 'owed' | 'courtesy',
  worst: bigint,
  { id: author, isOwed }: AnsweredAuthor,
): Promise<Reservation | 'no_budget' | 'no_share'> {
  return inTurn(ctx, { author }, ({ today, used }) => {
    if (!isOwed && (used.get(author) ?? 0n) + worst > authorShareOf(today.budgetMicros)) return 'no_share';
    if (!mayCall(figures(today), purpose, worst)) return 'no_budget';
    today.reservedMicros += worst;
    return { day: today.day, worst, isProbe: false, author };
  });
}

/** Sets aside what one page of mentions can cost. Halts the day when nothing more may be read. */
export function reservePoll(ctx: Ctx): Promise<PollAnswer> {
  return inTurn(ctx, { needsOwed: true }, ({ now, today, owed }): PollAnswer => {
    const day = figures(today);
    const answer = { ...pageSize(day, owed, now), state: budgetState(day) };
    if (answer.kind === 'halt') halt(today, now, 'budget');
    if (answer.kind !== 'read') return answer;
    const isProbe = today.probe !== null;
    if (isProbe) Object.assign(today, { probe: 'under_way', probeUntil: new Date(now + PROBE_MS) });
    const worst = readCost(answer.size, answer.size);
    today.reservedMicros += worst;
    return { ...answer, reservation: { day: today.day, worst, isProbe, feed: 'mentions' } };
  });
}

/**
 * Notes what a call has cost. @param outcome `well` ends a half-open state; `credits` (X has no more credit for us) halts the day; `failed`
 * lets a later poll try; `unread` is a look of a feed of which nothing came: all of one outage are booked as one page
 */
export function settleReservation(
  ctx: Ctx,
  { day, worst, isProbe, feed, author }: Reservation,
  cost: bigint,
  outcome: 'well' | 'failed' | 'credits' | 'unread',
): Promise<void> {
  return inTurn(ctx, { day }, ({ now, today, days, charges }) => {
    const row = days.get(day);
    if (row) {
      row.reservedMicros -= worst;
      row.spentMicros += outcome === 'unread' ? 0n : cost;
      row.requests += 1;
      if (feed) bookOutage(row, feed, outcome, outcome === 'unread' ? worst : cost);
      if (author !== undefined && cost > 0n) charges.push({ day, author, cost });
      if (isProbe) Object.assign(row, { probe: outcome === 'well' ? null : 'wanted', probeUntil: null });
    }
    if (outcome === 'credits') halt(today, now, 'credits');
  });
}

function bookOutage(row: Row<'XBudgetDay'>, feed: XFeed, outcome: string, cost: bigint): void {
  const column = feed === 'mentions' ? 'unreadMicros' : 'unreadDmMicros';
  if (outcome === 'unread') {
    const more = unreadCost(row[column], cost);
    row.spentMicros += more;
    row[column] += more;
  }
  if (outcome === 'well') {
    row.spentMicros -= givenBack(row[column], cost);
    row[column] = 0n;
  }
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
export async function budgetToday(ctx: ReadCtx): Promise<BudgetView> {
  const day = utcDay(ctx.clock.now());
  const row = await ctx.db.xBudgetDay.findUnique({ where: { day } });
  if (row) return view(row);
  const nothing = { spentMicros: 0n, reservedMicros: 0n, unreadMicros: 0n, unreadDmMicros: 0n, requests: 0 };
  const reading = { halted: null, haltedAt: null, haltedBudgetMicros: null, probe: null, probeUntil: null };
  return view({ day, budgetMicros: budgetOf(ctx), ...nothing, ...reading });
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

/** What a day may cost, as this process is configured. */
export function budgetOf(ctx: ReadCtx): bigint {
  return BigInt(Math.round(ctx.env.X_DAILY_BUDGET_USD * 1_000_000));
}

export function figures(row: Row<'XBudgetDay'>): BudgetDay {
  return {
    budget: row.budgetMicros,
    spent: row.spentMicros,
    reserved: row.reservedMicros,
    halted: row.halted as Halt | null,
    haltedBudget: row.haltedBudgetMicros ?? row.budgetMicros,
    probe: row.probe as BudgetDay['probe'],
    probeUntil: row.probeUntil?.getTime() ?? 0,
  };
}

/** Serialises everything about a day until the transaction ends. */
export function lockDay(tx: Tx, day: string): Promise<void> {
  return lockKey(tx, `x budget ${day}`);
}

/** The row of today. The first call of a day after a halted one finds that one poll has to go first. */
async function openToday(tx: Tx, day: string): Promise<Row<'XBudgetDay'>> {
  const known = await tx.xBudgetDay.findUnique({ where: { day } });
  if (known) return known;
  await tx.xAuthorDay.deleteMany({ where: { day: { lt: utcDay(Date.parse(day) - AUTHORS_KEPT_MS) } } });
  const before = await tx.xBudgetDay.findFirst({ where: { day: { lt: day } }, orderBy: { day: 'desc' } });
  const probe = before !== null && (before.halted !== null || before.probe !== null) ? 'wanted' : null;
  return tx.xBudgetDay.create({ data: { day, probe } });
}

const AUTHORS_KEPT_MS = 7 * 24 * 3_600_000;

function halt(row: Row<'XBudgetDay'>, now: number, reason: Halt): void {
  // Credit has to be bought, whatever else halts the day.
  if (row.halted === null || reason === 'credits') row.halted = reason;
  row.haltedAt ??= new Date(now);
  row.haltedBudgetMicros = row.budgetMicros;
}

/** Reading goes on. Whether there is credit again, one look finds out first. */
export function endHalt(row: Row<'XBudgetDay'>): void {
  if (row.halted === 'credits') row.probe = 'wanted';
  Object.assign(row, { halted: null, haltedAt: null, haltedBudgetMicros: null });
}

/** Puts on record who ended a halt, and at which figures. */
export async function noteResume(ctx: Ctx, tx: Tx, row: Row<'XBudgetDay'>, by: string): Promise<void> {
  const { day, halted, spentMicros, budgetMicros } = row;
  const detail: Json = { by, halted, spent_micros: String(spentMicros), budget_micros: String(budgetMicros) };
  const what = { resource: 'x_budget', resourceId: day, action: 'resume' };
  const at = new Date(ctx.clock.now());
  await tx.transition.create({ data: { ...what, fromStatus: 'halted', toStatus: 'read', at, detail } });
  ctx.log.warn({ day, halted, by }, 'X is read again');
}

async function usedBy(tx: Tx, day: string, authors: string[]): Promise<Map<string, bigint>> {
  if (authors.length === 0) return new Map();
  const rows = await tx.xAuthorDay.findMany({ where: { day, authorId: { in: authors } } });
  return new Map(rows.map((row) => [row.authorId, row.spentMicros]));
}

async function chargeAuthors(tx: Tx, charges: Turn['charges']): Promise<void> {
  if (charges.length === 0) return;
  await tx.$executeRaw`
    insert into x_author_day as known (day, author_id, spent_micros)
      select day, author, sum(cost) from jsonb_to_recordset(${sqlRows(charges)}) as c(day text, author text, cost bigint)
      group by day, author order by day, author
    on conflict (day, author_id) do update set spent_micros = known.spent_micros + excluded.spent_micros`;
}

/** Answers that are still to be posted to ingested messages, of all accounts: each of them keeps its price. */
export async function answersOwed(tx: Tx): Promise<number> {
  const owed = await answersOwedTo(tx);
  return [...owed.values()].reduce((sum, count) => sum + count, 0);
}

/** The same by the id of whom they are owed to. */
export async function answersOwedTo(tx: Tx): Promise<Map<string, number>> {
  const unsaid = sqlPart`coalesce(r.said, '') not like 'receipt%'`;
  const rows = await tx.$queryRaw<{ author: string; owed: number }[]>`
    select author, count(*)::int as owed from (
      select coalesce(payload -> 'message' -> 'sender' ->> 'id', payload -> 'button' ->> 'userId', '') as author
        from inbox where platform = 'x' and status = 'received'
      union all select coalesce(i.sender_id, r.data ->> 'userId', '')
        from reply r left join intent i on i.id = r.data ->> 'intentId' where r.platform = 'x' and r.open
      union all select i.sender_id from intent i left join reply r on r.key = 'intent:' || i.id
        where i.platform = 'x' and i.status in ('accepted', 'awaiting_confirmation', 'routed')
          and not coalesce(r.open, false) and ${unsaid}
    ) as owed group by author`;
  return new Map(rows.map((row) => [row.author, row.owed]));
}
