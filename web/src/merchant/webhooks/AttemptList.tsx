// The attempts of a delivery, the newest first: the result of each, how long it took, and the response.
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import { attemptWords, isSuccess } from './deliveryWords.ts';
import { latency } from './figures.ts';
import type { Delivery } from './shapes.ts';

export function AttemptList({ delivery: { attempts, attempt_count: count } }: { delivery: Delivery }) {
  if (attempts.length === 0) return <p className="text-sm text-muted">No attempts yet.</p>;
  return (
    <section aria-label="Attempts" className="flex min-w-0 flex-col gap-1">
      <h3 className="text-sm font-medium">
        {attempts.length < count ? `Latest ${attempts.length} of ${count} attempts` : 'Attempts'}
      </h3>
      <ol className="flex flex-col">
        {attempts.map((attempt) => (
          <li key={attempt.number} className="flex min-w-0 flex-col gap-1 border-t border-line py-2 first:border-t-0">
            <p className="flex flex-wrap items-baseline gap-x-3 text-sm">
              <span className="text-muted amount">{attempt.number}.</span>
              <b className={`font-medium ${isSuccess(attempt) ? 'text-accent' : 'text-brick'}`}>
                {attemptWords(attempt)}
              </b>
              <span className="text-muted amount">{latency(attempt.latency_ms)}</span>
              <span className="ml-auto text-muted">
                <TimeAgo at={attempt.started_at} />
              </span>
            </p>
            {attempt.answer && (
              <pre
                // biome-ignore lint/a11y/noNoninteractiveTabindex: without a mouse it is scrolled with the arrow keys
                tabIndex={0}
                className="max-h-40 overflow-auto rounded-lg bg-sunken p-3 font-mono text-sm break-words whitespace-pre-wrap quiet-scroll"
              >
                {attempt.answer}
              </pre>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
