// The steps of a message, each with its place on the time line.
import { since } from '../../../../web/src/app/format.ts';
import type { Trace } from '../localApi.ts';
import { momentsOf, waitingFor } from '../traceWords.ts';
import { Section } from './Section.tsx';

export function Timeline({ trace, final }: { trace: Trace; final: boolean }) {
  const moments = momentsOf(trace);
  const whole = Math.max(1, moments.at(-1)?.afterMs ?? 1);
  return (
    <Section title="Steps" aside={<span className="text-sm text-muted">since it arrived</span>}>
      <ol className="flex flex-col gap-1 text-sm">
        {moments.map(({ words, afterMs, times }, index) => (
          <li
            key={`${words}${afterMs}${index === 0 ? '' : times}`}
            className="grid grid-cols-[minmax(0,11rem)_minmax(0,1fr)_auto] items-center gap-3"
          >
            <span className="truncate">
              {words}
              {times > 1 && <span className="text-muted"> ×{times}</span>}
            </span>
            <svg aria-hidden="true" className="h-5 w-full overflow-visible text-accent">
              <line x1="0" x2="100%" y1="10" y2="10" className="stroke-line" strokeWidth="2" />
              <line
                x1={`${((moments[index - 1]?.afterMs ?? 0) / whole) * 100}%`}
                x2={`${(afterMs / whole) * 100}%`}
                y1="10"
                y2="10"
                stroke="currentColor"
                strokeWidth="2"
              />
              <circle cx={`${(afterMs / whole) * 100}%`} cy="10" r="4" fill="currentColor" />
            </svg>
            <span className="min-w-16 text-right text-muted amount">{since(afterMs)}</span>
          </li>
        ))}
        {!final && (
          <li className="flex items-center gap-2 text-amber">
            <span aria-hidden="true" className="size-2 rounded-full bg-amber waits" />
            {waitingFor(trace)}…
          </li>
        )}
      </ol>
    </Section>
  );
}
