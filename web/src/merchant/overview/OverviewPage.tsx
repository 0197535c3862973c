// The first page of a merchant's dashboard: what was paid in a period, how orders ended, and the same of the period before; live.
import { useSearch } from '../../app/router.tsx';
import { EmptyNote, ErrorNote, Skeleton } from '../../ui/notices.tsx';
import { useNow } from '../../ui/TimeAgo.tsx';
import { BusinessShell } from '../business/BusinessShell.tsx';
import { useMode } from '../business/workspaceApi.ts';
import { useLive } from '../webhooks/live.ts';
import { FirstSteps } from './FirstSteps.tsx';
import { LinksCard } from './LinksCard.tsx';
import { MoneyCard } from './MoneyCard.tsx';
import { OrdersCard, UnpaidCard } from './OrdersCard.tsx';
import {
  csvUrl,
  dayFault,
  OVERVIEW_KEY,
  type Overview,
  readWanted,
  useOverview,
  type Wanted,
  writeWanted,
} from './overviewApi.ts';
import { PeriodBar } from './PeriodBar.tsx';

/** A year of a busy shop takes the service longer than a list. */
const SPACING_MS = 4_000;

export function OverviewPage() {
  return <BusinessShell title="Overview">{() => <Figures />}</BusinessShell>;
}

function Figures() {
  useLive(OVERVIEW_KEY, SPACING_MS);
  const now = useNow();
  const mode = useMode();
  const wanted = readWanted(useSearch(), now);
  const fault = dayFault(wanted, now);
  const { data, error, refetch, isPlaceholderData } = useOverview(wanted, fault === null);
  if (data && !data.setup.order && data.currencies.length === 0)
    return (
      <>
        {error && <ErrorNote retry={() => void refetch()}>{error.message} This may be out of date.</ErrorNote>}
        <FirstSteps mode={data.mode} setup={data.setup} />
      </>
    );
  return (
    <>
      <PeriodBar wanted={wanted} now={now} csv={fault ? null : csvUrl(wanted, mode)} />
      {error && (
        <ErrorNote retry={() => void refetch()}>
          {error.message}
          {data && ' This may be out of date.'}
        </ErrorNote>
      )}
      {data && <Shown data={data} wanted={wanted} isOld={isPlaceholderData} />}
      {!data && !error && (fault ? <EmptyNote title="No such period">Correct the days above.</EmptyNote> : <Loading />)}
    </>
  );
}

function Shown({ data, wanted, isOld }: { data: Overview; wanted: Wanted; isOld: boolean }) {
  return (
    <div aria-busy={isOld} className={`flex flex-col gap-6 transition-opacity ${isOld ? 'opacity-50' : ''}`}>
      <p className="-mb-2 text-sm text-muted">{comparison(data)}</p>
      <MoneyCard
        data={data}
        currency={wanted.currency}
        onCurrency={(currency) => writeWanted({ ...wanted, currency })}
      />
      <OrdersCard orders={data.orders} />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <UnpaidCard data={data} />
        <LinksCard links={data.links} />
      </div>
      <p className="text-sm text-muted">
        Figures count all orders that this workspace created, also those that pay another handle.
      </p>
    </div>
  );
}

const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
const TIME = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });

/** A period that is not over yet is compared with as much of the one before. */
function comparison({ period: { parts, from, to }, before }: Overview): string {
  const [start, end] = [Date.parse(before.start), Date.parse(before.end)];
  const until = before.end === parts[0] ? '' : `, until ${TIME.format(end)}`;
  const days = DAY.formatRange(new Date(`${from}T12:00:00`), new Date(`${to}T12:00:00`));
  return `${days}, compared with ${DAY.formatRange(start, end - 1)}${until}`;
}

/** As high as what comes. */
function Loading() {
  return (
    <output aria-label="Loading the overview" className="flex flex-col gap-6">
      <Skeleton className="-mb-2 h-5 max-w-100" />
      <Skeleton className="h-[30rem] rounded-2xl sm:h-[28.6rem]" />
      <Skeleton className="h-64 rounded-2xl sm:h-52" />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Skeleton className="h-64 rounded-2xl" />
        <Skeleton className="h-64 rounded-2xl" />
      </div>
    </output>
  );
}
