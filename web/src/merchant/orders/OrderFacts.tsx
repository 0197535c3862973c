// The details of an order: who paid whom, where, and where it came from.
import { Link } from '../../app/router.tsx';
import { Card } from '../../ui/Card.tsx';
import { Fact } from '../../ui/Facts.tsx';
import { Hex } from '../../ui/Hex.tsx';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import { ShopFacts } from '../business/ShopFacts.tsx';
import type { OrderDetail } from './ordersApi.ts';
import { ORIGIN_WORDS } from './orderWords.ts';

export function OrderFacts({ order }: { order: OrderDetail }) {
  const metadata = Object.entries(order.metadata);
  return (
    <Card title="Details">
      <dl className="flex flex-col text-sm">
        <Fact name="Recipient">{order.recipient}</Fact>
        <Fact name="Recipient address">
          <Hex value={order.recipient_address} what="the recipient’s address" />
        </Fact>
        <Fact name="Network">
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
          <Fact name="Deposit address">
            <Hex value={order.deposit_address} what="the order’s deposit address" />
          </Fact>
        )}
        <Fact name="Created">
          <span>
            <TimeAgo at={order.created_at} />, {ORIGIN_WORDS[order.origin]}
          </span>
        </Fact>
        {order.payment_link && (
          <Fact name="Payment link">
            <Link href={`/links/${order.payment_link}`} className="text-accent underline-offset-4 hover:underline">
              {order.link_label || 'Untitled'}
            </Link>
          </Fact>
        )}
        <Fact name="ID">
          <Hex value={order.id} what="the order’s ID" />
        </Fact>
        <ShopFacts of={order} />
        {metadata.map(([key, value]) => (
          <Fact key={key} name={key}>
            {value}
          </Fact>
        ))}
      </dl>
    </Card>
  );
}
