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

/** `half_open` lets one poll through, which decides. */
export type BudgetState = 'closed' | 'warm' | 'open' | 'half_open';
export type Halt = 'budget' | 'credits';
/** A day as its row has it. `probe` is set after a day that ended halted, until one poll went well. */
export type BudgetDay = {
  budget: bigint;
  spent: bigint;
  reserved: bigint;
  halted: Halt | null;
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
 * Whether a call whose worst case costs `worst` may be made; reading mentions is asked by {@link pageSize}.
 * @param purpose `owed` answers something that was taken in; `courtesy` can be left out (errors, links, looking somebody up)
 */
export function mayCall(day: BudgetDay, purpose: 'owed' | 'courtesy', worst: bigint): boolean {
  const after = day.spent + day.reserved + worst;
  if (purpose === 'owed') return after <= day.budget;
  return budgetState(day) === 'closed' && after * 100n <= day.budget * WARM_PERCENT;
}

export type PageAnswer =
  | { kind: 'read'; size: number }
  /** Somebody else is asking, or calls under way hold what is left: ask again shortly. */
  | { kind: 'wait' }
  /** Nothing more is read today. */
  | { kind: 'halt' };

/**
 * How many mentions may be read now, so that every one of them, and every answer that is owed already, can still be paid.
 * @param owed answers to what was taken in before
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
