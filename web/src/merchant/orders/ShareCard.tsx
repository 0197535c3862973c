// What the buyer needs: the checkout link, to be copied, sent or scanned.
import { Card } from '../../ui/Card.tsx';
import { CopyField } from '../../ui/CopyField.tsx';
import { QrCode } from '../../ui/QrCode.tsx';
import type { OrderDetail } from './ordersApi.ts';

export function ShareCard({ order }: { order: OrderDetail }) {
  return (
    <Card title="For the buyer">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-4">
        <QrCode value={order.checkout_url} label="QR code of the checkout link" className="size-40 shrink-0" />
        <p className="min-w-40 grow basis-40 text-sm text-muted">
          Let the buyer scan the code, or send them the link. They can pay with any wallet, usually without gas. This
          page updates automatically.
        </p>
      </div>
      <CopyField label="Checkout link" value={order.checkout_url} kind="filled" />
    </Card>
  );
}
