// A merchant's orders: what was paid lately, then all of them, filtered by the address bar, with a file to download.

import { Download, Plus } from 'lucide-react';
import { navigate, useSearch } from '../../app/router.tsx';
import { Allowed } from '../../app/team/Allowed.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { EmptyNote } from '../../ui/notices.tsx';
import { BusinessShell } from '../business/BusinessShell.tsx';
import { useMode } from '../business/workspaceApi.ts';
import { OrderFilterBar } from './OrderFilterBar.tsx';
import { OrderTable } from './OrderTable.tsx';
import { OrderTabs } from './OrderTabs.tsx';
import { csvUrl, FILTERS, type Filters, useOrders } from './ordersApi.ts';
import { VolumeCard } from './VolumeCard.tsx';

export function OrdersPage() {
  return (
    <BusinessShell
      title="Orders"
      aside={
        <Allowed quiet door="create_order">
          <ButtonLink kind="filled" href="/orders/new">
            <Plus aria-hidden="true" className="size-4" />
            New order
          </ButtonLink>
        </Allowed>
      }
    >
      {() => <Orders />}
    </BusinessShell>
  );
}

function Orders() {
  const filters = readFilters(useSearch());
  const mode = useMode();
  const isFiltered = Object.keys(filters).length > 0;
  const { data, isPlaceholderData } = useOrders(filters);
  // Without orders there is nothing to filter.
  if (!isFiltered && !isPlaceholderData && data?.pages[0]?.data.length === 0) return <Nothing isFiltered={false} />;
  return (
    <>
      <VolumeCard />
      <section aria-label={isFiltered ? 'Filtered orders' : 'All orders'} className="flex flex-col gap-3">
        <div className="flex items-center justify-between gap-2">
          <OrderTabs
            status={filters.status ?? ''}
            onStatus={(status) => {
              const { status: _status, ...rest } = filters;
              writeFilters(status ? { ...rest, status } : rest);
            }}
          />
          <ButtonLink href={csvUrl(filters, mode)} download title="Download CSV" className="shrink-0 px-3!">
            <Download aria-hidden="true" className="size-4" />
            <span className="sr-only">Download CSV</span>
          </ButtonLink>
        </div>
        <OrderFilterBar filters={filters} onFilters={writeFilters} />
        <OrderTable filters={filters} empty={<Nothing isFiltered={isFiltered} />} />
      </section>
    </>
  );
}

function readFilters(search: URLSearchParams): Filters {
  const pairs = FILTERS.map((name) => [name, search.get(name) ?? ''] as const);
  return Object.fromEntries(pairs.filter(([, value]) => value !== ''));
}

function writeFilters(filters: Filters): void {
  const search = new URLSearchParams(Object.entries(filters).filter(([, value]) => value)).toString();
  navigate(search ? `/orders?${search}` : '/orders', { replace: true });
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  if (!isFiltered)
    return (
      <EmptyNote title="No orders yet">
        <p className="mb-4">
          Create an order to request one payment, then send its checkout link to the buyer. To sell the same thing many
          times, create a payment link.
        </p>
        <Allowed door="links">
          <ButtonLink href="/links/new">Create a payment link</ButtonLink>
        </Allowed>
      </EmptyNote>
    );
  return (
    <EmptyNote title="No results">
      <p className="mb-4">No orders match these filters.</p>
      <Button onClick={() => writeFilters({})}>Clear filters</Button>
    </EmptyNote>
  );
}
