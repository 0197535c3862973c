// The largest thing on the page: the amount, its status, and in one sentence what that means.
import { exactTime, padAmount } from '../../app/format.ts';
import { Pill } from '../../ui/Pill.tsx';
import { useNow } from '../../ui/TimeAgo.tsx';
import type { OrderDetail } from './ordersApi.ts';
import { statusOf } from './orderWords.ts';

export function OrderHead({ order }: { order: OrderDetail }) {
  const now = useNow();
  const { word, tone } = statusOf(order, now);
  return (
    <header className="flex flex-col items-start gap-2">
      <h2 className="text-2xl font-semibold tracking-tight amount">
        {padAmount(order.amount)} <span className="text-lg font-medium text-muted">{order.currency}</span>
      </h2>
      {order.description && <p className="text-lg break-words">{order.description}</p>}
      <p role="status" className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Pill tone={tone}>{word}</Pill>
        <span className="text-sm text-muted">{sentenceOf(order, now)}</span>
      </p>
    </header>
  );
}

function sentenceOf(order: OrderDetail, now: number): string {
  const end = exactTime(Date.parse(order.expires_at));
  const part =
    Number(order.amount_received) > 0 ? ` ${padAmount(order.amount_received)} ${order.currency} received.` : '';
  switch (order.status) {
    case 'awaiting_payment':
      if (order.bridging)
        return `A payment is on its way over a bridge.${part} Wait until it has arrived or come back.`;
      return Date.parse(order.expires_at) <= now
        ? `Payment was due by ${end}. Checking for a last-minute payment.`
        : `Expires ${end}.${part}`;
    case 'processing':
      return 'Payment submitted. Waiting for confirmations.';
    case 'completed':
      return order.completed_at ? `Paid ${exactTime(Date.parse(order.completed_at))}.` : 'Paid.';
    case 'expired':
      return `Expired ${end}.${part}`;
    case 'cancelled':
      return `It can no longer be paid.${part}`;
  }
}
