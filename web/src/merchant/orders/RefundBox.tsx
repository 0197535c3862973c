// The refund of a paid order, behind a button: most orders never need it.
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import type { OrderDetail } from './ordersApi.ts';
import { RefundForm } from './RefundForm.tsx';

export function RefundBox({ order }: { order: OrderDetail }) {
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
      <RefundForm order={order} most={order.refundable} payers={order.payers} onClose={() => setIsOpen(false)} />
    </Card>
  );
}
