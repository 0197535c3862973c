// What the buyer needs: the checkout's address, to be copied, sent or scanned.
import { Card } from '../ui/Card.tsx';
import { CopyField } from '../ui/CopyField.tsx';
import { QrCode } from '../ui/QrCode.tsx';
import type { OrderDetail } from './ordersApi.ts';

export function ShareCard({ order }: { order: OrderDetail }) {
  return (
    <Card title="For the buyer">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-4">
        <QrCode value={order.checkout_url} label="The checkout’s address as a QR code" className="size-40 shrink-0" />
        <p className="min-w-40 grow basis-40 text-sm text-muted">
          Let them scan it, or send them the link. They pay with any wallet, mostly without holding gas; this page shows
          it as it happens.
        </p>
      </div>
      <CopyField label="Checkout link" value={order.checkout_url} kind="filled" />
    </Card>
  );
}
