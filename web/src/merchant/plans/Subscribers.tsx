// Who subscribes: searched, filtered, taken away as a file; under each its receipts and the creator's way to end it.
import { Download } from 'lucide-react';
import { useState } from 'react';
import { dayName, padAmount, shortHex } from '../../app/format.ts';
import { ManageStep } from '../../person/subscriptions/ManageStep.tsx';
import { Receipts } from '../../person/subscriptions/Receipts.tsx';
import {
  fetchSubscription,
  type SubscriptionView,
  useSubscriptions,
} from '../../person/subscriptions/subscriptionsApi.ts';
import { stateWords, statusOf } from '../../person/subscriptions/words.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { EmptyNote } from '../../ui/notices.tsx';
import { PagedTable } from '../../ui/PagedTable.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { StatusTabs } from '../../ui/StatusTabs.tsx';
import { COVER, type Column } from '../../ui/Table.tsx';
import { useMode } from '../business/workspaceApi.ts';
import { subscribersCsv } from './plansApi.ts';

const TABS = [
  { value: '', label: 'All' },
  { value: 'active', label: 'Active' },
  { value: 'failing', label: 'Failing' },
  { value: 'cancelled', label: 'Cancelled' },
  { value: 'halted', label: 'Halted' },
];

export function Subscribers({ planId }: { planId?: string }) {
  const mode = useMode();
  const [status, setStatus] = useState('');
  const [search, setSearch] = useState('');
  const [open, setOpen] = useState<string | null>(null);
  const filter = { planId: planId ?? null, mode: planId ? null : mode, status: status || null, search: search || null };
  const list = useSubscriptions({ ...filter, as: planId ? null : 'creator' }, Boolean(planId) || mode !== null);
  const columns: readonly Column<SubscriptionView>[] = [
    {
      header: 'Subscriber',
      cell: (sub) => (
        <button
          type="button"
          aria-expanded={open === sub.id}
          onClick={() => setOpen(open === sub.id ? null : sub.id)}
          className={`w-full text-left ${COVER}`}
        >
          <span className="block truncate font-medium">
            {sub.subscriberHandle === null ? (
              <span className="font-mono">{shortHex(sub.subscriber)}</span>
            ) : (
              `@${sub.subscriberHandle}`
            )}
          </span>
          <span className={`line-clamp-2 text-muted ${planId ? '' : 'md:hidden'}`}>{stateWords(sub)}</span>
        </button>
      ),
    },
    ...(planId
      ? []
      : [
          {
            header: 'Plan',
            wide: true,
            cell: (sub: SubscriptionView) => <span className="block truncate">{sub.plan_name}</span>,
          },
          {
            header: 'Next or end',
            wide: true,
            cell: (sub: SubscriptionView) => <span className="line-clamp-2">{stateWords(sub)}</span>,
          },
        ]),
    {
      header: 'Status',
      width: planId ? 'w-28' : 'w-36',
      cell: (sub) => <Pill tone={statusOf(sub).tone}>{statusOf(sub).word}</Pill>,
    },
    {
      header: 'Paid',
      width: planId ? 'w-28' : 'w-36',
      wide: true,
      align: 'right',
      cell: (sub) => (
        <span className="amount">
          {padAmount(sub.total_paid)} <span className="text-muted">{sub.currency}</span>
        </span>
      ),
    },
  ];
  return (
    <section aria-labelledby="subscribers" className="flex min-w-0 flex-col gap-3 print:hidden">
      <header className="flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="subscribers" className="font-semibold">
          Subscribers
        </h2>
        <ButtonLink href={subscribersCsv(filter)} download>
          <Download aria-hidden="true" className="size-4" />
          CSV
        </ButtonLink>
      </header>
      <SearchField
        value={search}
        onValue={(typed) => setSearch(typed.trim())}
        placeholder="@handle or address"
        isLabelHidden
      />
      <StatusTabs label="Status" tabs={TABS} value={status} onValue={setStatus} />
      <PagedTable
        list={list}
        name="Subscribers"
        columns={columns}
        keyOf={({ id }) => id}
        menuOf={({ id, subscriber }) => [
          { label: 'Copy address', copy: subscriber },
          { label: 'Copy subscription ID', copy: id },
        ]}
        below={(sub) => open === sub.id && <Detail sub={sub} onDone={() => setOpen(null)} />}
        empty={
          status || search ? (
            <EmptyNote title="No results">
              <p className="mb-4">No subscribers match these filters.</p>
              <Button
                onClick={() => {
                  setStatus('');
                  setSearch('');
                }}
              >
                Clear filters
              </Button>
            </EmptyNote>
          ) : (
            <EmptyNote title="No subscribers yet">
              Share the plan’s link. Each subscriber appears here with the first charge; a trial has none yet.
            </EmptyNote>
          )
        }
      />
    </section>
  );
}

function Detail({ sub, onDone }: { sub: SubscriptionView; onDone: () => void }) {
  const [isEnding, setIsEnding] = useState(false);
  return (
    <div className="flex flex-col gap-3">
      <p className="text-muted">
        Since {dayName(sub.startedAt)}. {stateWords(sub)}.
      </p>
      <Receipts as="creator" sub={sub} />
      {sub.status === 'active' && !isEnding && (
        <Button className="self-start" onClick={() => setIsEnding(true)}>
          End this subscription
        </Button>
      )}
      {isEnding && (
        <ManageStep
          job={{ action: 'cancel', subscriptionId: sub.id }}
          chain={sub.chain}
          address={sub.creator}
          why="which created the plan"
          kind="danger"
          button="End it now"
          allows="The subscriber isn’t charged again. What was paid stays paid. Your wallet signs; Ampersat pays the network fee."
          isDone={async () => (await fetchSubscription(sub.id)).status === 'cancelled'}
          onDone={onDone}
          onCancel={() => setIsEnding(false)}
          cancelWord="Keep it"
        />
      )}
    </div>
  );
}
