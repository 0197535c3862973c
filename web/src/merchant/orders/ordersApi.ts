// Orders as the service tells them to their merchant, and what a merchant asks of it. Amounts are canonical decimal strings.

import { type QueryClient, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { LineItem } from '../../../../src/domain/lineItems.ts';
import type { OrderStatus } from '../../../../src/domain/order.ts';
import type { CallView } from '../../../../src/http/api/spendingAnswers.ts';
import { namedPath } from '../../app/acting.ts';
import { callApi, type List, queryOf } from '../../app/api.ts';
import type { TransactionRequest } from '../../wallet/requests.ts';
import type { ShopWish } from '../business/moreOptions.tsx';
import { keptIn, type Mode, useMode } from '../business/workspaceApi.ts';

export type Order = {
  id: string;
  status: OrderStatus;
  checkout_url: string;
  amount: string;
  currency: string;
  chain: string;
  chain_label: string;
  /** "@shop" */
  recipient: string;
  recipient_address: string;
  expires_at: string;
  metadata: Record<string, string>;
  created_at: string;
  livemode: boolean;
  description: string | null;
  payment_link: string | null;
  link_label: string | null;
  txHash: string | null;
  explorer_url: string | null;
  amount_received: string;
  amount_due: string;
  amount_refunded: string;
  payer: string | null;
  completed_at: string | null;
  success_url: string | null;
  cancel_url: string | null;
  client_reference_id: string | null;
  line_items: LineItem[];
  embed_origins: string[];
  origin: 'api' | 'dashboard' | 'link' | 'chat' | 'page';
  /** Money arrived for it that still has to be accepted or sent back. */
  attention: boolean;
};

/** `at` ISO 8601, the time of its block. */
export type Refund = {
  key: string;
  at: string;
  amount: string;
  to: string;
  tx_hash: string | null;
  explorer_url: string | null;
};

/** `fee` is the part of the amount that goes to Ampersat, `payout` the rest, `net` what is left of that after refunds: it may be below zero. */
export type OrderDetail = Order & {
  fee: string;
  payout: string;
  net: string;
  /** The oldest first. */
  refunds: Refund[];
  deposit_address: string | null;
  /** A bridge has money for it. */
  bridging: boolean;
  refundable: string;
  /** Who paid it: a refund goes to them. */
  payers: string[];
  /** To the order's own address: who sent it may be an exchange. */
  paid_by_transfer: boolean;
};

export type TimelineEntry = {
  key: string;
  at: string;
  kind: string;
  /** Of the payment's currency, with it: `5.00 USDC`. */
  amount: string | null;
  from: string | null;
  to: string | null;
  tx_hash: string | null;
  explorer_url: string | null;
  /** When the payment was found in a final block; null for everything else. */
  finalised_at: string | null;
  /** In one sentence. */
  detail: string | null;
};

/** Money that arrived and does not count for the order. */
export type Unmatched = {
  key: string;
  amount: string;
  currency: string;
  /** A refund goes to them alone. */
  senders: string[];
  tx_hash: string;
  explorer_url: string | null;
  reason: string;
  /** What the merchant's wallet can do about it. */
  actions: ('accept' | 'send_back' | 'refund')[];
};

export type OrderPage = { order: OrderDetail; timeline: TimelineEntry[]; unmatched: Unmatched[] };

/** The filters as the address bar has them. */
export const FILTERS = ['q', 'status', 'chain', 'currency', 'from', 'to', 'link'] as const;
export type Filters = Partial<Record<(typeof FILTERS)[number], string>>;

export const ORDERS_KEY = ['orders'];
const PAGE = 25;
const REFRESH_MS = 15_000;
const WHILE_OPEN_MS = 3_000;
const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

function paramsOf(filters: Filters, mode: Mode | null) {
  return { ...filters, mode, tz: filters.from || filters.to ? ZONE : null };
}

export function useOrders(filters: Filters, limit = PAGE) {
  const mode = useMode();
  return useInfiniteQuery({
    queryKey: [...ORDERS_KEY, filters, mode, limit],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      callApi<List<Order>>(
        'GET',
        `/orders${queryOf({ ...paramsOf(filters, mode), limit, cursor: pageParam })}`,
        undefined,
        signal,
      ),
    getNextPageParam: (page) => (page.has_more ? page.next_cursor : null),
    refetchInterval: REFRESH_MS,
    // Another filter shows what was there until its own answer is here.
    placeholderData: keptIn(mode),
    enabled: mode !== null,
  });
}

export type OrderCounts = Record<OrderStatus, { count: number; has_more: boolean }>;

/** How many orders have each status, whatever else is filtered. */
export function useOrderCounts() {
  const mode = useMode();
  return useQuery({
    queryKey: [...ORDERS_KEY, 'counts', mode],
    queryFn: ({ signal }) => callApi<OrderCounts>('GET', `/orders/counts${queryOf({ mode })}`, undefined, signal),
    enabled: mode !== null,
    refetchInterval: REFRESH_MS,
  });
}

export function csvUrl(filters: Filters, mode: Mode | null): string {
  return namedPath('GET', `/api/orders.csv${queryOf({ ...paramsOf(filters, mode), tz: ZONE })}`);
}

/** `usd` and `amount` are gross. `net` may be below zero: a refund counts on its own day. */
type Money = { fees: string; refunds: string; net: string; count: number };
type Sum = { usd: string } & Money;
export type Volume = {
  days: (Sum & { date: string })[];
  currencies: ({ currency: string; amount: string } & Money)[];
  today: Sum;
  last_7_days: Sum;
  last_30_days: Sum;
  completed: { paid: number; ended: number };
};

export function useVolume(days: number) {
  const mode = useMode();
  return useQuery({
    queryKey: [...ORDERS_KEY, 'volume', days, mode],
    queryFn: ({ signal }) => callApi<Volume>('GET', `/volume${queryOf({ days, mode, tz: ZONE })}`, undefined, signal),
    refetchInterval: REFRESH_MS,
    placeholderData: keptIn(mode),
    enabled: mode !== null,
  });
}

const orderKey = (id: string) => ['order', id];

export function fetchOrder(id: string, signal?: AbortSignal): Promise<OrderPage> {
  return callApi('GET', `/orders/${encodeURIComponent(id)}`, undefined, signal);
}

export function useOrder(id: string) {
  return useQuery({
    queryKey: orderKey(id),
    queryFn: ({ signal }) => fetchOrder(id, signal),
    // Money may arrive late: ended orders are polled too, less often.
    refetchInterval: ({ state: { data } }) =>
      data && !['awaiting_payment', 'processing'].includes(data.order.status) ? REFRESH_MS : WHILE_OPEN_MS,
  });
}

/** What is shown of an order is old by now. */
export async function refreshOrder(client: QueryClient, id: string): Promise<void> {
  void client.invalidateQueries({ queryKey: ORDERS_KEY });
  await client.invalidateQueries({ queryKey: orderKey(id) });
}

export type NewOrder = {
  amount: string;
  currency: string;
  chain: string;
  description?: string;
  expires_in: number;
  metadata?: Record<string, string>;
} & ShopWish;

export async function createOrder(order: NewOrder): Promise<Order> {
  const answer = await callApi<{ order: Order }>('POST', '/orders', order);
  return answer.order;
}

export function cancelOrder(id: string): Promise<{ order: Order }> {
  return callApi('POST', `/orders/${encodeURIComponent(id)}/cancel`);
}

/** A transaction for the wallet `from`; `value` in wei, as digits. */
type WalletCall = { chainId: number; from: string; to: string; data: string; value: string };
/** Calls that the wallet `payee` sends one after the other; the last one is what counts. */
export type Calls = { payee: string; transactions: (TransactionRequest & { purpose: 'approve' | 'send' })[] };

/** What the wallet `signed_by` signs whole, in base64; an executor sends it and pays the network fee. */
export type Whole = { signed_by: string; solana_transaction: string; submit: (signed: string) => Promise<CallView> };
type SignedWhole = Omit<Whole, 'submit'> & { submit: object };

/** @param path to which the signed transaction goes, with what was given beside it */
function wholeOf({ signed_by, solana_transaction, submit }: SignedWhole, path: string, more: object = {}): Whole {
  return {
    signed_by,
    solana_transaction,
    submit: async (signed) => {
      const body = { ...submit, ...more, solana_transaction: signed };
      const { request } = await callApi<{ request: CallView }>('POST', path, body);
      return request;
    },
  };
}

const callOf = (purpose: 'approve' | 'send', { chainId, to, data, value }: WalletCall) => ({
  purpose,
  chainId,
  to,
  data,
  value: `0x${BigInt(value).toString(16)}`,
});

/** A refund of what was paid, out of the merchant's wallet; `to` where several paid. */
export async function prepareRefund(id: string, wish: { amount: string; to?: string }): Promise<Calls | Whole> {
  type Answer = { refund: (WalletCall & { approval: WalletCall | null }) | SignedWhole };
  const path = `/orders/${encodeURIComponent(id)}/refund`;
  const { refund } = await callApi<Answer>('POST', path, wish);
  if ('solana_transaction' in refund) return wholeOf(refund, path);
  const first = refund.approval ? [callOf('approve', refund.approval)] : [];
  return { payee: refund.from, transactions: [...first, callOf('send', refund)] };
}

export function confirmRefund(id: string, txHash: string): Promise<unknown> {
  return callApi('POST', `/orders/${encodeURIComponent(id)}/refund`, { action: 'confirm', txHash });
}

/** What lies at the order's own address: taken, or sent back. */
export async function prepareDeposit(
  id: string,
  wish: { action: 'accept' | 'send_back'; currency: string; to?: string; amount?: string },
): Promise<Calls | Whole> {
  const path = `/orders/${encodeURIComponent(id)}/deposit`;
  const { deposit } = await callApi<{ deposit: WalletCall | SignedWhole }>('POST', path, wish);
  if ('solana_transaction' in deposit) return wholeOf(deposit, path, { action: wish.action });
  return { payee: deposit.from, transactions: [callOf('send', deposit)] };
}
