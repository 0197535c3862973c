// All alerts that ever were, newest first.
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { EmptyNote, ErrorNote, Skeleton } from '../ui/notices.tsx';
import { Pill } from '../ui/Pill.tsx';
import { TimeAgo } from '../ui/TimeAgo.tsx';
import { shortAge } from './figures.ts';
import { type Alert, useAlertHistory } from './operationsApi.ts';

export function AlertHistory() {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useAlertHistory();
  const alerts = data?.pages.flatMap((page) => page.data);
  return (
    <Card title="Alert history">
      {error && !data && <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>}
      {!data && !error && <Skeleton className="h-20" />}
      {alerts?.length === 0 && <EmptyNote title="No alerts yet">Alerts appear here.</EmptyNote>}
      <ul className="flex flex-col">
        {alerts?.map((alert) => (
          <Row key={alert.id} alert={alert} />
        ))}
      </ul>
      {hasNextPage && (
        <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {isFetchingNextPage ? 'One moment…' : 'Show more'}
        </Button>
      )}
    </Card>
  );
}

function Row({ alert }: { alert: Alert }) {
  const lasted = alert.resolved_at && (Date.parse(alert.resolved_at) - Date.parse(alert.raised_at)) / 1_000;
  return (
    <li className="flex flex-col gap-1 border-line py-3 not-first:border-t first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span className="font-medium">{alert.title}</span>
        <span className="flex items-center gap-2 text-sm text-muted">
          <TimeAgo at={alert.raised_at} />
          <Pill tone={alert.resolved_at ? 'quiet' : 'busy'}>
            {lasted === null || lasted === '' ? 'Open' : `Resolved after ${shortAge(Math.round(lasted))}`}
          </Pill>
        </span>
      </div>
      <p className="text-sm break-words text-muted">{alert.message}</p>
    </li>
  );
}
