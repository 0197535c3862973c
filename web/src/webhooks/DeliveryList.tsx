// A list of deliveries with its skeleton, its error with a retry, and its end.
import type { ReactNode } from 'react';
import { Button } from '../ui/Button.tsx';
import { ErrorNote } from '../ui/notices.tsx';
import { DeliveryRow } from './DeliveryRow.tsx';
import type { Delivery } from './shapes.ts';
import { type DeliveryFilters, useDeliveries } from './webhooksApi.ts';

const SKELETONS = [0, 1, 2];

/**
 * @param empty what stands there when there is none
 * @param whereOf the endpoint's address, where the list is of several
 */
export function DeliveryList({
  filters,
  empty,
  whereOf = () => null,
}: {
  filters: DeliveryFilters;
  empty: ReactNode;
  whereOf?: (delivery: Delivery) => string | null;
}) {
  const deliveries = useDeliveries(filters);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage, isPlaceholderData } = deliveries;
  if (error && !data) return <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>;
  if (!data)
    return (
      <output aria-label="Loading deliveries" className="block rounded-2xl border border-line bg-surface px-2 sm:px-4">
        {SKELETONS.map((index) => (
          <span key={index} className="flex min-h-16 items-center gap-3 border-line px-2 py-2 not-first:border-t">
            <span className="h-9 grow rounded-lg bg-sunken waits" />
            <span className="h-9 w-24 shrink-0 rounded-lg bg-sunken waits" />
          </span>
        ))}
      </output>
    );
  const rows = data.pages.flatMap((page) => page.data);
  return (
    <div aria-busy={isPlaceholderData} className={`flex flex-col gap-4 ${isPlaceholderData ? 'opacity-50' : ''}`}>
      {error && <ErrorNote retry={() => void refetch()}>{error.message} What you see may be old.</ErrorNote>}
      {rows.length === 0 ? (
        empty
      ) : (
        <ul aria-label="Deliveries" className="rounded-2xl border border-line bg-surface px-2 sm:px-4">
          {rows.map((delivery) => (
            <DeliveryRow key={delivery.id} delivery={delivery} where={whereOf(delivery)} />
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
