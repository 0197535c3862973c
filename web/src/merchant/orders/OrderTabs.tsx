// The statuses of orders as tabs, with how many there are.
import { StatusTabs } from '../../ui/StatusTabs.tsx';
import { type OrderCounts, useOrderCounts } from './ordersApi.ts';
import { STATUS_CHOICES } from './orderWords.ts';

export function OrderTabs({ status, onStatus }: { status: string; onStatus: (status: string) => void }) {
  const { data } = useOrderCounts();
  const tabs = STATUS_CHOICES.map(([value, label]) => ({ value, label, count: countOf(data, value) }));
  return <StatusTabs label="Status" tabs={[{ value: '', label: 'All' }, ...tabs]} value={status} onValue={onStatus} />;
}

/** Nothing of what is seldom looked at and slow to count. */
function countOf(counts: OrderCounts | undefined, status: (typeof STATUS_CHOICES)[number][0]): string | undefined {
  if (status === 'attention') return undefined;
  // As wide as most figures, so that the tabs stay where they are.
  if (!counts) return '–';
  const { count, has_more } = counts[status];
  return `${count.toLocaleString()}${has_more ? '+' : ''}`;
}
