// The status and the timeline of an order, in words for its merchant.
import { padAmount } from '../../app/format.ts';
import type { Tone } from '../../ui/tone.ts';
import type { Order, TimelineEntry } from './ordersApi.ts';

type Shown = Pick<Order, 'status' | 'expires_at' | 'amount' | 'amount_refunded'>;

/** @param now Unix milliseconds */
export function statusOf(order: Shown, now: number): { word: string; tone: Tone } {
  switch (order.status) {
    case 'awaiting_payment':
      return Date.parse(order.expires_at) <= now
        ? { word: 'Expiring', tone: 'quiet' }
        : { word: 'Awaiting payment', tone: 'busy' };
    case 'processing':
      return { word: 'Confirming', tone: 'busy' };
    case 'completed':
      if (order.amount_refunded === order.amount) return { word: 'Refunded', tone: 'quiet' };
      return { word: Number(order.amount_refunded) > 0 ? 'Partially refunded' : 'Paid', tone: 'good' };
    case 'expired':
      return { word: 'Expired', tone: 'quiet' };
    case 'cancelled':
      return { word: 'Cancelled', tone: 'quiet' };
  }
}

/** The statuses as the tabs name them. */
export const STATUS_CHOICES = [
  ['completed', 'Paid'],
  ['awaiting_payment', 'Awaiting payment'],
  ['processing', 'Confirming'],
  ['expired', 'Expired'],
  ['cancelled', 'Cancelled'],
  ['attention', 'Needs attention'],
] as const;

/** A status without its order: a code that this page does not know is shown as it is. */
export function statusWord(status: string): string {
  return STATUS_CHOICES.find(([value]) => value === status)?.[1] ?? status;
}

export const ORIGIN_WORDS: Record<Order['origin'], string> = {
  api: 'via API',
  dashboard: 'in the dashboard',
  link: 'from a payment link',
  chat: 'in a chat',
  page: 'on your page',
};

/** `1234.5 USDC` as people read it: `1,234.50 USDC`. */
function moneyText(money: string): string {
  const [figure = '', currency = ''] = money.split(' ');
  return `${padAmount(figure)} ${currency}`;
}

/** One line of the timeline. A kind that this page does not know is shown by its name. */
export function entryWords({ kind, amount: given }: TimelineEntry): string {
  const amount = given && moneyText(given);
  switch (kind) {
    case 'created':
      return 'Order created';
    case 'address_shown':
      return 'Deposit address shown to the buyer';
    case 'submitted':
      return 'Payment submitted';
    case 'failed':
      return 'Payment failed';
    case 'released':
      return 'Awaiting payment again';
    case 'paid':
      return `${amount ?? 'Payment'} received`;
    case 'bridging':
      return `${amount ?? 'Payment'} sent over a bridge`;
    case 'bridge_returned':
      return `${amount ?? 'Payment'} not delivered: the bridge sent it back to the buyer`;
    case 'bridge_failed':
      return `${amount ?? 'Payment'} not delivered by the bridge`;
    case 'deposit':
      return `${amount ?? 'Deposit'} received at the deposit address`;
    case 'accepted':
      return `${amount ?? 'Deposit'} moved to your wallet`;
    case 'returned':
      return `${amount ?? 'Deposit'} returned`;
    case 'unmatched':
      return `Unmatched payment${amount ? ` of ${amount}` : ''}`;
    case 'refunded':
      return `${amount ?? 'Payment'} refunded`;
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

/** Beside each button that sends money back to the sender of a plain transfer. */
export const EXCHANGE_WORDS = 'If the buyer paid from an exchange, ask them first: exchange addresses are shared.';
