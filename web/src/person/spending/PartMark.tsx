// How far a part of a list of steps is.
import { Check, Circle, CircleDot } from 'lucide-react';

export function PartMark({ state }: { state: 'done' | 'current' | 'later' }) {
  if (state === 'done') return <Check aria-label="signed" className="mt-0.5 size-5 shrink-0 text-accent" />;
  if (state === 'current') return <CircleDot aria-label="next" className="mt-0.5 size-5 shrink-0 text-accent" />;
  return <Circle aria-label="later" className="mt-0.5 size-5 shrink-0 text-muted" />;
}
