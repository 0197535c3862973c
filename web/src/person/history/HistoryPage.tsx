// One's tips: filtered by the address bar, grouped by day, with a chart above and a file to take away.
import { Download } from 'lucide-react';
import { dayName } from '../../app/format.ts';
import { Link, navigate, useSearch } from '../../app/router.tsx';
import { Shell } from '../../app/shell/Shell.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { useHeldRows } from '../../ui/heldRows.ts';
import { NewRows } from '../../ui/NewRows.tsx';
import { EmptyNote, ErrorNote } from '../../ui/notices.tsx';

import { csvUrl, FILTERS, type Filters, type HistoryTip, useHistory } from './historyApi.ts';
import { SummaryChart } from './SummaryChart.tsx';
import { TipFilterBar } from './TipFilterBar.tsx';
import { TipRow, TipRowSkeleton } from './TipRow.tsx';

const DAYS = 30;

export function HistoryPage() {
  const filters = readFilters(useSearch());
  return (
    <Shell
      title="History"
      aside={
        <ButtonLink href={csvUrl(filters)} download>
          <Download aria-hidden="true" className="size-4" />
          Download CSV
        </ButtonLink>
      }
    >
      {() => (
        <>
          <Card title={`Last ${DAYS} days`} aside={<span className="text-sm text-muted">in USD</span>}>
            <SummaryChart days={DAYS} />
          </Card>
          <p className="text-sm text-muted">
            Tips you sent and received in chats. Money held for someone is under{' '}
            <Link href="/tabs" className="text-accent underline-offset-4 hover:underline">
              Tabs
            </Link>
            ; an order you paid has its own receipt.
          </p>
          <TipFilterBar filters={filters} onFilters={writeFilters} />
          <Tips filters={filters} />
        </>
      )}
    </Shell>
  );
}

function readFilters(search: URLSearchParams): Filters {
  const pairs = FILTERS.map((name) => [name, search.get(name) ?? ''] as const);
  return Object.fromEntries(pairs.filter(([, value]) => value !== ''));
}

function writeFilters(filters: Filters): void {
  const search = new URLSearchParams(Object.entries(filters).filter(([, value]) => value)).toString();
  navigate(search ? `/history?${search}` : '/history', { replace: true });
}

function Tips({ filters }: { filters: Filters }) {
  const history = useHistory(filters);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage, isPlaceholderData } = history;
  const { rows, held, release } = useHeldRows(history, ({ id }) => id);
  if (error && !data) return <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>;
  if (!data)
    return (
      <output aria-label="Loading tips" className="block rounded-2xl border border-line bg-surface px-2 sm:px-4">
        <ul>
          {[0, 1, 2, 3].map((index) => (
            <TipRowSkeleton key={index} />
          ))}
        </ul>
      </output>
    );
  const days = groupByDay(rows);
  if (days.length === 0) return <Nothing isFiltered={Object.keys(filters).length > 0} />;
  return (
    <div aria-busy={isPlaceholderData} className={`flex flex-col gap-6 ${isPlaceholderData ? 'opacity-50' : ''}`}>
      {error && <ErrorNote retry={() => void refetch()}>{error.message} This may be out of date.</ErrorNote>}
      <NewRows held={held} name="Tips" onShow={release} />
      {days.map(({ day, tips }) => (
        <section key={day} aria-label={day} className="flex flex-col gap-2">
          <h2 className="text-sm font-medium text-muted">{day}</h2>
          <ul className="rounded-2xl border border-line bg-surface px-2 sm:px-4">
            {tips.map((tip) => (
              <TipRow key={tip.id} tip={tip} />
            ))}
          </ul>
        </section>
      ))}
      {hasNextPage && (
        <Button className="self-center" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {isFetchingNextPage ? 'Loading…' : 'Show more'}
        </Button>
      )}
    </div>
  );
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  if (!isFiltered)
    return (
      <EmptyNote title="No tips yet">
        Type <code className="font-mono">/tip @name 5</code> in a chat with the bot. Payments you send and receive
        appear here.
      </EmptyNote>
    );
  return (
    <EmptyNote title="No results">
      <p className="mb-4">No tips match these filters.</p>
      <Button onClick={() => writeFilters({})}>Clear filters</Button>
    </EmptyNote>
  );
}

/** A list that is newest first, cut where the day changes in the reader's zone. */
function groupByDay(tips: readonly HistoryTip[]): { day: string; tips: HistoryTip[] }[] {
  const groups: { day: string; tips: HistoryTip[] }[] = [];
  for (const tip of tips) {
    const day = dayName(Date.parse(tip.at));
    const last = groups.at(-1);
    if (last?.day === day) last.tips.push(tip);
    else groups.push({ day, tips: [tip] });
  }
  return groups;
}
