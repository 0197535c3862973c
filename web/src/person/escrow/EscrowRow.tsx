// One tab in a list: who, how much, where, how long still; the whole row leads to it.

import { ArrowDownLeft, ArrowUpRight } from 'lucide-react';
import type { EscrowView } from '../../../../src/http/api/escrowAnswers.ts';
import { padAmount } from '../../app/format.ts';
import { Link } from '../../app/router.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { TimeAgo, useNow } from '../../ui/TimeAgo.tsx';
import { isOver, statusOf, timeLeft } from './words.ts';

export function EscrowRow({ escrow }: { escrow: EscrowView }) {
  const now = useNow();
  const isSent = escrow.role === 'sender';
  const Icon = isSent ? ArrowUpRight : ArrowDownLeft;
  const { word, tone } = statusOf(escrow, now);
  const isWaiting = escrow.status === 'open' && !isOver(escrow, now);
  return (
    <li className="border-line not-first:border-t">
      <Link
        href={`/tabs/${escrow.id}`}
        className="flex min-h-16 items-center gap-3 rounded-lg px-2 py-2 -outline-offset-2! hover:bg-paper"
      >
        <span
          className={`inline-flex size-10 shrink-0 items-center justify-center rounded-full ${isSent ? 'bg-sunken text-muted' : 'bg-soft text-accent'}`}
        >
          <Icon aria-hidden="true" className="size-5" />
        </span>
        <span className="min-w-0 grow">
          <span className="block truncate">
            <span className="sr-only">{isSent ? 'For ' : 'From '}</span>
            <b className="font-semibold">{isSent ? escrow.recipient_label : escrow.sender_label}</b>
          </span>
          <span className="block truncate text-sm text-muted">
            {isWaiting ? timeLeft(escrow.deadline, now) : <TimeAgo at={escrow.closed_at ?? escrow.created_at} />} ·{' '}
            {escrow.chain_label}
            {escrow.note && ` · ${escrow.note}`}
          </span>
        </span>
        <span className="flex shrink-0 flex-col items-end gap-0.5">
          <span className="font-semibold amount">
            {padAmount(escrow.amount)} {escrow.currency}
          </span>
          <Pill tone={tone}>{word}</Pill>
        </span>
      </Link>
    </li>
  );
}

export function EscrowRowSkeleton() {
  return (
    <li aria-hidden="true" className="flex min-h-16 items-center gap-3 border-line px-2 py-2 not-first:border-t">
      <span className="size-10 shrink-0 rounded-full bg-sunken waits" />
      <span className="h-9 grow rounded-lg bg-sunken waits" />
    </li>
  );
}
