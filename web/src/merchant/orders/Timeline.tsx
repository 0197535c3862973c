// What happened to an order, the latest first, each with its time and its transaction.
import { exactTime } from '../../app/format.ts';
import { Hex } from '../../ui/Hex.tsx';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import type { TimelineEntry } from './ordersApi.ts';
import { entryWords } from './orderWords.ts';

const DOTS: Record<string, string> = {
  completed: 'bg-accent',
  paid: 'bg-accent',
  unmatched: 'bg-amber',
  failed: 'bg-brick',
  bridge_returned: 'bg-amber',
  bridge_failed: 'bg-brick',
};

export function Timeline({ entries }: { entries: TimelineEntry[] }) {
  return (
    <ol className="flex flex-col">
      {entries.map((entry, index) => (
        <li key={entry.key} className="relative flex gap-3 pb-4 last:pb-0">
          {index < entries.length - 1 && (
            <span aria-hidden="true" className="absolute top-4 bottom-0 left-[0.4375rem] w-px bg-line" />
          )}
          <span
            aria-hidden="true"
            className={`mt-1.5 size-3.5 shrink-0 rounded-full border-2 border-surface ${DOTS[entry.kind] ?? 'bg-edge'}`}
          />
          <div className="flex min-w-0 grow flex-col">
            <p className="flex flex-wrap items-baseline justify-between gap-x-4">
              <span className="font-medium">{entryWords(entry)}</span>
              <span className="text-sm text-muted" title={exactTime(Date.parse(entry.at))}>
                <TimeAgo at={entry.at} />
              </span>
            </p>
            {entry.finalised_at && (
              <p className="text-sm text-muted">Final since {exactTime(Date.parse(entry.finalised_at))}</p>
            )}
            {entry.detail && <p className="text-sm break-words text-muted">{entry.detail}</p>}
            {(entry.from || entry.to || entry.tx_hash) && (
              <p className="flex flex-wrap items-center gap-x-4 text-sm text-muted">
                {entry.from && (
                  <span className="inline-flex items-center gap-1">
                    from <Hex value={entry.from} what="the sender’s address" />
                  </span>
                )}
                {entry.to && (
                  <span className="inline-flex items-center gap-1">
                    to <Hex value={entry.to} what="the receiver’s address" />
                  </span>
                )}
                {entry.tx_hash && (
                  <span className="inline-flex items-center gap-1">
                    in <Hex value={entry.tx_hash} what="the transaction" href={entry.explorer_url} />
                  </span>
                )}
              </p>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}
