// An order as it is now: by a stream while that stands, by asking again while it does not.
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { firstAnswer } from '../../app/firstAnswer.ts';
import { takeAnswer } from '../../app/takeAnswer.ts';
import { askAgain, fetchOrder, noteOpened, type OrderNow, orderAt, streamOf } from './checkoutApi.ts';

const POLL_MS = 3_000;
/** Money may still arrive for an order that is over, and be sent back for one that is paid. A stream may stand and tell nothing. */
const POLL_SLOWLY_MS = 20_000;
const RECONNECT_MS = 5_000;

const keyOf = (id: string) => ['checkout', id];

export function takeOrder(client: QueryClient, { order, progress, refunds }: OrderNow): void {
  takeAnswer(client, keyOf(order.id), { order, progress, refunds });
}

export function useOrder(id: string) {
  const client = useQueryClient();
  const [isStreaming, setStreaming] = useState(false);
  const query = useQuery({
    queryKey: keyOf(id),
    queryFn: ({ signal }) => fetchOrder(id, signal),
    initialData: () => firstAnswer<OrderNow>(orderAt(id)),
    initialDataUpdatedAt: 0,
    refetchInterval: ({ state }) => {
      const status = state.data?.order.status;
      if (!status) return askAgain(state.error);
      return askAgain(state.error, isStreaming || isOver(status) ? POLL_SLOWLY_MS : POLL_MS);
    },
  });
  const status = query.data?.order.status;
  const isOpen = status !== undefined && !isOver(status);
  useEffect(() => {
    if (!isOpen) return;
    return follow(id, (now) => takeOrder(client, now), setStreaming);
  }, [id, isOpen, client]);
  useEffect(() => {
    if (isOpen) void noteOpened(id);
  }, [id, isOpen]);
  return query;
}

export function isOver(status: OrderNow['order']['status']): boolean {
  return status === 'completed' || status === 'expired' || status === 'cancelled';
}

/** @returns what ends it */
function follow(id: string, take: (now: OrderNow) => void, setStreaming: (is: boolean) => void): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const open = () => {
    source = new EventSource(streamOf(id));
    source.addEventListener('open', () => setStreaming(true));
    source.addEventListener('order', (event) => take(JSON.parse(event.data) as OrderNow));
    source.addEventListener('error', () => {
      setStreaming(false);
      // A break is mended by the browser; after a refusal it gives up, and we come back later.
      if (source?.readyState === EventSource.CLOSED) timer = setTimeout(open, RECONNECT_MS);
    });
  };
  open();
  return () => {
    clearTimeout(timer);
    source?.close();
    setStreaming(false);
  };
}
