// Names and values in rows, and the amount above them: what a payment is, on the checkout and on receipts.
import type { ReactNode } from 'react';
import { padAmount } from '../app/format.ts';

export function Facts({ children }: { children: ReactNode }) {
  return <dl className="flex flex-col rounded-2xl border border-line bg-surface px-4 text-sm">{children}</dl>;
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-h-11 items-center justify-between gap-4 border-line py-2 not-first:border-t short:min-h-9 short:py-1">
      <dt className="max-w-1/2 shrink-0 truncate text-muted">{name}</dt>
      <dd className="min-w-0 text-right font-medium break-words">{children}</dd>
    </div>
  );
}

const LONG = 9;
const VERY_LONG = 14;

/** The largest thing on the page; a figure with many digits is set smaller instead of running over the edge. */
export function Figure({ amount, currency }: { amount: string; currency: string }) {
  const text = padAmount(amount);
  const size = text.length > VERY_LONG ? 'text-lg' : text.length > LONG ? 'text-xl' : 'text-2xl';
  return (
    <span className={`flex flex-wrap items-baseline justify-center gap-x-3 font-semibold tracking-tight ${size}`}>
      <span className="tabular-nums break-all">{text}</span>
      <span className="text-lg font-medium text-muted">{currency}</span>
    </span>
  );
}
