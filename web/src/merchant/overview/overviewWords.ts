// What the reasons and changes of the overview are called.
import type { Overview } from './overviewApi.ts';

export const EXPIRED_WORDS: Record<Overview['expired'][number]['reason'], string> = {
  part_paid: 'Only part of the amount arrived',
  payment_failed: 'A payment failed',
  opened: 'Opened, but not paid',
  not_opened: 'Checkout never opened',
  unrecorded: 'Created before openings were recorded',
};

export const FAILURE_WORDS: Record<Overview['failed_payments'][number]['reason'], string> = {
  network_rejected: 'Rejected by the network',
  balance_too_low: 'The buyer’s balance was too low',
  signature_expired: 'The signature expired',
  signature_used: 'The signature was already used',
  refused: 'Refused before it was sent',
};

/** @param change in tenths of a percent */
export function changeWords(change: number | null): string | null {
  if (change === null) return null;
  const percent = (Math.abs(change) / 10).toLocaleString(undefined, {
    maximumFractionDigits: change % 10 === 0 ? 0 : 1,
  });
  return `${change > 0 ? '+' : change < 0 ? '−' : ''}${percent} %`;
}

/** @param share in hundredths of a percent */
export function shareWords(share: number | null): string {
  return share === null ? '–' : `${(share / 100).toLocaleString(undefined, { maximumFractionDigits: 1 })} %`;
}
