// The receipt of a tip, public to anyone with its address.
import { Check, Clock, type LucideIcon, Undo2, X } from 'lucide-react';
import { ApiError } from '../../app/apiError.ts';
import { addAmounts, padAmount } from '../../app/format.ts';
import { usePath } from '../../app/router.tsx';
import { type TipReceipt as TipReceiptView, type TipStatus, useReceipt } from '../../person/history/historyApi.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { Fact } from '../../ui/Facts.tsx';
import { EmptyNote, ErrorNote, Skeleton } from '../../ui/notices.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { HexFact, Receipt, TimeFact } from '../../ui/Receipt.tsx';
import { Wordmark } from '../../ui/Wordmark.tsx';
import { words as en } from '../checkout/words/en.ts';

export function ReceiptPage() {
  const id = decodeURIComponent(usePath().split('/')[2] ?? '');
  const { data, error, refetch } = useReceipt(id);
  return (
    <div className="mx-auto flex min-h-dvh max-w-110 flex-col gap-8 px-4 py-6">
      <header className="flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <Wordmark />
        {data && !data.livemode && <Pill tone="busy">{en.testMode}</Pill>}
      </header>
      <main>
        {data ? (
          <TipReceipt tip={data} />
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

const HEADS: Record<TipStatus, { status: string; icon: LucideIcon; look: string }> = {
  pending: { status: 'Pending', icon: Clock, look: 'bg-amber-soft text-amber' },
  paid: { status: 'Paid, awaiting confirmation', icon: Clock, look: 'bg-amber-soft text-amber' },
  final: { status: 'Paid', icon: Check, look: 'bg-soft text-accent' },
  failed: { status: 'Not paid. Nothing was charged', icon: X, look: 'bg-brick-soft text-brick' },
  waiting: { status: 'Waiting to be claimed', icon: Clock, look: 'bg-amber-soft text-amber' },
  crossing: { status: 'On its way to another network', icon: Clock, look: 'bg-amber-soft text-amber' },
  returned: { status: 'Returned to its sender', icon: Undo2, look: 'bg-sunken text-muted' },
};

function TipReceipt({ tip }: { tip: TipReceiptView }) {
  const money = (amount: string) => `${padAmount(amount)} ${tip.asset}`;
  const isBack = tip.return_tx_hash !== null;
  return (
    <Receipt
      {...HEADS[tip.status]}
      amount={tip.amount}
      currency={tip.asset}
      shareText={`${tip.from} → ${tip.to}: ${money(tip.amount)}`}
      words={en}
    >
      <Fact name="From">{tip.from}</Fact>
      <Fact name="To">{tip.to}</Fact>
      <Fact name={en.amount}>
        <span className="amount">{money(tip.amount)}</span>
      </Fact>
      {tip.fee !== null && (
        <Fact name={isBack ? 'Fee (not returned)' : 'Fee (added)'}>
          <span className="amount">{money(tip.fee)}</span>
        </Fact>
      )}
      {tip.fee !== null && Number(tip.fee) > 0 && tip.status !== 'failed' && !isBack && (
        <Fact name="Total">
          <span className="amount">{money(addAmounts([tip.amount, tip.fee]))}</span>
        </Fact>
      )}
      <Fact name={en.network}>
        {tip.chain_label}
        {tip.to_chain_label !== null && ` → ${tip.to_chain_label}`}
      </Fact>
      <TimeFact name={en.time} at={Date.parse(tip.block_time ?? tip.at)} />
      {tip.tx_hash && (
        <HexFact
          name={en.transaction}
          value={tip.tx_hash}
          what={en.theTransaction}
          href={tip.explorer_url}
          words={en}
        />
      )}
      {tip.arrive_tx_hash && (
        <HexFact
          name="Arrived in"
          value={tip.arrive_tx_hash}
          what={en.theTransaction}
          href={tip.arrive_explorer_url}
          words={en}
        />
      )}
      {tip.return_tx_hash && (
        <HexFact
          name="Returned in"
          value={tip.return_tx_hash}
          what={en.theTransaction}
          href={tip.return_explorer_url}
          words={en}
        />
      )}
      <Fact name="Tip">
        <code className="font-mono text-sm break-all">{tip.id}</code>
      </Fact>
      {!tip.livemode && <Fact name={en.mode}>{en.testWithPlayMoney}</Fact>}
    </Receipt>
  );
}
