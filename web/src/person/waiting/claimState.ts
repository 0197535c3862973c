// The state of the claim of one tab: not requested, requested and paid later, or in progress.

import type { EscrowView } from '../../../../src/http/api/escrowAnswers.ts';

type Claimed = Pick<EscrowView, 'status' | 'claim'>;

/** A claim was requested and has not failed; it may be held until a later day. */
export function isAskedFor({ status, claim }: Claimed): boolean {
  return status === 'open' && claim !== null && claim.status !== 'failed';
}

/** Asked for, and paid by itself on a later day, because a name can change hands. @param now Unix milliseconds */
export function isHeld(escrow: Claimed, now: number): boolean {
  const until = escrow.claim?.held_until;
  return isAskedFor(escrow) && Boolean(until && Date.parse(until) > now);
}

/** Its claim is under way and ends within seconds. */
export function isBeingPaid(escrow: Claimed, now: number): boolean {
  return isAskedFor(escrow) && !isHeld(escrow, now);
}
