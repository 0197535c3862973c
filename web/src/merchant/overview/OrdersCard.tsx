// How the orders that were created in a period ended: the share of opened checkouts that was paid, and why the others were not.
import { changeOf } from '../../../../src/domain/overview.ts';
import { Card } from '../../ui/Card.tsx';
import { Against } from './Against.tsx';
import type { Overview } from './overviewApi.ts';
import { EXPIRED_WORDS, FAILURE_WORDS, shareWords } from './overviewWords.ts';

const COUNTS = [
  ['Orders', 'created'],
  ['Opened', 'opened'],
  ['Paid', 'paid'],
] as const;

export function OrdersCard({ orders }: { orders: Overview['orders'] }) {
  return (
    <Card title="Orders created">
      <dl className="grid grid-cols-2 gap-x-4 gap-y-4 sm:grid-cols-4">
        {COUNTS.map(([name, key]) => (
          <Against
            key={key}
            name={name}
            value={orders[key].toLocaleString()}
            before={orders.before[key].toLocaleString()}
            change={changeOf(BigInt(orders.before[key]), BigInt(orders[key]))}
          />
        ))}
        <Against
          name="Conversion"
          value={shareWords(orders.conversion)}
          before={shareWords(orders.before.conversion)}
          change={null}
        />
      </dl>
      <p className="text-sm text-muted">
        Conversion is the share of opened checkouts that was paid. {orders.open.toLocaleString()} of these orders can
        still be paid.
      </p>
    </Card>
  );
}

type Line = { words: string; count: number };

export function UnpaidCard({ data: { orders, expired, failed_payments: failed } }: { data: Overview }) {
  const ends: Line[] = expired.map(({ reason, count }) => ({ words: EXPIRED_WORDS[reason], count }));
  const failures: Line[] = failed.map(({ reason, count }) => ({ words: FAILURE_WORDS[reason], count }));
  return (
    <Card title="Not paid">
      <Lines name="Expired" all={orders.expired} before={orders.before.expired} lines={ends} />
      <Lines name="Cancelled" all={orders.cancelled} before={orders.before.cancelled} lines={[]} />
      <Lines name="Failed payments" all={failures.reduce((sum, { count }) => sum + count, 0)} lines={failures} />
    </Card>
  );
}

function Lines({ name, all, before, lines }: { name: string; all: number; before?: number; lines: Line[] }) {
  return (
    <div className="flex flex-col">
      <p className="flex items-baseline justify-between gap-4">
        <b className="font-semibold">{name}</b>
        <span className="font-semibold amount">
          {all.toLocaleString()}
          {before !== undefined && (
            <span className="text-sm font-normal text-muted"> before: {before.toLocaleString()}</span>
          )}
        </span>
      </p>
      <ul className="flex flex-col text-sm text-muted">
        {lines.map(({ words, count }) => (
          <li key={words} className="flex min-h-8 items-center justify-between gap-4">
            <span className="min-w-0">{words}</span>
            <span className="amount">{count.toLocaleString()}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
