// Orders as people read them in a terminal: a row of a table, and all facts of one.
import type { Ampersat, Order } from '../../sdk/index.ts';
import { idFlag } from './flags.ts';
import type { Paint, Shell } from './shell.ts';
import { shopFacts } from './shopFlags.ts';
import { wholeId } from './shortIds.ts';
import { type Column, facts, localTime } from './tables.ts';

const TONES = {
  awaiting_payment: 'yellow',
  processing: 'cyan',
  completed: 'green',
  expired: 'dim',
  cancelled: 'dim',
} as const;

export const ORDER_COLUMNS: Column<Order>[] = [
  { title: 'order', cell: ({ id }) => id, isId: true },
  { title: 'status', cell: statusOf, tone: ({ status }) => TONES[status] },
  { title: 'amount', cell: ({ amount, currency }) => `${amount} ${currency}` },
  { title: 'network', cell: ({ chain }) => chain },
  { title: 'created', cell: ({ created_at }) => localTime(created_at) },
  { title: 'description', cell: ({ description }) => description ?? '' },
];

function statusOf({ status, amount, amount_refunded: refunded }: Order): string {
  if (isZero(refunded)) return status;
  return `${status} (${refunded === amount ? 'refunded' : 'partly refunded'})`;
}

export const ORDER_ARGUMENT = ['<order>', 'Order ID (ord_…)', idFlag] as const;

export function wholeOrder({ signal }: Shell, { orders }: Ampersat, id: string): Promise<string> {
  return wholeId(id, () => orders.all({}, { signal }));
}

export function orderWords(order: Order, paint: Paint): string {
  const isOpen = order.status === 'awaiting_payment';
  return facts(
    [
      ['order', order.id],
      ['status', order.status],
      ['amount', `${order.amount} ${order.currency} on ${order.chain}`],
      ['recipient', `${order.recipient} (${order.recipient_address})`],
      ['description', order.description],
      ...shopFacts(order),
      ['metadata', metadataWords(order.metadata)],
      ['payment link', order.payment_link],
      ['received', isZero(order.amount_received) ? null : `${order.amount_received} ${order.currency}`],
      ['refunded', isZero(order.amount_refunded) ? null : `${order.amount_refunded} ${order.currency}`],
      ['transaction', order.txHash],
      ['payer', order.payer],
      ['created', localTime(order.created_at)],
      ['expires', isOpen ? localTime(order.expires_at) : null],
      ['completed', order.completed_at && localTime(order.completed_at)],
      ['pay at', isOpen ? order.checkout_url : null],
    ],
    paint,
  );
}

/** @returns null where there is none */
export function metadataWords(metadata: Record<string, string>): string | null {
  const pairs = Object.entries(metadata).map(([key, value]) => `${key}=${value}`);
  return pairs.length === 0 ? null : pairs.join(', ');
}

function isZero(amount: string): boolean {
  return /^[0.]+$/.test(amount);
}
