// One tip in a list: who, how much, where, and its outcome; the whole row leads to its receipt.
import { ArrowDownLeft, ArrowUpRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { padAmount } from '../../app/format.ts';
import { Link } from '../../app/router.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import type { Tone } from '../../ui/tone.ts';
import type { HistoryTip, TipStatus } from './historyApi.ts';

export const STATUS_WORDS: Record<TipStatus, { word: string; tone: Tone }> = {
  pending: { word: 'Pending', tone: 'busy' },
  paid: { word: 'Confirming', tone: 'busy' },
  final: { word: 'Paid', tone: 'good' },
  failed: { word: 'Not paid', tone: 'bad' },
  waiting: { word: 'Waiting', tone: 'busy' },
  crossing: { word: 'On its way', tone: 'busy' },
  returned: { word: 'Returned', tone: 'good' },
};

export function TipRow({ tip }: { tip: HistoryTip }) {
  const isSent = tip.direction === 'sent';
  const { word, tone } = STATUS_WORDS[tip.status];
  const Icon = isSent ? ArrowUpRight : ArrowDownLeft;
  return (
    <li className="not-first:border-t border-line">
      <Row
        href={tip.receipt_url}
        className="flex min-h-16 items-center gap-3 rounded-lg px-2 py-2 -outline-offset-2! hover:bg-paper"
      >
        <span
          className={`inline-flex size-10 shrink-0 items-center justify-center rounded-full ${isSent ? 'bg-sunken text-muted' : 'bg-soft text-accent'}`}
        >
          <Icon aria-hidden="true" className="size-5" />
        </span>
        <span className="min-w-0 grow">
          <span className="block truncate">
            {isSent ? 'To ' : 'From '}
            <b className="font-semibold">{tip.counterparty}</b>
          </span>
          <span className="block truncate text-sm text-muted">
            <TimeAgo at={tip.at} /> · {tip.chain_label}
            {tip.to_chain_label !== null && ` → ${tip.to_chain_label}`}
          </span>
          {tip.failure && <span className="block text-sm text-brick">{tip.failure}</span>}
        </span>
        <span className="flex shrink-0 flex-col items-end gap-0.5">
          <span
            className={`font-semibold amount ${tip.status === 'failed' || tip.status === 'returned' ? 'text-muted line-through' : isSent ? '' : 'text-accent'}`}
          >
            {isSent ? '−' : '+'}
            {padAmount(tip.amount)} {tip.asset}
          </span>
          {tip.status === 'final' ? (
            <span className="text-sm text-muted amount">
              {isSent && tip.fee !== null ? `fee ${padAmount(tip.fee)}` : word}
            </span>
          ) : (
            <Pill tone={tone}>{word}</Pill>
          )}
        </span>
      </Row>
    </li>
  );
}

/** A send has no receipt: its row leads nowhere. */
function Row({ href, className, children }: { href: string | null; className: string; children: ReactNode }) {
  if (href === null) return <div className={className.replace(' hover:bg-paper', '')}>{children}</div>;
  return (
    <Link href={href} className={className}>
      {children}
    </Link>
  );
}

export function TipRowSkeleton() {
  return (
    <li aria-hidden="true" className="flex min-h-16 items-center gap-3 px-2 py-2 not-first:border-t border-line">
      <span className="size-10 shrink-0 rounded-full bg-sunken waits" />
      <span className="h-9 grow rounded-lg bg-sunken waits" />
    </li>
  );
}
