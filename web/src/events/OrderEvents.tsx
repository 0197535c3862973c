// The events of one order, on its page.
import { Link } from '../router.tsx';
import { Card } from '../ui/Card.tsx';
import { useLive } from '../webhooks/live.ts';
import { EventRow } from './EventRow.tsx';
import { useEvents } from './eventsApi.ts';

/** An order has no more but for its refunds. */
const SHOWN = 5;

export function OrderEvents({ order }: { order: { id: string; livemode: boolean } }) {
  useLive();
  const { data } = useEvents({ resource: order.id }, { limit: SHOWN, mode: order.livemode ? 'live' : 'test' });
  const events = data?.pages[0]?.data ?? [];
  // The page says all that it needs to: whoever has no use for events misses nothing.
  if (events.length === 0) return null;
  return (
    <Card
      title="Events of this order"
      aside={
        <Link href={`/events?resource=${order.id}`} className="text-sm text-accent underline-offset-4 hover:underline">
          All of them
        </Link>
      }
    >
      <ul aria-label="Events of this order" className="-mx-2">
        {events.map((event) => (
          <EventRow key={event.id} event={event} />
        ))}
      </ul>
    </Card>
  );
}
