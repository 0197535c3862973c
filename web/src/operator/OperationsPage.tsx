// What an operator sees: whether all is well, what to do where it is not, and how it was.
import { ExternalLink } from 'lucide-react';
import { ApiError } from '../app/apiError.ts';
import { Button, ButtonLink } from '../ui/Button.tsx';
import { ErrorNote, Skeleton } from '../ui/notices.tsx';
import { CONTENT_PROPS, SkipLink } from '../ui/SkipLink.tsx';
import { TimeAgo } from '../ui/TimeAgo.tsx';
import { Wordmark } from '../ui/Wordmark.tsx';
import { AlertHistory } from './AlertHistory.tsx';
import { BridgesCard } from './BridgesCard.tsx';
import { BudgetCard } from './BudgetCard.tsx';
import { ChainsCard } from './ChainsCard.tsx';
import { ChartsSection } from './ChartsSection.tsx';
import { ExecutorsCard } from './ExecutorsCard.tsx';
import { OpenAlerts } from './OpenAlerts.tsx';
import { OperatorSignIn } from './OperatorSignIn.tsx';
import { type Overview, useOverview, useSignOut } from './operationsApi.ts';
import { ProcessesCard } from './ProcessesCard.tsx';
import { SearchBox } from './SearchBox.tsx';
import { Tiles } from './Tiles.tsx';
import { WatchdogCard } from './WatchdogCard.tsx';
import { WorkCard } from './WorkCard.tsx';

export function OperationsPage() {
  const { data, error, refetch } = useOverview();
  if (error instanceof ApiError && error.code === 'admin_secret_invalid') return <OperatorSignIn />;
  return (
    <div className="mx-auto flex min-h-dvh max-w-300 flex-col gap-6 px-4 py-6 sm:px-8">
      <SkipLink />
      <Header at={data?.at} />
      <main {...CONTENT_PROPS} className="flex min-w-0 flex-col gap-4 outline-none sm:gap-6">
        <h1 className="sr-only">Operations</h1>
        {error && (
          <ErrorNote retry={() => void refetch()}>
            {error.message} {data && 'This may be out of date.'}
          </ErrorNote>
        )}
        {data ? <Everything overview={data} /> : !error && <Waiting />}
      </main>
    </div>
  );
}

function Header({ at }: { at: string | undefined }) {
  const signOut = useSignOut();
  return (
    <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <div className="flex items-center gap-4">
        <Wordmark />
        <span className="text-muted">Operations</span>
      </div>
      <div className="flex flex-wrap items-center gap-3 text-sm text-muted">
        {at && (
          <span className="hidden sm:inline">
            Updated <TimeAgo at={at} />
          </span>
        )}
        <ButtonLink href={`${location.origin}/operations/queues`}>
          Queues
          <ExternalLink aria-hidden="true" className="size-4" />
        </ButtonLink>
        <Button disabled={signOut.isPending} onClick={() => signOut.mutate()}>
          Sign out
        </Button>
      </div>
    </header>
  );
}

function Everything({ overview }: { overview: Overview }) {
  return (
    <>
      <SearchBox />
      <OpenAlerts alerts={overview.alerts} health={overview.health} />
      <Tiles overview={overview} />
      <ChartsSection />
      <div className="grid min-w-0 items-start gap-4 sm:gap-6 lg:grid-cols-2">
        <ExecutorsCard executors={overview.executors} />
        <ChainsCard chains={overview.chains} />
        {overview.bridges.length > 0 && <BridgesCard bridges={overview.bridges} />}
        {overview.watchdog.length > 0 && <WatchdogCard watched={overview.watchdog} />}
        <WorkCard work={overview.work} />
        <ProcessesCard processes={overview.processes} />
        {overview.x && <BudgetCard budget={overview.x} />}
      </div>
      <AlertHistory />
    </>
  );
}

function Waiting() {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col gap-4 sm:gap-6">
      <Skeleton className="h-20" />
      <div className="grid grid-cols-2 gap-4 lg:grid-cols-4">
        {['a', 'b', 'c', 'd'].map((key) => (
          <Skeleton key={key} className="h-28" />
        ))}
      </div>
      <Skeleton className="h-72" />
    </div>
  );
}
