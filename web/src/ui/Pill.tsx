// A status in one or two words; the colour repeats what the word says.
import type { Tone } from './tone.ts';

const TONES: Record<Tone, string> = {
  good: 'bg-soft text-accent',
  busy: 'bg-amber-soft text-amber',
  bad: 'bg-brick-soft text-brick',
  quiet: 'bg-sunken text-muted',
};

export function Pill({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span
      className={`inline-flex items-center rounded-full px-2 py-0.5 text-sm font-medium whitespace-nowrap ${TONES[tone]}`}
    >
      {children}
    </span>
  );
}
