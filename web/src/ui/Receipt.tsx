// The receipt of a payment, of a tip as of an order: anyone with its address can see, share and print it.
import { type LucideIcon, Printer } from 'lucide-react';
import type { ReactNode } from 'react';
import { zonedTime } from '../app/format.ts';
import { Button } from './Button.tsx';
import { Fact, Facts, Figure } from './Facts.tsx';
import { Hex, type HexWords } from './Hex.tsx';
import { ShareButton, type ShareWords } from './ShareButton.tsx';

type ReceiptWords = HexWords & ShareWords & Record<'receipt' | 'anyoneCanSee' | 'print', string>;

/** @param children the facts, each a `Fact` */
export function Receipt({
  icon: Icon,
  look,
  status,
  amount,
  currency,
  description,
  shareText,
  words,
  items,
  from,
  children,
}: {
  icon: LucideIcon;
  /** Colours of the icon. */
  look: string;
  /** `Paid` */
  status: string;
  amount: string;
  currency: string;
  description?: string | null;
  /** The payment in one line. */
  shareText: string;
  words: ReceiptWords;
  /** What was bought. */
  items?: ReactNode;
  /** Who gave it, on top. */
  from?: ReactNode;
  children: ReactNode;
}) {
  return (
    <article aria-label={words.receipt} className="flex flex-col gap-6">
      {from && <div className="flex items-center gap-3 border-b border-line pb-4">{from}</div>}
      <header className="flex flex-col items-center gap-3 text-center">
        <span className={`inline-flex size-14 items-center justify-center rounded-full ${look}`}>
          <Icon aria-hidden="true" className="size-7" />
        </span>
        <p role="status" className="text-lg font-semibold">
          {status}
        </p>
        <h1>
          <span className="sr-only">{words.receipt} </span>
          <Figure amount={amount} currency={currency} />
        </h1>
        {description && <p className="max-w-80 break-words">{description}</p>}
      </header>
      {items}
      <Facts>{children}</Facts>
      <div className="flex flex-col gap-3 print:hidden">
        <div className="grid grid-cols-2 gap-3">
          <Button className="min-h-12!" onClick={() => print()}>
            <Printer aria-hidden="true" className="size-4" />
            {words.print}
          </Button>
          <ShareButton path={location.pathname} title={`${words.receipt} · Ampersat`} text={shareText} words={words} />
        </div>
        <p className="text-center text-sm text-muted">{words.anyoneCanSee}</p>
      </div>
    </article>
  );
}

/** @param at Unix milliseconds */
export function TimeFact({ name, at }: { name: string; at: number }) {
  return (
    <Fact name={name}>
      <time dateTime={new Date(at).toISOString()}>{zonedTime(at)}</time>
    </Fact>
  );
}

/** A hash or an address: shortened on screen, whole on paper. */
export function HexFact({
  name,
  value,
  what,
  href,
  words,
}: {
  name: string;
  value: string;
  /** `the transaction` */
  what: string;
  href?: string | null;
  words: HexWords;
}) {
  return (
    <Fact name={name}>
      <span className="print:hidden">
        <Hex value={value} what={what} href={href} words={words} />
      </span>
      <code className="hidden font-mono break-all print:inline">{value}</code>
    </Fact>
  );
}
