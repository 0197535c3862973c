// How requests to the API read on pages.
import type { Tone } from '../../ui/tone.ts';

export function statusTone(status: number): Tone {
  if (status >= 500 || status === 499) return 'bad';
  return status >= 400 ? 'busy' : 'good';
}

export function durationWords(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
