// One event in a list: what happened to what, when, and how its deliveries stand; the whole row leads to it.
import { shortId } from '../orders/OrderRow.tsx';
import { Link } from '../router.tsx';
import { Pill } from '../ui/Pill.tsx';
import { TimeAgo } from '../ui/TimeAgo.tsx';
import type { ListedEvent } from '../webhooks/shapes.ts';
import { countsWords, resourceOf } from './eventWords.ts';

export function EventRow({ event }: { event: ListedEvent }) {
  const { word, tone } = countsWords(event.deliveries);
  const resource = resourceOf(event);
  return (
    <li className="not-first:border-t border-line">
      <Link
        href={`/events/${event.id}`}
        className="flex min-h-16 items-center gap-3 rounded-lg px-2 py-2 -outline-offset-2! hover:bg-paper"
      >
        <span className="min-w-0 grow">
          <code className="block truncate font-mono text-sm font-medium">{event.type}</code>
          <span className="block truncate text-sm text-muted">
            <TimeAgo at={event.created_at} />
            {resource && (
              <>
                {' · '}
                <span className="font-mono">{shortId(resource)}</span>
              </>
            )}
          </span>
        </span>
        <Pill tone={tone}>{word}</Pill>
      </Link>
    </li>
  );
}
