// The hosted checkout of one order: whatever state it is in, and without a reload when that changes.
import { useEffect } from 'react';
import { ApiError, readClockOffset } from '../api.ts';
import { padAmount } from '../format.ts';
import { usePath } from '../router.tsx';
import { Button } from '../ui/Button.tsx';
import { ErrorNote } from '../ui/notices.tsx';
import { useNow } from '../ui/TimeAgo.tsx';
import { CheckoutFrame } from './CheckoutFrame.tsx';
import type { OrderNow } from './checkoutApi.ts';
import { Completed, Over } from './Endings.tsx';
import { Loading, NotFound } from './Missing.tsx';
import { Fact, Facts, OrderHead } from './OrderHead.tsx';
import { PayBox } from './PayBox.tsx';
import { TimeLeft } from './TimeLeft.tsx';
import { UnderWay } from './UnderWay.tsx';
import { useOrder } from './useOrder.ts';
import { type Pay, usePay } from './usePay.ts';

const TICK_MS = 1_000;
/** From then on a transaction that the chain does not show may have been dropped. */
const LATE_MS = 90_000;

export function OrderPage() {
  const id = decodeURIComponent(usePath().split('/')[2] ?? '');
  const { data, error, refetch, isError } = useOrder(id);
  useTitle(data);
  if (data)
    return (
      <CheckoutFrame livemode={data.order.livemode}>
        {isError && (
          <p role="status" className="rounded-lg bg-amber-soft px-4 py-2 text-sm text-amber">
            Ampersat does not answer at the moment, so this may be out of date. Trying again…
          </p>
        )}
        <OrderView key={id} now={data} />
      </CheckoutFrame>
    );
  return (
    <CheckoutFrame>
      {error instanceof ApiError && error.code === 'resource_missing' ? (
        <NotFound what="order" />
      ) : error ? (
        <>
          <h1 className="sr-only">Order</h1>
          <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>
        </>
      ) : (
        <Loading />
      )}
    </CheckoutFrame>
  );
}

function OrderView({ now }: { now: OrderNow }) {
  const { order, progress } = now;
  const pay = usePay(now);
  // A wrong clock of this machine ends no order early.
  const moment = useNow(TICK_MS) + readClockOffset();
  const until = Date.parse(order.expires_at);
  if (order.status === 'completed') return <Completed order={order} />;
  const isMoving = order.status === 'processing' || (progress.step !== 'waiting' && progress.step !== 'ended');
  const isLate = !isMoving && moment >= until;
  const isOver = order.status === 'cancelled' || order.status === 'expired' || isLate;
  const wasSent = pay.stages.at(-1)?.stage === 'sent';
  return (
    <>
      <OrderHead
        verb={isOver ? 'For' : 'Pay'}
        merchant={order.merchant}
        amount={order.amount}
        currency={order.currency}
        description={order.description}
      />
      {isOver ? (
        <Over order={order} />
      ) : (
        <>
          <Facts>
            <Fact name="Network">{order.chain_label}</Fact>
            <Fact name="Fee">None for you</Fact>
            {!isMoving && (
              <Fact name="Time left">
                <TimeLeft until={until} left={until - moment} />
              </Fact>
            )}
          </Facts>
          {isMoving ? (
            <UnderWay progress={progress} stages={pay.stages} />
          ) : wasSent ? (
            <Sent pay={pay} now={now} moment={moment} />
          ) : (
            <PayBox now={now} pay={pay} />
          )}
        </>
      )}
    </>
  );
}

/** The wallet sent it, and the chain does not show it yet. */
function Sent({ pay, now, moment }: { pay: Pay; now: OrderNow; moment: number }) {
  const at = pay.stages.at(-1)?.at ?? moment;
  return (
    <>
      <UnderWay progress={now.progress} stages={pay.stages} />
      {pay.mutation.isError && <ErrorNote>{pay.mutation.error.message}</ErrorNote>}
      {moment - at > LATE_MS && (
        <div className="flex flex-col items-center gap-2 text-center text-sm text-muted">
          <p>This takes longer than usual. Look into your wallet whether the transaction was sent or dropped.</p>
          <Button onClick={pay.startOver}>It was dropped: pay again</Button>
        </div>
      )}
    </>
  );
}

const WORDS = {
  awaiting_payment: 'Pay',
  processing: 'Paying',
  completed: 'Paid',
  expired: 'Expired',
  cancelled: 'Cancelled',
};

function useTitle(now: OrderNow | undefined): void {
  const title = now
    ? `${WORDS[now.order.status]}: ${padAmount(now.order.amount)} ${now.order.currency} to @${now.order.merchant.handle} · Ampersat`
    : 'Checkout · Ampersat';
  useEffect(() => {
    document.title = title;
  }, [title]);
}
