// The largest thing on the page: how much, how it stands, and in one sentence what that means.
import { exactTime, padAmount } from '../format.ts';
import { Pill } from '../ui/Pill.tsx';
import { useNow } from '../ui/TimeAgo.tsx';
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
    Number(order.amount_received) > 0 ? ` ${padAmount(order.amount_received)} ${order.currency} arrived.` : '';
  switch (order.status) {
    case 'awaiting_payment':
      return Date.parse(order.expires_at) <= now
        ? `It could be paid until ${end}. Whether something arrived in time is looked at once more.`
        : `Can be paid until ${end}.${part}`;
    case 'processing':
      return 'The payment is on its way and waits to be final.';
    case 'completed':
      return order.completed_at ? `Final since ${exactTime(Date.parse(order.completed_at))}.` : 'Final.';
    case 'expired':
      return `Nobody paid until ${end}.${part}`;
    case 'cancelled':
      return `It cannot be paid any more.${part}`;
  }
}
