// How an order ended: paid, or over without being paid, with what there is to do now.
import { Ban, Clock, type LucideIcon, ReceiptText } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { compareAmounts, exactTime, padAmount } from '../../app/format.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { Fact, Facts } from '../../ui/Facts.tsx';
import { Hex } from '../../ui/Hex.tsx';
import { ShareButton } from '../../ui/ShareButton.tsx';
import { GoingBack, useLeadsBack } from './BackToShop.tsx';
import { linkOf, placeOf } from './begun.ts';
import type { OrderNow, PublicOrder } from './checkoutApi.ts';
import { LineItems } from './LineItems.tsx';
import { useWords } from './language.ts';
import { OrderHead } from './OrderHead.tsx';
import { paidLook, paidWord, RefundFacts } from './Refunds.tsx';

export function Completed({ now }: { now: OrderNow }) {
  const words = useWords();
  const { order } = now;
  const { handle } = order.merchant;
  const money = `${padAmount(order.amount)} ${order.currency}`;
  const leadsBack = useLeadsBack(order);
  const page = linkOf(order.id);
  const hasMore = compareAmounts(order.amount_received, order.amount) > 0;
  return (
    <>
      <Ending {...paidLook(now)} word={paidWord(words, now)} />
      <OrderHead
        verb={words.paidTo}
        merchant={order.merchant}
        branding={order.branding}
        amount={order.amount}
        currency={order.currency}
        description={order.description}
        face={false}
      />
      {order.completion_message && (
        <p className="rounded-lg bg-soft p-4 text-center break-words whitespace-pre-line">{order.completion_message}</p>
      )}
      {leadsBack && <GoingBack order={order} stays={hasMore || order.completion_message !== null} />}
      {!leadsBack && page?.startsWith('@') && (
        <ButtonLink className="self-center" href={placeOf(page)}>
          {words.handlePage.back(page)}
        </ButtonLink>
      )}
      <LineItems items={order.line_items} currency={order.currency} />
      <Facts>
        <Fact name={words.network}>{order.chain_label}</Fact>
        {order.settled_at && (
          <Fact name={words.time}>
            <time dateTime={order.settled_at}>{exactTime(Date.parse(order.settled_at))}</time>
          </Fact>
        )}
        {order.txHash && (
          <Fact name={words.transaction}>
            <Hex value={order.txHash} what={words.theTransaction} href={order.explorer_url} words={words} />
          </Fact>
        )}
        <RefundFacts now={now} />
      </Facts>
      {hasMore && <Note>{words.tooMuch(`${padAmount(order.amount_received)} ${order.currency}`, handle)}</Note>}
      <div className="flex flex-col gap-3">
        <ButtonLink
          kind={leadsBack ? 'outlined' : 'filled'}
          className="min-h-14! py-2 text-base!"
          href={`/o/${order.id}/receipt`}
        >
          <ReceiptText aria-hidden="true" className="size-5" />
          {words.seeReceipt}
        </ButtonLink>
        <ShareButton
          path={`/o/${order.id}/receipt`}
          title={`${words.receipt} · Ampersat`}
          text={words.paidShare(handle, money)}
          words={words}
        />
        <p className="text-center text-sm text-muted">{words.anyoneCanSee}</p>
      </div>
    </>
  );
}

/** Expired or cancelled; in the buyer's eyes an order is expired as soon as its time is up. */
/** @param isMoving a payment that was sent in time is shown beside it */
export function Over({ order, isMoving }: { order: PublicOrder; isMoving: boolean }) {
  const words = useWords();
  const arrived = Number(order.amount_received) > 0;
  const { handle } = order.merchant;
  const received = `${padAmount(order.amount_received)} ${order.currency}`;
  const isLess = compareAmounts(order.amount_received, order.amount) < 0;
  const link = linkOf(order.id);
  const isCancelled = order.status === 'cancelled';
  return (
    <div className="flex flex-col gap-6">
      <Ending
        icon={isCancelled ? Ban : Clock}
        look={arrived ? 'bg-amber-soft text-amber' : 'bg-sunken text-muted'}
        word={isCancelled ? words.cancelledBy(handle) : words.expired}
      />
      {arrived ? (
        <Note>
          {isLess ? words.arrivedLess(received, handle) : words.arrivedLate(received, handle)} {words.nameOrder}{' '}
          <code className="font-mono break-all">{order.id}</code>
        </Note>
      ) : (
        <p className="text-center">
          {words.cantBePaid} {link ? '' : words.askForNew(handle)}
        </p>
      )}
      {!isCancelled && !arrived && !isMoving && <p className="text-center text-sm text-muted">{words.justSent}</p>}
      {link && !arrived && (
        <ButtonLink kind="filled" className="min-h-14! py-2 text-base!" href={placeOf(link)}>
          {words.startAgain}
        </ButtonLink>
      )}
    </div>
  );
}

/** Takes the focus when the button that had it is gone, so that the outcome is read out. */
function Ending({ icon: Icon, look, word }: { icon: LucideIcon; look: string; word: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (document.activeElement && document.activeElement !== document.body) return;
    heading.current?.focus({ preventScroll: true });
    // The pressed button was further down: the outcome is shown whole.
    scrollTo({ top: 0 });
  }, []);
  return (
    <div role="status" className="flex flex-col items-center gap-3 text-center arrives">
      <span className={`inline-flex size-14 items-center justify-center rounded-full ${look}`}>
        <Icon aria-hidden="true" className="size-7" />
      </span>
      <h2 ref={heading} tabIndex={-1} className="text-lg font-semibold outline-none">
        {word}
      </h2>
    </div>
  );
}

function Note({ children }: { children: ReactNode }) {
  return <p className="rounded-lg bg-amber-soft p-4 text-sm text-amber">{children}</p>;
}
