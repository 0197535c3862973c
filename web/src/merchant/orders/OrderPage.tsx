// One order: its status and money, what the buyer needs, its timeline, and what the merchant can do.

import { ApiError } from '../../app/apiError.ts';
import { usePath } from '../../app/router.tsx';
import { Allowed } from '../../app/team/Allowed.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { EmptyNote, ErrorNote, Skeleton } from '../../ui/notices.tsx';
import { useNow } from '../../ui/TimeAgo.tsx';
import { BusinessShell } from '../business/BusinessShell.tsx';
import { useModeOf } from '../business/workspaceApi.ts';
import { OrderEvents } from '../events/OrderEvents.tsx';
import { CancelButton } from './CancelButton.tsx';
import { OrderAmounts } from './OrderAmounts.tsx';
import { OrderFacts } from './OrderFacts.tsx';
import { OrderHead } from './OrderHead.tsx';
import { useOrder } from './ordersApi.ts';
import { RefundBox } from './RefundBox.tsx';
import { ShareCard } from './ShareCard.tsx';
import { Timeline } from './Timeline.tsx';
import { UnmatchedCard } from './UnmatchedCard.tsx';

export function OrderPage() {
  return <BusinessShell title="Order">{() => <OneOrder />}</BusinessShell>;
}

function OneOrder() {
  const id = decodeURIComponent(usePath().split('/')[2] ?? '');
  const { data, error, refetch } = useOrder(id);
  useModeOf(data?.order);
  const now = useNow();
  if (error instanceof ApiError && error.code === 'resource_missing')
    return (
      <EmptyNote title="Order not found">
        <p className="mb-4">Check the link; it may be incomplete. You can only see orders of your own workspace.</p>
        <ButtonLink href="/orders">View all orders</ButtonLink>
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
      {error && <ErrorNote retry={() => void refetch()}>{error.message} This may be out of date.</ErrorNote>}
      <OrderHead order={order} />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-6">
          {unmatched.length > 0 && <UnmatchedCard order={order} unmatched={unmatched} />}
          {isPayable && !order.bridging && <ShareCard order={order} />}
          <OrderAmounts order={order} />
          {order.status === 'completed' && (
            <Allowed door="refund">
              <RefundBox order={order} />
            </Allowed>
          )}
          <OrderFacts order={order} />
          {order.status === 'awaiting_payment' && !order.bridging && (
            <Allowed door="cancel_order">
              <CancelButton order={order} />
            </Allowed>
          )}
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <Card title="Timeline">
            <Timeline entries={timeline} />
          </Card>
          <OrderEvents order={order} />
        </div>
      </div>
    </>
  );
}
