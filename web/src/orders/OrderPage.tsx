// One order: how it stands, what the buyer needs, what happened, and what the merchant can do.
import { ApiError } from '../api.ts';
import { BusinessShell } from '../business/BusinessShell.tsx';
import { OrderEvents } from '../events/OrderEvents.tsx';
import { usePath } from '../router.tsx';
import type { OwnAccount } from '../session/RequireAccount.tsx';
import { ButtonLink } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { EmptyNote, ErrorNote, Skeleton } from '../ui/notices.tsx';
import { useNow } from '../ui/TimeAgo.tsx';
import { CancelButton } from './CancelButton.tsx';
import { OrderFacts } from './OrderFacts.tsx';
import { OrderHead } from './OrderHead.tsx';
import { useOrder } from './ordersApi.ts';
import { RefundBox } from './RefundBox.tsx';
import { ShareCard } from './ShareCard.tsx';
import { Timeline } from './Timeline.tsx';
import { UnmatchedCard } from './UnmatchedCard.tsx';

export function OrderPage() {
  return <BusinessShell title="Order">{(account) => <OneOrder account={account} />}</BusinessShell>;
}

function OneOrder({ account }: { account: OwnAccount }) {
  const id = decodeURIComponent(usePath().split('/')[2] ?? '');
  const { data, error, refetch } = useOrder(id);
  const now = useNow();
  if (error instanceof ApiError && error.code === 'resource_missing')
    return (
      <EmptyNote title="There is no such order">
        <p className="mb-4">Check the address: it may have been cut. Each workspace sees its own orders only.</p>
        <ButtonLink href="/orders">To your orders</ButtonLink>
      </EmptyNote>
    );
  if (!data)
    return error ? (
      <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>
    ) : (
      <output aria-label="Loading the order" className="grid gap-6 lg:grid-cols-2">
        <Skeleton className="h-80" />
        <Skeleton className="h-80" />
      </output>
    );
  const { order, timeline, unmatched } = data;
  const isPayable = order.status === 'awaiting_payment' && Date.parse(order.expires_at) > now;
  return (
    <>
      {error && <ErrorNote retry={() => void refetch()}>{error.message} What you see may be old.</ErrorNote>}
      <OrderHead order={order} />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-6">
          {unmatched.length > 0 && <UnmatchedCard order={order} unmatched={unmatched} account={account} />}
          {isPayable && <ShareCard order={order} />}
          <OrderFacts order={order} />
          {order.status === 'completed' && <RefundBox order={order} account={account} />}
          {order.status === 'awaiting_payment' && <CancelButton order={order} />}
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <Card title="What happened">
            <Timeline entries={timeline} />
          </Card>
          <OrderEvents order={order} />
        </div>
      </div>
    </>
  );
}
