// The wallet has not enough: the figures, and what to do.

import { LAST_DEPOSIT_MS } from '../../../../src/domain/checkout.ts';
import { LEAST_FILL_MS } from '../../../../src/domain/smartLeg.ts';
import { shortAmount } from '../../app/format.ts';
import { Button } from '../../ui/Button.tsx';
import { useNow } from '../../ui/TimeAgo.tsx';
import type { PublicOrder } from './checkoutApi.ts';
import { useWords } from './language.ts';

export function TooLittle({
  order,
  balance,
  needed,
  currency,
  elsewhere,
  isLooking,
  onLook,
}: {
  order: PublicOrder;
  balance: string;
  needed: string;
  currency: string;
  /** What the wallet has on other networks; empty for nothing. */
  elsewhere: string;
  isLooking: boolean;
  onLook: () => void;
}) {
  const words = useWords();
  // A bridge needs its time, and what arrives has to be swept.
  const isTooLate = Date.parse(order.expires_at) - useNow() < LEAST_FILL_MS + LAST_DEPOSIT_MS;
  return (
    <>
      <div role="status" className="flex flex-col gap-1 rounded-lg bg-amber-soft p-4 text-sm text-amber">
        <p className="font-semibold">{words.tooLittle}</p>
        <p>
          {words.tooLittleHelp(
            `${shortAmount(balance, currency)} ${currency}`,
            order.chain_label,
            `${shortAmount(needed, currency, 'up')} ${currency}`,
          )}
        </p>
        {elsewhere !== '' && <p>{words.smart.alsoHas(elsewhere)}</p>}
        {isTooLate && <p>{words.smart.tooLate}</p>}
      </div>
      <Button kind="filled" className="min-h-14! py-2 w-full text-base!" disabled={isLooking} onClick={onLook}>
        {isLooking ? words.checking : words.checkAgain}
      </Button>
    </>
  );
}
