// A merchant's payment links: each takes any number of payments.

import { Plus } from 'lucide-react';
import { padAmount } from '../../app/format.ts';
import { navigate, useSearch } from '../../app/router.tsx';
import { Allowed } from '../../app/team/Allowed.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { EmptyNote } from '../../ui/notices.tsx';
import { PagedTable } from '../../ui/PagedTable.tsx';
import type { MenuItem } from '../../ui/RowMenu.tsx';
import { StatusTabs } from '../../ui/StatusTabs.tsx';
import type { Column } from '../../ui/Table.tsx';
import { BusinessShell } from '../business/BusinessShell.tsx';
import { LinkStatus, STATE_WORDS } from './LinkStatus.tsx';
import { type PaymentLink, useLinks } from './linksApi.ts';
import { asksFor, broughtIn } from './linkWords.ts';

export function LinksPage() {
  return (
    <BusinessShell
      title="Payment links"
      aside={
        <Allowed quiet door="links">
          <ButtonLink kind="filled" href="/links/new">
            <Plus aria-hidden="true" className="size-4" />
            New link
          </ButtonLink>
        </Allowed>
      }
    >
      {() => <Links />}
    </BusinessShell>
  );
}

const TABS = [
  { value: '', label: 'All' },
  { value: 'true', label: 'Active' },
  { value: 'false', label: 'Inactive' },
];

const COLUMNS: readonly Column<PaymentLink>[] = [
  {
    header: 'Description',
    cell: (link) => (
      <>
        <span title={link.label} className="line-clamp-2 font-medium break-words">
          {link.label}
        </span>
        <span className="block text-muted md:hidden">
          {broughtIn(link)}
          {!link.active && ` · ${STATE_WORDS[link.state]}`}
        </span>
      </>
    ),
  },
  { header: 'Status', width: 'w-28', wide: true, cell: ({ state }) => <LinkStatus state={state} /> },
  {
    header: 'Price',
    width: 'w-32 md:w-40',
    cell: (link) => <span className="block tabular-nums">{asksFor(link)}</span>,
  },
  { header: 'Network', width: 'w-28', wide: true, cell: ({ chain_label }) => chain_label },
  {
    header: 'Payments',
    width: 'w-28',
    wide: true,
    align: 'right',
    cell: ({ totals }) => <span className="tabular-nums">{totals.paid.toLocaleString()}</span>,
  },
  {
    header: 'Gross',
    width: 'w-36',
    wide: true,
    align: 'right',
    cell: ({ totals, currency }) => (
      <span className="font-semibold amount">
        {padAmount(totals.paid_amount)} <span className="font-normal text-muted">{currency}</span>
      </span>
    ),
  },
];

function Links() {
  const active = useSearch().get('active') ?? '';
  return (
    <>
      <StatusTabs label="Status" tabs={TABS} value={active} onValue={show} />
      <PagedTable
        list={useLinks(active)}
        name="Payment links"
        columns={COLUMNS}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `/links/${id}`}
        menuOf={menuOf}
        empty={<Nothing isFiltered={active !== ''} />}
      />
    </>
  );
}

function show(active: string): void {
  navigate(active ? `/links?active=${active}` : '/links', { replace: true });
}

function menuOf({ id, url }: PaymentLink): MenuItem[] {
  return [
    { label: 'View link', href: `/links/${id}` },
    { label: 'Copy link', copy: url },
    { label: 'Copy link ID', copy: id },
    { label: 'View orders', href: `/orders?link=${id}` },
  ];
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered)
    return (
      <EmptyNote title="No results">
        <p className="mb-4">No payment links match this filter.</p>
        <Button onClick={() => show('')}>Show all links</Button>
      </EmptyNote>
    );
  return (
    <EmptyNote title="No payment links yet">
      <p className="mb-4">
        Create a link with a fixed price, or let customers choose the amount. You get a payment page and a QR code.
      </p>
      <Allowed door="links">
        <ButtonLink href="/links/new">Create a payment link</ButtonLink>
      </Allowed>
    </EmptyNote>
  );
}
