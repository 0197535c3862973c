// Plans and subscriptions: their lifecycles, and what happens to a subscription whose charge fails.
import type { Lifecycle } from './lifecycle.ts';
import { divideHalfUp } from './money.ts';

/** `dropped` is a staged plan that was never created: it is not shown, and the chain may still show it. */
export type PlanStatus = 'pending_create' | 'active' | 'inactive' | 'dropped';
export type PlanAction = 'confirm' | 'drop' | 'deactivate' | 'reactivate' | 'unconfirm';

/** `unconfirm` is only for a chain that reverted final blocks. */
export const PLAN: Lifecycle<PlanStatus, PlanAction> = {
  pending_create: { confirm: 'active', drop: 'dropped' },
  active: { deactivate: 'inactive', unconfirm: 'pending_create' },
  inactive: { reactivate: 'active', unconfirm: 'pending_create' },
  dropped: { confirm: 'active' },
};

/** `reverted` is a subscription whose start the chain took back: it is not shown. */
export type SubscriptionStatus = 'active' | 'cancelled' | 'halted' | 'reverted';
export type SubscriptionAction = 'charge' | 'cancel' | 'halt' | 'reopen' | 'revert' | 'restore';

/** What was halted can be cancelled, too. `reopen`, `revert` and `restore` are only for a chain that reverted final blocks. */
export const SUBSCRIPTION: Lifecycle<SubscriptionStatus, SubscriptionAction> = {
  active: { charge: 'active', cancel: 'cancelled', halt: 'halted', revert: 'reverted' },
  cancelled: { reopen: 'active', revert: 'reverted' },
  halted: { cancel: 'cancelled', reopen: 'active', revert: 'reverted' },
  reverted: { restore: 'active' },
};

/** A trial holds a signed call until its end: then it becomes a subscription, or fails. */
export type TrialStatus = 'waiting' | 'submitted' | 'started' | 'left' | 'failed';
export type TrialAction = 'submit' | 'start' | 'leave' | 'fail' | 'retry';
export const TRIAL: Lifecycle<TrialStatus, TrialAction> = {
  waiting: { submit: 'submitted', leave: 'left', fail: 'failed' },
  submitted: { start: 'started', fail: 'failed', retry: 'waiting' },
  started: {},
  left: {},
  failed: {},
};

const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;
const DAY_MS = DAY_S * 1_000;

/** What the router takes, in seconds. */
export const PERIOD_S = { least: HOUR_S, most: 366 * DAY_S } as const;
export const TRIAL_DAYS = { least: 0, most: 90 } as const;
/** The signature of a trial is good for so long after its end. */
export const TRIAL_GRACE_MS = 3 * DAY_MS;
/** A staged plan that was not created within this time is dropped. */
export const PLAN_STAGED_FOR_MS = DAY_MS;
/** A subscription that stayed unpaid for so many periods reads as halted at the router. */
export const LAPSES_AFTER_PERIODS = 3;
/** Periods that a permit covers when the subscriber picks none. */
export const ALLOWANCE_PERIODS = { least: 1, usual: 12, most: 120 } as const;
/** The subscriber is notified when the allowance covers fewer periods than this. */
export const LOW_ALLOWANCE_PERIODS = 2;

/** When the router reads an unpaid subscription as halted. Unix milliseconds. */
export function lapsesAt(nextChargeAt: Date, periodS: number): number {
  return nextChargeAt.getTime() + LAPSES_AFTER_PERIODS * periodS * 1_000;
}

/** Of 10,000: what the subscription router takes from the creator's side (chain/routers/code). */
const FEE_BASIS_POINTS = 100n;

/** The part of a plan's amount that goes to the treasury. */
export function planFee(units: bigint): bigint {
  return divideHalfUp(units * FEE_BASIS_POINTS, 10_000n);
}

/** Why a due charge was not made. Only the first two are the subscriber's to cure. */
export type ChargeFailure =
  | 'insufficient_balance'
  | 'insufficient_allowance'
  | 'plan_inactive'
  | 'token_refused'
  | 'not_mined';

/** Failures after which a subscription is halted in the end. A plan that is inactive goes on when it comes back. */
const COUNTS_TOWARDS_HALT: Readonly<Record<ChargeFailure, boolean>> = {
  insufficient_balance: true,
  insufficient_allowance: true,
  plan_inactive: false,
  token_refused: false,
  not_mined: false,
};

/** Whether the subscriber can cure a failure, and is halted in the end. */
export function countsTowardsHalt(failure: ChargeFailure): boolean {
  return COUNTS_TOWARDS_HALT[failure];
}

/** Every run tries again in this time after the first failure; then once in that. */
const EAGER_MS = DAY_MS;
const RETRY_MS = DAY_MS;
const HALT_AFTER_MS = 7 * DAY_MS;

/** How long a subscription may stay unpaid. */
export function unpaidForMs(periodS: number): number {
  return Math.min(HALT_AFTER_MS, periodS * 1_000);
}

/** Notices about a failing charge, in their order: at once, on the third day, and before the end. */
export const FAILURE_NOTICES = ['first', 'third_day', 'last'] as const;
export type FailureNotice = (typeof FAILURE_NOTICES)[number];

export type Dunning = {
  failingSince: Date | null;
  /** Null for the next run. */
  nextTryAt: Date | null;
  /** How many of {@link FAILURE_NOTICES} are over. */
  notices: number;
  /** To be sent now. */
  notice: FailureNotice | null;
  halt: boolean;
};

/** What follows from a failed charge. */
export function afterFailure(
  before: { failingSince: Date | null; failureNotices: number },
  failure: ChargeFailure,
  periodS: number,
  nowMs: number,
): Dunning {
  if (!countsTowardsHalt(failure)) {
    // It ends the count: the days on which no one could have paid are not held against the subscriber.
    const wait = failure === 'not_mined' ? null : new Date(nowMs + Math.min(RETRY_MS, (periodS * 1_000) / 4));
    return { failingSince: null, nextTryAt: wait, notices: 0, notice: null, halt: false };
  }
  const failingSince = before.failingSince ?? new Date(nowMs);
  const failedForMs = nowMs - failingSince.getTime();
  const most = unpaidForMs(periodS);
  const due = noticesDue(failedForMs, most);
  const notice = due > before.failureNotices ? (FAILURE_NOTICES[due - 1] ?? null) : null;
  // The last try is at the very end, whatever the pace.
  const retryAt = Math.min(nowMs + RETRY_MS, failingSince.getTime() + most);
  const nextTryAt = failedForMs < EAGER_MS ? null : new Date(retryAt);
  return {
    failingSince,
    nextTryAt,
    notices: Math.max(due, before.failureNotices),
    notice,
    halt: failedForMs >= most,
  };
}

function noticesDue(failedForMs: number, mostMs: number): number {
  const lastAt = mostMs - Math.min(DAY_MS, mostMs / 2);
  if (failedForMs >= lastAt) return 3;
  return failedForMs >= 3 * DAY_MS ? 2 : 1;
}

/** Signed changes of plans and subscriptions that one workspace may request. */
export const MANAGED_CALLS = { points: 60, windowMs: 60_000 } as const;

const MONTH_S = 30 * DAY_S;

/** What a subscription is worth in a month of thirty days, in units of its token. */
export function monthlyUnits(units: bigint, periodS: number): bigint {
  return (units * BigInt(MONTH_S)) / BigInt(periodS);
}
