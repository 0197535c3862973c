// How an order ended: paid, or over without being paid, with what there is to do now.
import { Ban, Check, Clock, ReceiptText } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { compareAmounts, exactTime, padAmount } from '../format.ts';
import { ButtonLink } from '../ui/Button.tsx';
import { Hex } from '../ui/Hex.tsx';
import { linkOf } from './begun.ts';
import type { PublicOrder } from './checkoutApi.ts';
import { Fact, Facts, OrderHead } from './OrderHead.tsx';
import { ShareButton } from './ShareButton.tsx';

export function Completed({ order }: { order: PublicOrder }) {
  return (
    <>
      <Ending icon={Check} look="bg-soft text-accent" word="Paid" />
      <OrderHead
        verb="To"
        merchant={order.merchant}
        amount={order.amount}
        currency={order.currency}
        description={order.description}
        face={false}
      />
      <Facts>
        <Fact name="Network">{order.chain_label}</Fact>
        {order.settled_at && (
          <Fact name="Time">
            <time dateTime={order.settled_at}>{exactTime(Date.parse(order.settled_at))}</time>
          </Fact>
        )}
        {order.txHash && (
          <Fact name="Transaction">
            <Hex value={order.txHash} what="the transaction" href={order.explorer_url} />
          </Fact>
        )}
      </Facts>
      {compareAmounts(order.amount_received, order.amount) > 0 && (
        <Note>
          {padAmount(order.amount_received)} {order.currency} arrived, more than was asked for. @{order.merchant.handle}{' '}
          sees the rest and can send it back.
        </Note>
      )}
      <div className="flex flex-col gap-3">
        <ButtonLink kind="filled" className="min-h-14! text-base!" href={`/o/${order.id}/receipt`}>
          <ReceiptText aria-hidden="true" className="size-5" />
          See the receipt
        </ButtonLink>
        <ShareButton
          path={`/o/${order.id}/receipt`}
          title="Receipt · Ampersat"
          text={`Paid @${order.merchant.handle} ${padAmount(order.amount)} ${order.currency}`}
        />
        <p className="text-center text-sm text-muted">Anybody with this address can see the receipt.</p>
      </div>
    </>
  );
}

/** Expired or cancelled; in the buyer's eyes an order is expired as soon as its time is up. */
export function Over({ order }: { order: PublicOrder }) {
  const arrived = Number(order.amount_received) > 0;
  const { handle } = order.merchant;
  const link = linkOf(order.id);
  const isCancelled = order.status === 'cancelled';
  return (
    <div className="flex flex-col gap-6">
      <Ending
        icon={isCancelled ? Ban : Clock}
        look={arrived ? 'bg-amber-soft text-amber' : 'bg-sunken text-muted'}
        word={isCancelled ? `@${handle} cancelled this order` : 'The time to pay is over'}
      />
      {arrived ? (
        <Note>
          <b className="font-semibold">
            {padAmount(order.amount_received)} {order.currency} arrived
          </b>
          , {compareAmounts(order.amount_received, order.amount) < 0 ? 'less than was asked for' : 'but too late'}, so
          the order is not paid. The money is safe: @{handle} sees it and can accept it or send it back. Name this order
          when you write to them: <code className="font-mono break-all">{order.id}</code>
        </Note>
      ) : (
        <p className="text-center">
          Nothing was paid, and it cannot be paid any more. {link ? '' : `Ask @${handle} for a new one.`}
        </p>
      )}
      {!isCancelled && !arrived && (
        <p className="text-center text-sm text-muted">
          If you have just sent money, keep this page: it shows it as soon as it arrives.
        </p>
      )}
      {link && !arrived && (
        <ButtonLink kind="filled" className="min-h-14! text-base!" href={`/l/${link}`}>
          Start again
        </ButtonLink>
      )}
    </div>
  );
}

/** Takes the focus when the button that had it is gone, so that the outcome is read out. */
function Ending({ icon: Icon, look, word }: { icon: typeof Check; look: string; word: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!document.activeElement || document.activeElement === document.body) heading.current?.focus();
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
