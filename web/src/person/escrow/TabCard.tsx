// A tab: how much it is and how it stands, then the part that is the reader's, then the facts.

import { Check, Clock, Gift, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { EscrowView } from '../../../../src/http/api/escrowAnswers.ts';
import { exactTime, padAmount } from '../../app/format.ts';
import type { OwnAccount } from '../../app/session/RequireAccount.tsx';
import { Hex } from '../../ui/Hex.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { TimeAgo, useNow } from '../../ui/TimeAgo.tsx';
import { isSameAddress } from '../../wallet/requests.ts';
import { ClaimBox } from './ClaimBox.tsx';
import { NotOpened } from './NotOpened.tsx';
import { RefundBox } from './RefundBox.tsx';
import { ReturnBox } from './ReturnBox.tsx';
import { SomebodyElses } from './SomebodyElses.tsx';
import { isUnderWay } from './tabsApi.ts';
import { UnderWay } from './UnderWay.tsx';
import { isOver, statusOf, timeLeft } from './words.ts';

const LOOKS = {
  pending_create: { icon: Clock, look: 'bg-sunken text-muted' },
  open: { icon: Gift, look: 'bg-soft text-accent' },
  claimed: { icon: Check, look: 'bg-soft text-accent' },
  refunded: { icon: Undo2, look: 'bg-sunken text-muted' },
};

export function TabCard({ tab, account }: { tab: EscrowView; account: OwnAccount }) {
  const now = useNow();
  const { word, tone } = statusOf(tab, now);
  const { icon: Icon, look } = LOOKS[tab.status];
  const deadline = tab.deadline * 1_000;
  return (
    <article aria-labelledby="amount" className="flex flex-col gap-4">
      <header className="flex flex-col items-center gap-3 pt-2 pb-4 text-center">
        <span className={`inline-flex size-12 items-center justify-center rounded-full ${look}`}>
          <Icon aria-hidden="true" className="size-6" />
        </span>
        <h2 id="amount" className="text-2xl font-semibold tracking-tight amount">
          {padAmount(tab.amount)} <span className="text-lg font-medium text-muted">{tab.currency}</span>
        </h2>
        <p role="status" className="flex flex-col items-center gap-2">
          <Pill tone={tone}>{word}</Pill>
          <span className="text-balance">{sentenceOf(tab, now)}</span>
        </p>
      </header>
      <Part tab={tab} account={account} />
      <dl className="flex flex-col rounded-2xl border border-line bg-surface px-4 py-2 text-sm sm:px-6">
        <Row name="From">{tab.role === 'sender' ? 'You' : tab.sender_label}</Row>
        <Row name="For">{tab.role === 'recipient' ? `You, ${tab.recipient_label}` : tab.recipient_label}</Row>
        <Row name="Network">{tab.chain_label}</Row>
        {tab.note && <Row name="Note">{tab.note}</Row>}
        {(tab.status === 'open' || tab.status === 'pending_create') && (
          <Row name={isOver(tab, now) ? 'Expired' : 'Expires'}>
            <time dateTime={new Date(deadline).toISOString()}>{exactTime(deadline)}</time>
          </Row>
        )}
        {tab.opened_at && (
          <Row name="Opened">
            <TimeAgo at={tab.opened_at} />
          </Row>
        )}
        {tab.closed_at && (
          <Row name={tab.status === 'claimed' ? 'Claimed' : 'Returned'}>
            <TimeAgo at={tab.closed_at} />
          </Row>
        )}
        {tab.paid_to && (
          <Row name="Paid to">
            {isSameAddress(tab.paid_to, account.address) && 'Your wallet '}
            <Hex value={tab.paid_to} what="the wallet it was paid to" />
          </Row>
        )}
        <Transactions tab={tab} />
      </dl>
    </article>
  );
}

/** What the reader may do. Whatever is under way stands alone: nothing else makes sense meanwhile. */
function Part({ tab, account }: { tab: EscrowView; account: OwnAccount }) {
  const now = useNow();
  if (tab.status === 'pending_create') return <NotOpened tab={tab} />;
  if (tab.status !== 'open') return null;
  if (isUnderWay(tab.claim?.status) || isUnderWay(tab.refund?.status))
    return (
      <>
        <UnderWay tab={tab} />
        {/* The name may have changed hands, so its sender can act while the claim is held. */}
        {tab.role === 'sender' && tab.claim?.held_until && !isUnderWay(tab.refund?.status) && (
          <RefundBox tab={tab} account={account} />
        )}
      </>
    );
  if (tab.role === 'recipient')
    return (
      <>
        <ClaimBox tab={tab} />
        {isOver(tab, now) && <ReturnBox tab={tab} isQuiet />}
      </>
    );
  if (isOver(tab, now)) return <ReturnBox tab={tab} />;
  if (tab.role === 'sender') return <RefundBox tab={tab} account={account} />;
  return <SomebodyElses tab={tab} handle={account.handle} />;
}

function sentenceOf(tab: EscrowView, now: number): string {
  const mine = tab.role === 'sender';
  switch (tab.status) {
    case 'pending_create':
      return 'No money is locked yet.';
    case 'claimed':
      return tab.role === 'recipient' ? 'The money is in your wallet.' : `${tab.recipient_label} claimed it.`;
    case 'refunded':
      return mine ? 'The money is back in your wallet.' : 'The money was returned to its sender.';
    case 'open':
      if (isOver(tab, now)) return mine ? 'Not claimed in time.' : 'Not claimed in time.';
      return tab.role === 'recipient'
        ? `From ${tab.sender_label}. ${timeLeft(tab.deadline, now)}.`
        : timeLeft(tab.deadline, now);
  }
}

function Transactions({ tab }: { tab: EscrowView }) {
  const { txHash, close_tx_hash: closed, explorer_url: url } = tab;
  const last = closed ?? tab.claim?.tx_hash ?? tab.refund?.tx_hash ?? null;
  return (
    <>
      {txHash && (
        <Row name="Opened in">
          <Hex value={txHash} what="the opening transaction" href={last ? null : url} />
        </Row>
      )}
      {last && (
        <Row
          name={tab.status === 'claimed' || tab.claim?.tx_hash === last ? 'Payout transaction' : 'Return transaction'}
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
