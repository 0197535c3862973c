// The grants of a campaign: filtered by status, each with whom it paid or why it did not, and taken away as a file.
import { Download } from 'lucide-react';
import { useState } from 'react';
import type { GrantStatus } from '../../../../src/domain/campaign.ts';
import { padAmount, shortHex } from '../../app/format.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { EmptyNote } from '../../ui/notices.tsx';
import { PagedTable } from '../../ui/PagedTable.tsx';
import { Pill } from '../../ui/Pill.tsx';
import type { MenuItem } from '../../ui/RowMenu.tsx';
import { StatusTabs } from '../../ui/StatusTabs.tsx';
import type { Column } from '../../ui/Table.tsx';
import { type CampaignView, type GrantView, resultsCsv, useGrants } from './campaignsApi.ts';
import { grantState } from './campaignWords.ts';

const COLUMNS: readonly Column<GrantView>[] = [
  {
    header: 'Recipient',
    cell: (grant) => {
      const { recipient, note, failure } = grant;
      return (
        <>
          <span title={recipient} className="block truncate font-medium">
            {recipient.startsWith('@') || recipient.includes(':') ? recipient : shortHex(recipient)}
          </span>
          {failure ? (
            <span className="line-clamp-2 text-brick">{failure.message}</span>
          ) : (
            note && <span className="line-clamp-1 text-muted">{note}</span>
          )}
          <span className="block text-muted md:hidden">{grantState(grant).word}</span>
        </>
      );
    },
  },
  {
    header: 'Status',
    width: 'w-28',
    wide: true,
    cell: (grant) => <Pill tone={grantState(grant).tone}>{grantState(grant).word}</Pill>,
  },
  {
    header: 'Amount',
    width: 'w-28',
    align: 'right',
    cell: ({ amount }) => <span className="amount">{padAmount(amount)}</span>,
  },
];

export function Grants({ campaign }: { campaign: CampaignView }) {
  const [status, setStatus] = useState<GrantStatus | ''>('');
  const list = useGrants(campaign, status);
  const tabs = [
    { value: '', label: 'All' },
    ...(['queued', 'sent', 'paid', 'failed', 'cancelled'] as const).map((one) => ({
      value: one,
      label: `${one.charAt(0).toUpperCase()}${one.slice(1)}`,
    })),
  ];
  return (
    <section aria-labelledby="grants" className="flex min-w-0 flex-col gap-3">
      <header className="flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="grants" className="font-semibold">
          Grants
        </h2>
        <ButtonLink href={resultsCsv(campaign.id)} download>
          <Download aria-hidden="true" className="size-4" />
          CSV
        </ButtonLink>
      </header>
      <StatusTabs label="Status" tabs={tabs} value={status} onValue={(value) => setStatus(value as GrantStatus | '')} />
      <PagedTable
        list={list}
        name="Grants"
        columns={COLUMNS}
        keyOf={({ id }) => id}
        menuOf={menuOf}
        empty={
          status ? (
            <EmptyNote title="None">No grants have this status.</EmptyNote>
          ) : (
            <EmptyNote title="No grants yet">Add a file or a recipient.</EmptyNote>
          )
        }
      />
    </section>
  );
}

function menuOf({ id, recipient, txHash, explorer_url: explorer }: GrantView): MenuItem[] {
  return [
    { label: 'Copy recipient', copy: recipient },
    { label: 'Copy grant ID', copy: id },
    ...(txHash ? [{ label: 'Copy transaction', copy: txHash }] : []),
    ...(explorer ? [{ label: 'View in explorer', href: explorer }] : []),
  ];
}
