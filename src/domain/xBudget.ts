// What calls of X cost and what a UTC day's budget allows: prices, states and admissions, decided from figures alone. Micro-USD throughout.

/** As X publishes them for pay-per-use: reads for each thing in the answer, writes for each call. */
export const X_PRICES = {
  readPost: 5_000n,
  readUser: 10_000n,
  readDirectMessage: 10_000n,
  createPost: 15_000n,
  createPostWithLink: 200_000n,
  sendDirectMessage: 15_000n,
} as const;

/** What reading one mention can cost to its end: the post, its author, and the answer. */
export const MENTION_COST = X_PRICES.readPost + X_PRICES.readUser + X_PRICES.createPost;
export const LEAST_PAGE = 5;
export const MOST_PAGE = 100;
export const WARM_PERCENT = 80n;
/** What lies above is kept for receipts of tips that were accepted before. */
export const OPEN_PERCENT = 95n;
/** A poll after a halted day that never ended is tried again after this. */
export const PROBE_MS = 60_000;
/** What one author may use of a day's budget: the reads of their posts and the answers to them. */
const SHARE_PERCENT = 5n;
/** What the answer to one command can cost: a post, and a direct message with what is private. */
export const ANSWER_COST = X_PRICES.createPost + X_PRICES.sendDirectMessage;

/** `half_open` lets one poll through, which decides. */
export type BudgetState = 'closed' | 'warm' | 'open' | 'half_open';
export type Halt = 'budget' | 'credits';
/** A day as its row has it. `probe` is set after a day that ended halted, until one poll succeeded. */
export type BudgetDay = {
  budget: bigint;
  spent: bigint;
  reserved: bigint;
  halted: Halt | null;
  /** The budget at which the day halted. */
  haltedBudget: bigint;
  probe: 'wanted' | 'under_way' | null;
  /** Unix milliseconds. */
  probeUntil: number;
};

export function budgetState(day: BudgetDay): BudgetState {
  if (day.halted !== null) return 'open';
  if (isAtLeast(day, OPEN_PERCENT)) return 'open';
  if (day.probe !== null) return 'half_open';
  return isAtLeast(day, WARM_PERCENT) ? 'warm' : 'closed';
}

function isAtLeast({ spent, budget }: BudgetDay, percent: bigint): boolean {
  return spent * 100n >= budget * percent;
}

/**
 * Whether a call whose worst case costs `worst` may be made; {@link pageSize} decides about reading mentions.
 * @param purpose `owed` answers an ingested message; `courtesy` can be left out (errors, links, a lookup of an account)
 */
export function mayCall(day: BudgetDay, purpose: 'owed' | 'courtesy', worst: bigint): boolean {
  const after = day.spent + day.reserved + worst;
  if (purpose === 'owed') return after <= day.budget;
  return budgetState(day) === 'closed' && after * 100n <= day.budget * WARM_PERCENT;
}

export type PageAnswer =
  | { kind: 'read'; size: number }
  /** Another poll is running, or calls under way hold what is left: try again shortly. */
  | { kind: 'wait' }
  /** Nothing more is read today. */
  | { kind: 'halt' };

/**
 * How many mentions may be read now, so that every one of them, and every answer that is owed already, can still be paid.
 * @param owed answers to messages that were ingested before
 */
export function pageSize(day: BudgetDay, owed: number, now: number): PageAnswer {
  const state = budgetState(day);
  if (state === 'open') return { kind: 'halt' };
  if (day.probe === 'under_way' && day.probeUntil > now) return { kind: 'wait' };
  const left = (day.budget * OPEN_PERCENT) / 100n - day.spent - BigInt(owed) * X_PRICES.createPost;
  const most = Number((left - day.reserved) / MENTION_COST);
  if (most >= LEAST_PAGE) return { kind: 'read', size: Math.min(most, MOST_PAGE) };
  return left / MENTION_COST >= BigInt(LEAST_PAGE) ? { kind: 'wait' } : { kind: 'halt' };
}

/** Whether reading can go on after a halt: mentions can be read and answered beside what is owed. */
export function hasRoom(day: BudgetDay, owed: number, now: number): boolean {
  return pageSize({ ...day, halted: null, probe: null }, owed, now).kind !== 'halt';
}

/** A halt of the budget ends by itself once the budget was raised and has room again. A lack of credit ends when an operator bought and entered it. */
export function endsByItself(day: BudgetDay, owed: number, now: number): boolean {
  return day.halted === 'budget' && day.budget > day.haltedBudget && hasRoom(day, owed, now);
}

/** The least budget of a day with which it has room again, in whole cents. */
export function budgetForRoom({ spent }: Pick<BudgetDay, 'spent'>, owed: number): bigint {
  const needed = spent + BigInt(owed) * X_PRICES.createPost + BigInt(LEAST_PAGE) * MENTION_COST;
  const cent = 10_000n;
  return (((needed * 100n) / OPEN_PERCENT + cent) / cent) * cent;
}

/** What one author may use of a day: however small the budget is, one command and its answer. */
export function authorShareOf(budget: bigint): bigint {
  const share = (budget * SHARE_PERCENT) / 100n;
  const least = readCost(1, 1) + ANSWER_COST;
  return share > least ? share : least;
}

/**
 * Whether a post of an author is worked on: with the answers that the author is still owed, and the answer to this one, it stays within their share.
 * @param used what the author has cost today, this post included
 */
export function isWithinShare(budget: bigint, used: bigint, owed: number): boolean {
  return used + BigInt(owed) * X_PRICES.createPost + ANSWER_COST <= authorShareOf(budget);
}

/**
 * What a failed poll adds to the day. X charges for what it returns, and for the same post once a day: all failed polls of one
 * outage can have cost one page at most. The first poll that succeeds shows what that page was.
 * @param booked what the outage has added before
 */
export function unreadCost(booked: bigint, worst: bigint): bigint {
  return worst > booked ? worst - booked : 0n;
}

/** What is given back of an outage's booking once a poll succeeded that cost `cost`. */
export function givenBack(booked: bigint, cost: bigint): bigint {
  return booked > cost ? booked - cost : 0n;
}

const RETRY_FIRST_MS = 5_000;
const RETRY_LONGEST_MS = 60_000;

/** The pause after the nth failed look in a row (from 1): doubling, at most a minute, and less by up to half of it. @param chance from 0 to 1 */
export function retryPause(failures: number, chance: number): number {
  const longest = Math.min(RETRY_FIRST_MS * 2 ** (failures - 1), RETRY_LONGEST_MS);
  return Math.round(longest * (1 - chance / 2));
}

export function readCost(posts: number, users: number): bigint {
  return BigInt(posts) * X_PRICES.readPost + BigInt(users) * X_PRICES.readUser;
}

/** The UTC day of a moment: "2026-11-22". */
export function utcDay(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}

/** Milliseconds until 00:00 UTC. */
export function untilMidnight(now: number): number {
  const day = 24 * 3_600_000;
  return day - (now % day);
}
