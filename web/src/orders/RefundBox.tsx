// The refund of a paid order, behind a button: most orders never need it.
import { useState } from 'react';
import type { OwnAccount } from '../session/RequireAccount.tsx';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import type { OrderDetail } from './ordersApi.ts';
import { RefundForm } from './RefundForm.tsx';

export function RefundBox({ order, account }: { order: OrderDetail; account: OwnAccount }) {
  const [isOpen, setIsOpen] = useState(false);
  if (Number(order.refundable) === 0) return null;
  if (!isOpen)
    return (
      <Button className="min-h-12! self-start" onClick={() => setIsOpen(true)}>
        Refund…
      </Button>
    );
  return (
    <Card title="Refund">
      <RefundForm
        order={order}
        account={account}
        most={order.refundable}
        payers={order.payers}
        onClose={() => setIsOpen(false)}
      />
    </Card>
  );
}
