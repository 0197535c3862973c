// /docs/subscriptions: the guide of docs/subscriptions.md.
import { guide } from '../../../docs/subscriptions.md?guide';
import { GuidePage } from './GuidePage.tsx';

export function SubscriptionsPage() {
  return <GuidePage guide={guide} />;
}
