// Money that waits in tabs: its sums and the wallet that gets it, one press for all of it, the real steps, and what arrived.

import { Check } from 'lucide-react';
import { useState } from 'react';
import type { EscrowView } from '../../../../src/http/api/escrowAnswers.ts';
import { exactTime, padAmount } from '../../app/format.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Hex } from '../../ui/Hex.tsx';
import { ErrorNote } from '../../ui/notices.tsx';
import { Steps } from '../../ui/Steps.tsx';
import { useNow } from '../../ui/TimeAgo.tsx';
import { EscrowRow } from '../escrow/EscrowRow.tsx';
import { type ClaimRun, followRun, startRun } from './claimRun.ts';
import { isHeld } from './claimState.ts';
import { isWorthTelling } from './faults.ts';
import { usePress } from './usePress.ts';
import { readyEscrows, type Sum, sumsPerChain, useClaim } from './waitingEscrows.ts';

/** @param hasMore there are more open tabs than `escrows` lists; @param confirming how many more are in a block that is not final yet */
export function MoneyCard({
  escrows,
  run,
  onAsked,
  hasMore,
  confirming,
}: {
  escrows: EscrowView[];
  run: ClaimRun | null;
  onAsked: Asked;
  hasMore: boolean;
  confirming: number;
}) {
  const claim = useClaim(onAsked);
  const press = usePress(claim);
  const now = useNow();
  const { ready, unpayable } = readyEscrows(escrows);
  const isRunning = run !== null && run.endedAt === null;
  const ofRun = escrows.filter(({ id }) => run?.ids.includes(id));
  const failed = ready.filter((escrow) => escrow.claim?.status === 'failed');
  // What was claimed is among the received ones.
  const shown = escrows.filter((escrow) => escrow.status === 'open');
  return (
    <Card title="Waiting for you">
      {isRunning ? <Running run={run} escrows={ofRun} /> : <Arrived escrows={ofRun} />}
      {!isRunning && ready.length > 0 && (
        <div className="flex flex-col gap-4">
          <Sums sums={sumsPerChain(ready)} />
          <PaidTo escrows={ready} />
          <Button
            kind="filled"
            className="min-h-12! text-base!"
            disabled={claim.isPending}
            onClick={() => press(ready)}
          >
            {claim.isPending ? 'Claiming…' : claimWords(ready, hasMore)}
          </Button>
        </div>
      )}
      {confirming > 0 && <Confirming count={confirming} isMore={run !== null || shown.length > 0} />}
      {isWorthTelling(claim.error) && <ErrorNote>{claim.error.message}</ErrorNote>}
      {!isRunning && !claim.isPending && failed.map((escrow) => <Failure key={escrow.id} escrow={escrow} />)}
      {unpayable.length > 0 && <Unpayable escrows={unpayable} />}
      {escrows
        .filter((escrow) => isHeld(escrow, now))
        .map((escrow) => (
          <Held key={escrow.id} escrow={escrow} />
        ))}
      <ul className="-mx-2">
        {shown.map((escrow) => (
          <EscrowRow key={escrow.id} escrow={escrow} />
        ))}
      </ul>
    </Card>
  );
}

type Asked = (escrows: EscrowView[]) => void;

/** Follows what is under way among the tabs, from the press or from the first look to its end. */
export function useClaimRun(escrows: EscrowView[] | undefined): [ClaimRun | null, Asked] {
  const [run, setRun] = useState<ClaimRun | null>(null);
  const [looked, setLooked] = useState<EscrowView[]>();
  if (escrows && escrows !== looked) {
    setLooked(escrows);
    setRun(followRun(run, escrows, Date.now()));
  }
  const start: Asked = (asked) => {
    setRun((known) => startRun(known, asked, Date.now()));
    setLooked(undefined);
  };
  return [run, start];
}

function claimWords(ready: EscrowView[], hasMore: boolean): string {
  const [only] = ready;
  if (only && ready.length === 1) return `Claim ${padAmount(only.amount)} ${only.currency}`;
  return hasMore ? 'Claim all' : `Claim all ${ready.length}`;
}

function Sums({ sums }: { sums: Sum[] }) {
  return (
    <ul className="flex flex-col gap-1">
      {sums.map(({ amount, currency, chain, chainLabel }) => (
        <li key={`${currency} ${chain}`} className="flex flex-wrap items-baseline gap-x-2">
          <span className="text-xl font-semibold tracking-tight amount">
            {padAmount(amount)} <span className="text-lg font-medium text-muted">{currency}</span>
          </span>
          <span className="text-sm text-muted">on {chainLabel}</span>
        </li>
      ))}
    </ul>
  );
}

function PaidTo({ escrows }: { escrows: EscrowView[] }) {
  const wallets = [...new Set(escrows.flatMap(({ pays_to }) => pays_to ?? []))];
  return (
    <div className="text-sm">
      <p>
        Paid to your wallet{' '}
        {wallets.map((wallet) => (
          <Hex key={wallet} value={wallet} what="your wallet’s address" />
        ))}
      </p>
      <p className="text-muted">Ampersat pays the network fee; you don’t need to sign anything.</p>
    </div>
  );
}

function Running({ run, escrows }: { run: ClaimRun; escrows: EscrowView[] }) {
  return (
    <section aria-label="On its way" className="flex flex-col gap-4">
      <Sums sums={sumsPerChain(escrows)} />
      <Steps steps={run.steps} endedAt={run.endedAt} failed={false} />
      <p className="text-sm text-muted">This takes a few seconds. You can close this page.</p>
    </section>
  );
}

function Arrived({ escrows }: { escrows: EscrowView[] }) {
  const claimed = escrows.filter(({ status }) => status === 'claimed');
  const [wallet] = claimed.flatMap(({ paid_to }) => paid_to ?? []);
  if (claimed.length === 0) return null;
  return (
    <div role="status" className="flex gap-3 rounded-lg bg-soft px-4 py-3">
      <Check aria-hidden="true" className="mt-1 size-5 shrink-0 text-accent" />
      <div className="flex min-w-0 flex-col gap-1">
        <p>
          <b className="font-semibold">In your wallet</b>{' '}
          {wallet && <Hex value={wallet} what="your wallet’s address" />}
        </p>
        <Sums sums={sumsPerChain(claimed)} />
      </div>
    </div>
  );
}

function Confirming({ count, isMore }: { count: number; isMore: boolean }) {
  const [tabs, verb, them] = count === 1 ? ['One', 'is', 'it'] : [String(count), 'are', 'them'];
  return (
    <p role="status" className="text-sm text-muted">
      {tabs} {isMore ? 'more' : count === 1 ? 'tab' : 'tabs'} {verb} confirming. You can claim {them} in a few seconds.
    </p>
  );
}

function Failure({ escrow }: { escrow: EscrowView }) {
  return (
    <ErrorNote>
      {padAmount(escrow.amount)} {escrow.currency} from {escrow.sender_label}:{' '}
      {escrow.claim?.failure ?? 'The last attempt failed.'} It is still yours to claim.
    </ErrorNote>
  );
}

function Unpayable({ escrows }: { escrows: EscrowView[] }) {
  const chains = [...new Set(escrows.map(({ chain_label }) => chain_label))].join(' and ');
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-lg bg-amber-soft px-4 py-3 text-sm text-amber">
      <p className="min-w-0">
        Your wallet can’t be paid on {chains} yet. Sign once for that network first; the money stays where it is.
      </p>
      <ButtonLink href="/settings">Wallet settings</ButtonLink>
    </div>
  );
}

function Held({ escrow }: { escrow: EscrowView }) {
  const until = Date.parse(escrow.claim?.held_until ?? '');
  return (
    <p role="status" className="rounded-lg bg-amber-soft px-4 py-3 text-sm text-amber">
      {padAmount(escrow.amount)} {escrow.currency} from {escrow.sender_label}: claimed, paid automatically on{' '}
      {exactTime(until)}. Usernames can change owners, so until then the sender can still take it back.
    </p>
  );
}
