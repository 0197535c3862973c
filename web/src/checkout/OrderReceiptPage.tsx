// The receipt of a paid order: anybody with its address may see, share and print it.
import { Check, Printer } from 'lucide-react';
import { useEffect } from 'react';
import { ApiError } from '../api.ts';
import { exactTime, padAmount } from '../format.ts';
import { usePath } from '../router.tsx';
import { Button, ButtonLink } from '../ui/Button.tsx';
import { Hex } from '../ui/Hex.tsx';
import { EmptyNote, ErrorNote } from '../ui/notices.tsx';
import { CheckoutFrame } from './CheckoutFrame.tsx';
import type { PublicOrder } from './checkoutApi.ts';
import { Loading, NotFound } from './Missing.tsx';
import { Fact, Facts, OrderHead } from './OrderHead.tsx';
import { ShareButton } from './ShareButton.tsx';
import { useOrder } from './useOrder.ts';

export function OrderReceiptPage() {
  const id = decodeURIComponent(usePath().split('/')[2] ?? '');
  const { data, error, refetch } = useOrder(id);
  useEffect(() => {
    document.title = 'Receipt · Ampersat';
  }, []);
  return (
    <CheckoutFrame livemode={data?.order.livemode ?? true}>
      {data?.order.status === 'completed' ? (
        <Receipt order={data.order} />
      ) : data ? (
        <NotPaid order={data.order} />
      ) : error instanceof ApiError && error.code === 'resource_missing' ? (
        <NotFound what="receipt" />
      ) : error ? (
        <>
          <h1 className="sr-only">Receipt</h1>
          <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>
        </>
      ) : (
        <Loading />
      )}
    </CheckoutFrame>
  );
}

function Receipt({ order }: { order: PublicOrder }) {
  const at = Date.parse(order.settled_at ?? order.created_at);
  const amount = `${padAmount(order.amount)} ${order.currency}`;
  return (
    <article aria-label="Receipt" className="flex flex-col gap-6">
      <p className="flex items-center justify-center gap-2 font-semibold text-accent">
        <Check aria-hidden="true" className="size-5" />
        Paid
      </p>
      <OrderHead
        verb="Receipt: to"
        merchant={order.merchant}
        amount={order.amount}
        currency={order.currency}
        description={order.description}
        face={false}
      />
      <Facts>
        <Fact name="Paid to">@{order.merchant.handle}</Fact>
        <Fact name="Amount">
          <span className="amount">{amount}</span>
        </Fact>
        <Fact name="Network">{order.chain_label}</Fact>
        <Fact name="Time">
          <time dateTime={new Date(at).toISOString()}>{exactTime(at)}</time>
        </Fact>
        {order.txHash && (
          <Fact name="Transaction">
            <span className="print:hidden">
              <Hex value={order.txHash} what="the transaction" href={order.explorer_url} />
            </span>
            <code className="hidden font-mono break-all print:inline">{order.txHash}</code>
          </Fact>
        )}
        <Fact name="Order">
          <code className="font-mono break-all">{order.id}</code>
        </Fact>
        {!order.livemode && <Fact name="Mode">Test, with play money</Fact>}
      </Facts>
      <div className="flex flex-col gap-3 print:hidden">
        <div className="grid grid-cols-2 gap-3">
          <ShareButton
            path={`/o/${order.id}/receipt`}
            title="Receipt · Ampersat"
            text={`Paid @${order.merchant.handle} ${amount}`}
          />
          <Button className="order-first min-h-12!" onClick={() => print()}>
            <Printer aria-hidden="true" className="size-4" />
            Print
          </Button>
        </div>
        <p className="text-center text-sm text-muted">Anybody with this address can see the receipt.</p>
      </div>
    </article>
  );
}

function NotPaid({ order }: { order: PublicOrder }) {
  return (
    <>
      <h1 className="sr-only">No receipt yet</h1>
      <EmptyNote title="There is no receipt: this order is not paid">
        <p className="mb-4">
          {padAmount(order.amount)} {order.currency} to @{order.merchant.handle}.
        </p>
        <ButtonLink kind="filled" href={`/o/${order.id}`}>
          Go to the order
        </ButtonLink>
      </EmptyNote>
    </>
  );
}
