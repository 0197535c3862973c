// Paying by a plain transfer to the order's own address, from any wallet or exchange: what has to be sent, where, and what has arrived so far.
import { useQuery } from '@tanstack/react-query';
import { TriangleAlert, WalletMinimal } from 'lucide-react';
import { useState } from 'react';
import { padAmount, plainAmount } from '../../app/format.ts';
import { ErrorNote, Skeleton } from '../../ui/notices.tsx';
import { QrCode } from '../../ui/QrCode.tsx';
import { CopyButton } from './CopyButton.tsx';
import { askAgain, type Deposit, type PublicOrder, preparePayment } from './checkoutApi.ts';
import { useWords } from './language.ts';
import { problemWords } from './problems.ts';
import type { Words } from './words/en.ts';

export function DepositPay({ order }: { order: PublicOrder }) {
  const words = useWords();
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['prepared', order.id, 'deposit', order.amount_due],
    queryFn: ({ signal }) => preparePayment(order.id, { way: 'deposit' }, signal),
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => askAgain(state.error),
    placeholderData: (previous) => previous,
  });
  if (error && !data)
    return (
      <ErrorNote retry={() => void refetch()} retryWord={words.tryAgain}>
        {problemWords(error)}
      </ErrorNote>
    );
  if (!data?.deposit) return <Skeleton className="h-120" />;
  const { address, scan } = data.deposit;
  const due = `${padAmount(order.amount_due)} ${order.currency}`;
  const hasSome = Number(order.amount_received) > 0;
  const codes = codesOf(words, data.deposit, hasSome);
  if (Number(order.amount_due) === 0)
    return (
      <p role="status" className="rounded-2xl border border-line bg-surface p-4 text-sm">
        <b className="font-semibold">{words.allArrived}</b> {words.settling}
      </p>
    );
  return (
    <div className="flex flex-col gap-4 rounded-2xl border border-line bg-surface p-4">
      <h2 className="text-base font-semibold">
        {address === null ? words.scanToPay(due, order.chain_label) : words.sendExactly(due, order.chain_label)}
      </h2>
      {codes.length > 0 && <Codes codes={codes} label={words.qrPay(due, order.chain_label)} />}
      {/* A phone cannot scan its own screen: what the code says is a link that wallets open. It leads nowhere until the rest is known, and keeps its place. */}
      <a
        href={isPlaceholderData ? undefined : (codes[0]?.uri ?? data.deposit.uri)}
        className={`inline-flex min-h-12 items-center justify-center gap-2 rounded-lg bg-accent px-4 font-medium text-on-accent pointer-fine:hidden ${isPlaceholderData ? 'opacity-50' : ''}`}
      >
        <WalletMinimal aria-hidden="true" className="size-5" />
        {words.openInWallet}
      </a>
      <Line name={words.amount} what={words.theAmount} value={plainAmount(order.amount_due)} shown={due} />
      {address !== null && (
        <>
          <Line name={words.addressOnly(order.chain_label)} what={words.theAddress} value={address} shown={address} />
          <ul className="flex flex-col gap-1 rounded-lg bg-amber-soft p-3 text-sm text-amber">
            <Warning>{words.onlyThis(order.currency, order.chain_label)}</Warning>
            <Warning>{hasSome ? words.fullRest : words.fullAmount}</Warning>
          </ul>
        </>
      )}
      {scan?.transfer && <ByMemo {...scan.transfer} />}
      <div role="status" className="flex flex-col gap-2 text-sm">
        {hasSome ? (
          <p>
            <b className="font-semibold">
              {words.partArrived(`${padAmount(order.amount_received)} ${order.currency}`, due)}
            </b>{' '}
            {words.sendRest}
          </p>
        ) : (
          <p className="text-muted">
            <span className="waits">{words.waitingForPayment}</span> {words.updates}
          </p>
        )}
      </div>
    </div>
  );
}

/** What can be scanned, the best first. A transaction pays the whole order; a transfer what is due. */
function codesOf(words: Words, { uri, scan }: Deposit, hasSome: boolean): Code[] {
  if (!scan) return hasSome ? [] : [{ name: '', uri }];
  const transaction = hasSome
    ? []
    : [{ name: words.scanKinds.transaction, uri: scan.transaction, cost: words.scanCost }];
  return scan.transfer ? [...transaction, { name: words.scanKinds.transfer, uri }] : transaction;
}

/** `cost` is what the wallet pays beside the amount, where it does. */
type Code = { name: string; uri: string; cost?: string };

function Codes({ codes, label }: { codes: Code[]; label: string }) {
  const words = useWords();
  const [chosen, choose] = useState('');
  const shown = codes.find(({ name }) => name === chosen) ?? codes[0];
  if (!shown) return null;
  return (
    <>
      <QrCode value={shown.uri} label={label} className="size-52 self-center" />
      {codes.length > 1 && (
        <fieldset className="flex flex-wrap justify-center gap-x-4 text-sm">
          <legend className="sr-only">{words.scanKind}</legend>
          {codes.map(({ name }) => (
            <label key={name} className="inline-flex min-h-10 items-center gap-2">
              <input
                type="radio"
                name="code"
                className="accent-accent"
                checked={name === shown.name}
                onChange={() => choose(name)}
              />
              {name}
            </label>
          ))}
        </fieldset>
      )}
      {shown.cost && <p className="text-center text-sm text-muted">{shown.cost}</p>}
    </>
  );
}

/** For those who can send to a wallet only. */
function ByMemo({ treasury, memo }: { treasury: string; memo: string }) {
  const words = useWords();
  return (
    <details className="text-sm">
      <summary className="min-h-10 cursor-pointer py-2 text-accent">{words.refusesAddress}</summary>
      <div className="flex flex-col gap-3 pt-1">
        <p>{words.sendWithMemo}</p>
        <Line name={words.addressWithMemo} what={words.theAddress} value={treasury} shown={treasury} />
        <Line name={words.memo} what={words.theMemo} value={memo} shown={memo} />
      </div>
    </details>
  );
}

function Line({ name, what, value, shown }: { name: string; what: string; value: string; shown: string }) {
  return (
    <div className="flex items-end justify-between gap-3">
      <p className="flex min-w-0 flex-col text-sm">
        <span className="text-muted">{name}</span>
        <span className="font-mono break-all">{shown}</span>
      </p>
      <CopyButton value={value} what={what} />
    </div>
  );
}

function Warning({ children }: { children: React.ReactNode }) {
  return (
    <li className="flex gap-2">
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span>{children}</span>
    </li>
  );
}
