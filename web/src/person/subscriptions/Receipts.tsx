// The charges of a subscription, the newest first.
import { ExternalLink } from 'lucide-react';
import { dayName, exactTime, padAmount } from '../../app/format.ts';
import { EmptyNote } from '../../ui/notices.tsx';
import { PagedList } from '../../ui/PagedList.tsx';
import { type ChargeView, type SubscriptionView, useCharges } from './subscriptionsApi.ts';

export function Receipts({ sub, as }: { sub: Pick<SubscriptionView, 'id'>; as?: 'creator' }) {
  return (
    <PagedList
      list={useCharges(sub.id, as)}
      name="Receipts"
      keyOf={({ number }) => String(number)}
      empty={<EmptyNote title="No charges yet">Each charge appears here with its transaction.</EmptyNote>}
      row={(charge) => <Receipt key={charge.number} charge={charge} />}
    />
  );
}

function Receipt({ charge }: { charge: ChargeView }) {
  const { number, amount, currency, explorer_url: href, charged_at: at, period_start: from, period_end: to } = charge;
  return (
    <li className="flex min-h-14 items-center justify-between gap-4 border-line px-2 py-2 text-sm not-first:border-t">
      <span className="min-w-0">
        <span className="block font-medium" title={exactTime(Date.parse(at))}>
          No. {number} · {dayName(Date.parse(at))}
        </span>
        <span className="block truncate text-muted">
          For {dayName(Date.parse(from))} to {dayName(Date.parse(to))}
        </span>
      </span>
      <span className="flex shrink-0 flex-col items-end">
        <span className="font-semibold amount">
          {padAmount(amount)} {currency}
        </span>
        {href && (
          <a
            href={href}
            target="_blank"
            rel="noreferrer"
            className="inline-flex items-center gap-1 text-accent underline-offset-4 hover:underline"
          >
            Transaction
            <ExternalLink aria-hidden="true" className="size-3.5" />
          </a>
        )}
      </span>
    </li>
  );
}
