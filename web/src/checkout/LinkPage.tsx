// A payment link: says what it asks for, lets the buyer choose an amount where that is open, and begins an order on a press.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { ApiError } from '../api.ts';
import { padAmount } from '../format.ts';
import { navigate, usePath } from '../router.tsx';
import { Button, ButtonLink } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { EmptyNote, ErrorNote } from '../ui/notices.tsx';
import { amountProblem } from './amountProblem.ts';
import { begunOrder, forgetBegun, keepBegun, keepDraft, readDraft } from './begun.ts';
import { CheckoutFrame } from './CheckoutFrame.tsx';
import { beginOrder, fetchLink, fetchOrder, type OrderNow, type PaymentLink } from './checkoutApi.ts';
import { Loading, NotFound } from './Missing.tsx';
import { Fact, Facts, OrderHead } from './OrderHead.tsx';

const POLL_UNREACHABLE_MS = 5_000;

export function LinkPage() {
  const id = decodeURIComponent(usePath().split('/')[2] ?? '');
  const { data, error, refetch } = useQuery({
    queryKey: ['link', id],
    queryFn: () => fetchLink(id),
    refetchInterval: ({ state }) => (!state.data && isAway(state.error) ? POLL_UNREACHABLE_MS : false),
  });
  const link = data?.link;
  const title = link ? `Pay @${link.merchant.handle} · Ampersat` : 'Checkout · Ampersat';
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <CheckoutFrame livemode={link?.livemode ?? true}>
      {link ? (
        <LinkView key={id} link={link} refetch={() => void refetch()} />
      ) : error instanceof ApiError && error.code === 'resource_missing' ? (
        <NotFound what="payment link" />
      ) : error ? (
        <>
          <h1 className="sr-only">Payment link</h1>
          <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>
        </>
      ) : (
        <Loading />
      )}
    </CheckoutFrame>
  );
}

function isAway(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'unreachable';
}

function LinkView({ link, refetch }: { link: PaymentLink; refetch: () => void }) {
  const begun = useBegun(link.id);
  return (
    <>
      <OrderHead
        verb="Pay"
        merchant={link.merchant}
        amount={link.amount}
        currency={link.currency}
        description={link.label}
      />
      {begun.order && <Continue now={begun.order} onForget={begun.forget} />}
      {link.active ? (
        <Begin link={link} isSecond={begun.order !== null} disabled={begun.isLooking} onInactive={refetch} />
      ) : (
        <EmptyNote title="This link takes no payments any more">
          Ask @{link.merchant.handle} for a new one. What was begun before can still be paid.
        </EmptyNote>
      )}
    </>
  );
}

/** The order that this tab began with the link, while it can still be paid. */
function useBegun(linkId: string) {
  const [id, setId] = useState(() => begunOrder(linkId));
  const { data, isLoading } = useQuery({
    queryKey: ['begun', id],
    queryFn: ({ signal }) => fetchOrder(id ?? '', signal),
    enabled: id !== null,
  });
  const isOpen = data && ['awaiting_payment', 'processing'].includes(data.order.status);
  const isInTime = data && (data.order.status === 'processing' || Date.parse(data.order.expires_at) > Date.now());
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
  return (
    <section aria-label="Begun before" className="flex flex-col gap-3 rounded-2xl border border-line bg-soft p-4">
      <p className="text-sm">
        You began to pay{' '}
        <b className="font-semibold amount">
          {padAmount(order.amount)} {order.currency}
        </b>{' '}
        with this link.
      </p>
      <ButtonLink kind="filled" className="min-h-14! text-base!" href={`/o/${order.id}`}>
        Go on with it
      </ButtonLink>
      <Button kind="plain" className="self-center" onClick={onForget}>
        Forget it and begin anew
      </Button>
    </section>
  );
}

function Begin({
  link,
  isSecond,
  disabled,
  onInactive,
}: {
  link: PaymentLink;
  isSecond: boolean;
  disabled: boolean;
  onInactive: () => void;
}) {
  const client = useQueryClient();
  const [typed, setTyped] = useState(() => readDraft(link.id));
  const [problem, setProblem] = useState<string | null>(null);
  const begin = useMutation({
    mutationFn: () => beginOrder(link.id, link.open_amount ? typed : null),
    onSuccess: ({ order }) => {
      keepBegun(link.id, order.id);
      void client.invalidateQueries({ queryKey: ['checkout', order.id] });
      // The way back leads to where the buyer came from, not to a second order.
      navigate(`/o/${order.id}`, { replace: true });
    },
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'link_inactive') onInactive();
    },
  });
  if (isSecond) return null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = link.open_amount ? amountProblem(typed, link) : null;
    setProblem(found);
    if (found === null) begin.mutate();
    else (event.currentTarget as HTMLFormElement).querySelector('input')?.focus();
  };
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-6">
      {link.open_amount && (
        <Field
          label="Amount"
          name="amount"
          inputMode="decimal"
          after={link.currency}
          placeholder="0.00"
          className="[&_input]:text-xl [&_input]:font-semibold"
          maxLength={30}
          value={typed}
          error={problem}
          hint={rangeWords(link)}
          onChange={(event) => {
            const next = event.target.value.replace(',', '.').trim();
            setTyped(next);
            keepDraft(link.id, next);
            setProblem(null);
            begin.reset();
          }}
        />
      )}
      <Facts>
        <Fact name="Network">{link.chain_label}</Fact>
        <Fact name="Fee">None for you</Fact>
      </Facts>
      <Button
        type="submit"
        kind="filled"
        className="min-h-14! text-base!"
        disabled={disabled || begin.isPending || begin.isSuccess}
      >
        {begin.isPending || begin.isSuccess ? 'One moment…' : payWords(link, typed)}
      </Button>
      {begin.isError && <ErrorNote>{begin.error.message}</ErrorNote>}
      <p className="text-center text-sm text-muted">Next you choose how to pay. Nothing is taken before you agree.</p>
    </form>
  );
}

function payWords(link: PaymentLink, typed: string): string {
  const amount = link.open_amount ? (amountProblem(typed, link) === null ? typed : null) : link.amount;
  return amount === null ? 'Pay' : `Pay ${padAmount(amount)} ${link.currency}`;
}

function rangeWords({ min_amount: least, max_amount: most, currency }: PaymentLink): string | null {
  if (least && most) return `From ${padAmount(least)} to ${padAmount(most)} ${currency}`;
  if (least) return `At least ${padAmount(least)} ${currency}`;
  return most ? `At most ${padAmount(most)} ${currency}` : null;
}
