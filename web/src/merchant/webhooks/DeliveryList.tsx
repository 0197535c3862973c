// Deliveries, read page by page.
import type { ReactNode } from 'react';
import { Paged } from '../../ui/Paged.tsx';
import { DeliveryTable } from './DeliveryTable.tsx';
import { type DeliveryFilters, useDeliveries } from './webhooksApi.ts';

/**
 * @param empty what is shown when there is none
 * @param whereOf the address of an endpoint, by its ID, where the list is of several
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
    <Paged list={useDeliveries(filters)} name="Deliveries" empty={empty}>
      {(deliveries) => <DeliveryTable deliveries={deliveries} {...(whereOf && { whereOf })} />}
    </Paged>
  );
}
