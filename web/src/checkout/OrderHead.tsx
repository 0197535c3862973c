// What is to be paid, to whom, and where: the figure first.
import type { ReactNode } from 'react';
import { padAmount } from '../format.ts';
import { Avatar } from '../ui/Avatar.tsx';
import type { Merchant } from './checkoutApi.ts';
import { useWords } from './language.ts';
import type { Words } from './words/en.ts';

export function OrderHead({
  verb,
  merchant,
  amount,
  currency,
  description,
  face = true,
}: {
  /** What the money does: `Pay`. */
  verb: string;
  merchant: Merchant;
  /** Null where the buyer chooses it. */
  amount: string | null;
  currency: string;
  description: string | null;
  face?: boolean;
}) {
  const words = useWords();
  return (
    <div className="flex flex-col items-center gap-2 text-center">
      {face && <Avatar name={merchant.handle} size="large" />}
      <h1 className="flex flex-col items-center gap-2">
        <span className="text-base text-muted">
          {verb} <b className="font-semibold text-ink">@{merchant.handle}</b>
          {merchant.kind === 'business' && <> · {words.business}</>}
        </span>
        {amount !== null && <Figure amount={amount} currency={currency} />}
      </h1>
      {description && <p className="max-w-80 break-words">{description}</p>}
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

/** What the buyer pays on top: nothing for USDC; a native coin is sent by the wallet itself, which pays the network. */
export function feeWord(words: Words, { currency }: { currency: string }): string {
  return currency === 'USDC' ? words.noFee : words.networkFeeOnly;
}

export function Facts({ children }: { children: ReactNode }) {
  return <dl className="flex flex-col rounded-2xl border border-line bg-surface px-4 text-sm">{children}</dl>;
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-h-11 items-center justify-between gap-4 border-line py-2 not-first:border-t">
      <dt className="shrink-0 text-muted">{name}</dt>
      <dd className="min-w-0 text-right font-medium break-words">{children}</dd>
    </div>
  );
}
