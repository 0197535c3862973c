// One delivery in a list: of which event, how it stands and what comes next; opened, all that is known of it.
import { ChevronDown } from 'lucide-react';
import { useId, useState } from 'react';
import { readClockOffset } from '../api.ts';
import { shortId } from '../orders/OrderRow.tsx';
import { Pill } from '../ui/Pill.tsx';
import { TimeAgo, useNow } from '../ui/TimeAgo.tsx';
import { DeliveryDetail } from './DeliveryDetail.tsx';
import { attemptsCount, nextWords, statusOf } from './deliveryWords.ts';
import type { Delivery } from './shapes.ts';

const TICK_MS = 1_000;

/** @param where the endpoint's address, where the rows are of several */
export function DeliveryRow({
  delivery,
  where,
  ofEvent = false,
}: {
  delivery: Delivery;
  where: string | null;
  /** The list is of one event: only where it goes tells the rows apart. */
  ofEvent?: boolean;
}) {
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const { word, tone } = statusOf(delivery);
  return (
    <li className="not-first:border-t border-line">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setIsOpen(!isOpen)}
        className="flex min-h-16 w-full items-center gap-3 rounded-lg px-2 py-2 text-left -outline-offset-2! hover:bg-paper"
      >
        <span className="min-w-0 grow">
          {ofEvent ? (
            <span className="block break-all">{where}</span>
          ) : (
            <code className="block truncate font-mono text-sm font-medium">{delivery.event_type}</code>
          )}
          <span className="block truncate text-sm text-muted">
            <TimeAgo at={delivery.created_at} />
            {delivery.is_test && ' · test'}
            {!ofEvent && <span className="max-sm:hidden"> · </span>}
            {!ofEvent && <code className="font-mono max-sm:block">{shortId(delivery.resource)}</code>}
          </span>
          {!ofEvent && where && <span className="block truncate text-sm text-muted">{where}</span>}
          <span className="block text-sm text-muted empty:hidden sm:hidden">
            <Progress delivery={delivery} />
          </span>
        </span>
        <span className="flex shrink-0 flex-col items-end gap-0.5">
          <Pill tone={tone}>{word}</Pill>
          <span className="text-sm text-muted empty:hidden max-sm:hidden">
            <Progress delivery={delivery} />
          </span>
        </span>
        <ChevronDown
          aria-hidden="true"
          className={`size-4 shrink-0 text-muted transition ${isOpen ? 'rotate-180' : ''}`}
        />
      </button>
      {isOpen && (
        <div id={id} className="px-2 pt-1 pb-4">
          <DeliveryDetail delivery={delivery} />
        </div>
      )}
    </li>
  );
}

function Progress({ delivery }: { delivery: Delivery }) {
  if (delivery.attempt_count === 0) return null;
  return delivery.status === 'pending' ? <Countdown delivery={delivery} /> : attemptsCount(delivery.attempt_count);
}

function Countdown({ delivery }: { delivery: Delivery }) {
  const now = useNow(TICK_MS) + readClockOffset();
  return <span className="amount">{nextWords(delivery, now)}</span>;
}
