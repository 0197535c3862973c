// The drawing of a chart: uPlot in the colours of the theme, kept in its frame.
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { axisTop, dashesOf, type Tone } from './chartLooks.ts';

export type Series = {
  label: string;
  /** One value a time; null where there is none. */
  values: (number | null)[];
  /** Lines of one tone differ in dashes. */
  tone?: Tone;
  kind?: 'line' | 'bars';
};

const COLOURS = { accent: '--accent', amber: '--amber', brick: '--brick', muted: '--muted' } as const;
/** What whole numbers are counted in on an axis. */
const WHOLE_STEPS = [1, 2, 5]
  .flatMap((one) => Array.from({ length: 12 }, (_, power) => one * 10 ** power))
  .sort((a, b) => a - b);
/** The share of the room between two times that all bars of one time take together, and the most pixels of one bar. */
const BARS_SHARE = 0.8;
const BAR_MAX_PX = 24;
/** As wide as a digit of the axes’ font at most. */
const DIGIT_PX = 7.5;
const DAY_S = 86_400;
const DAY_TICK = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const CLOCK_TICK = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hour12: false });

export function toneOf({ tone = 'accent' }: Series): Tone {
  return tone;
}

type PlotInput = {
  /** Unix seconds, rising. */
  times: number[];
  series: Series[];
  format: (value: number) => string;
  /** In pixels. */
  height: number;
  stacked: boolean;
  onCursor: (index: number | null) => void;
  isShown: boolean;
};

/** Keeps a drawing in its frame: it follows the frame's width, the colours of the scheme, and the data. */
export function usePlot({ times, series, format, height, stacked, onCursor, isShown }: PlotInput) {
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
  return JSON.stringify([isWhole(series), series.map(({ label, tone, kind }) => [label, tone, kind])]);
}

/** Counts: an axis has no halves of them. */
function isWhole(series: Series[]): boolean {
  return series.every(({ values }) => values.every((value) => value === null || Number.isInteger(value)));
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
  const dashes = dashesOf(series.map(toneOf));
  const barSeries = series.filter(({ kind }) => kind === 'bars');
  const barsOf = (one: Series) => (stacked ? barPaths(0, 1) : barPaths(barSeries.indexOf(one), barSeries.length));
  return {
    width,
    height,
    legend: { show: false },
    cursor: { y: false, drag: { setScale: false }, points: { size: 6 } },
    scales: {
      x: { range: (_plot, min, max) => [min - margin, max + margin] },
      y: { range: (_plot, _min, max) => [0, axisTop(max, isWhole(series) ? 1 : 0)] },
    },
    axes: [
      { ...axis, grid: { show: false }, size: 28, space: 72, values: (_plot, ticks) => ticks.map(timeTick(ticks)) },
      {
        ...axis,
        size: (_plot, labels) => axisWidth(labels),
        space: 32,
        values: (_plot, ticks) => ticks.map(format),
        ...(isWhole(series) && { incrs: WHOLE_STEPS }),
      },
    ],
    series: [
      {},
      ...series.map((one, index) => {
        const { label, tone = 'accent', kind = 'line' } = one;
        const stroke = colour(COLOURS[tone]);
        const look =
          kind === 'bars'
            ? { fill: stroke, width: 0, paths: barsOf(one) }
            : { width: 2, spanGaps: true, dash: [...(dashes[index] ?? [])] };
        // A line of one or two values would be too short to be seen.
        const isShort = kind === 'line' && one.values.filter((value) => value !== null).length < 3;
        return { label, stroke, points: { show: isShort, size: 6, fill: stroke }, ...look };
      }),
    ],
    hooks: { setCursor: [(drawing) => onCursor(drawing.cursor.idx ?? null)] },
  };
}

/** Room for the longest label. */
function axisWidth(labels: readonly string[] | null): number {
  const longest = Math.max(0, ...(labels ?? []).map(({ length }) => length));
  return Math.max(56, 20 + longest * DIGIT_PX);
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

/** Changes when the system turns from light to dark, so that charts are redrawn in its colours. */
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
