// One order in a list: how much, for what, how it stands; the whole row leads to it.
import { TriangleAlert } from 'lucide-react';
import { padAmount } from '../format.ts';
import { Link } from '../router.tsx';
import { Pill } from '../ui/Pill.tsx';
import { TimeAgo, useNow } from '../ui/TimeAgo.tsx';
import type { Order } from './ordersApi.ts';
import { statusOf } from './orderWords.ts';

export function OrderRow({ order }: { order: Order }) {
  const { word, tone } = statusOf(order, useNow());
  return (
    <li className="not-first:border-t border-line">
      <Link
        href={`/orders/${order.id}`}
        className="flex min-h-16 items-center gap-3 rounded-lg px-2 py-2 -outline-offset-2! hover:bg-paper"
      >
        <span className="min-w-0 grow">
          <span className="block truncate">
            {order.description ?? order.link_label ?? <span className="font-mono text-sm">{shortId(order.id)}</span>}
          </span>
          <span className="block truncate text-sm text-muted">
            <TimeAgo at={order.created_at} /> · {order.chain_label}
          </span>
          {order.attention && (
            <span className="flex items-center gap-1 text-sm text-amber">
              <TriangleAlert aria-hidden="true" className="size-4 shrink-0" />
              Money arrived that does not count
            </span>
          )}
        </span>
        <span className="flex shrink-0 flex-col items-end gap-0.5">
          <span className={`font-semibold amount ${isDead(order) ? 'text-muted' : ''}`}>
            {padAmount(order.amount)} {order.currency}
          </span>
          <Pill tone={tone}>{word}</Pill>
        </span>
      </Link>
    </li>
  );
}

function isDead({ status }: Order): boolean {
  return status === 'expired' || status === 'cancelled';
}

/** `ord_…x4k2p9`: the end of an id is what tells it from others. */
export function shortId(id: string): string {
  return `${id.slice(0, 4)}…${id.slice(-6)}`;
}
