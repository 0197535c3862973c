// A receipt that anybody with its address may see, share and print: what is on the chain, in words.
import { Check, Clock, Printer, Share2, X } from 'lucide-react';
import { useState } from 'react';
import { ApiError } from '../api.ts';
import { exactTime, padAmount } from '../format.ts';
import { type Receipt, type TipStatus, useReceipt } from '../history/historyApi.ts';
import { usePath } from '../router.tsx';
import { Button, ButtonLink } from '../ui/Button.tsx';
import { Hex } from '../ui/Hex.tsx';
import { EmptyNote, ErrorNote, Skeleton } from '../ui/notices.tsx';
import { Wordmark } from '../ui/Wordmark.tsx';

export function ReceiptPage() {
  const id = decodeURIComponent(usePath().split('/')[2] ?? '');
  const { data, error, refetch } = useReceipt(id);
  return (
    <div className="mx-auto flex min-h-dvh max-w-110 flex-col gap-8 px-4 py-6">
      <header>
        <Wordmark />
      </header>
      <main>
        {data ? (
          <ReceiptCard receipt={data} />
        ) : error instanceof ApiError && error.code === 'resource_missing' ? (
          <EmptyNote title="Receipt not found">
            <p className="mb-4">Check the link; it may be incomplete.</p>
            <ButtonLink href="/">Go to homepage</ButtonLink>
          </EmptyNote>
        ) : error ? (
          <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>
        ) : (
          <Skeleton className="h-96" />
        )}
      </main>
    </div>
  );
}

const HEADS: Record<TipStatus, { word: string; icon: typeof Check; look: string }> = {
  pending: { word: 'Pending', icon: Clock, look: 'bg-amber-soft text-amber' },
  paid: { word: 'Paid, awaiting confirmation', icon: Clock, look: 'bg-amber-soft text-amber' },
  final: { word: 'Paid', icon: Check, look: 'bg-soft text-accent' },
  failed: { word: 'Not paid. Nothing was charged', icon: X, look: 'bg-brick-soft text-brick' },
  waiting: { word: 'Waiting to be claimed', icon: Clock, look: 'bg-amber-soft text-amber' },
  returned: { word: 'Returned to its sender', icon: Check, look: 'bg-soft text-accent' },
};

function ReceiptCard({ receipt }: { receipt: Receipt }) {
  const { word, icon: Icon, look } = HEADS[receipt.status];
  const at = Date.parse(receipt.block_time ?? receipt.at);
  return (
    <article aria-labelledby="amount" className="flex flex-col gap-6">
      <div className="flex flex-col gap-6 rounded-2xl border border-line bg-surface p-6">
        <header className="flex flex-col items-center gap-3 text-center">
          <span className={`inline-flex size-12 items-center justify-center rounded-full ${look}`}>
            <Icon aria-hidden="true" className="size-6" />
          </span>
          <h1 id="amount" className="text-2xl font-semibold tracking-tight amount">
            {padAmount(receipt.amount)} <span className="text-lg font-medium text-muted">{receipt.asset}</span>
          </h1>
          <p role="status">{word}</p>
        </header>
        <dl className="flex flex-col border-t border-line text-sm">
          <Row name="From">{receipt.from}</Row>
          <Row name="To">{receipt.to}</Row>
          <Row name="Amount">
            <span className="amount">
              {padAmount(receipt.amount)} {receipt.asset}
            </span>
          </Row>
          {receipt.fee !== null && (
            <Row name="Fee (added)">
              <span className="amount">
                {padAmount(receipt.fee)} {receipt.asset}
              </span>
            </Row>
          )}
          <Row name="Network">{receipt.chain_label}</Row>
          <Row name="Time">
            <time dateTime={new Date(at).toISOString()}>{exactTime(at)}</time>
          </Row>
          {receipt.tx_hash && (
            <Row name="Transaction">
              <span className="print:hidden">
                <Hex value={receipt.tx_hash} what="the transaction" href={receipt.explorer_url} />
              </span>
              <code className="hidden font-mono break-all print:inline">{receipt.tx_hash}</code>
            </Row>
          )}
          <div className="hidden print:block">
            <Row name="Receipt">
              <code className="font-mono break-all">{receipt.id}</code>
            </Row>
          </div>
        </dl>
      </div>
      <Actions receipt={receipt} />
    </article>
  );
}

function Row({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="flex min-h-10 items-center justify-between gap-4 border-line py-1 not-first:border-t">
      <dt className="shrink-0 text-muted">{name}</dt>
      <dd className="min-w-0 text-right font-medium break-words">{children}</dd>
    </div>
  );
}

function Actions({ receipt }: { receipt: Receipt }) {
  const [told, setTold] = useState<string | null>(null);
  const share = async () => {
    const text = `${receipt.from} → ${receipt.to}: ${padAmount(receipt.amount)} ${receipt.asset}`;
    try {
      if ('share' in navigator) await navigator.share({ title: 'Receipt · Ampersat', text, url: location.href });
      else {
        await (navigator as Navigator).clipboard.writeText(location.href);
        setTold('Link copied.');
      }
    } catch (error) {
      // Whoever closes the sheet of their system has changed their mind.
      if ((error as Error).name !== 'AbortError') setTold('This browser can’t share. Copy the address above.');
    }
  };
  return (
    <div className="flex flex-col gap-3 print:hidden">
      <div className="grid grid-cols-2 gap-3">
        <Button className="min-h-12!" onClick={() => void share()}>
          <Share2 aria-hidden="true" className="size-4" />
          Share
        </Button>
        <Button className="min-h-12!" onClick={() => print()}>
          <Printer aria-hidden="true" className="size-4" />
          Print
        </Button>
      </div>
      <p role="status" className="min-h-5 text-center text-sm text-muted">
        {told ?? 'Anyone with this link can see the receipt.'}
      </p>
    </div>
  );
}
