// The facts of an order, as far as there are any.
import type { ReactNode } from 'react';
import { padAmount } from '../format.ts';
import { Link } from '../router.tsx';
import { Card } from '../ui/Card.tsx';
import { Hex } from '../ui/Hex.tsx';
import { TimeAgo } from '../ui/TimeAgo.tsx';
import type { OrderDetail } from './ordersApi.ts';
import { ORIGIN_WORDS } from './orderWords.ts';

export function OrderFacts({ order }: { order: OrderDetail }) {
  const money = (amount: string) => `${padAmount(amount)} ${order.currency}`;
  const metadata = Object.entries(order.metadata);
  return (
    <Card title="Facts">
      <dl className="flex flex-col text-sm">
        <Fact name="You get">
          {money(order.payout)}
          {Number(order.fee) > 0 && <span className="text-muted"> (fee {money(order.fee)})</span>}
        </Fact>
        {Number(order.amount_refunded) > 0 && <Fact name="Refunded">{money(order.amount_refunded)}</Fact>}
        <Fact name="For">{order.recipient}</Fact>
        <Fact name="Paid to">
          <Hex value={order.recipient_address} what="the address that is paid" />
        </Fact>
        <Fact name="Chain">
          {order.chain_label}
          {!order.livemode && <span className="text-muted"> (test)</span>}
        </Fact>
        {order.payer && (
          <Fact name="Payer">
            <Hex value={order.payer} what="the payer’s address" />
          </Fact>
        )}
        {order.txHash && (
          <Fact name="Transaction">
            <Hex value={order.txHash} what="the payment’s transaction" href={order.explorer_url} />
          </Fact>
        )}
        {order.deposit_address && (
          <Fact name="Its own address">
            <Hex value={order.deposit_address} what="the address that belongs to this order" />
          </Fact>
        )}
        <Fact name="Made">
          <span>
            <TimeAgo at={order.created_at} />, {ORIGIN_WORDS[order.origin]}
          </span>
        </Fact>
        {order.payment_link && (
          <Fact name="Link">
            <Link href={`/links/${order.payment_link}`} className="text-accent underline-offset-4 hover:underline">
              {order.link_label || 'Without a name'}
            </Link>
          </Fact>
        )}
        <Fact name="Id">
          <Hex value={order.id} what="the order’s id" />
        </Fact>
        {metadata.map(([key, value]) => (
          <Fact key={key} name={key}>
            {value}
          </Fact>
        ))}
      </dl>
    </Card>
  );
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-h-10 items-center justify-between gap-4 border-t border-line py-1 first:border-t-0">
      <dt className="max-w-1/2 shrink-0 truncate text-muted">{name}</dt>
      <dd className="min-w-0 text-right break-words">{children}</dd>
    </div>
  );
}
