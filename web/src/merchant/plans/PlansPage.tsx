// A creator's plans in figures and charts, the plans, and who subscribes to them.

import { Plus } from 'lucide-react';
import { chainLabel } from '../../../../src/domain/chains.ts';
import { Allowed } from '../../app/team/Allowed.tsx';
import { priceWords } from '../../person/subscriptions/words.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { EmptyNote, Skeleton } from '../../ui/notices.tsx';
import { PagedTable } from '../../ui/PagedTable.tsx';
import { Pill } from '../../ui/Pill.tsx';
import type { Column } from '../../ui/Table.tsx';
import { BusinessShell } from '../business/BusinessShell.tsx';
import { FIRST_SPAN, FiguresCard } from './FiguresCard.tsx';
import { type PlanView, usePlanFigures, usePlans } from './plansApi.ts';
import { STATUSES } from './planWords.ts';
import { Subscribers } from './Subscribers.tsx';

export function PlansPage() {
  return (
    <BusinessShell
      title="Plans"
      aside={
        <Allowed quiet door="plans">
          <ButtonLink kind="filled" href="/plans/new">
            <Plus aria-hidden="true" className="size-4" />
            New plan
          </ButtonLink>
        </Allowed>
      }
    >
      {() => <Plans />}
    </BusinessShell>
  );
}

type Row = Omit<PlanView, 'metadata'>;

const COLUMNS: readonly Column<Row>[] = [
  {
    header: 'Plan',
    cell: (plan) => (
      <>
        <span title={plan.name} className="line-clamp-2 font-medium break-words">
          {plan.name}
        </span>
        {plan.status !== 'active' && <span className="block text-muted md:hidden">{STATUSES[plan.status].word}</span>}
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
    header: 'Price',
    width: 'w-40 md:w-56',
    cell: (plan) => <span className="block tabular-nums">{priceWords(plan)}</span>,
  },
  { header: 'Network', width: 'w-28', wide: true, cell: ({ chain }) => chainLabel(chain) },
];

function Plans() {
  const list = usePlans();
  const figures = usePlanFigures(FIRST_SPAN);
  const hasPlans = Boolean(list.data?.pages[0]?.data.length);
  // Shown together, so that the figures do not push the plans down.
  if (list.isPending || figures.isPending) return <Skeleton className="h-96" />;
  return (
    <>
      {hasPlans && <FiguresCard />}
      <PagedTable
        list={list}
        name="Plans"
        columns={COLUMNS}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `/plans/${id}`}
        menuOf={({ id, url }) => [
          { label: 'View plan', href: `/plans/${id}` },
          { label: 'Copy link', copy: url },
          { label: 'Copy plan ID', copy: id },
        ]}
        empty={
          <EmptyNote title="No plans yet">
            <p className="mb-4">
              Charge subscribers once a day, week, month or year in USDC. You get a page, a QR code and a button for
              your site.
            </p>
            <Allowed door="plans">
              <ButtonLink href="/plans/new">Create a plan</ButtonLink>
            </Allowed>
          </EmptyNote>
        }
      />
      {hasPlans && <Subscribers />}
    </>
  );
}
