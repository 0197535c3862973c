// A chart over time: drawn by uPlot in the colours of the theme, read with the arrow keys, and as a table for whoever prefers one.
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

export type Series = {
  label: string;
  /** One value a time; null where there is none. */
  values: (number | null)[];
  tone?: 'accent' | 'amber' | 'brick' | 'muted';
  kind?: 'line' | 'bars';
};

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

const TONES = { accent: '--accent', amber: '--amber', brick: '--brick', muted: '--muted' } as const;
const SWATCHES = { accent: 'bg-accent', amber: 'bg-amber', brick: 'bg-brick', muted: 'bg-muted' };
/** The share of the room between two times that all bars of one time take together, and the most pixels of one bar. */
const BARS_SHARE = 0.8;
const BAR_MAX_PX = 24;
const DAY_S = 86_400;
const DAY_TICK = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const CLOCK_TICK = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hour12: false });
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
          {series.map(({ label, values, tone = 'accent' }) => {
            const value = shown === null ? null : (values[shown] ?? null);
            return (
              <span key={label} className="inline-flex items-center gap-1.5">
                <span aria-hidden="true" className={`size-2.5 rounded-xs ${SWATCHES[tone]}`} />
                {label}
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

type PlotInput = Required<Pick<ChartProps, 'times' | 'series' | 'format' | 'height' | 'stacked'>> & {
  onCursor: (index: number | null) => void;
  isShown: boolean;
};

/** Keeps a drawing in its frame: it follows the frame's width, the colours of the scheme, and the data. */
function usePlot({ times, series, format, height, stacked, onCursor, isShown }: PlotInput) {
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const scheme = useScheme();
  const heights = stacked ? stackedHeights(series) : series.map(({ values }) => values);
  const [shape, data] = [shapeOf(series), [times, ...heights] as uPlot.AlignedData];
  const cursorMoved = useEffectEvent(onCursor);
  const label = useEffectEvent(format);
  const newest = useEffectEvent(() => data);
  const seriesNow = useEffectEvent(() => series);
  const timesNow = useEffectEvent(() => times);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new shape or scheme needs a new drawing
  useEffect(() => {
    const parent = frame.current;
    if (!isShown || !parent) return;
    const options = optionsOf(
      seriesNow(),
      timesNow(),
      { width: parent.clientWidth, height, stacked },
      label,
      cursorMoved,
    );
    const drawing = new uPlot(options, newest(), parent);
    plot.current = drawing;
    const watcher = new ResizeObserver(() => drawing.setSize({ width: parent.clientWidth, height }));
    watcher.observe(parent);
    return () => {
      watcher.disconnect();
      drawing.destroy();
      plot.current = null;
    };
  }, [isShown, shape, scheme, height, stacked]);

  const content = JSON.stringify(data);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the content is what counts, not the array that holds it
  useEffect(() => {
    plot.current?.setData(newest());
  }, [content]);
  return { frame, plot };
}

/** Each series is drawn as high as it and all after it together, and those after it over it. */
function stackedHeights(series: Series[]): (number | null)[][] {
  return series.map(({ values }, index) =>
    values.map((_, at) => series.slice(index).reduce((sum, one) => sum + (one.values[at] ?? 0), 0)),
  );
}

function shapeOf(series: Series[]): string {
  return JSON.stringify(series.map(({ label, tone, kind }) => [label, tone, kind]));
}

function optionsOf(
  series: Series[],
  times: number[],
  { width, height, stacked }: { width: number; height: number; stacked: boolean },
  format: (value: number) => string,
  onCursor: (index: number | null) => void,
): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const axis = {
    stroke: colour('--muted'),
    font: '12px system-ui, sans-serif',
    ticks: { show: false },
    grid: { stroke: colour('--line'), width: 1 },
  };
  // Bars stand around their time, so the first and the last need room.
  const margin = series.some(({ kind }) => kind === 'bars') ? ((times[1] ?? 0) - (times[0] ?? 0)) / 2 : 0;
  const barSeries = series.filter(({ kind }) => kind === 'bars');
  const barsOf = (one: Series) => (stacked ? barPaths(0, 1) : barPaths(barSeries.indexOf(one), barSeries.length));
  return {
    width,
    height,
    legend: { show: false },
    cursor: { y: false, drag: { setScale: false }, points: { size: 6 } },
    scales: {
      x: { range: (_plot, min, max) => [min - margin, max + margin] },
      y: { range: (_plot, _min, max) => [0, max > 0 ? max * 1.1 : 1] },
    },
    axes: [
      { ...axis, grid: { show: false }, size: 28, space: 72, values: (_plot, ticks) => ticks.map(timeTick(ticks)) },
      { ...axis, size: 56, space: 32, values: (_plot, ticks) => ticks.map(format) },
    ],
    series: [
      {},
      ...series.map((one) => {
        const { label, tone = 'accent', kind = 'line' } = one;
        const stroke = colour(TONES[tone]);
        const look = kind === 'bars' ? { fill: stroke, width: 0, paths: barsOf(one) } : { width: 2, spanGaps: true };
        // A line of one or two values would be too short to be seen.
        const isShort = kind === 'line' && one.values.filter((value) => value !== null).length < 3;
        return { label, stroke, points: { show: isShort, size: 6, fill: stroke }, ...look };
      }),
    ],
    hooks: { setCursor: [(drawing) => onCursor(drawing.cursor.idx ?? null)] },
  };
}

/** The bars of one time stand beside each other: `index` of `count`, around the time's own place. */
function barPaths(index: number, count: number): uPlot.Series.PathBuilder {
  const { bars } = uPlot.paths;
  if (!bars) throw new Error('the drawing library has no bars');
  const align = count < 2 ? 0 : index === 0 ? -1 : 1;
  return bars({ size: [BARS_SHARE / Math.min(count, 2), BAR_MAX_PX], gap: 1, align });
}

/** Days are written where whole days are far apart, else the time of day. */
function timeTick(ticks: number[]): (seconds: number) => string {
  const step = (ticks[1] ?? 0) - (ticks[0] ?? 0);
  const format = step >= DAY_S ? DAY_TICK : CLOCK_TICK;
  return (seconds) => format.format(seconds * 1_000);
}

/** Changes when the system turns from light to dark, so that whoever draws with colours draws anew. */
function useScheme(): 'light' | 'dark' {
  const query = '(prefers-color-scheme: dark)';
  const [isDark, setIsDark] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const follow = () => setIsDark(list.matches);
    list.addEventListener('change', follow);
    return () => list.removeEventListener('change', follow);
  }, []);
  return isDark ? 'dark' : 'light';
}
