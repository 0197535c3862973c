// The four figures that say how it goes.
import { Link } from '../app/router.tsx';
import { share, shortAge } from './figures.ts';
import type { Overview } from './operationsApi.ts';

export function Tiles({ overview: { hour, replies, work } }: { overview: Overview }) {
  const ended = hour.settled + hour.failed;
  const oldest = Math.max(0, ...work.filter(({ step }) => step !== 'confirmations').map((one) => one.oldest_seconds));
  return (
    <dl className="grid grid-cols-2 gap-4 lg:grid-cols-4">
      <Tile
        label="Tips, last hour"
        value={String(hour.settled)}
        note={ended === 0 ? 'none finished' : `${share(hour.settled, ended)} paid · ${hour.open} in progress`}
        more={{ href: '/operations/failed?what=tips', label: `${hour.failed} failed` }}
      />
      <Tile
        label="Message to receipt"
        value={hour.receipt_p50 === null ? '–' : shortAge(hour.receipt_p50)}
        note={hour.receipt_p99 === null ? 'none in the last hour' : `p99 ${shortAge(hour.receipt_p99)}`}
      />
      <Tile
        label="Oldest work"
        value={shortAge(oldest)}
        note={rowsWaiting(work.reduce((sum, one) => sum + one.waiting, 0))}
        more={{ href: '/operations/dead', label: 'Stuck work' }}
      />
      <Tile
        label="Replies to send"
        value={String(replies.open)}
        note={replies.open === 0 ? 'none waiting' : `oldest ${shortAge(replies.oldest_seconds)}`}
        more={{ href: '/operations/failed?what=replies', label: `${replies.failed_hour} refused, last hour` }}
      />
    </dl>
  );
}

function Tile({
  label,
  value,
  note,
  more,
}: {
  label: string;
  value: string;
  note: string;
  /** Leads to what stands behind the figure. */
  more?: { href: string; label: string };
}) {
  return (
    <div className="flex min-w-0 flex-col gap-1 rounded-2xl border border-line bg-surface p-4 sm:p-6">
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="text-xl font-semibold amount">{value}</dd>
      <dd className="text-sm text-muted">{note}</dd>
      {more && (
        <dd className="text-sm">
          <Link href={more.href} className="inline-flex min-h-8 items-center text-accent hover:underline">
            {more.label}
          </Link>
        </dd>
      )}
    </div>
  );
}

function rowsWaiting(count: number): string {
  return count === 1 ? '1 row waiting' : `${count.toLocaleString()} rows waiting`;
}
