// The links from which most orders were paid in a period.
import { padAmount } from '../../app/format.ts';
import { Link } from '../../app/router.tsx';
import { Card } from '../../ui/Card.tsx';
import { EmptyNote } from '../../ui/notices.tsx';
import type { Overview } from './overviewApi.ts';

export function LinksCard({ links }: { links: Overview['links'] }) {
  return (
    <Card
      title="Top links"
      aside={
        <Link href="/links" className="text-sm text-accent underline-offset-4 hover:underline">
          All links
        </Link>
      }
    >
      {links.length === 0 ? (
        <EmptyNote title="No paid links">Payment links that were paid in this period appear here.</EmptyNote>
      ) : (
        <ol className="-my-2 flex flex-col">
          {links.map(({ id, label, payments, amounts }) => (
            <li
              key={id}
              className="flex min-h-12 items-center justify-between gap-4 border-line py-2 not-first:border-t"
            >
              <Link href={`/links/${id}`} className="min-w-0 truncate font-medium hover:text-accent">
                {label}
              </Link>
              <span className="flex shrink-0 flex-col items-end text-sm">
                {amounts.map(({ currency, gross }) => (
                  <span key={currency} className="amount">
                    <b className="font-semibold">{padAmount(gross)}</b> <span className="text-muted">{currency}</span>
                  </span>
                ))}
                <span className="text-muted">
                  {payments.toLocaleString()} {payments === 1 ? 'payment' : 'payments'}
                </span>
              </span>
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}
