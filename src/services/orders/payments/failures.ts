// Why payments that we send for their payers fail: the sentences that payers read, and the reason behind each for the figures of a workspace.
export const EXPIRED = 'The signature expired before the payment was sent. You haven’t been charged. Pay again.';
export const PAID_OTHERWISE = 'The order was paid by another payment. This one wasn’t charged.';
export const REFUSED = 'The network rejected this payment. You haven’t been charged. Pay again.';
export const USED = 'This signature was already used or revoked. Please start again.';
/** How the sentence begins that names both amounts. */
export const BALANCE_TOO_LOW = 'Your balance on';

export const FAILURE_REASONS = [
  'network_rejected',
  'balance_too_low',
  'signature_expired',
  'signature_used',
  'refused',
] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

/** @returns null where the order was paid all the same: nothing was lost */
export function failureReason(failure: string | null): FailureReason | null {
  if (failure === PAID_OTHERWISE) return null;
  if (failure === REFUSED) return 'network_rejected';
  if (failure === EXPIRED) return 'signature_expired';
  if (failure === USED) return 'signature_used';
  return failure?.startsWith(BALANCE_TOO_LOW) ? 'balance_too_low' : 'refused';
}
