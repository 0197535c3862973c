// Says on other pages that money is waiting to be claimed, and leads to it; nothing where nothing waits.

import { Gift } from 'lucide-react';
import type { EscrowView } from '../../../../src/http/api/escrowAnswers.ts';
import { addAmounts, padAmount } from '../../app/format.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { readyEscrows, useWaitingEscrows } from './waitingEscrows.ts';

export function WaitingHint() {
  const { data } = useWaitingEscrows();
  const { ready, unpayable } = readyEscrows(data?.escrows ?? []);
  const waiting = [...ready, ...unpayable];
  const [only] = waiting;
  if (!only) return null;
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 rounded-2xl bg-soft px-4 py-3 sm:px-6"
    >
      <p className="flex min-w-0 items-center gap-3">
        <Gift aria-hidden="true" className="size-5 shrink-0 text-accent" />
        <span>
          <b className="font-semibold amount">{sumOf(waiting)}</b> {waiting.length === 1 ? 'is' : 'are'} waiting for you
          {waiting.length === 1 ? `, from ${only.sender_label}` : ` in ${waiting.length} tabs`}.
        </span>
      </p>
      <ButtonLink href={waiting.length === 1 ? `/tabs/${only.id}` : '/tabs'}>Claim</ButtonLink>
    </div>
  );
}

/** `5.00 USDC`, `5.00 USDC and 0.01 ETH` */
function sumOf(escrows: EscrowView[]): string {
  const currencies = [...new Set(escrows.map(({ currency }) => currency))];
  return currencies
    .map((currency) => {
      const amounts = escrows.filter((escrow) => escrow.currency === currency).map(({ amount }) => amount);
      return `${padAmount(addAmounts(amounts))} ${currency}`;
    })
    .join(' and ');
}
