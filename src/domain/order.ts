// An order's life and its figures: what leads from where to where, what it may cost, and what of that is the fee.
import type { Lifecycle } from './lifecycle.ts';
import { divideHalfUp } from './money.ts';

export type OrderStatus = 'awaiting_payment' | 'processing' | 'completed' | 'expired' | 'cancelled';
export type OrderAction = 'submit' | 'settle' | 'release' | 'lapse' | 'expire' | 'cancel';

/**
 * The interface's table. `release` and `lapse` are for a payment that we sent and that reverted or was replaced: the order can be paid again, or
 * its time is over. A payment that its payer sent passes `submit` and `settle` in one transaction. Nothing leads out of `completed`.
 */
export const ORDER: Lifecycle<OrderStatus, OrderAction> = {
  awaiting_payment: { submit: 'processing', expire: 'expired', cancel: 'cancelled' },
  processing: { settle: 'completed', release: 'awaiting_payment', lapse: 'expired' },
  completed: {},
  expired: {},
  cancelled: {},
};

export type SubmissionStatus = 'queued' | 'submitted' | 'settled' | 'failed';
export type SubmissionAction = 'submit' | 'settle' | 'fail';

/** The statuses of a payment that is still being sent. */
export const SUBMISSION_OPEN: readonly SubmissionStatus[] = ['queued', 'submitted'];

/** A payment that we send for its payer. A reorg that takes its block back lets it go on where it was: it is settled in final blocks only. */
export const ORDER_SUBMISSION: Lifecycle<SubmissionStatus, SubmissionAction> = {
  queued: { submit: 'submitted', fail: 'failed' },
  submitted: { settle: 'settled', fail: 'failed' },
  settled: {},
  failed: {},
};

/** Seconds, as `expires_in` takes them. */
export const EXPIRES_IN = { least: 60, most: 2_592_000, usual: 3_600 } as const;
/** What an order or a link may ask for where nothing else is configured, in micro-USD. */
export const ORDER_VALUE = { least: 10_000n, most: 1_000_000_000_000n } as const;
/** So many seconds after an order’s deadline Solana’s program keeps its account. */
export const ORDER_KEPT_SECONDS = 90n * 86_400n;
export const METADATA = { keys: 50, keyLength: 40, valueLength: 500 } as const;
/** Of 10,000: what the business router takes from the payout (IBusinessRouter). */
const BUSINESS_BASIS_POINTS = 100n;

/** The part of an order's units that goes to the treasury. Nothing on the payment router. */
export function orderFee(router: 'payment' | 'business', units: bigint): bigint {
  return router === 'business' ? divideHalfUp(units * BUSINESS_BASIS_POINTS, 10_000n) : 0n;
}
