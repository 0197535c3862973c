// The real steps of something that takes a while, with their times, while it runs and after.
import { Check, Loader } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { seconds } from '../format.ts';
import { useNow } from './TimeAgo.tsx';

const TICK_MS = 250;

/** A step that was reached at `at` (Unix milliseconds): its words while it is under way, and once it is over. */
export type Step = { key: string; now: string; after: string; at: number };

/**
 * @param endedAt when the last step was over; null while it is under way
 * @param failed the last step did not get through; its error stands elsewhere
 */
export function Steps({ steps, endedAt, failed }: { steps: Step[]; endedAt: number | null; failed: boolean }) {
  const now = useNow(TICK_MS);
  const list = useRef<HTMLOListElement>(null);
  const count = steps.length;
  // On a phone the button stands low, and what it started would go on below the edge.
  useEffect(() => {
    if (count > 0) list.current?.scrollIntoView({ block: 'nearest' });
  }, [count]);
  const done = failed ? steps.slice(0, -1) : steps;
  return (
    <ol ref={list} aria-live="polite" className="flex scroll-mb-24 flex-col gap-1 text-sm">
      {done.map((step, index) => {
        const end = steps[index + 1]?.at ?? endedAt;
        return (
          <li key={step.key} className="flex items-center gap-2">
            {end === null ? (
              <Loader aria-hidden="true" className="size-4 shrink-0 text-amber waits" />
            ) : (
              <Check aria-hidden="true" className="size-4 shrink-0 text-accent" />
            )}
            <span className={end === null ? '' : 'text-muted'}>{end === null ? step.now : step.after}</span>
            <span aria-hidden="true" className="ml-auto text-muted amount">
              {seconds(Math.max(0, (end ?? Math.max(now, step.at)) - step.at))}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
