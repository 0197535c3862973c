// One's tips as the service tells them, and what of them is public as a receipt. Amounts are canonical decimal strings.
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { callApi, type List, queryOf } from '../../app/api.ts';
import { useMode } from '../../merchant/business/workspaceApi.ts';

export type TipStatus = 'pending' | 'paid' | 'final' | 'failed' | 'waiting' | 'crossing' | 'returned';

export type HistoryTip = {
  id: string;
  direction: 'sent' | 'received';
  counterparty: string;
  amount: string;
  fee: string | null;
  asset: string;
  chain: string;
  chain_label: string;
  /** Where a tip to another network arrives. */
  to_chain_label: string | null;
  status: TipStatus;
  /** In one sentence why it failed. */
  failure: string | null;
  tx_hash: string | null;
  explorer_url: string | null;
  platform: string;
  at: string;
  /** Null for what was sent from a wallet on /send. */
  receipt_url: string | null;
};

export type TipReceipt = {
  id: string;
  from: string;
  to: string;
  amount: string;
  fee: string | null;
  asset: string;
  chain: string;
  chain_label: string;
  to_chain_label: string | null;
  arrive_tx_hash: string | null;
  arrive_explorer_url: string | null;
  return_tx_hash: string | null;
  return_explorer_url: string | null;
  livemode: boolean;
  status: TipStatus;
  tx_hash: string | null;
  explorer_url: string | null;
  at: string;
  block_time?: string | null;
};

export type Summary = {
  days: { date: string; sent_usd: string; received_usd: string; count: number }[];
  sent_usd: string;
  received_usd: string;
  fees_usd: string;
};

/** The filters as they stand in the address bar. */
export const FILTERS = ['direction', 'status', 'chain', 'from', 'to', 'q'] as const;
export type Filters = Partial<Record<(typeof FILTERS)[number], string>>;

const PAGE = 25;
const REFRESH_MS = 15_000;

export function useHistory(filters: Filters, limit = PAGE) {
  return useInfiniteQuery({
    queryKey: ['history', filters, limit],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      callApi<List<HistoryTip>>(
        'GET',
        `/history${queryOf({ ...filters, limit, cursor: pageParam })}`,
        undefined,
        signal,
      ),
    getNextPageParam: (page) => (page.has_more ? page.next_cursor : null),
    refetchInterval: REFRESH_MS,
    // Another filter shows what was there until its own answer is here.
    placeholderData: keepPreviousData,
  });
}

export function useSummary(days: number) {
  const mode = useMode();
  return useQuery({
    queryKey: ['summary', days, mode],
    queryFn: ({ signal }) => callApi<Summary>('GET', `/history/summary${queryOf({ days, mode })}`, undefined, signal),
  });
}

export function useReceipt(id: string) {
  return useQuery({
    queryKey: ['receipt', id],
    queryFn: ({ signal }) => callApi<TipReceipt>('GET', `/receipts/${encodeURIComponent(id)}`, undefined, signal),
    // It changes until the chain has buried it.
    refetchInterval: ({ state }) =>
      state.data && ['final', 'failed', 'returned'].includes(state.data.status) ? false : 3_000,
  });
}

export function csvUrl(filters: Filters): string {
  return `/api/history.csv${queryOf(filters)}`;
}
