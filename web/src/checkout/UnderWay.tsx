// The real steps of a payment with their times: those in this page's wallet, then those that the service reports.
import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { type Step, Steps } from '../ui/Steps.tsx';
import type { Progress } from './checkoutApi.ts';
import type { PayStage } from './payRun.ts';

/** A stage that was reached, in Unix milliseconds. */
export type Reached = { stage: PayStage; at: number };

const STAGES: Record<PayStage, { now: string; after: string }> = {
  network: { now: 'Checking your wallet’s network…', after: 'Right network' },
  approve: { now: 'Waiting for you in your wallet…', after: 'Allowed in your wallet' },
  approving: { now: 'Waiting for the chain to take the allowance…', after: 'Allowance is on the chain' },
  sign: { now: 'Waiting for you in your wallet…', after: 'Agreed in your wallet' },
  'sign-again': { now: 'Waiting for you in your wallet once more…', after: 'Agreed a second time' },
  send: { now: 'Checking the signature…', after: 'Signature checked' },
  sent: { now: 'Sent. Waiting for the chain to show it…', after: 'Sent by your wallet' },
};

export function UnderWay({ stages, progress }: { stages: Reached[]; progress: Progress }) {
  const [openedAt] = useState(() => Date.now());
  const isMoving = progress.step !== 'waiting' && progress.step !== 'ended';
  return (
    <section aria-label="Progress" className="flex flex-col gap-4 rounded-2xl border border-line bg-surface p-4">
      <Steps
        steps={stepsOf(stages, isMoving ? progress : null, openedAt)}
        endedAt={progress.step === 'settled' ? atOf(progress, 'settled') : null}
        failed={false}
      />
      {isMoving && (
        <p className="text-sm text-muted">
          You can close this page: the payment goes on by itself, and this address shows how it ended.
        </p>
      )}
      {progress.explorer_url && (
        <a
          href={progress.explorer_url}
          target="_blank"
          rel="noopener noreferrer"
          className="inline-flex items-center gap-1 self-start text-sm text-accent underline-offset-4 hover:underline"
        >
          Look at the transaction
          <ExternalLink aria-hidden="true" className="size-4" />
        </a>
      )}
    </section>
  );
}

const NO_TIME_MS = 400;

/** @param openedAt stands in for when the current step was reached, where nobody knows that */
function stepsOf(stages: Reached[], progress: Progress | null, openedAt: number): Step[] {
  const own = stages
    // The wallet was on the right network all along where that took no time.
    .filter(({ stage, at }, index) => stage !== 'network' || (stages[index + 1]?.at ?? Infinity) - at > NO_TIME_MS)
    .map(({ stage, at }) => ({ key: stage, at, ...STAGES[stage] }));
  const reported = (progress?.steps ?? []).flatMap((step) => {
    const at = step.at !== null ? Date.parse(step.at) : step.name === progress?.step ? openedAt : null;
    return at === null ? [] : [{ key: step.name, at, ...wordsOf(step) }];
  });
  // Two clocks meet here: no step was reached before the one in front of it.
  let last = 0;
  return [...own, ...reported].map((step) => {
    last = Math.max(last, step.at);
    return { ...step, at: last };
  });
}

function wordsOf({ name, confirmations, needed }: Progress['steps'][number]): { now: string; after: string } {
  switch (name) {
    case 'preparing':
      return { now: 'Preparing the payment…', after: 'Prepared' };
    case 'submitted':
      return { now: 'Sent. Waiting for the chain to take it…', after: 'Sent to the chain' };
    case 'confirming': {
      const count = needed ? ` (${Math.min(confirmations ?? 0, needed)} of ${needed})` : '';
      return { now: `Waiting for confirmations${count}…`, after: 'Confirmed' };
    }
    case 'settled':
      return { now: 'Paid', after: 'Paid' };
  }
}

function atOf({ steps }: Progress, name: string): number | null {
  const at = steps.find((step) => step.name === name)?.at;
  return at ? Date.parse(at) : null;
}
