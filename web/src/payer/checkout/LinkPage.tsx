// A payment link: says what it asks for, lets the buyer choose an amount where that is open, and begins an order on a press.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { readClockOffset } from '../../app/api.ts';
import { ApiError } from '../../app/apiError.ts';
import { firstAnswer } from '../../app/firstAnswer.ts';
import { padAmount, typedAmount } from '../../app/format.ts';
import { navigate, usePath } from '../../app/router.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Fact, Facts } from '../../ui/Facts.tsx';
import { Field } from '../../ui/Field.tsx';
import { EmptyNote, ErrorNote } from '../../ui/notices.tsx';
import { AWAY_ID, type Away, AwayBanner, AwayButtonNote, useAway } from './Away.tsx';
import { amountProblem } from './amountProblem.ts';
import { ShopLink } from './BackToShop.tsx';
import { begunOrder, forgetBegun, keepBegun, keepDraft, readDraft } from './begun.ts';
import { CheckoutFrame } from './CheckoutFrame.tsx';
import {
  askAgain,
  beginOrder,
  fetchLink,
  fetchOrder,
  isAway,
  linkAt,
  type OrderNow,
  type PaymentLink,
} from './checkoutApi.ts';
import { LineItems } from './LineItems.tsx';
import { useWords } from './language.ts';
import { Loading, NotFound } from './Missing.tsx';
import { feeWord, OrderHead } from './OrderHead.tsx';
import { problemWords } from './problems.ts';
import { useShopWindow } from './shopWindow.ts';
import type { Words } from './words/en.ts';

export function LinkPage() {
  const words = useWords();
  const id = decodeURIComponent(usePath().split('/')[2] ?? '');
  const { data, error, refetch } = useQuery({
    queryKey: ['link', id],
    queryFn: () => fetchLink(id),
    initialData: () => firstAnswer<{ link: PaymentLink }>(linkAt(id)),
    initialDataUpdatedAt: 0,
    refetchInterval: ({ state }) => askAgain(state.error),
  });
  const link = data?.link;
  const away = useAway(isAway(error));
  const title = link ? `${words.titles.link(link.merchant.handle)} · Ampersat` : 'Checkout · Ampersat';
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <CheckoutFrame livemode={link?.livemode ?? true} branding={link?.branding ?? null}>
      {link ? (
        <>
          <AwayBanner away={away} />
          <LinkView key={id} link={link} away={away} refetch={() => void refetch()} />
        </>
      ) : error instanceof ApiError && error.code === 'resource_missing' ? (
        <NotFound what="link" />
      ) : error ? (
        <>
          <h1 className="sr-only">{words.paymentLink}</h1>
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

function LinkView({ link, away, refetch }: { link: PaymentLink; away: Away; refetch: () => void }) {
  const words = useWords();
  const begun = useBegun(link.id);
  const isWindow = useShopWindow(link);
  return (
    <>
      <OrderHead
        verb={words.payTo}
        merchant={link.merchant}
        branding={link.branding}
        amount={link.amount}
        currency={link.currency}
        description={link.label}
      />
      <LineItems items={link.line_items} currency={link.currency} />
      {begun.order && <Continue now={begun.order} onForget={begun.forget} />}
      {link.active ? (
        <Begin
          link={link}
          isSecond={begun.order !== null}
          disabled={begun.isLooking}
          away={away}
          onInactive={refetch}
        />
      ) : (
        <EmptyNote title={words.linkOver[link.state === 'active' ? 'inactive' : link.state]}>
          {words.linkInactiveHelp(link.merchant.handle)}
        </EmptyNote>
      )}
      <ShopLink to={link.cancel_url} shop={link} isWindow={isWindow} />
    </>
  );
}

/** Refusals after which the link says by itself what it is now. */
const OVER = ['link_inactive', 'link_expired', 'link_used_up'];

/** The order that this tab began with the link, while it can still be paid. */
export function useBegun(linkId: string) {
  const [id, setId] = useState(() => begunOrder(linkId));
  const { data, isLoading } = useQuery({
    queryKey: ['begun', id],
    queryFn: ({ signal }) => fetchOrder(id ?? '', signal),
    enabled: id !== null,
  });
  const isOpen = data && ['awaiting_payment', 'processing'].includes(data.order.status);
  const isInTime =
    data && (data.order.status === 'processing' || Date.parse(data.order.expires_at) > Date.now() + readClockOffset());
  return {
    order: isOpen && isInTime ? data : null,
    isLooking: isLoading,
    forget() {
      forgetBegun(linkId);
      setId(null);
    },
  };
}

function Continue({ now: { order }, onForget }: { now: OrderNow; onForget: () => void }) {
  const words = useWords();
  return (
    <section
      aria-label={words.startedBefore}
      className="flex flex-col gap-3 rounded-2xl border border-line bg-soft p-4"
    >
      <p className="text-sm">{words.youStarted(`${padAmount(order.amount)} ${order.currency}`)}</p>
      <ButtonLink kind="filled" className="min-h-14! py-2 text-base!" href={`/o/${order.id}`}>
        {words.continueOrder}
      </ButtonLink>
      <Button kind="plain" className="self-center" onClick={onForget}>
        {words.startOver}
      </Button>
    </section>
  );
}

function Begin({
  link,
  isSecond,
  disabled,
  away,
  onInactive,
}: {
  link: PaymentLink;
  isSecond: boolean;
  disabled: boolean;
  away: Away;
  onInactive: () => void;
}) {
  const words = useWords();
  const client = useQueryClient();
  const [typed, setTyped] = useState(() => readDraft(link.id));
  const [problem, setProblem] = useState<string | null>(null);
  const begin = useMutation({
    mutationFn: () => beginOrder(link.id, link.open_amount ? typed : null),
    onSuccess: ({ order }) => {
      keepBegun(link.id, order.id);
      void client.invalidateQueries({ queryKey: ['checkout', order.id] });
      // The way back leads to the link, which knows what was begun with it and makes no second order.
      navigate(`/o/${order.id}`);
    },
    onError: (error) => {
      if (error instanceof ApiError && OVER.includes(error.code)) onInactive();
    },
  });
  if (isSecond) return null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = link.open_amount ? amountProblem(words, typed, link) : null;
    setProblem(found);
    if (found === null) begin.mutate();
    else (event.currentTarget as HTMLFormElement).querySelector('input')?.focus();
  };
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-6">
      {link.open_amount && (
        <Field
          label={words.amount}
          name="amount"
          inputMode="decimal"
          after={link.currency}
          placeholder="0.00"
          className="[&_input]:text-xl [&_input]:font-semibold"
          maxLength={30}
          value={typed}
          error={problem}
          hint={rangeWords(words, link)}
          onChange={(event) => {
            const next = typedAmount(event.target.value);
            setTyped(next);
            keepDraft(link.id, next);
            setProblem(null);
            begin.reset();
          }}
        />
      )}
      <Facts>
        <Fact name={words.network}>{link.chain_label}</Fact>
        <Fact name={words.fee}>{feeWord(words, link)}</Fact>
      </Facts>
      <Button
        type="submit"
        kind={link.open_amount && typed === '' ? 'outlined' : 'filled'}
        className="min-h-14! py-2 text-base!"
        disabled={disabled || away !== null || begin.isPending || begin.isSuccess}
        aria-describedby={away ? AWAY_ID : undefined}
      >
        {begin.isPending || begin.isSuccess ? words.moment : payWords(words, link, typed)}
      </Button>
      <AwayButtonNote away={away} />
      {begin.isError && <ErrorNote>{problemWords(begin.error)}</ErrorNote>}
      <p className="text-center text-sm text-muted">{words.nextStep}</p>
    </form>
  );
}

function payWords(words: Words, link: PaymentLink, typed: string): string {
  const amount = link.open_amount ? (amountProblem(words, typed, link) === null ? typed : null) : link.amount;
  if (link.open_amount && typed === '') return words.amountFirst;
  return amount === null ? words.pay : words.payAmount(`${padAmount(amount)} ${link.currency}`);
}

function rangeWords(words: Words, { min_amount: least, max_amount: most, currency }: PaymentLink): string | null {
  if (least && most) return words.range(padAmount(least), `${padAmount(most)} ${currency}`);
  if (least) return words.minimum(`${padAmount(least)} ${currency}`);
  return most ? words.maximum(`${padAmount(most)} ${currency}`) : null;
}
