// An endpoint over a chosen time: its success rate and its response times. Test events are not counted.
import { useState } from 'react';
import { Card } from '../../ui/Card.tsx';
import { Chart } from '../../ui/Chart.tsx';
import { EmptyNote, ErrorNote, Skeleton } from '../../ui/notices.tsx';
import { useKnownError } from '../../ui/useKnownError.ts';
import { latency, linesOf, SPANS, shareWords } from './figures.ts';
import { useFigures } from './webhooksApi.ts';

const HEIGHT = 160;
/** A chart with its legend, so that nothing jumps when the data arrives. */
const WHOLE = 'min-h-50';

export function FiguresCards({ id }: { id: string }) {
  const [hours, setHours] = useState<number>(24);
  const figures = useFigures(id, hours);
  const { data, isPlaceholderData } = figures;
  const { error, retry } = useKnownError(figures);
  return (
    <section aria-labelledby="figures" className="flex min-w-0 flex-col gap-3">
      <header className="flex min-h-10 flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h2 id="figures" className="font-semibold">
          Performance
        </h2>
        <Spans hours={hours} onHours={setHours} />
      </header>
      {error && !data && <ErrorNote retry={retry}>{error.message}</ErrorNote>}
      <div
        aria-busy={isPlaceholderData}
        className={`grid min-w-0 gap-4 sm:gap-6 lg:grid-cols-2 ${isPlaceholderData ? 'opacity-50' : ''}`}
      >
        {data ? (
          <Charts lines={linesOf(data)} />
        ) : (
          !error && (
            <>
              <Skeleton className="h-72" />
              <Skeleton className="h-72" />
            </>
          )
        )}
      </div>
    </section>
  );
}

function Spans({ hours, onHours }: { hours: number; onHours: (hours: number) => void }) {
  return (
    <fieldset className="flex gap-1">
      <legend className="sr-only">Period</legend>
      {SPANS.map((span) => (
        <label
          key={span.hours}
          className="relative inline-flex min-h-8 cursor-pointer items-center rounded-lg px-2 text-sm text-muted has-checked:bg-soft has-checked:font-semibold has-checked:text-accent has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name="span"
            checked={span.hours === hours}
            onChange={() => onHours(span.hours)}
            className="absolute inset-0 opacity-0"
          />
          {span.label}
        </label>
      ))}
    </fieldset>
  );
}

function Charts({ lines }: { lines: ReturnType<typeof linesOf> }) {
  const { times, succeeded, failed, half, most, sums, slowest } = lines;
  return (
    <>
      <Card title="Attempts" aside={<span className="text-sm text-muted">{shareWords(sums)}</span>}>
        <div className={WHOLE}>
          {sums.succeeded + sums.failed === 0 ? (
            <EmptyNote title="No deliveries">No events were sent in this period.</EmptyNote>
          ) : (
            <Chart
              title="Attempts over time"
              summary={shareWords(sums)}
              stacked
              height={HEIGHT}
              times={times}
              format={(value) => value.toLocaleString()}
              series={[
                { label: 'Succeeded', kind: 'bars', values: succeeded },
                { label: 'Failed', kind: 'bars', tone: 'brick', values: failed },
              ]}
            />
          )}
        </div>
      </Card>
      <Card title="Response time">
        <div className={WHOLE}>
          {slowest === null ? (
            <EmptyNote title="No responses">No response was received in this period.</EmptyNote>
          ) : (
            <Chart
              title="Response time over time"
              summary={`p95 up to ${latency(slowest)}.`}
              height={HEIGHT}
              times={times}
              format={latency}
              series={[
                { label: 'p50', values: half },
                { label: 'p95', tone: 'amber', values: most },
              ]}
            />
          )}
        </div>
      </Card>
    </>
  );
}
