// A sponsor's campaigns: each pays many people from one budget.

import { Plus } from 'lucide-react';
import { chainLabel } from '../../../../src/domain/chains.ts';
import { padAmount } from '../../app/format.ts';
import { Allowed } from '../../app/team/Allowed.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { EmptyNote } from '../../ui/notices.tsx';
import { PagedTable } from '../../ui/PagedTable.tsx';
import { Pill } from '../../ui/Pill.tsx';
import type { Column } from '../../ui/Table.tsx';
import { BusinessShell } from '../business/BusinessShell.tsx';
import { type CampaignView, useCampaigns } from './campaignsApi.ts';
import { STATUSES } from './campaignWords.ts';

export function CampaignsPage() {
  return (
    <BusinessShell
      title="Campaigns"
      aside={
        <Allowed quiet door="campaigns">
          <ButtonLink kind="filled" href="/campaigns/new">
            <Plus aria-hidden="true" className="size-4" />
            New campaign
          </ButtonLink>
        </Allowed>
      }
    >
      {() => <Campaigns />}
    </BusinessShell>
  );
}

const COLUMNS: readonly Column<CampaignView>[] = [
  {
    header: 'Campaign',
    cell: ({ name, status }) => (
      <>
        <span title={name} className="line-clamp-2 font-medium break-words">
          {name}
        </span>
        <span className="block text-muted md:hidden">{STATUSES[status].word}</span>
      </>
    ),
  },
  {
    header: 'Status',
    width: 'w-36',
    wide: true,
    cell: ({ status }) => <Pill tone={STATUSES[status].tone}>{STATUSES[status].word}</Pill>,
  },
  {
    header: 'Paid',
    width: 'w-24',
    cell: ({ grants }) => (
      <span className="tabular-nums">
        {grants.paid.toLocaleString()} <span className="text-muted">of {grants.total.toLocaleString()}</span>
      </span>
    ),
  },
  {
    header: 'Spent',
    width: 'w-44',
    wide: true,
    cell: ({ spent, budget }) => (
      <span className="tabular-nums">
        {padAmount(spent)} <span className="text-muted">of {padAmount(budget)} USDC</span>
      </span>
    ),
  },
  { header: 'Network', width: 'w-28', wide: true, cell: ({ chain }) => chainLabel(chain) },
];

function Campaigns() {
  return (
    <PagedTable
      list={useCampaigns()}
      name="Campaigns"
      columns={COLUMNS}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => `/campaigns/${id}`}
      menuOf={({ id }) => [
        { label: 'View campaign', href: `/campaigns/${id}` },
        { label: 'Copy campaign ID', copy: id },
      ]}
      empty={
        <EmptyNote title="No campaigns yet">
          <p className="mb-4">
            Pay rewards, refunds or prizes to many people at once, from a file or by API. Who has no account yet is paid
            once they connect one.
          </p>
          <Allowed door="campaigns">
            <ButtonLink href="/campaigns/new">Create a campaign</ButtonLink>
          </Allowed>
        </EmptyNote>
      }
    />
  );
}
