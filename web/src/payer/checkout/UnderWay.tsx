// The real steps of a payment with their times: those in this page's wallet, then those that the service reports.
import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { type Step, Steps } from '../../ui/Steps.tsx';
import type { Progress } from './checkoutApi.ts';
import { useWords } from './language.ts';
import type { PayStage } from './payRun.ts';
import type { Pay } from './usePay.ts';
import type { Words } from './words/en.ts';

/** A stage that was reached, in Unix milliseconds. */
export type Reached = { stage: PayStage; at: number };

export function UnderWay({
  pay: { stages, shown },
  progress,
}: {
  pay: Pick<Pay, 'stages' | 'shown'>;
  progress: Progress;
}) {
  const words = useWords();
  const [openedAt] = useState(() => Date.now());
  const isMoving = progress.step !== 'waiting' && progress.step !== 'ended';
  return (
    <section aria-label={words.progress} className="flex flex-col gap-4 rounded-2xl border border-line bg-surface p-4">
      <Steps
        steps={stepsOf(words, stages, isMoving ? progress : null, openedAt)}
        endedAt={progress.step === 'settled' ? atOf(progress, 'settled') : null}
        failed={false}
        shown={shown}
      />
      {(isMoving || stages.at(-1)?.stage === 'sent') && <p className="text-sm text-muted">{words.closePage}</p>}
      {progress.explorer_url && (
        <a
          href={progress.explorer_url}
          target="_blank"
          rel="noopener noreferrer"
          className="inline-flex items-center gap-1 self-start text-sm text-accent underline-offset-4 hover:underline"
        >
          {words.viewTransaction}
          <ExternalLink aria-hidden="true" className="size-4" />
        </a>
      )}
    </section>
  );
}

const NO_TIME_MS = 400;

/** @param openedAt the time of the current step if that is unknown */
function stepsOf(words: Words, stages: Reached[], progress: Progress | null, openedAt: number): Step[] {
  const own = stages
    // The wallet was on the right network all along where that took no time.
    .filter(({ stage, at }, index) => stage !== 'network' || (stages[index + 1]?.at ?? Infinity) - at > NO_TIME_MS)
    .map(({ stage, at }) => ({ key: stage, at, ...words.stages[stage] }));
  const reported = (progress?.steps ?? []).flatMap((step) => {
    const at = step.at !== null ? Date.parse(step.at) : step.name === progress?.step ? openedAt : null;
    return at === null ? [] : [{ key: step.name, at, ...wordsOf(words, step) }];
  });
  // Two clocks meet here: no step was reached before the one in front of it.
  let last = 0;
  return [...own, ...reported].map((step) => {
    last = Math.max(last, step.at);
    return { ...step, at: last };
  });
}

function wordsOf(
  words: Words,
  { name, confirmations, needed }: Progress['steps'][number],
): { now: string; after: string } {
  if (name !== 'confirming') return words.steps[name];
  return words.steps.confirming(needed ? words.countOf(Math.min(confirmations ?? 0, needed), needed) : '');
}

function atOf({ steps }: Progress, name: string): number | null {
  const at = steps.find((step) => step.name === name)?.at;
  return at ? Date.parse(at) : null;
}
