// What is wrong now, each with what to do; or that all is well.
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { CLOSED_BY_HAND } from '../../../src/domain/alerts.ts';
import { Button } from '../ui/Button.tsx';
import { ErrorNote } from '../ui/notices.tsx';
import { TimeAgo } from '../ui/TimeAgo.tsx';
import { type Alert, type Overview, useCloseAlert } from './operationsApi.ts';
import { problemsInWords } from './problems.ts';

export function OpenAlerts({ alerts, health }: { alerts: Alert[]; health: Overview['health'] }) {
  const wrong = health.parts.filter((part) => !part.ok);
  const close = useCloseAlert();
  if (alerts.length === 0 && wrong.length === 0) {
    return (
      <p role="status" className="flex items-center gap-3 rounded-2xl bg-soft px-4 py-4 text-accent sm:px-6">
        <CircleCheck aria-hidden="true" className="size-6 shrink-0" />
        <span>
          <b className="font-semibold">All systems normal.</b> Nothing needs attention.
        </span>
      </p>
    );
  }
  return (
    <section aria-label="What needs attention" role="status" className="flex flex-col gap-2">
      {alerts.map((alert) => (
        <article key={alert.id} className="flex gap-3 rounded-2xl bg-amber-soft px-4 py-4 sm:px-6">
          <TriangleAlert aria-hidden="true" className="mt-0.5 size-6 shrink-0 text-amber" />
          <div className="flex min-w-0 grow flex-col gap-1">
            <h2 className="flex flex-wrap items-baseline justify-between gap-x-4 font-semibold text-amber">
              {alert.title}
              <TimeAgo at={alert.raised_at} className="text-sm font-normal" />
            </h2>
            <p className="break-words text-ink">{alert.message}</p>
            <p className="text-sm text-ink">{alert.advice}</p>
            {CLOSED_BY_HAND.includes(alert.kind) && (
              <div>
                <Button disabled={close.isPending} onClick={() => close.mutate(alert.id)}>
                  Mark as resolved
                </Button>
              </div>
            )}
          </div>
        </article>
      ))}
      {wrong.length > 0 && <ErrorNote>Not ready: {problemsInWords(wrong)}.</ErrorNote>}
      {close.error && <ErrorNote>{close.error.message}</ErrorNote>}
    </section>
  );
}
