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
import { TabRow } from '../escrow/TabRow.tsx';
import { type ClaimRun, followRun, startRun } from './claimRun.ts';
import { isHeld } from './claimState.ts';
import { isWorthTelling } from './faults.ts';
import { usePress } from './usePress.ts';
import { readyTabs, type Sum, sumsPerChain, useClaim } from './waitingTabs.ts';

/** @param hasMore there are more open tabs than `tabs` lists */
export function MoneyCard({
  tabs,
  run,
  onAsked,
  hasMore,
}: {
  tabs: EscrowView[];
  run: ClaimRun | null;
  onAsked: Asked;
  hasMore: boolean;
}) {
  const claim = useClaim(onAsked);
  const press = usePress(claim);
  const now = useNow();
  const { ready, unpayable } = readyTabs(tabs);
  const isRunning = run !== null && run.endedAt === null;
  const ofRun = tabs.filter(({ id }) => run?.ids.includes(id));
  const failed = ready.filter((tab) => tab.claim?.status === 'failed');
  // What was claimed is among the received ones.
  const shown = tabs.filter((tab) => tab.status === 'open');
  return (
    <Card title="Waiting for you">
      {isRunning ? <Running run={run} tabs={ofRun} /> : <Arrived tabs={ofRun} />}
      {!isRunning && ready.length > 0 && (
        <div className="flex flex-col gap-4">
          <Sums sums={sumsPerChain(ready)} />
          <PaidTo tabs={ready} />
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
      {isWorthTelling(claim.error) && <ErrorNote>{claim.error.message}</ErrorNote>}
      {!isRunning && !claim.isPending && failed.map((tab) => <Failure key={tab.id} tab={tab} />)}
      {unpayable.length > 0 && <Unpayable tabs={unpayable} />}
      {tabs
        .filter((tab) => isHeld(tab, now))
        .map((tab) => (
          <Held key={tab.id} tab={tab} />
        ))}
      <ul className="-mx-2">
        {shown.map((tab) => (
          <TabRow key={tab.id} tab={tab} />
        ))}
      </ul>
    </Card>
  );
}

type Asked = (tabs: EscrowView[]) => void;

/** Follows what is under way among the tabs, from the press or from the first look to its end. */
export function useClaimRun(tabs: EscrowView[] | undefined): [ClaimRun | null, Asked] {
  const [run, setRun] = useState<ClaimRun | null>(null);
  const [looked, setLooked] = useState<EscrowView[]>();
  if (tabs && tabs !== looked) {
    setLooked(tabs);
    setRun(followRun(run, tabs, Date.now()));
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

function PaidTo({ tabs }: { tabs: EscrowView[] }) {
  const wallets = [...new Set(tabs.flatMap(({ pays_to }) => pays_to ?? []))];
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

function Running({ run, tabs }: { run: ClaimRun; tabs: EscrowView[] }) {
  return (
    <section aria-label="On its way" className="flex flex-col gap-4">
      <Sums sums={sumsPerChain(tabs)} />
      <Steps steps={run.steps} endedAt={run.endedAt} failed={false} />
      <p className="text-sm text-muted">This takes a few seconds. You can close this page.</p>
    </section>
  );
}

function Arrived({ tabs }: { tabs: EscrowView[] }) {
  const claimed = tabs.filter(({ status }) => status === 'claimed');
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

function Failure({ tab }: { tab: EscrowView }) {
  return (
    <ErrorNote>
      {padAmount(tab.amount)} {tab.currency} from {tab.sender_label}: {tab.claim?.failure ?? 'The last attempt failed.'}{' '}
      It is still yours to claim.
    </ErrorNote>
  );
}

function Unpayable({ tabs }: { tabs: EscrowView[] }) {
  const chains = [...new Set(tabs.map(({ chain_label }) => chain_label))].join(' and ');
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-lg bg-amber-soft px-4 py-3 text-sm text-amber">
      <p className="min-w-0">
        Your wallet can’t be paid on {chains} yet. Sign once for that network first; the money stays where it is.
      </p>
      <ButtonLink href="/settings">Wallet settings</ButtonLink>
    </div>
  );
}

function Held({ tab }: { tab: EscrowView }) {
  const until = Date.parse(tab.claim?.held_until ?? '');
  return (
    <p role="status" className="rounded-lg bg-amber-soft px-4 py-3 text-sm text-amber">
      {padAmount(tab.amount)} {tab.currency} from {tab.sender_label}: claimed, paid automatically on {exactTime(until)}.
      Usernames can change owners, so until then the sender can still take it back.
    </p>
  );
}
