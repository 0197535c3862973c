// The wallet has not enough: the figures, and what to do.

import { padAmount } from '../format.ts';
import { Button } from '../ui/Button.tsx';
import type { PublicOrder } from './checkoutApi.ts';

export function TooLittle({
  order,
  balance,
  needed,
  currency,
  isLooking,
  onLook,
}: {
  order: PublicOrder;
  balance: string;
  needed: string;
  currency: string;
  isLooking: boolean;
  onLook: () => void;
}) {
  return (
    <>
      <div role="status" className="flex flex-col gap-1 rounded-lg bg-amber-soft p-4 text-sm text-amber">
        <p className="font-semibold">Not enough in this wallet</p>
        <p>
          It has {padAmount(balance)} {currency} on {order.chain_label}; this needs {padAmount(needed)} {currency}. Top
          it up, choose another wallet, or send from somewhere else.
        </p>
      </div>
      <Button kind="filled" className="min-h-14! w-full text-base!" disabled={isLooking} onClick={onLook}>
        {isLooking ? 'Looking…' : 'Look again'}
      </Button>
    </>
  );
}
