// The audit log: who changed what, filtered by the address bar, and as a file.
import { Download } from 'lucide-react';
import { AUDIT_KINDS } from '../../../../src/domain/audit.ts';
import type { AuditAnswer } from '../../../../src/http/api/teamAnswers.ts';
import { navigate, useSearch } from '../../app/router.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { FilterBar, type FilterChoice } from '../../ui/FilterBar.tsx';
import { EmptyNote } from '../../ui/notices.tsx';
import { PagedTable } from '../../ui/PagedTable.tsx';
import type { Column } from '../../ui/Table.tsx';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import { BusinessShell } from '../business/BusinessShell.tsx';
import { useKeys } from '../keys/keysApi.ts';
import { actionWords, factWords, KIND_WORDS } from './auditWords.ts';
import { auditCsvUrl, FILTERS, type Filters, useAuditLog, useTeam } from './teamApi.ts';

export function AuditLogPage() {
  const filters = readFilters(useSearch());
  return (
    <BusinessShell
      title="Audit log"
      aside={
        <ButtonLink href={auditCsvUrl(filters)} download>
          <Download aria-hidden="true" className="size-4" />
          CSV
        </ButtonLink>
      }
    >
      {() => <Entries filters={filters} />}
    </BusinessShell>
  );
}

function Entries({ filters }: { filters: Filters }) {
  return (
    <>
      <p className="max-w-160 text-muted">
        Changes by members, API keys and Ampersat itself, in both modes. Entries are kept for a year and never changed.
      </p>
      <FilterBar
        filters={filters}
        onFilters={writeFilters}
        placeholder="ID of what changed, such as key_…"
        compact
        selects={useSelects()}
      />
      <PagedTable
        list={useAuditLog(filters)}
        name="Entries"
        columns={COLUMNS}
        keyOf={({ id }) => id}
        menuOf={({ id, target }) => [
          { label: 'Copy ID of what changed', copy: target.id },
          { label: 'Copy entry ID', copy: id },
        ]}
        empty={<Nothing isFiltered={Object.keys(filters).length > 0} />}
      />
    </>
  );
}

function useSelects(): FilterChoice<Filters>[] {
  const members = useTeam().data?.members ?? [];
  const keys = useKeys().data ?? [];
  return [
    {
      name: 'actor',
      label: 'By',
      choices: [
        ...members.map(({ id, handle }) => [id, `@${handle}`] as const),
        ...keys.map(({ id, label, last4 }) => [id, `Key ${label} (…${last4})`] as const),
        ['service', 'Ampersat'] as const,
      ],
    },
    { name: 'kind', label: 'What', choices: AUDIT_KINDS.map((kind) => [kind, KIND_WORDS[kind]] as const) },
  ];
}

const COLUMNS: readonly Column<AuditAnswer>[] = [
  {
    header: 'Change',
    cell: (entry) => (
      <>
        <span className="block font-medium">{actionWords(entry.action)}</span>
        <span className="block truncate text-muted" title={factWords(entry)}>
          {factWords(entry)}
        </span>
        <span className="block truncate text-muted md:hidden">
          {entry.actor.name} · <TimeAgo at={entry.created_at} />
        </span>
      </>
    ),
  },
  {
    header: 'By',
    width: 'w-40',
    wide: true,
    cell: ({ actor }) => (
      <span className="block truncate">{actor.kind === 'api_key' ? `Key ${actor.name}` : actor.name}</span>
    ),
  },
  {
    header: 'Mode',
    width: 'w-20',
    wide: true,
    cell: ({ livemode }) => <span className="text-muted">{livemode === null ? '' : livemode ? 'Live' : 'Test'}</span>,
  },
  {
    header: 'Time',
    width: 'w-36',
    wide: true,
    cell: ({ created_at }) => <TimeAgo at={created_at} className="text-muted" />,
  },
];

function readFilters(search: URLSearchParams): Filters {
  const pairs = FILTERS.map((name) => [name, search.get(name) ?? ''] as const);
  return Object.fromEntries(pairs.filter(([, value]) => value !== ''));
}

function writeFilters(filters: Filters): void {
  const search = new URLSearchParams(Object.entries(filters).filter(([, value]) => value)).toString();
  navigate(search ? `/settings/audit-log?${search}` : '/settings/audit-log', { replace: true });
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered)
    return (
      <EmptyNote title="No results">
        <p className="mb-4">No entries match these filters.</p>
        <Button onClick={() => writeFilters({})}>Clear filters</Button>
      </EmptyNote>
    );
  return <EmptyNote title="No entries yet">Changes to keys, webhooks, the team and more appear here.</EmptyNote>;
}
