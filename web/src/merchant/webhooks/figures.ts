// The figures of an endpoint as charts take them.
import type { Figures } from './shapes.ts';

export const SPANS = [
  { hours: 24, label: '24 hours' },
  { hours: 168, label: '7 days' },
  { hours: 720, label: '30 days' },
] as const;

export type Lines = {
  times: number[];
  succeeded: number[];
  failed: number[];
  half: (number | null)[];
  most: (number | null)[];
  /** Over the whole span. */
  sums: { succeeded: number; failed: number };
  /** The longest that 95 of 100 took in any step, in milliseconds; null without an answer. */
  slowest: number | null;
};

export function linesOf({ buckets }: Figures): Lines {
  const slow = buckets.flatMap(({ p95_ms }) => (p95_ms === null ? [] : [p95_ms]));
  return {
    times: buckets.map(({ time }) => time),
    succeeded: buckets.map(({ succeeded }) => succeeded),
    failed: buckets.map(({ failed }) => failed),
    half: buckets.map(({ p50_ms }) => p50_ms),
    most: buckets.map(({ p95_ms }) => p95_ms),
    sums: {
      succeeded: buckets.reduce((sum, { succeeded }) => sum + succeeded, 0),
      failed: buckets.reduce((sum, { failed }) => sum + failed, 0),
    },
    slowest: slow.length === 0 ? null : Math.max(...slow),
  };
}

/** `Success rate 98.5% (200 attempts)`; never 100% of what is not whole. */
export function shareWords({ succeeded, failed }: Lines['sums']): string {
  const all = succeeded + failed;
  if (all === 0) return 'No attempts in this period';
  const percent = failed === 0 ? 100 : Math.min(99.9, Math.floor((succeeded / all) * 1_000) / 10);
  return `Success rate ${percent}% (${all === 1 ? '1 attempt' : `${all.toLocaleString()} attempts`})`;
}

/** `2.5 ms`, `120 ms`, `2.4 s` */
export function latency(ms: number): string {
  if (ms >= 1_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${ms < 10 ? Number(ms.toFixed(1)) : Math.round(ms)} ms`;
}
