// The real steps of a change with their times, while it runs and after.
import { Check, Loader } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { seconds } from '../format.ts';
import { useNow } from '../ui/TimeAgo.tsx';
import type { Stage } from './runCall.ts';
import type { Run } from './useRunCall.ts';

const TICK_MS = 250;

const WORDS: Record<Stage, { now: string; after: string }> = {
  prepare: { now: 'Preparing…', after: 'Prepared' },
  sign: { now: 'Waiting for you in your wallet…', after: 'Agreed in your wallet' },
  send: { now: 'Checking the signature and sending…', after: 'Sent' },
  confirm: { now: 'Waiting for the chain’s confirmation…', after: 'Confirmed' },
};

/** @param failed the last stage did not get through; its error stands elsewhere */
export function RunStages({ run, failed }: { run: Run; failed: boolean }) {
  const now = useNow(TICK_MS);
  const list = useRef<HTMLOListElement>(null);
  const count = run.stages.length;
  // On a phone the button stands low, and what it started would go on below the edge.
  useEffect(() => {
    if (count > 0) list.current?.scrollIntoView({ block: 'nearest' });
  }, [count]);
  const done = failed ? run.stages.slice(0, -1) : run.stages;
  return (
    <ol ref={list} aria-live="polite" className="flex scroll-mb-24 flex-col gap-1 text-sm">
      {done.map(({ stage, at }, index) => {
        const end = run.stages[index + 1]?.at ?? run.endedAt;
        return (
          <li key={stage} className="flex items-center gap-2">
            {end === null ? (
              <Loader aria-hidden="true" className="size-4 shrink-0 text-amber waits" />
            ) : (
              <Check aria-hidden="true" className="size-4 shrink-0 text-accent" />
            )}
            <span className={end === null ? '' : 'text-muted'}>{WORDS[stage][end === null ? 'now' : 'after']}</span>
            <span aria-hidden="true" className="ml-auto text-muted amount">
              {seconds(Math.max(0, (end ?? Math.max(now, at)) - at))}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
