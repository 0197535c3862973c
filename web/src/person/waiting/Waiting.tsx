// What waits for the reader: money in tabs, and tips that they typed before they were connected.
import type { PendingTipView } from '../../../../src/http/api/waitingAnswers.ts';
import { EmptyNote, ErrorNote, Skeleton } from '../../ui/notices.tsx';
import { isWorthTelling } from './faults.ts';
import { KeptTips, useSeen } from './KeptTips.tsx';
import { MoneyCard, useClaimRun } from './MoneyCard.tsx';
import { useKeptTips } from './tipsApi.ts';
import { readyEscrows, useWaitingEscrows } from './waitingEscrows.ts';

const REFRESH_MS = 10_000;

const NONE: PendingTipView[] = [];

export function Waiting() {
  const kept = useKeptTips(REFRESH_MS);
  const received = useWaitingEscrows(REFRESH_MS);
  const seen = useSeen(kept.data ?? NONE);
  const escrows = received.data?.escrows ?? [];
  const [run, onAsked] = useClaimRun(received.data?.escrows);
  const confirming = received.data?.confirming ?? 0;
  const hasMoney = run !== null || confirming > 0 || escrows.some(({ status }) => status === 'open');
  const isLoading = kept.isPending || received.isPending;
  const hasNothing = kept.data && received.data && !hasMoney && seen.length === 0;
  return (
    <div className="flex w-full flex-col gap-6">
      {isWorthTelling(received.error) && (
        <ErrorNote retry={() => void received.refetch()}>
          {received.error.message}
          {received.data && ' This may be out of date.'}
        </ErrorNote>
      )}
      {hasMoney && (
        <MoneyCard
          escrows={escrows}
          run={run}
          onAsked={onAsked}
          confirming={confirming}
          hasMore={received.data?.has_more === true && escrows.at(-1)?.status === 'open'}
        />
      )}
      {isWorthTelling(kept.error) && (
        <ErrorNote retry={() => void kept.refetch()}>
          {kept.error.message}
          {kept.data && ' This may be out of date.'}
        </ErrorNote>
      )}
      <KeptTips seen={seen} tips={kept.data ?? NONE} hasOtherStep={readyEscrows(escrows).ready.length > 0} />
      {isLoading && !hasMoney && seen.length === 0 && <Skeleton className="h-64" />}
      {hasNothing && <Nothing />}
    </div>
  );
}

function Nothing() {
  return (
    <section aria-label="Waiting for you" className="rounded-2xl border border-line bg-surface py-4">
      <EmptyNote title="Nothing is waiting for you">
        <p className="mb-2">Money sent to your handle or your connected accounts appears here until you claim it.</p>
        <p>Tips you type before connecting a chat wait here for 24 hours until you confirm them.</p>
      </EmptyNote>
    </section>
  );
}
