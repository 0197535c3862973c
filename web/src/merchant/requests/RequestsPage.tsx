// The API log: the requests of a workspace's keys, filtered by the address bar. New ones wait behind a button.
import { ERRORS } from '../../../../src/domain/errors.ts';
import { LOG_KEPT_DAYS, LOGGED_METHODS } from '../../../../src/domain/requestLog.ts';
import type { LoggedRequest } from '../../../../src/http/api/requestLogAnswers.ts';
import { navigate, useSearch } from '../../app/router.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { FilterBar, type FilterChoice } from '../../ui/FilterBar.tsx';
import { EmptyNote } from '../../ui/notices.tsx';
import { PagedTable } from '../../ui/PagedTable.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { StatusTabs } from '../../ui/StatusTabs.tsx';
import type { Column } from '../../ui/Table.tsx';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import { BusinessShell } from '../business/BusinessShell.tsx';
import { useKeys } from '../keys/keysApi.ts';
import { FILTERS, type Filters, useRequests, useRoutes } from './requestsApi.ts';
import { durationWords, statusTone } from './requestWords.ts';

const STATUSES = [
  { value: '', label: 'All' },
  { value: '2xx', label: 'Succeeded' },
  { value: '4xx', label: 'Client errors' },
  { value: '5xx', label: 'Server errors' },
];
const CODES = Object.keys(ERRORS)
  .sort()
  .map((code) => [code, code] as const);
const METHODS = LOGGED_METHODS.map((method) => [method, method] as const);

export function RequestsPage() {
  return <BusinessShell title="API log">{() => <Requests />}</BusinessShell>;
}

function Requests() {
  const filters = readFilters(useSearch());
  return (
    <>
      <p className="max-w-160 text-muted">
        Requests with your API keys in the last {LOG_KEPT_DAYS} days. Secrets are removed before a request is stored.
      </p>
      <FilterBar
        filters={filters}
        onFilters={writeFilters}
        placeholder="ID of a request, such as req_…"
        compact
        selects={useSelects()}
      />
      <StatusTabs
        label="Status"
        tabs={STATUSES}
        value={filters.status ?? ''}
        onValue={(status) => writeFilters({ ...filters, status })}
      />
      <PagedTable
        list={useRequests(filters)}
        name="Requests"
        columns={COLUMNS}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `/logs/${id}`}
        menuOf={({ id }) => [
          { label: 'View request', href: `/logs/${id}` },
          { label: 'Copy request ID', copy: id },
        ]}
        empty={<Nothing isFiltered={Object.keys(filters).length > 0} />}
      />
    </>
  );
}

function useSelects(): FilterChoice<Filters>[] {
  const keys = useKeys().data ?? [];
  const routes = useRoutes().data ?? [];
  return [
    { name: 'method', label: 'Method', choices: METHODS },
    { name: 'route', label: 'Route', choices: routes.map((route) => [route, route] as const) },
    { name: 'key', label: 'Key', choices: keys.map(({ id, label, last4 }) => [id, `${label} (…${last4})`] as const) },
    { name: 'code', label: 'Error code', choices: CODES },
  ];
}

const COLUMNS: readonly Column<LoggedRequest>[] = [
  {
    header: 'Request',
    cell: ({ method, path, created_at, duration_ms, error_code }) => (
      <>
        <code className="block truncate font-mono">
          <span className="text-muted">{method}</span> <span className="font-medium">{path}</span>
        </code>
        <span className="block truncate text-muted md:hidden">
          <TimeAgo at={created_at} /> · {durationWords(duration_ms)}
          {error_code && <> · {error_code}</>}
        </span>
      </>
    ),
  },
  {
    header: 'Error',
    width: 'w-44',
    wide: true,
    cell: ({ error_code }) => error_code && <code className="block truncate font-mono text-muted">{error_code}</code>,
  },
  {
    header: 'Key',
    width: 'w-32',
    wide: true,
    cell: ({ key }) => <span className="block truncate text-muted">{key ? key.label : 'Deleted key'}</span>,
  },
  {
    header: 'Time',
    width: 'w-36',
    wide: true,
    cell: ({ created_at }) => <TimeAgo at={created_at} className="text-muted" />,
  },
  {
    header: 'Status',
    width: 'w-20',
    cell: ({ status }) => <Pill tone={statusTone(status)}>{String(status)}</Pill>,
  },
];

function readFilters(search: URLSearchParams): Filters {
  const pairs = FILTERS.map((name) => [name, search.get(name) ?? ''] as const);
  return Object.fromEntries(pairs.filter(([, value]) => value !== ''));
}

function writeFilters(filters: Filters): void {
  const search = new URLSearchParams(Object.entries(filters).filter(([, value]) => value)).toString();
  navigate(search ? `/logs?${search}` : '/logs', { replace: true });
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered)
    return (
      <EmptyNote title="No results">
        <p className="mb-4">No requests match these filters.</p>
        <Button onClick={() => writeFilters({})}>Clear filters</Button>
      </EmptyNote>
    );
  return (
    <EmptyNote title="No requests yet">
      <p className="mb-4">Call the API with one of your keys to see the request here.</p>
      <ButtonLink href="/docs/quickstart">Open the quickstart</ButtonLink>
    </EmptyNote>
  );
}
