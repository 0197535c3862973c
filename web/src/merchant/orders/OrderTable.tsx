// A table of orders.
import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { padAmount, shortId } from '../../app/format.ts';
import { PagedTable } from '../../ui/PagedTable.tsx';
import { Pill } from '../../ui/Pill.tsx';
import type { MenuItem } from '../../ui/RowMenu.tsx';
import type { Column } from '../../ui/Table.tsx';
import { TimeAgo, useNow } from '../../ui/TimeAgo.tsx';
import { type Filters, type Order, useOrders } from './ordersApi.ts';
import { statusOf } from './orderWords.ts';

const COLUMNS: readonly Column<Order>[] = [
  { header: 'Description', cell: (order) => <Description order={order} /> },
  { header: 'Status', width: 'w-40', wide: true, cell: (order) => <Status order={order} /> },
  {
    header: 'Network',
    width: 'w-32',
    wide: true,
    cell: ({ chain_label }) => <span className="block truncate">{chain_label}</span>,
  },
  {
    header: 'Created',
    width: 'w-36',
    wide: true,
    cell: ({ created_at }) => <TimeAgo at={created_at} className="text-muted" />,
  },
  { header: 'Amount', width: 'w-36', align: 'right', cell: (order) => <Amount order={order} /> },
];

/** @param empty what is shown when there is none */
export function OrderTable({
  filters,
  limit,
  narrow = false,
  empty,
}: {
  filters: Filters;
  limit?: number;
  narrow?: boolean;
  empty: ReactNode;
}) {
  return (
    <PagedTable
      list={useOrders(filters, limit)}
      name="Orders"
      columns={narrow ? NARROW : COLUMNS}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => `/orders/${id}`}
      menuOf={menuOf}
      empty={empty}
    />
  );
}

/** Where the table has half of a page: the status is below the description, as on a phone. */
const NARROW: readonly Column<Order>[] = [
  { header: 'Description', cell: (order) => <Description order={order} narrow /> },
  { header: 'Amount', width: 'w-24 sm:w-36', align: 'right', cell: (order) => <Amount order={order} /> },
];

function Description({ order, narrow = false }: { order: Order; narrow?: boolean }) {
  return (
    <>
      <span className="block truncate font-medium">
        {order.description ?? order.link_label ?? <code className="font-mono">{shortId(order.id)}</code>}
      </span>
      <span className={`flex flex-wrap items-center gap-x-2 text-muted ${narrow ? '' : 'md:hidden'}`}>
        <Status order={order} />
        <TimeAgo at={order.created_at} />
      </span>
      {order.attention && (
        <span className="flex items-center gap-1 text-amber">
          <TriangleAlert aria-hidden="true" className="size-4 shrink-0" />
          Unmatched payment
        </span>
      )}
    </>
  );
}

function Status({ order }: { order: Order }) {
  const { word, tone } = statusOf(order, useNow());
  return <Pill tone={tone}>{word}</Pill>;
}

function Amount({ order: { amount, currency, status } }: { order: Order }) {
  const isDead = status === 'expired' || status === 'cancelled';
  return (
    <span className={`flex flex-wrap justify-end gap-x-1 font-semibold tabular-nums ${isDead ? 'text-muted' : ''}`}>
      {padAmount(amount)} <span className="font-normal text-muted">{currency}</span>
    </span>
  );
}

function menuOf({ id, checkout_url, explorer_url, txHash, payment_link }: Order): MenuItem[] {
  return [
    { label: 'View order', href: `/orders/${id}` },
    { label: 'Copy order ID', copy: id },
    { label: 'Copy checkout link', copy: checkout_url },
    ...(txHash ? [{ label: 'Copy transaction hash', copy: txHash }] : []),
    ...(explorer_url ? [{ label: 'View in explorer', href: explorer_url }] : []),
    ...(payment_link ? [{ label: 'View payment link', href: `/links/${payment_link}` }] : []),
  ];
}
