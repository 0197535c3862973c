// /docs/orders: the guide of docs/orders.md.
import { guide } from '../../../docs/orders.md?guide';
import { GuidePage } from './GuidePage.tsx';

export function OrdersPage() {
  return <GuidePage guide={guide} />;
}
