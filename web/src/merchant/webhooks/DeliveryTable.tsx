// A table of deliveries: of which event, to where, its status and what comes next; a row opens to all that is known of it.
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { shortId } from '../../app/format.ts';
import { Pill } from '../../ui/Pill.tsx';
import type { MenuItem } from '../../ui/RowMenu.tsx';
import { COVER, type Column, Table } from '../../ui/Table.tsx';
import { TimeAgo, useNow } from '../../ui/TimeAgo.tsx';
import { DeliveryDetail } from './DeliveryDetail.tsx';
import { attemptsCount, nextWords, statusOf } from './deliveryWords.ts';
import type { Delivery } from './shapes.ts';
import { resourcePath } from './typeWords.ts';

const TICK_MS = 1_000;

/** @param whereOf the address of an endpoint, by its ID, where the table is of several */
export function DeliveryTable({
  deliveries,
  whereOf,
  ofEvent = false,
  framed = true,
}: {
  deliveries: readonly Delivery[];
  whereOf?: (endpoint: string) => string;
  /** All are of one event: only where they go tells them apart. */
  ofEvent?: boolean;
  framed?: boolean;
}) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string) => {
    const next = new Set(open);
    if (!next.delete(id)) next.add(id);
    setOpen(next);
  };
  const first: Column<Delivery> = {
    header: ofEvent ? 'Endpoint' : 'Event',
    cell: (delivery) => (
      <button
        type="button"
        aria-expanded={open.has(delivery.id)}
        onClick={() => toggle(delivery.id)}
        className={`flex w-full items-center gap-2 text-left ${COVER}`}
      >
        <ChevronDown
          aria-hidden="true"
          className={`size-4 shrink-0 text-muted transition ${open.has(delivery.id) ? '' : '-rotate-90'}`}
        />
        <span className="min-w-0 grow">
          <What delivery={delivery} where={whereOf?.(delivery.endpoint)} ofEvent={ofEvent} />
        </span>
      </button>
    ),
  };
  return (
    <Table
      name="Deliveries"
      framed={framed}
      columns={[first, ...(ofEvent ? [] : [resource]), created, status]}
      rows={deliveries}
      keyOf={({ id }) => id}
      menuOf={menuOf}
      below={(delivery) => open.has(delivery.id) && <DeliveryDetail delivery={delivery} />}
    />
  );
}

function menuOf({ id, event, resource }: Delivery): MenuItem[] {
  const path = resourcePath(resource);
  return [
    { label: 'View event', href: `/events/${event}` },
    ...(path ? [{ label: path.startsWith('/orders/') ? 'View order' : 'View tab', href: path }] : []),
    { label: 'Copy delivery ID', copy: id },
    { label: 'Copy event ID', copy: event },
  ];
}

const resource: Column<Delivery> = {
  header: 'Resource',
  width: 'w-36',
  wide: true,
  cell: ({ resource }) => <code className="font-mono text-muted">{shortId(resource)}</code>,
};
const created: Column<Delivery> = {
  header: 'Created',
  width: 'w-36',
  wide: true,
  cell: ({ created_at }) => <TimeAgo at={created_at} className="text-muted" />,
};
const status: Column<Delivery> = {
  header: 'Status',
  width: 'w-36 md:w-48',
  cell: (delivery) => {
    const { word, tone } = statusOf(delivery);
    return (
      <>
        <Pill tone={tone}>{word}</Pill>
        <span className="block text-muted empty:hidden">
          <Progress delivery={delivery} />
        </span>
      </>
    );
  },
};

function What({ delivery, where, ofEvent }: { delivery: Delivery; where: string | undefined; ofEvent: boolean }) {
  return (
    <>
      {ofEvent ? (
        <span className="block break-all">{where}</span>
      ) : (
        <code className="block truncate font-mono font-medium">{delivery.event_type}</code>
      )}
      {!ofEvent && where && <span className="block truncate text-muted">{where}</span>}
      {delivery.is_test && <span className="block text-muted">test</span>}
      <span className="block truncate text-muted md:hidden">
        <TimeAgo at={delivery.created_at} />
      </span>
    </>
  );
}

function Progress({ delivery }: { delivery: Delivery }) {
  if (delivery.attempt_count === 0) return null;
  return delivery.status === 'pending' ? <Countdown delivery={delivery} /> : attemptsCount(delivery.attempt_count);
}

function Countdown({ delivery }: { delivery: Delivery }) {
  const now = useNow(TICK_MS);
  return <span className="tabular-nums">{nextWords(delivery, now)}</span>;
}
