// A list of orders.
import type { ReactNode } from 'react';
import { PagedList } from '../ui/PagedList.tsx';
import { OrderRow } from './OrderRow.tsx';
import { type Filters, useOrders } from './ordersApi.ts';

/** @param empty what stands there when there is none */
export function OrderList({ filters, limit, empty }: { filters: Filters; limit?: number; empty: ReactNode }) {
  return (
    <PagedList
      list={useOrders(filters, limit)}
      name="Orders"
      row={(order) => <OrderRow key={order.id} order={order} />}
      empty={empty}
    />
  );
}
