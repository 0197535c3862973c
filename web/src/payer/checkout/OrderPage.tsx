// The hosted checkout of one order: whatever state it is in, and without a reload when that changes.
import { ArrowLeft } from 'lucide-react';
import { useEffect, useState } from 'react';
import { ApiError } from '../../app/apiError.ts';
import { padAmount } from '../../app/format.ts';
import { usePath } from '../../app/router.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { Fact, Facts } from '../../ui/Facts.tsx';
import { MayBeDropped } from '../../ui/MayBeDropped.tsx';
import { ErrorNote } from '../../ui/notices.tsx';
import { useNow } from '../../ui/TimeAgo.tsx';
import { type Away, AwayBanner, useAway } from './Away.tsx';
import { BackToShop } from './BackToShop.tsx';
import { linkOf, placeOf } from './begun.ts';
import { CheckoutFrame } from './CheckoutFrame.tsx';
import { dueOf, isAway, type OrderNow } from './checkoutApi.ts';
import { Completed, Over } from './Endings.tsx';
import { LineItems } from './LineItems.tsx';
import { useWords } from './language.ts';
import { Loading, NotFound } from './Missing.tsx';
import { feeWord, OrderHead } from './OrderHead.tsx';
import { PayBox } from './PayBox.tsx';
import { problemWords } from './problems.ts';
import { useShopReports } from './shopWindow.ts';
import { LatePayment } from './smart/SmartProgress.tsx';
import { useSmartRun } from './smart/useSmart.ts';
import { TimeLeft } from './TimeLeft.tsx';
import { UnderWay } from './UnderWay.tsx';
import { useOrder } from './useOrder.ts';
import { type Pay, usePay } from './usePay.ts';

const TICK_MS = 1_000;

export function OrderPage() {
  const words = useWords();
  const id = decodeURIComponent(usePath().split('/')[2] ?? '');
  const { data, error, refetch } = useOrder(id);
  const away = useAway(isAway(error));
  useTitle(data);
  if (data)
    return (
      <CheckoutFrame livemode={data.order.livemode} branding={data.order.branding}>
        <AwayBanner away={away} />
        <OrderView key={id} now={data} away={away} />
      </CheckoutFrame>
    );
  return (
    <CheckoutFrame>
      {error instanceof ApiError && error.code === 'resource_missing' ? (
        <NotFound what="order" />
      ) : error ? (
        <>
          <h1 className="sr-only">{words.order}</h1>
          <ErrorNote retry={() => void refetch()} retryWord={words.tryAgain}>
            {problemWords(error)}
          </ErrorNote>
        </>
      ) : (
        <Loading />
      )}
    </CheckoutFrame>
  );
}

function OrderView({ now, away }: { now: OrderNow; away: Away }) {
  const words = useWords();
  const { order, progress } = now;
  const pay = usePay(now);
  const run = useSmartRun(order);
  useShopReports(order);
  // A wrong clock of this machine ends no order early.
  const moment = useNow(TICK_MS);
  const until = Date.parse(order.expires_at);
  if (order.status === 'completed') return <Completed now={now} />;
  const isMoving = order.status === 'processing' || (progress.step !== 'waiting' && progress.step !== 'ended');
  const isLate = !isMoving && moment >= until;
  const isOver = order.status === 'cancelled' || order.status === 'expired' || isLate;
  const late = isOver && run.isUnderWay ? run.payment : null;
  const link = linkOf(order.id);
  const wasSent = pay.stages.at(-1)?.stage === 'sent';
  // From the request to the wallet on: what it answers may already be on its way.
  const isUnderWay = isMoving || wasSent || pay.mutation.isPending || run.isUnderWay;
  return (
    <>
      <OrderHead
        verb={isOver ? words.forWhom : words.payTo}
        merchant={order.merchant}
        branding={order.branding}
        amount={order.amount}
        currency={order.currency}
        description={order.description}
      />
      <LineItems items={order.line_items} currency={order.currency} />
      {isOver ? (
        <>
          <Over order={order} isMoving={late !== null} />
          {late && <LatePayment payment={late} run={run} rest={dueOf(order)} />}
          <BackToShop order={order} isUnderWay={late !== null || (isLate && isUnderWay)} />
        </>
      ) : (
        <>
          <Facts>
            <Fact name={words.network}>{order.chain_label}</Fact>
            <Fact name={words.fee}>{feeWord(words, order)}</Fact>
            {!isMoving && (
              <Fact name={words.timeLeft}>
                <TimeLeft until={until} left={until - moment} isEstimated={away !== null} />
              </Fact>
            )}
          </Facts>
          {isMoving ? (
            <UnderWay progress={progress} pay={pay} />
          ) : wasSent ? (
            <Sent pay={pay} now={now} />
          ) : (
            <PayBox now={now} pay={pay} run={run} away={away} />
          )}
          <BackToShop order={order} isUnderWay={isUnderWay} />
          {link && !isMoving && !order.cancel_url && (
            <ButtonLink kind="plain" className="self-center" href={placeOf(link)}>
              <ArrowLeft aria-hidden="true" className="size-4" />
              {link.startsWith('@') ? words.handlePage.back(link) : words.backToLink}
            </ButtonLink>
          )}
        </>
      )}
    </>
  );
}

/** The wallet sent it, and the chain does not show it yet. */
function Sent({ pay, now }: { pay: Pay; now: OrderNow }) {
  const words = useWords();
  const [openedAt] = useState(Date.now);
  const at = pay.stages.at(-1)?.at ?? openedAt;
  return (
    <>
      <UnderWay progress={now.progress} pay={pay} />
      {pay.mutation.isError && <ErrorNote>{problemWords(pay.mutation.error)}</ErrorNote>}
      <MayBeDropped since={at} words={words} onAgain={pay.startOver} />
    </>
  );
}

function useTitle(now: OrderNow | undefined): void {
  const words = useWords();
  const order = now?.order;
  const title = order
    ? `${words.titles[order.status](`${padAmount(order.amount)} ${order.currency}`, order.merchant.handle)} · Ampersat`
    : 'Checkout · Ampersat';
  useEffect(() => {
    document.title = title;
  }, [title]);
}
