// The state of a tab, in words for its reader.
import type { EscrowView } from '../../../../src/http/api/escrowAnswers.ts';
import type { Tone } from '../../ui/tone.ts';
import { isUnderWay } from './escrowApi.ts';

/** @param now Unix milliseconds */
export function statusOf(escrow: EscrowView, now: number): { word: string; tone: Tone } {
  switch (escrow.status) {
    case 'pending_create':
      return { word: 'Not funded', tone: 'quiet' };
    case 'claimed':
      return { word: 'Claimed', tone: 'good' };
    case 'refunded':
      return { word: 'Returned', tone: 'quiet' };
    case 'open':
      if (isUnderWay(escrow.claim?.status)) return { word: 'Being claimed', tone: 'busy' };
      if (isUnderWay(escrow.refund?.status)) return { word: 'Returning', tone: 'busy' };
      return isOver(escrow, now) ? { word: 'Expired', tone: 'bad' } : { word: 'Waiting', tone: 'busy' };
  }
}

export function isOver({ deadline, refundable }: EscrowView, now: number): boolean {
  return refundable === 'now' || deadline * 1_000 <= now;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Days are rounded down after this much grace, so that a tab of seven days begins with seven. */
const GRACE_MS = HOUR_MS;

/** `6 days left`, `5 hours left`, `12 minutes left`; rounded down, so that it never shows too much time. */
export function timeLeft(deadline: number, now: number): string {
  const left = deadline * 1_000 - now;
  if (left < MINUTE_MS) return left <= 0 ? 'Expired' : 'Less than a minute left';
  const [count, unit] =
    left >= 2 * DAY_MS
      ? [(left + GRACE_MS) / DAY_MS, 'day']
      : left >= 2 * HOUR_MS
        ? [left / HOUR_MS, 'hour']
        : [left / MINUTE_MS, 'minute'];
  const whole = Math.floor(count);
  return `${whole} ${unit}${whole === 1 ? '' : 's'} left`;
}
