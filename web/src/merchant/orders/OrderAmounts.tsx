// The money of an order: gross, fee, refunds and net, and each refund with its transaction.
import { exactTime, padAmount } from '../../app/format.ts';
import { Card } from '../../ui/Card.tsx';
import { Fact } from '../../ui/Facts.tsx';
import { Hex } from '../../ui/Hex.tsx';
import type { OrderDetail } from './ordersApi.ts';
import { signedAmount } from './signedAmount.ts';

export function OrderAmounts({ order }: { order: OrderDetail }) {
  const money = (amount: string) => `${signedAmount(amount)} ${order.currency}`;
  const minus = (amount: string) => (Number(amount) > 0 ? `−${money(amount)}` : money(amount));
  const isPaid = order.status === 'completed';
  const hasRefunds = Number(order.amount_refunded) > 0;
  return (
    <Card title={isPaid ? 'Payment' : 'Amount'}>
      <dl className="flex flex-col text-sm">
        <Fact name={isPaid ? 'Gross' : 'Amount'}>
          <span className="amount">{money(order.amount)}</span>
        </Fact>
        <Fact name="Fee">
          <span className="amount">{minus(order.fee)}</span>
        </Fact>
        {(isPaid || hasRefunds) && (
          <Fact name="Refunded">
            <span className="amount">{minus(order.amount_refunded)}</span>
          </Fact>
        )}
        <Fact name="Net amount">
          <b className="font-semibold amount">{money(isPaid ? order.net : order.payout)}</b>
        </Fact>
      </dl>
      {order.refunds.length > 0 && (
        <section aria-labelledby="refunds" className="flex flex-col gap-1">
          <h3 id="refunds" className="text-sm font-medium">
            Refunds
          </h3>
          <ul aria-label="Refunds" className="flex flex-col text-sm">
            {order.refunds.map(({ key, amount, at, to, tx_hash, explorer_url }) => (
              <li
                key={key}
                className="flex flex-wrap items-center justify-between gap-x-4 border-t border-line py-1 first:border-t-0"
              >
                <span className="font-medium amount">
                  {padAmount(amount)} {order.currency}
                </span>
                <time dateTime={at} className="text-muted">
                  {exactTime(Date.parse(at))}
                </time>
                <span className="inline-flex items-center gap-1 text-muted">
                  to <Hex value={to} what="the recipient of the refund" />
                </span>
                {tx_hash && <Hex value={tx_hash} what="the refund’s transaction" href={explorer_url} />}
              </li>
            ))}
          </ul>
        </section>
      )}
    </Card>
  );
}
