// The ways to pay an order: from a wallet that this page can ask, or by sending to the order's own address.
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote, Skeleton } from '../../ui/notices.tsx';
import type { Away } from './Away.tsx';
import type { OrderNow } from './checkoutApi.ts';
import { useWords } from './language.ts';
import type { Pay } from './usePay.ts';
import { WalletPay } from './WalletPay.tsx';

/** Most buyers have a wallet, and need no code that draws QR codes. */
const DepositPay = lazy(async () => ({ default: (await import('./DepositPay.tsx')).DepositPay }));

const addressKey = (orderId: string) => `by-address:${orderId}`;

export function PayBox({ now, pay, away }: { now: OrderNow; pay: Pay; away: Away }) {
  const words = useWords();
  const { order, progress } = now;
  const [wantsAddress, setWantsAddress] = useState(() => sessionStorage.getItem(addressKey(order.id)) !== null);
  const choose = (byAddress: boolean) => {
    if (byAddress) sessionStorage.setItem(addressKey(order.id), 'yes');
    else sessionStorage.removeItem(addressKey(order.id));
    setWantsAddress(byAddress);
  };
  // A wallet would pay the whole once more.
  const partPaid = Number(order.amount_received) > 0;
  return (
    <section aria-label={words.pay} className="flex flex-col gap-4">
      {progress.failure && !pay.mutation.isPending && !pay.mutation.isError && (
        <ErrorNote>{words.lastAttempt}</ErrorNote>
      )}
      {wantsAddress || partPaid ? (
        <>
          <Suspense fallback={<Skeleton className="h-120" />}>
            <DepositPay order={order} />
          </Suspense>
          {!partPaid && (
            <Button kind="plain" className="self-center" onClick={() => choose(false)}>
              {words.fromWalletInstead}
            </Button>
          )}
        </>
      ) : (
        <WalletPay now={now} pay={pay} away={away} onAddress={() => choose(true)} />
      )}
    </section>
  );
}
