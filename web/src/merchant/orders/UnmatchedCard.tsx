// Unmatched payments: money that arrived for an order and does not count for it, why, and what the merchant's wallet can do.

import { useState } from 'react';
import { padAmount } from '../../app/format.ts';
import { Allowed } from '../../app/team/Allowed.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Hex } from '../../ui/Hex.tsx';
import { DepositForm } from './DepositForm.tsx';
import type { OrderDetail, Unmatched } from './ordersApi.ts';
import { RefundForm } from './RefundForm.tsx';

type Given = { order: OrderDetail };

export function UnmatchedCard({ unmatched, ...given }: Given & { unmatched: Unmatched[] }) {
  return (
    <Card title="Unmatched payment">
      <ul className="flex flex-col">
        {unmatched.map((one) => (
          <li
            key={one.key}
            className="flex flex-col gap-3 border-t border-line py-4 first:border-t-0 first:pt-0 last:pb-0"
          >
            <p className="text-lg font-semibold amount">
              {padAmount(one.amount)} <span className="text-base font-medium text-muted">{one.currency}</span>
            </p>
            <p className="text-sm">{one.reason}</p>
            <p className="flex flex-wrap items-center gap-x-4 text-sm text-muted">
              {one.senders[0] && (
                <span className="inline-flex items-center gap-1">
                  from <Hex value={one.senders[0]} what="the sender’s address" />
                </span>
              )}
              <span className="inline-flex items-center gap-1">
                in <Hex value={one.tx_hash} what="its transaction" href={one.explorer_url} />
              </span>
            </p>
            <Allowed door="refund">
              <Decision {...given} one={one} />
            </Allowed>
          </li>
        ))}
      </ul>
    </Card>
  );
}

const WORDS = { accept: 'Keep…', send_back: 'Return…', refund: 'Refund…' };

function Decision({ order, one }: Given & { one: Unmatched }) {
  const [wish, setWish] = useState<Unmatched['actions'][number] | null>(null);
  const close = () => setWish(null);
  if (wish === null)
    return (
      <div className="flex flex-wrap gap-2 empty:hidden">
        {one.actions.map((action) => (
          <Button key={action} onClick={() => setWish(action)}>
            {WORDS[action]}
          </Button>
        ))}
      </div>
    );
  if (wish === 'refund') return <RefundForm order={order} most={one.amount} payers={one.senders} onClose={close} />;
  return <DepositForm order={order} one={one} action={wish} onClose={close} />;
}
