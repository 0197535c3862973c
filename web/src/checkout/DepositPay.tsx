// Paying by a plain transfer to the order's own address, from any wallet or exchange: what has to be sent, where, and what has arrived so far.
import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { padAmount, shareOf } from '../format.ts';
import { Meter } from '../ui/Meter.tsx';
import { ErrorNote, Skeleton } from '../ui/notices.tsx';
import { QrCode } from '../ui/QrCode.tsx';
import { CopyButton } from './CopyButton.tsx';
import { type PublicOrder, preparePayment } from './checkoutApi.ts';

export function DepositPay({ order }: { order: PublicOrder }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['prepared', order.id, 'deposit', order.amount_due],
    queryFn: ({ signal }) => preparePayment(order.id, { way: 'deposit' }, signal),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (previous) => previous,
  });
  if (error && !data) return <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>;
  if (!data?.deposit) return <Skeleton className="h-120" />;
  const { address, uri } = data.deposit;
  const due = padAmount(order.amount_due);
  const hasSome = Number(order.amount_received) > 0;
  if (Number(order.amount_due) === 0)
    return (
      <p role="status" className="rounded-2xl border border-line bg-surface p-4 text-sm">
        <b className="font-semibold">Everything has arrived.</b> It is being settled; this takes some moments.
      </p>
    );
  return (
    <div className="flex flex-col gap-4 rounded-2xl border border-line bg-surface p-4">
      <h2 className="text-base font-semibold">
        Send exactly{' '}
        <span className="amount">
          {due} {order.currency}
        </span>{' '}
        on {order.chain_label}
      </h2>
      {!hasSome && (
        <QrCode
          value={uri}
          label={`QR code for ${due} ${order.currency} on ${order.chain_label}: scan it with a wallet app`}
          className="size-52 self-center"
        />
      )}
      <Line name="Amount" what="the amount" value={due} shown={`${due} ${order.currency}`} />
      <Line name={`Address, only on ${order.chain_label}`} what="the address" value={address} shown={address} />
      <ul className="flex flex-col gap-1 rounded-lg bg-amber-soft p-3 text-sm text-amber">
        <Warning>
          Only {order.currency} on {order.chain_label}. Anything else sent here does not pay the order.
        </Warning>
        <Warning>
          The whole amount has to arrive before the time is up: if your exchange takes a fee, add it on top.
        </Warning>
      </ul>
      <div role="status" className="flex flex-col gap-2 text-sm">
        {hasSome ? (
          <>
            <p>
              <b className="font-semibold">
                {padAmount(order.amount_received)} {order.currency} arrived, {due} {order.currency} still due.
              </b>{' '}
              Send the rest to the same address.
            </p>
            <Meter
              label="Arrived so far"
              used={padAmount(order.amount_received)}
              of={`${padAmount(order.amount)} ${order.currency}`}
              share={shareOf(order.amount_received, order.amount)}
            />
          </>
        ) : (
          <p className="text-muted">
            <span className="waits">Waiting for your payment.</span> Nothing has arrived yet; this page notices by
            itself.
          </p>
        )}
      </div>
    </div>
  );
}

function Line({ name, what, value, shown }: { name: string; what: string; value: string; shown: string }) {
  return (
    <div className="flex items-end justify-between gap-3">
      <p className="flex min-w-0 flex-col text-sm">
        <span className="text-muted">{name}</span>
        <span className="font-mono break-all">{shown}</span>
      </p>
      <CopyButton value={value} what={what} />
    </div>
  );
}

function Warning({ children }: { children: React.ReactNode }) {
  return (
    <li className="flex gap-2">
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span>{children}</span>
    </li>
  );
}
