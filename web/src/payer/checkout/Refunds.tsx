// What was sent back of a paid order, each with when and where, and what that leaves.
import { Check, type LucideIcon, Undo2 } from 'lucide-react';
import { padAmount, zonedTime } from '../../app/format.ts';
import { Fact } from '../../ui/Facts.tsx';
import { Hex } from '../../ui/Hex.tsx';
import type { OrderNow } from './checkoutApi.ts';
import { useWords } from './language.ts';
import type { Words } from './words/en.ts';

/** `Paid`, or its refund. */
export function paidWord(words: Words, { order }: OrderNow): string {
  if (Number(order.amount_refunded) === 0) return words.paid;
  return Number(order.amount_net) === 0 ? words.refunded : words.partlyRefunded;
}

/** The icon beside that word, and its colours. */
export function paidLook({ order }: OrderNow): { icon: LucideIcon; look: string } {
  return Number(order.amount_refunded) > 0
    ? { icon: Undo2, look: 'bg-sunken text-muted' }
    : { icon: Check, look: 'bg-soft text-accent' };
}

/** Lines of a list of facts; none where nothing was sent back. */
export function RefundFacts({ now: { order, refunds } }: { now: OrderNow }) {
  const words = useWords();
  if (Number(order.amount_refunded) === 0) return null;
  return (
    <>
      {refunds.map((refund) => (
        <Fact key={refund.tx_hash} name={words.refund}>
          <span className="flex flex-col items-end">
            <span className="amount">
              −{padAmount(refund.amount)} {order.currency}
            </span>
            <time dateTime={refund.at} className="font-normal text-muted">
              {zonedTime(Date.parse(refund.at))}
            </time>
            <Hex value={refund.tx_hash} what={words.theTransaction} href={refund.explorer_url} words={words} />
          </span>
        </Fact>
      ))}
      <Fact name={words.netPaid}>
        <span className="amount">
          {padAmount(order.amount_net)} {order.currency}
        </span>
      </Fact>
    </>
  );
}
