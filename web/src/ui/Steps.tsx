// The real steps of something that takes a while, with their times, while it runs and after.
import { Check, Loader } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { seconds } from '../app/format.ts';
import { useDeviceNow } from './TimeAgo.tsx';

const TICK_MS = 250;

/** A step that was reached at `at` (Unix milliseconds): its words while it is under way, and once it is over. */
export type Step = { key: string; now: string; after: string; at: number };

/** The times that a run's steps have shown. A step's end is learned a moment after it: what was shown until then never falls. */
type ShownTimes = { startedAt: number | undefined; ms: Map<string, number> };

export function noTimes(): ShownTimes {
  return { startedAt: undefined, ms: new Map() };
}

/**
 * @param endedAt when the last step was over; null while it is under way
 * @param failed the last step did not get through; its error stands elsewhere
 * @param shown where several places of a page show the same run, one after the other
 */
export function Steps({
  steps,
  endedAt,
  failed,
  shown,
}: {
  steps: Step[];
  endedAt: number | null;
  failed: boolean;
  shown?: ShownTimes;
}) {
  const now = useDeviceNow(TICK_MS);
  const list = useRef<HTMLOListElement>(null);
  const [own] = useState(noTimes);
  const times = shown ?? own;
  if (times.startedAt !== steps[0]?.at) Object.assign(times, noTimes(), { startedAt: steps[0]?.at });
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
        const took = Math.max(times.ms.get(step.key) ?? 0, (end ?? now) - step.at);
        times.ms.set(step.key, took);
        return (
          <li key={step.key} data-step={step.key} className="flex items-center gap-2">
            {end === null ? (
              <Loader aria-hidden="true" className="size-4 shrink-0 text-amber waits" />
            ) : (
              <Check aria-hidden="true" className="size-4 shrink-0 text-accent" />
            )}
            <span className={end === null ? '' : 'text-muted'}>{end === null ? step.now : step.after}</span>
            <span aria-hidden="true" className="ml-auto text-muted amount">
              {took > 0 && seconds(took)}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
