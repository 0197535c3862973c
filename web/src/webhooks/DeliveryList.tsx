// A list of deliveries.
import type { ReactNode } from 'react';
import { PagedList } from '../ui/PagedList.tsx';
import { DeliveryRow } from './DeliveryRow.tsx';
import { type DeliveryFilters, useDeliveries } from './webhooksApi.ts';

/**
 * @param empty what stands there when there is none
 * @param whereOf the address of an endpoint, by its id, where the list is of several
 */
export function DeliveryList({
  filters,
  empty,
  whereOf,
}: {
  filters: DeliveryFilters;
  empty: ReactNode;
  whereOf?: (endpoint: string) => string;
}) {
  return (
    <PagedList
      list={useDeliveries(filters)}
      name="Deliveries"
      row={(delivery) => (
        <DeliveryRow key={delivery.id} delivery={delivery} where={whereOf?.(delivery.endpoint) ?? null} />
      )}
      empty={empty}
    />
  );
}
