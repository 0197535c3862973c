// The ways to pay an order: from a wallet that this page can ask, or by sending to the order's own address.
import { lazy, Suspense, useState } from 'react';
import { padAmount, shareOf } from '../../app/format.ts';
import { Button } from '../../ui/Button.tsx';
import { Meter } from '../../ui/Meter.tsx';
import { ErrorNote, Skeleton } from '../../ui/notices.tsx';
import type { Away } from './Away.tsx';
import { dueOf, type OrderNow, type PublicOrder } from './checkoutApi.ts';
import { useWords } from './language.ts';
import { PastPayment, SmartEnding, SmartProgress } from './smart/SmartProgress.tsx';
import type { SmartRun } from './smart/useSmart.ts';
import type { Pay } from './usePay.ts';
import { WalletPay } from './WalletPay.tsx';

/** Most buyers have a wallet, and need no code that draws QR codes. */
const DepositPay = lazy(async () => ({ default: (await import('./DepositPay.tsx')).DepositPay }));

const addressKey = (orderId: string) => `by-address:${orderId}`;

export function PayBox({ now, pay, run, away }: { now: OrderNow; pay: Pay; run: SmartRun; away: Away }) {
  const words = useWords();
  const { order, progress } = now;
  const [wantsAddress, setWantsAddress] = useState(() => localStorage.getItem(addressKey(order.id)) !== null);
  const choose = (byAddress: boolean) => {
    if (byAddress) localStorage.setItem(addressKey(order.id), 'yes');
    else localStorage.removeItem(addressKey(order.id));
    setWantsAddress(byAddress);
  };
  const { payment } = run;
  if (payment && run.isUnderWay)
    return payment.status === 'pending' || payment.status === 'succeeded' || run.unseen.legs.length > 0 ? (
      <SmartProgress payment={payment} run={run} />
    ) : (
      <SmartEnding payment={payment} rest={dueOf(order)} onDone={run.clear} />
    );
  return (
    <section aria-label={words.pay} className="flex flex-col gap-4">
      {progress.failure && !pay.mutation.isPending && !pay.mutation.isError && (
        <ErrorNote>{words.lastAttempt}</ErrorNote>
      )}
      <Received order={order} />
      {run.past && <PastPayment payment={run.past} />}
      {wantsAddress ? (
        <>
          <Suspense fallback={<Skeleton className="h-120" />}>
            <DepositPay order={order} />
          </Suspense>
          <Button kind="plain" className="self-center" onClick={() => choose(false)}>
            {words.fromWalletInstead}
          </Button>
        </>
      ) : (
        <WalletPay now={now} pay={pay} run={run} away={away} onAddress={() => choose(true)} />
      )}
    </section>
  );
}

/** Of an order that is paid in parts. */
function Received({ order }: { order: PublicOrder }) {
  const words = useWords();
  if (Number(order.amount_received) === 0) return null;
  return (
    <Meter
      label={words.receivedSoFar}
      used={padAmount(order.amount_received)}
      between={words.of}
      of={`${padAmount(order.amount)} ${order.currency}`}
      share={shareOf(order.amount_received, order.amount)}
      isGoal
    />
  );
}
