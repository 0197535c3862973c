// The events of one order, on its page.
import { Link } from '../../app/router.tsx';
import { Card } from '../../ui/Card.tsx';
import { Table } from '../../ui/Table.tsx';
import { useLive } from '../webhooks/live.ts';
import { EVENT_COLUMNS_OF_ONE } from './eventColumns.tsx';
import { useEvents } from './eventsApi.ts';

/** An order has no more but for its refunds. */
const SHOWN = 5;

export function OrderEvents({ order }: { order: { id: string; livemode: boolean } }) {
  useLive();
  const { data } = useEvents({ resource: order.id }, { limit: SHOWN, mode: order.livemode ? 'live' : 'test' });
  const events = data?.pages[0]?.data ?? [];
  // Events are for integrations: without any, the page is complete.
  if (events.length === 0) return null;
  return (
    <Card
      title="Events"
      aside={
        <Link href={`/events?resource=${order.id}`} className="text-sm text-accent underline-offset-4 hover:underline">
          View all
        </Link>
      }
    >
      <Table
        name="Events"
        framed={false}
        columns={EVENT_COLUMNS_OF_ONE}
        rows={events}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `/events/${id}`}
      />
    </Card>
  );
}
