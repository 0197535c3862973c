// Money that payers sent to the treasury: what names no order goes back at a press, the rest passes by itself.
import type { TransferView } from '../../../src/services/operations/transfers.ts';
import { Link, useSearch } from '../app/router.tsx';
import { Button } from '../ui/Button.tsx';
import { EmptyNote, ErrorNote } from '../ui/notices.tsx';
import { PagedList } from '../ui/PagedList.tsx';
import type { Tone } from '../ui/tone.ts';
import { CaseRow } from './CaseRow.tsx';
import { useReturnTransfer, useTransfers } from './casesApi.ts';
import { FailureTabs } from './FailureTabs.tsx';
import { OperatorFrame } from './OperatorFrame.tsx';

const LISTS = { waiting: 'Waiting', all: 'All' } as const;

export function TransfersPage() {
  const list = useSearch().get('list') === 'all' ? 'all' : 'waiting';
  const transfers = useTransfers(list);
  const back = useReturnTransfer();
  return (
    <OperatorFrame title="Transfers to the treasury" error={transfers.error}>
      <FailureTabs shown="transfers" />
      <p className="text-sm text-muted">
        A transfer that names one order by its reference or memo is passed on to it. Anything else waits here, and goes
        back to the wallet that sent it when you say so.
      </p>
      <nav aria-label="Which transfers" className="flex gap-x-4">
        {Object.entries(LISTS).map(([name, title]) => (
          <Link
            key={name}
            href={`/operations/transfers?list=${name}`}
            aria-current={name === list ? 'page' : undefined}
            className="inline-flex min-h-10 items-center text-accent hover:underline aria-[current]:font-semibold aria-[current]:text-ink"
          >
            {title}
          </Link>
        ))}
      </nav>
      {back.error && <ErrorNote>{back.error.message}</ErrorNote>}
      {back.isSuccess && list === 'waiting' && (
        <p role="status" className="rounded-lg bg-soft px-4 py-2 text-sm text-accent">
          On its way back.
        </p>
      )}
      <PagedList
        list={transfers}
        name="Transfers to the treasury"
        row={(row) => (
          <CaseRow
            key={row.id}
            id={row.order}
            at={row.at}
            what={`${row.amount} ${row.currency} ${row.from ? `from ${row.from}` : 'from several wallets'}`}
            note={noteOf(row)}
            status={STATUS[row.status]}
            aside={
              <>
                {row.explorer_url && (
                  <a href={row.explorer_url} className="inline-flex min-h-10 items-center text-accent hover:underline">
                    Transaction
                  </a>
                )}
                {row.status === 'unmatched' && row.from !== null && (
                  <Button
                    aria-label={`Return ${row.amount} ${row.currency} to ${row.from}`}
                    disabled={back.isPending}
                    onClick={() => back.mutate(row.id)}
                  >
                    Return
                  </Button>
                )}
              </>
            }
          />
        )}
        empty={
          <EmptyNote title={list === 'waiting' ? 'Nothing waits' : 'No transfers yet'}>
            Payments that buyers send to the treasury appear here.
          </EmptyNote>
        }
      />
    </OperatorFrame>
  );
}

const STATUS: Record<TransferView['status'], { tone: Tone; words: string }> = {
  matched: { tone: 'busy', words: 'Named an order' },
  forwarding: { tone: 'busy', words: 'On its way to the order' },
  forwarded: { tone: 'good', words: 'Passed on' },
  unmatched: { tone: 'bad', words: 'Named no order' },
  returning: { tone: 'busy', words: 'On its way back' },
  returned: { tone: 'good', words: 'Returned' },
};

function noteOf({ failure, order, named_by, from, tx_hash }: TransferView): string {
  if (failure !== null) return failure;
  if (order !== null) return `Names ${order} by its ${named_by}`;
  return from === null ? 'Return it with the treasury’s own key' : tx_hash;
}
