// What a link asks for, in a few words.
import { padAmount } from '../../app/format.ts';
import type { PaymentLink } from './linksApi.ts';

export function asksFor({ amount, currency, min_amount, max_amount }: PaymentLink): string {
  if (amount !== null) return `${padAmount(amount)} ${currency}`;
  if (min_amount !== null && max_amount !== null)
    return `${padAmount(min_amount)} to ${padAmount(max_amount)} ${currency}`;
  if (min_amount !== null) return `From ${padAmount(min_amount)} ${currency}`;
  if (max_amount !== null) return `Up to ${padAmount(max_amount)} ${currency}`;
  return `Any amount in ${currency}`;
}

export function broughtIn({ totals: { paid, paid_amount }, currency }: PaymentLink): string {
  if (paid === 0) return 'No payments yet';
  return `${paid === 1 ? '1 payment' : `${paid.toLocaleString()} payments`}, ${padAmount(paid_amount)} ${currency}`;
}
