// Work that is stuck or given up, with a button for what is safe to try again.
import type { DeadItem, Retried } from '../../../src/services/operations/deadWork.ts';
import { Button } from '../ui/Button.tsx';
import { EmptyNote, ErrorNote, Skeleton } from '../ui/notices.tsx';
import { useKnownError } from '../ui/useKnownError.ts';
import { CaseRow } from './CaseRow.tsx';
import { useDeadWork, useRetry } from './casesApi.ts';
import { FailureTabs } from './FailureTabs.tsx';
import { OperatorFrame } from './OperatorFrame.tsx';

export function DeadPage() {
  const query = useDeadWork();
  const { error, retry } = useKnownError(query);
  const again = useRetry();
  const { data } = query;
  return (
    <OperatorFrame title="Stuck work" error={query.error}>
      <FailureTabs shown="stuck" />
      <p className="text-sm text-muted">
        Retrying never repeats a payment: commands and payments continue at their current step, replies and webhooks are
        sent again.
      </p>
      {error && <ErrorNote retry={retry}>{error.message}</ErrorNote>}
      {again.error && <ErrorNote>{again.error.message}</ErrorNote>}
      {again.isSuccess && (
        <p role="status" className="rounded-lg bg-soft px-4 py-2 text-sm text-accent">
          Retried.
        </p>
      )}
      {!data && !error && <Skeleton className="h-40" />}
      {data?.data.length === 0 && (
        <EmptyNote title="No stuck work">Commands, payments, replies and webhooks are all up to date.</EmptyNote>
      )}
      {data && data.data.length > 0 && (
        <ul aria-label="Stuck work" className="rounded-2xl border border-line bg-surface px-2 sm:px-4">
          {data.data.map((item) => (
            <CaseRow
              key={`${item.kind} ${item.id}`}
              id={item.case_id}
              at={item.since}
              what={item.what}
              note={item.reason}
              aside={<Again item={item} busy={again.isPending} press={(kind) => again.mutate({ kind, id: item.id })} />}
            />
          ))}
        </ul>
      )}
    </OperatorFrame>
  );
}

function Again({ item, busy, press }: { item: DeadItem; busy: boolean; press: (kind: Retried) => void }) {
  const { kind, retry, what } = item;
  if (!retry || kind === 'message' || kind === 'transaction') return null;
  return (
    <Button aria-label={`Try again: ${what}`} disabled={busy} onClick={() => press(kind)}>
      Try again
    </Button>
  );
}
