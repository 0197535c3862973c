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
import type { OrderNow, PublicOrder } from './checkoutApi.ts';
import { useWords } from './language.ts';
import { Loading, NotFound } from './Missing.tsx';
import { Fact, Facts, OrderHead } from './OrderHead.tsx';
import { problemWords } from './problems.ts';
import { paidWord, RefundFacts } from './Refunds.tsx';
import { ShareButton } from './ShareButton.tsx';
import { useOrder } from './useOrder.ts';

export function OrderReceiptPage() {
  const words = useWords();
  const id = decodeURIComponent(usePath().split('/')[2] ?? '');
  const { data, error, refetch } = useOrder(id);
  const order = data?.order;
  const title = order
    ? words.titles.receipt(`${padAmount(order.amount)} ${order.currency}`, order.merchant.handle)
    : words.receipt;
  useEffect(() => {
    document.title = `${title} · Ampersat`;
  }, [title]);
  return (
    <CheckoutFrame livemode={data?.order.livemode ?? true}>
      {data?.order.status === 'completed' ? (
        <Receipt now={data} />
      ) : data ? (
        <NotPaid order={data.order} />
      ) : error instanceof ApiError && error.code === 'resource_missing' ? (
        <NotFound what="receipt" />
      ) : error ? (
        <>
          <h1 className="sr-only">{words.receipt}</h1>
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

function Receipt({ now }: { now: OrderNow }) {
  const words = useWords();
  const { order } = now;
  const at = Date.parse(order.settled_at ?? order.created_at);
  const amount = `${padAmount(order.amount)} ${order.currency}`;
  return (
    <article aria-label={words.receipt} className="flex flex-col gap-6">
      <p className="flex items-center justify-center gap-2 font-semibold text-accent">
        <Check aria-hidden="true" className="size-5" />
        {paidWord(words, now)}
      </p>
      <OrderHead
        verb={`${words.receipt}:`}
        merchant={order.merchant}
        amount={order.amount}
        currency={order.currency}
        description={order.description}
        face={false}
      />
      <Facts>
        <Fact name={words.paidTo}>@{order.merchant.handle}</Fact>
        <Fact name={words.amount}>
          <span className="amount">{amount}</span>
        </Fact>
        <Fact name={words.network}>{order.chain_label}</Fact>
        <Fact name={words.time}>
          <time dateTime={new Date(at).toISOString()}>{exactTime(at)}</time>
        </Fact>
        {order.txHash && (
          <Fact name={words.transaction}>
            <span className="print:hidden">
              <Hex value={order.txHash} what={words.theTransaction} href={order.explorer_url} words={words} />
            </span>
            <code className="hidden font-mono break-all print:inline">{order.txHash}</code>
          </Fact>
        )}
        <RefundFacts now={now} />
        <Fact name={words.order}>
          <code className="font-mono text-sm break-all">{order.id}</code>
        </Fact>
        {!order.livemode && <Fact name={words.mode}>{words.testWithPlayMoney}</Fact>}
      </Facts>
      <div className="flex flex-col gap-3 print:hidden">
        <div className="grid grid-cols-2 gap-3">
          <ShareButton
            path={`/o/${order.id}/receipt`}
            title={`${words.receipt} · Ampersat`}
            text={words.paidShare(order.merchant.handle, amount)}
          />
          <Button className="order-first min-h-12!" onClick={() => print()}>
            <Printer aria-hidden="true" className="size-4" />
            {words.print}
          </Button>
        </div>
        <p className="text-center text-sm text-muted">{words.anyoneCanSee}</p>
      </div>
    </article>
  );
}

function NotPaid({ order }: { order: PublicOrder }) {
  const words = useWords();
  return (
    <>
      <h1 className="sr-only">{words.receipt}</h1>
      <EmptyNote title={words.noReceipt}>
        <p className="mb-4">
          {words.receiptMoney(`${padAmount(order.amount)} ${order.currency}`, order.merchant.handle)}
        </p>
        <ButtonLink kind="filled" href={`/o/${order.id}`}>
          {words.toOrder}
        </ButtonLink>
      </EmptyNote>
    </>
  );
}
