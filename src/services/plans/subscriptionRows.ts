// What the fold of a subscription’s events writes into its row.
import { decimalOf } from '../../db.ts';
import type { Folded, Step } from '../../domain/subscriptionLog.ts';
import type { Plan, Subscription } from './views.ts';

export type Pair = { planKey: string; subscriber: string };
/** Of one pair: its folded subscriptions with the rows that they belong to, and the steps that are new. */
export type Fold = { plan: Plan; pair: Pair; subscriptions: Folded[]; rows: (Subscription | null)[]; steps: Step[] };

/** What a charge ends of the failure before it. */
export const PAID = { failure: null, failingSince: null, failureNotices: 0, nextTryAt: null } as const;

export function columnsOf(folded: Folded) {
  const { lastChargedAt, nextChargeAt, chargesPaid, endedAt, endedBy, haltReason, endTxHash, block, logIndex } = folded;
  const money = { paidUnits: decimalOf(folded.paidUnits), feeUnits: decimalOf(folded.feeUnits) };
  const end = { endedAt, endedBy, haltReason, endTxHash };
  return { lastChargedAt, nextChargeAt, chargesPaid, ...money, ...end, block, logIndex };
}
