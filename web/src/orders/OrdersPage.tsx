// A merchant's orders: what was paid lately, then all of them, filtered by the address bar, with a file to take away.
import { Download, Plus } from 'lucide-react';
import { BusinessShell } from '../business/BusinessShell.tsx';
import { useMode } from '../business/workspaceApi.ts';
import { navigate, useSearch } from '../router.tsx';
import { Button, ButtonLink } from '../ui/Button.tsx';
import { EmptyNote } from '../ui/notices.tsx';
import { OrderFilterBar } from './OrderFilterBar.tsx';
import { OrderList } from './OrderList.tsx';
import { csvUrl, FILTERS, type Filters, useOrders } from './ordersApi.ts';
import { VolumeCard } from './VolumeCard.tsx';

export function OrdersPage() {
  return (
    <BusinessShell
      title="Orders"
      aside={
        <ButtonLink kind="filled" href="/orders/new">
          <Plus aria-hidden="true" className="size-4" />
          New order
        </ButtonLink>
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
  // Whoever has none yet has nothing to look through.
  if (!isFiltered && !isPlaceholderData && data?.pages[0]?.data.length === 0) return <Nothing isFiltered={false} />;
  return (
    <>
      <VolumeCard />
      <section aria-labelledby="all" className="flex flex-col gap-4">
        <header className="flex min-h-10 flex-wrap items-center justify-between gap-x-4">
          <h2 id="all" className="font-semibold">
            {isFiltered ? 'Orders that fit' : 'All orders'}
          </h2>
          <ButtonLink href={csvUrl(filters, mode)} download>
            <Download aria-hidden="true" className="size-4" />
            Download CSV
          </ButtonLink>
        </header>
        <OrderFilterBar filters={filters} onFilters={writeFilters} />
        <OrderList filters={filters} empty={<Nothing isFiltered={isFiltered} />} />
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
          An order asks for one payment: you say how much, and give the buyer its address. A link asks for the same
          again and again.
        </p>
        <ButtonLink href="/links">To your links</ButtonLink>
      </EmptyNote>
    );
  return (
    <EmptyNote title="Nothing fits">
      <p className="mb-4">There is no order with all of these properties.</p>
      <Button onClick={() => writeFilters({})}>Show all orders</Button>
    </EmptyNote>
  );
}
