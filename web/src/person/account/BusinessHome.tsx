// Home of a business: what it earned, what needs attention, its recent orders; and what its wallet holds.
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { Link } from '../../app/router.tsx';
import type { OwnAccount } from '../../app/session/RequireAccount.tsx';
import { ModeBar } from '../../merchant/business/BusinessShell.tsx';
import { useMode } from '../../merchant/business/workspaceApi.ts';
import { NetChart } from '../../merchant/orders/NetChart.tsx';
import { OrderTable } from '../../merchant/orders/OrderTable.tsx';
import { useOrders, useVolume, type Volume } from '../../merchant/orders/ordersApi.ts';
import { signedAmount } from '../../merchant/orders/signedAmount.ts';
import { shortUrl } from '../../merchant/webhooks/endpointWords.ts';
import { useAllEndpoints } from '../../merchant/webhooks/webhooksApi.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Hex } from '../../ui/Hex.tsx';
import { EmptyNote, ErrorNote, Skeleton } from '../../ui/notices.tsx';
import { WaitingHint } from '../waiting/WaitingHint.tsx';
import { Balances } from './Balances.tsx';

const RECENT = 5;
const DAYS = 30;
const MORE = 'text-sm text-accent underline-offset-4 hover:underline';

export function BusinessHome({ account }: { account: OwnAccount }) {
  return (
    <>
      <ModeBar />
      <Earnings />
      <Attention />
      <Card
        title="Recent orders"
        aside={
          <Link href="/orders" className={MORE}>
            View all
          </Link>
        }
      >
        <OrderTable filters={{}} limit={RECENT} empty={<NoOrders />} />
      </Card>
      <WaitingHint />
      <Card title="Wallet balance" aside={<Hex value={account.address} what="your wallet’s address" />}>
        <Balances />
      </Card>
    </>
  );
}

function Earnings() {
  const { data, error, refetch } = useVolume(DAYS);
  return (
    <Card
      title="Net volume"
      aside={
        <Link href="/orders" className={MORE}>
          Fees and refunds
        </Link>
      }
    >
      {error && !data && <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>}
      {!data && !error && <Skeleton className="h-[17.5rem]" />}
      {data && <Figures volume={data} />}
      {data && <NetChart volume={data} />}
    </Card>
  );
}

function Figures({ volume: { today, last_30_days: month } }: { volume: Volume }) {
  return (
    <dl className="grid gap-4 sm:grid-cols-2">
      {[
        { name: 'Today', sum: today },
        { name: `Last ${DAYS} days`, sum: month },
      ].map(({ name, sum }) => (
        <div key={name} className="flex min-w-0 flex-col">
          <dt className="text-sm text-muted">{name}</dt>
          <dd className="text-2xl break-words font-semibold tracking-tight amount">
            {signedAmount(sum.net)} <span className="text-lg font-medium text-muted">USDC</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

type Concern = { href: string; text: string };

/** Orders with an unmatched payment, and endpoints that fail. */
function Attention() {
  const mode = useMode();
  const orders = useOrders({ status: 'attention' }, RECENT);
  const endpoints = useAllEndpoints();
  if (!orders.data || !endpoints.data) return <Skeleton className="h-32 rounded-2xl" />;
  const [page] = orders.data.pages;
  const concerns: Concern[] = [
    ...(page?.data ?? []).map(({ id, description, link_label }) => ({
      href: `/orders/${id}`,
      text: `Unmatched payment: ${description ?? link_label ?? id}`,
    })),
    ...(page?.has_more ? [{ href: '/orders?status=attention', text: 'More orders with an unmatched payment' }] : []),
    ...endpoints.data
      .filter(({ livemode }) => mode === null || livemode === (mode === 'live'))
      .filter(({ status, failing_since }) => status === 'enabled' && failing_since !== null)
      .map(({ id, url }) => ({ href: `/webhooks/${id}`, text: `Deliveries are failing: ${shortUrl(url)}` })),
  ];
  return (
    <Card title="Needs attention">
      {concerns.length === 0 && (
        <p className="flex items-center gap-2 text-muted">
          <CircleCheck aria-hidden="true" className="size-5 text-accent" />
          Nothing needs your attention.
        </p>
      )}
      {concerns.length > 0 && (
        <ul className="-my-2 flex flex-col">
          {concerns.map(({ href, text }) => (
            <li key={href}>
              <Link href={href} className="flex min-h-10 items-center gap-2 py-1 hover:underline">
                <TriangleAlert aria-hidden="true" className="size-5 shrink-0 text-amber" />
                <span className="min-w-0 break-words">{text}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function NoOrders() {
  return (
    <EmptyNote title="No orders yet">
      <p className="mb-4">Create an order to request a payment, or follow the quickstart to accept payments by API.</p>
      <div className="flex flex-wrap justify-center gap-3">
        <ButtonLink kind="filled" href="/orders/new">
          Create an order
        </ButtonLink>
        <ButtonLink href="/docs/quickstart">Quickstart</ButtonLink>
      </div>
    </EmptyNote>
  );
}
