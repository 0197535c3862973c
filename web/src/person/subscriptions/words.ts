// Subscriptions in words.
import { dayName, padAmount } from '../../app/format.ts';
import { everyWords } from '../../app/spans.ts';
import type { Tone } from '../../ui/tone.ts';
import type { SubscriptionView } from './subscriptionsApi.ts';

export const FAILURES: Record<NonNullable<SubscriptionView['failing']>['code'], string> = {
  insufficient_balance: 'Not enough USDC in the wallet',
  insufficient_allowance: 'The allowance is used up',
  plan_inactive: 'The plan is paused',
  token_refused: 'USDC refused the transfer',
  not_mined: 'The transaction wasn’t mined; it is sent again',
};

export function priceWords({ amount, currency, period }: { amount: string; currency: string; period: number }): string {
  return `${padAmount(amount)} ${currency} ${everyWords(period)}`;
}

export function statusOf({ status, failing }: SubscriptionView): { tone: Tone; word: string } {
  if (status === 'active') return failing ? { tone: 'bad', word: 'Payment failing' } : { tone: 'good', word: 'Active' };
  return { tone: 'quiet', word: status === 'cancelled' ? 'Cancelled' : 'Halted' };
}

/** What comes next, or how it ended, in one sentence. */
export function stateWords(sub: SubscriptionView): string {
  if (sub.failing) return `${FAILURES[sub.failing.code]}.`;
  if (sub.next_charge_at !== null) return `Next charge ${dayName(Date.parse(sub.next_charge_at))}`;
  const day = sub.ended_at === null ? '' : ` ${dayName(Date.parse(sub.ended_at))}`;
  if (sub.status === 'cancelled') return `Cancelled by the ${sub.cancelled_by ?? 'subscriber'}${day}`;
  return sub.reason === 'lapsed'
    ? `Lapsed${day}: not charged for three periods`
    : `Halted${day}: it couldn’t be charged`;
}
