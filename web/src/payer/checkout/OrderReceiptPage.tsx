// The receipt of a paid order: anyone with its address may view, share and print it.
import { useEffect } from 'react';
import { ApiError } from '../../app/apiError.ts';
import { padAmount } from '../../app/format.ts';
import { usePath } from '../../app/router.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { Fact } from '../../ui/Facts.tsx';
import { EmptyNote, ErrorNote } from '../../ui/notices.tsx';
import { HexFact, Receipt, TimeFact } from '../../ui/Receipt.tsx';
import { BrandLogo, BrandName, SupportLink } from '../branding/Brand.tsx';
import { CheckoutFrame } from './CheckoutFrame.tsx';
import type { OrderNow, PublicOrder } from './checkoutApi.ts';
import { LineItems } from './LineItems.tsx';
import { useWords } from './language.ts';
import { Loading, NotFound } from './Missing.tsx';
import { problemWords } from './problems.ts';
import { paidLook, paidWord, RefundFacts } from './Refunds.tsx';
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
    <CheckoutFrame livemode={data?.order.livemode ?? true} branding={order?.branding ?? null}>
      {data?.order.status === 'completed' ? (
        <PaidReceipt now={data} />
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

function PaidReceipt({ now }: { now: OrderNow }) {
  const words = useWords();
  const { order } = now;
  const { branding, merchant } = order;
  return (
    <Receipt
      items={<LineItems items={order.line_items} currency={order.currency} />}
      {...paidLook(now)}
      status={paidWord(words, now)}
      amount={order.amount}
      currency={order.currency}
      description={order.description}
      shareText={words.paidShare(order.merchant.handle, `${padAmount(order.amount)} ${order.currency}`)}
      words={words}
      {...((branding?.name || branding?.logo_url) && {
        from: (
          <>
            <BrandLogo branding={branding} handle={merchant.handle} />
            <BrandName
              name={branding.name ?? `@${merchant.handle}`}
              recipient={words.recipient}
              handle={merchant.handle}
            />
          </>
        ),
      })}
    >
      <Fact name={words.paidTo}>@{merchant.handle}</Fact>
      <Fact name={words.amount}>
        <span className="amount">
          {padAmount(order.amount)} {order.currency}
        </span>
      </Fact>
      <Fact name={words.network}>{order.chain_label}</Fact>
      <TimeFact name={words.time} at={Date.parse(order.settled_at ?? order.created_at)} />
      {order.txHash && (
        <HexFact
          name={words.transaction}
          value={order.txHash}
          what={words.theTransaction}
          href={order.explorer_url}
          words={words}
        />
      )}
      <RefundFacts now={now} />
      <Fact name={words.order}>
        <code className="font-mono text-sm break-all">{order.id}</code>
      </Fact>
      {branding?.support && (
        <Fact name={words.support}>
          <SupportLink support={branding.support} />
        </Fact>
      )}
      {!order.livemode && <Fact name={words.mode}>{words.testWithPlayMoney}</Fact>}
    </Receipt>
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
