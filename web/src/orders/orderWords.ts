// What became of an order, in words for its merchant.
import type { Tone } from '../ui/tone.ts';
import type { Order, TimelineEntry } from './ordersApi.ts';

type Shown = Pick<Order, 'status' | 'expires_at' | 'amount' | 'amount_refunded'>;

/** @param now Unix milliseconds */
export function statusOf(order: Shown, now: number): { word: string; tone: Tone } {
  switch (order.status) {
    case 'awaiting_payment':
      return Date.parse(order.expires_at) <= now
        ? { word: 'Time is up', tone: 'quiet' }
        : { word: 'Waiting', tone: 'busy' };
    case 'processing':
      return { word: 'Confirming', tone: 'busy' };
    case 'completed':
      if (order.amount_refunded === order.amount) return { word: 'Refunded', tone: 'quiet' };
      return { word: Number(order.amount_refunded) > 0 ? 'Paid, part refunded' : 'Paid', tone: 'good' };
    case 'expired':
      return { word: 'Expired', tone: 'quiet' };
    case 'cancelled':
      return { word: 'Cancelled', tone: 'quiet' };
  }
}

/** The statuses as a filter names them. */
export const STATUS_CHOICES = [
  ['completed', 'Paid'],
  ['awaiting_payment', 'Waiting'],
  ['processing', 'Confirming'],
  ['expired', 'Expired'],
  ['cancelled', 'Cancelled'],
  ['attention', 'To be looked at'],
] as const;

export const ORIGIN_WORDS: Record<Order['origin'], string> = {
  api: 'by API',
  dashboard: 'here',
  link: 'from a link',
  chat: 'in a chat',
};

/** One line of the time line. What the service tells by another name is shown by that. */
export function entryWords({ kind, amount }: TimelineEntry): string {
  switch (kind) {
    case 'created':
      return 'Order made';
    case 'address_shown':
      return 'The buyer asked for an address to send to';
    case 'submitted':
      return 'Payment sent by Ampersat for its payer';
    case 'failed':
      return 'That payment did not get through';
    case 'released':
      return 'Open again';
    case 'paid':
      return `${amount ?? 'The amount'} arrived`;
    case 'deposit':
      return `${amount ?? 'Something'} arrived at its address`;
    case 'accepted':
      return `${amount ?? 'It'} taken from its address`;
    case 'returned':
      return `${amount ?? 'It'} sent back from its address`;
    case 'unmatched':
      return `${amount ?? 'Something'} arrived that does not count`;
    case 'refunded':
      return `${amount ?? 'It'} refunded`;
    case 'completed':
      return 'Paid';
    case 'expired':
      return 'Expired';
    case 'cancelled':
      return 'Cancelled';
    default:
      return kind;
  }
}
