// A chart over time: drawn by uPlot in the colours of the theme, read with the arrow keys, and as a table on demand.
import { type KeyboardEvent, useId, useState } from 'react';
import { dashesOf, type Tone } from './chartLooks.ts';
import { type Series, toneOf, usePlot } from './usePlot.ts';

export type ChartProps = {
  /** What the chart shows, for its caption. */
  title: string;
  /** Unix seconds, rising. */
  times: number[];
  series: Series[];
  /** A value as people read it. */
  format?: (value: number) => string;
  formatTime?: (seconds: number) => string;
  /** In one sentence what there is to see, for those who cannot see it. */
  summary: string;
  /** In pixels. */
  height?: number;
  /** The bars of one time stand on each other instead of side by side: the first series on top. */
  stacked?: boolean;
};

const SWATCHES = { accent: 'text-accent', amber: 'text-amber', brick: 'text-brick', muted: 'text-muted' };
const CLOCK = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hour12: false,
});

export function Chart(props: ChartProps) {
  const { title, times, series, summary, height = 160, stacked = false } = props;
  const { format = String, formatTime = (seconds: number) => CLOCK.format(seconds * 1_000) } = props;
  const [asTable, setAsTable] = useState(false);
  const [index, setIndex] = useState<number | null>(null);
  const captionId = useId();
  const { frame, plot } = usePlot({ times, series, format, height, stacked, onCursor: setIndex, isShown: !asTable });
  const shown = index !== null && index < times.length ? index : null;
  const dashes = dashesOf(series.map(toneOf));

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -times.length, End: times.length }[event.key];
    if (step === undefined || times.length === 0) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(times.length - 1, (shown ?? (step > 0 ? -1 : times.length)) + step));
    setIndex(next);
    plot.current?.setCursor({ left: plot.current.valToPos(times[next] ?? 0, 'x'), top: height / 2 }, false);
  };

  return (
    <figure className="flex min-w-0 flex-col gap-2" aria-labelledby={captionId}>
      <figcaption id={captionId} className="sr-only">
        {title}. {summary}
      </figcaption>
      {asTable ? (
        <Table {...props} format={format} formatTime={formatTime} />
      ) : (
        // biome-ignore lint/a11y/useSemanticElements: a drawing with a cursor is no set of form fields
        <div
          role="group"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move the cursor of the drawing
          tabIndex={0}
          aria-label={`${title}: arrow keys move through it`}
          onKeyDown={onKeyDown}
          ref={frame}
          className="w-full min-w-0 overflow-hidden rounded-sm"
          style={{ height }}
        />
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-sm text-muted">
        <p role="status" className="flex min-h-5 flex-wrap items-center gap-x-4 gap-y-1">
          {shown !== null && <span>{formatTime(times[shown] ?? 0)}</span>}
          {series.map(({ label, values, tone = 'accent', kind = 'line' }, at) => {
            const value = shown === null ? null : (values[shown] ?? null);
            return (
              <span key={label} className="inline-flex items-center gap-1.5">
                <Swatch tone={tone} kind={kind} dashes={dashes[at] ?? []} />
                <span className="min-w-0 wrap-anywhere">{label}</span>
                {value !== null && <b className="font-medium text-ink amount">{format(value)}</b>}
              </span>
            );
          })}
        </p>
        <button
          type="button"
          aria-pressed={asTable}
          onClick={() => setAsTable(!asTable)}
          className="min-h-8 text-accent underline-offset-4 hover:underline print:hidden"
        >
          {asTable ? 'Show as chart' : 'Show as table'}
        </button>
      </div>
    </figure>
  );
}

/** A piece of the line, or of a bar, as it is drawn. */
function Swatch({ tone, kind, dashes }: { tone: Tone; kind: 'line' | 'bars'; dashes: readonly number[] }) {
  return (
    <svg
      aria-hidden="true"
      viewBox={kind === 'bars' ? '0 0 10 10' : '0 0 22 10'}
      className={`h-2.5 ${kind === 'bars' ? 'w-2.5' : 'w-5.5'} ${SWATCHES[tone]}`}
    >
      {kind === 'bars' ? (
        <rect width="10" height="10" rx="1" fill="currentColor" />
      ) : (
        <line x2="22" y1="5" y2="5" stroke="currentColor" strokeWidth="2" strokeDasharray={dashes.join(' ')} />
      )}
    </svg>
  );
}

function Table({
  title,
  times,
  series,
  height = 160,
  format,
  formatTime,
}: ChartProps & Required<Pick<ChartProps, 'format' | 'formatTime'>>) {
  return (
    <section aria-label={title} className="overflow-auto quiet-scroll" style={{ maxHeight: Math.max(height, 160) }}>
      <table className="w-full text-sm">
        <thead>
          <tr className="sticky top-0 bg-surface text-left text-muted">
            <th scope="col" className="py-1 pr-4 font-medium">
              Time
            </th>
            {series.map(({ label }) => (
              <th key={label} scope="col" className="py-1 pl-4 text-right font-medium">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {times.map((time, row) => (
            <tr key={time} className="border-t border-line">
              <th scope="row" className="py-1 pr-4 text-left font-normal whitespace-nowrap">
                {formatTime(time)}
              </th>
              {series.map(({ label, values }) => {
                const value = values[row] ?? null;
                return (
                  <td key={label} className="py-1 pl-4 text-right amount">
                    {value === null ? '–' : format(value)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
