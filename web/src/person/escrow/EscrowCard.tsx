// A tab: how much it is and how it stands, then the part that is the reader's, then the facts.

import { Check, Clock, Gift, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { isSameAddress } from '../../../../src/domain/walletFamily.ts';
import type { EscrowView } from '../../../../src/http/api/escrowAnswers.ts';
import { exactTime, padAmount } from '../../app/format.ts';
import type { OwnAccount } from '../../app/session/RequireAccount.tsx';
import { Hex } from '../../ui/Hex.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { TimeAgo, useNow } from '../../ui/TimeAgo.tsx';
import { ClaimBox } from './ClaimBox.tsx';
import { isUnderWay } from './escrowApi.ts';
import { NotOpened } from './NotOpened.tsx';
import { RefundBox } from './RefundBox.tsx';
import { ReturnBox } from './ReturnBox.tsx';
import { SomebodyElses } from './SomebodyElses.tsx';
import { UnderWay } from './UnderWay.tsx';
import { isOver, statusOf, timeLeft } from './words.ts';

const LOOKS = {
  pending_create: { icon: Clock, look: 'bg-sunken text-muted' },
  open: { icon: Gift, look: 'bg-soft text-accent' },
  claimed: { icon: Check, look: 'bg-soft text-accent' },
  refunded: { icon: Undo2, look: 'bg-sunken text-muted' },
};

export function EscrowCard({ escrow, account }: { escrow: EscrowView; account: OwnAccount }) {
  const now = useNow();
  const { word, tone } = statusOf(escrow, now);
  const { icon: Icon, look } = LOOKS[escrow.status];
  const deadline = escrow.deadline * 1_000;
  return (
    <article aria-labelledby="amount" className="flex flex-col gap-4">
      <header className="flex flex-col items-center gap-3 pt-2 pb-4 text-center">
        <span className={`inline-flex size-12 items-center justify-center rounded-full ${look}`}>
          <Icon aria-hidden="true" className="size-6" />
        </span>
        <h2 id="amount" className="text-2xl font-semibold tracking-tight amount">
          {padAmount(escrow.amount)} <span className="text-lg font-medium text-muted">{escrow.currency}</span>
        </h2>
        <p role="status" className="flex flex-col items-center gap-2">
          <Pill tone={tone}>{word}</Pill>
          <span className="text-balance">{sentenceOf(escrow, now)}</span>
        </p>
      </header>
      <Part escrow={escrow} account={account} />
      <dl className="flex flex-col rounded-2xl border border-line bg-surface px-4 py-2 text-sm sm:px-6">
        <Row name="From">{escrow.role === 'sender' ? 'You' : escrow.sender_label}</Row>
        <Row name="For">{escrow.role === 'recipient' ? `You, ${escrow.recipient_label}` : escrow.recipient_label}</Row>
        <Row name="Network">{escrow.chain_label}</Row>
        {escrow.note && (
          <Row name="Note">
            <span className="block overflow-hidden">{escrow.note}</span>
          </Row>
        )}
        {(escrow.status === 'open' || escrow.status === 'pending_create') && (
          <Row name={isOver(escrow, now) ? 'Expired' : 'Expires'}>
            <time dateTime={new Date(deadline).toISOString()}>{exactTime(deadline)}</time>
          </Row>
        )}
        {escrow.opened_at && (
          <Row name="Opened">
            <TimeAgo at={escrow.opened_at} />
          </Row>
        )}
        {escrow.closed_at && (
          <Row name={escrow.status === 'claimed' ? 'Claimed' : 'Returned'}>
            <TimeAgo at={escrow.closed_at} />
          </Row>
        )}
        {escrow.paid_to && (
          <Row name="Paid to">
            {isOwn(escrow.paid_to, account) && 'Your wallet '}
            <Hex value={escrow.paid_to} what="the wallet it was paid to" />
          </Row>
        )}
        <Transactions escrow={escrow} />
      </dl>
    </article>
  );
}

function isOwn(address: string, { wallets }: OwnAccount): boolean {
  return [wallets.evm, wallets.solana].some((own) => own !== null && isSameAddress(address, own));
}

/** What the reader may do. Whatever is under way stands alone: nothing else makes sense meanwhile. */
function Part({ escrow, account }: { escrow: EscrowView; account: OwnAccount }) {
  const now = useNow();
  if (escrow.status === 'pending_create') return <NotOpened escrow={escrow} />;
  if (escrow.status !== 'open') return null;
  if (isUnderWay(escrow.claim?.status) || isUnderWay(escrow.refund?.status))
    return (
      <>
        <UnderWay escrow={escrow} />
        {/* The name may have changed hands, so its sender can act while the claim is held. */}
        {escrow.role === 'sender' && escrow.claim?.held_until && !isUnderWay(escrow.refund?.status) && (
          <RefundBox escrow={escrow} account={account} />
        )}
      </>
    );
  if (escrow.role === 'recipient')
    return (
      <>
        <ClaimBox escrow={escrow} />
        {isOver(escrow, now) && <ReturnBox escrow={escrow} isQuiet />}
      </>
    );
  if (isOver(escrow, now)) return <ReturnBox escrow={escrow} />;
  if (escrow.role === 'sender') return <RefundBox escrow={escrow} account={account} />;
  return <SomebodyElses escrow={escrow} handle={account.handle} />;
}

function sentenceOf(escrow: EscrowView, now: number): string {
  const mine = escrow.role === 'sender';
  switch (escrow.status) {
    case 'pending_create':
      return 'No money is locked yet.';
    case 'claimed':
      return escrow.role === 'recipient' ? 'The money is in your wallet.' : `${escrow.recipient_label} claimed it.`;
    case 'refunded':
      return mine ? 'The money is back in your wallet.' : 'The money was returned to its sender.';
    case 'open':
      if (isOver(escrow, now)) return 'Not claimed in time.';
      return escrow.role === 'recipient'
        ? `From ${escrow.sender_label}. ${timeLeft(escrow.deadline, now)}.`
        : timeLeft(escrow.deadline, now);
  }
}

function Transactions({ escrow }: { escrow: EscrowView }) {
  const { txHash, close_tx_hash: closed, explorer_url: url } = escrow;
  const last = closed ?? escrow.claim?.tx_hash ?? escrow.refund?.tx_hash ?? null;
  return (
    <>
      {txHash && (
        <Row name="Opened in">
          <Hex value={txHash} what="the opening transaction" href={last ? null : url} />
        </Row>
      )}
      {last && (
        <Row
          name={
            escrow.status === 'claimed' || escrow.claim?.tx_hash === last ? 'Payout transaction' : 'Return transaction'
          }
        >
          <Hex value={last} what="the transaction" href={url} />
        </Row>
      )}
    </>
  );
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-h-10 items-center justify-between gap-4 border-line py-1 not-first:border-t">
      <dt className="shrink-0 text-muted">{name}</dt>
      <dd className="min-w-0 text-right font-medium break-words">{children}</dd>
    </div>
  );
}
