// Plans in words.

import { formatUnits, parseUnits } from '../../../../src/domain/money.ts';
import { planFee } from '../../../../src/domain/subscription.ts';
import type { Tone } from '../../ui/tone.ts';
import type { PlanView } from './plansApi.ts';

const DAY_S = 86_400;
/** What the form offers, in seconds. */
export const PERIODS: readonly (readonly [seconds: number, label: string])[] = [
  [DAY_S, 'Every day'],
  [7 * DAY_S, 'Every week'],
  [30 * DAY_S, 'Every month (30 days)'],
  [91 * DAY_S, 'Every quarter (91 days)'],
  [365 * DAY_S, 'Every year (365 days)'],
];

export const STATUSES: Record<PlanView['status'], { tone: Tone; word: string }> = {
  pending_create: { tone: 'busy', word: 'Not created yet' },
  active: { tone: 'good', word: 'Active' },
  inactive: { tone: 'quiet', word: 'Inactive' },
};

const DECIMALS = 6;

/** What of a charge is the fee, and what the creator gets; null for what is no amount. */
export function shares(amount: string): { fee: string; youGet: string } | null {
  const units = parseUnits(amount, DECIMALS);
  if (units === null) return null;
  const fee = planFee(units);
  return { fee: formatUnits(fee, DECIMALS), youGet: formatUnits(units - fee, DECIMALS) };
}
