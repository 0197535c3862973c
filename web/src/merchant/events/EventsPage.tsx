// All that happened in a workspace, filtered by the address bar, each with how its deliveries stand.

import { navigate, useSearch } from '../../app/router.tsx';
import { Allowed } from '../../app/team/Allowed.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { EmptyNote } from '../../ui/notices.tsx';
import { PagedTable } from '../../ui/PagedTable.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { StatusTabs } from '../../ui/StatusTabs.tsx';
import { BusinessShell } from '../business/BusinessShell.tsx';
import { useLive } from '../webhooks/live.ts';
import { TypeField } from '../webhooks/TypeField.tsx';
import { EVENT_COLUMNS, eventMenu } from './eventColumns.tsx';
import { FILTERS, type Filters, isEventType, useEvents } from './eventsApi.ts';

const DELIVERIES = [
  { value: '', label: 'All' },
  { value: 'retrying', label: 'Retrying' },
  { value: 'failed', label: 'Failed' },
];

export function EventsPage() {
  return <BusinessShell title="Events">{() => <Events />}</BusinessShell>;
}

function Events() {
  useLive();
  const filters = readFilters(useSearch());
  const { type = '', resource = '', delivery = '' } = filters;
  return (
    <>
      <p className="max-w-160 text-muted">A log of everything that happened to your orders and tabs.</p>
      <search className="grid items-end gap-3 sm:grid-cols-[minmax(0,1fr)_minmax(0,16rem)]">
        <SearchField
          value={resource}
          onValue={(typed) => writeFilters({ ...filters, resource: typed.trim() })}
          placeholder="ID of an order or a tab"
          isLabelHidden
        />
        <TypeField
          label="Type"
          all="All"
          value={isEventType(type) ? type : ''}
          onValue={(next) => writeFilters({ ...filters, type: next })}
        />
      </search>
      <StatusTabs
        label="Delivery"
        tabs={DELIVERIES}
        value={delivery}
        onValue={(next) => writeFilters({ ...filters, delivery: next })}
      />
      <PagedTable
        list={useEvents(filters)}
        name="Events"
        columns={EVENT_COLUMNS}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `/events/${id}`}
        menuOf={eventMenu}
        empty={<Nothing isFiltered={Object.keys(filters).length > 0} />}
      />
    </>
  );
}

function readFilters(search: URLSearchParams): Filters {
  const pairs = FILTERS.map((name) => [name, search.get(name) ?? ''] as const);
  return Object.fromEntries(pairs.filter(([, value]) => value !== ''));
}

function writeFilters(filters: Filters): void {
  const search = new URLSearchParams(Object.entries(filters).filter(([, value]) => value)).toString();
  navigate(search ? `/events?${search}` : '/events', { replace: true });
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered)
    return (
      <EmptyNote title="No results">
        <p className="mb-4">No events match these filters.</p>
        <Button onClick={() => writeFilters({})}>Clear filters</Button>
      </EmptyNote>
    );
  return (
    <EmptyNote title="No events yet">
      <p className="mb-4">Create an order to see its first event here.</p>
      <Allowed quiet door="create_order">
        <ButtonLink href="/orders/new">New order</ButtonLink>
      </Allowed>
    </EmptyNote>
  );
}
