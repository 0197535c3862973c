// A list of events with its skeleton, its error with a retry, and its end.
import type { ReactNode } from 'react';
import { OrderRowSkeleton } from '../orders/OrderRow.tsx';
import { Button } from '../ui/Button.tsx';
import { ErrorNote } from '../ui/notices.tsx';
import { EventRow } from './EventRow.tsx';
import { type Filters, useEvents } from './eventsApi.ts';

const SKELETONS = [0, 1, 2, 3];

/** @param empty what stands there when there is none */
export function EventList({ filters, empty }: { filters: Filters; empty: ReactNode }) {
  const events = useEvents(filters);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage, isPlaceholderData } = events;
  if (error && !data) return <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>;
  if (!data)
    return (
      <output aria-label="Loading events" className="block rounded-2xl border border-line bg-surface px-2 sm:px-4">
        <ul>
          {SKELETONS.map((index) => (
            <OrderRowSkeleton key={index} />
          ))}
        </ul>
      </output>
    );
  const rows = data.pages.flatMap((page) => page.data);
  return (
    <div aria-busy={isPlaceholderData} className={`flex flex-col gap-4 ${isPlaceholderData ? 'opacity-50' : ''}`}>
      {error && <ErrorNote retry={() => void refetch()}>{error.message} What you see may be old.</ErrorNote>}
      {rows.length === 0 ? (
        empty
      ) : (
        <ul aria-label="Events" className="rounded-2xl border border-line bg-surface px-2 sm:px-4">
          {rows.map((event) => (
            <EventRow key={event.id} event={event} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button className="self-center" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {isFetchingNextPage ? 'Loading…' : 'Show more'}
        </Button>
      )}
    </div>
  );
}
