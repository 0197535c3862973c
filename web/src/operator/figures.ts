// How the operations page writes figures, and how it lays samples on one grid of times.
import { findChain } from '../../../src/domain/chains.ts';
import type { Charts } from './operationsApi.ts';

/** `0.42 s`, `12 s`, `3 min`, `2 h` */
export function shortAge(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(Number.isInteger(seconds) ? 0 : 2)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3_600)} h`;
}

/** Words of the service as a sentence. */
export function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** `99.2%`; never 100% of what is not whole. */
export function share(part: number, whole: number): string {
  if (part === whole) return '100%';
  return `${Math.min(99.9, (part / whole) * 100).toFixed(1)}%`;
}

export function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_048_576)} MB`;
}

/** What a chain counts its history in. */
export function unitOf({ chain }: { chain: string }): 'slot' | 'block' {
  return findChain(chain)?.family === 'solana' ? 'slot' : 'block';
}

/** Every step of a span, in Unix seconds. */
export function timesOf({ from, to, step_seconds: step }: Charts): number[] {
  const first = Math.ceil(Date.parse(from) / 1_000 / step);
  const last = Math.floor(Date.parse(to) / 1_000 / step);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => (first + index) * step);
}

/** The value of each time; `missing` where there is none. @param points Unix milliseconds */
export function onGrid<Missing extends number | null>(
  times: number[],
  points: readonly (readonly [atMs: number, value: number])[],
  missing: Missing,
): (number | Missing)[] {
  const byTime = new Map(points.map(([at, value]) => [Math.round(at / 1_000), value]));
  return times.map((time) => byTime.get(time) ?? missing);
}
