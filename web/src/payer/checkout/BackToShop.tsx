// The way back to the shop: a link while the order is open, and a few seconds after it is paid by itself.
import { ArrowLeft } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import type { PublicOrder } from './checkoutApi.ts';
import { useWords } from './language.ts';
import { forgetUnpaid, keepUnpaid, useShopWindow, wasUnpaid, webAddress } from './shopWindow.ts';

const SECONDS = 3;
const SECOND_MS = 1_000;

/**
 * While it isn’t paid: to cancel_url. From `processing` on: to success_url. In a window of the shop’s page, it closes the window.
 * @param isUnderWay money may be on its way before the service shows the order as processing: nothing leads to “cancelled” then
 */
export function BackToShop({
  order,
  isFilled = false,
  isUnderWay = false,
}: {
  order: PublicOrder;
  isFilled?: boolean;
  isUnderWay?: boolean;
}) {
  const isOpen = order.status === 'awaiting_payment' || order.status === 'processing';
  useEffect(() => {
    if (isOpen) keepUnpaid(order.id);
  }, [isOpen, order.id]);
  const isWindow = useShopWindow(order);
  if (isUnderWay && order.success_url === null) return null;
  return <ShopLink to={order.success_url ?? order.cancel_url} shop={order} isWindow={isWindow} isFilled={isFilled} />;
}

export function ShopLink({
  to,
  shop,
  isWindow,
  isFilled = false,
}: {
  to: string | null;
  shop: Pick<PublicOrder, 'merchant' | 'branding'>;
  isWindow: boolean;
  isFilled?: boolean;
}) {
  const words = useWords();
  const href = webAddress(to);
  const look = {
    kind: isFilled ? ('filled' as const) : ('plain' as const),
    className: isFilled ? 'min-h-14! py-2 text-base!' : 'self-center',
  };
  // A name is the shop's to choose; where the link leads is not.
  const where = isWindow || href === null ? (shop.branding?.name ?? `@${shop.merchant.handle}`) : new URL(href).host;
  const text = (
    <>
      <ArrowLeft aria-hidden="true" className="size-4 shrink-0" />
      <span className="min-w-0 break-words">{words.backToShop(where)}</span>
    </>
  );
  if (isWindow)
    return (
      <Button {...look} onClick={() => window.close()}>
        {text}
      </Button>
    );
  return href === null ? null : (
    <ButtonLink {...look} href={href}>
      {text}
    </ButtonLink>
  );
}

/** Whether a paid order has a way back. */
export function useLeadsBack(order: PublicOrder): boolean {
  return useShopWindow(order) || webAddress(order.success_url) !== null;
}

/**
 * The same for a paid order, which leads back by itself where the buyer saw it being paid, unless they stay.
 * @param stays the page has something to say that must not pass by in seconds
 */
export function GoingBack({ order, stays }: { order: PublicOrder; stays: boolean }) {
  const words = useWords();
  const [left, setLeft] = useState(() => (!stays && wasUnpaid(order.id) ? SECONDS : null));
  // Where it counted, its place stays.
  const [counts] = useState(left !== null);
  const to = webAddress(order.success_url);
  const isOwn = useShopWindow(order);
  useEffect(() => {
    if (left === null) return;
    const timer = setTimeout(() => {
      if (left > 1) return setLeft(left - 1);
      forgetUnpaid(order.id);
      setLeft(null);
      if (isOwn) window.close();
      else if (to !== null) location.assign(to);
    }, SECOND_MS);
    return () => clearTimeout(timer);
  }, [left, to, isOwn, order.id]);
  const stay = () => {
    forgetUnpaid(order.id);
    setLeft(null);
  };
  return (
    <div className="flex flex-col gap-3">
      <BackToShop order={order} isFilled />
      <p
        className={`items-center justify-center gap-2 text-center text-sm text-muted ${counts ? 'flex min-h-10' : 'hidden'}`}
      >
        {left !== null && (
          <>
            <span>{words.goingBack(left)}</span>
            <Button kind="plain" onClick={stay}>
              {words.stayHere}
            </Button>
          </>
        )}
      </p>
    </div>
  );
}
