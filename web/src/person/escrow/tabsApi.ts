// Tabs as the service tells them to one person, and what that person may ask of it. Amounts are canonical decimal strings.
import { type QueryClient, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { callApi, queryOf, type TypedData } from '../../app/api.ts';
import { takeAnswer } from '../../app/takeAnswer.ts';
import type { TransactionRequest } from '../../wallet/requests.ts';

export type TabStatus = 'pending_create' | 'open' | 'claimed' | 'refunded';
export type Progress = 'queued' | 'sent' | 'mined' | 'final' | 'failed';

export type TabView = {
  id: string;
  status: TabStatus;
  /** What the tab names as its recipient: `alice`, `x:name`, `telegram:id:123`; null where only the chain knows. */
  handleSlug: string | null;
  recipient_label: string;
  sender_label: string;
  role: 'sender' | 'recipient' | 'other';
  origin: 'page' | 'tip' | 'chain';
  amount: string;
  currency: string;
  chain: string;
  chain_label: string;
  note: string | null;
  /** Unix seconds. */
  deadline: number;
  /** The sender may take it back at any time while it is unclaimed. */
  revocable: boolean;
  refundable: 'now' | 'by_sender' | 'after_deadline' | 'no';
  onChainId: string | null;
  txHash: string | null;
  close_tx_hash: string | null;
  explorer_url: string | null;
  paid_to: string | null;
  /** For the recipient: the wallet that a claim would pay now. */
  pays_to: string | null;
  /** `held_until` (ISO 8601): the claim waits until then. */
  claim: {
    id: string;
    status: Progress;
    tx_hash: string | null;
    failure: string | null;
    held_until: string | null;
  } | null;
  refund: { status: Progress; tx_hash: string | null; failure: string | null } | null;
  created_at: string;
  opened_at: string | null;
  closed_at: string | null;
};

/** What the wallet needs to open the tab. `amount` in smallest units of `stable`. */
export type OnChainArgs = {
  router: string;
  stable: string;
  handleSlug: string;
  amount: string;
  deadline: number;
  senderNonce: string;
};

export type NewTab = { handleSlug: string; amount: string; chain: string; dueInHours: number; note?: string };

type Page = { escrows: TabView[]; has_more: boolean; next_cursor: string | null };

export const TABS_KEY = ['tabs'];
const PAGE = 20;
const REFRESH_MS = 15_000;
const WHILE_BUSY_MS = 2_000;

/** @param role whose side: what one sent, or what waits for one, open ones first */
export function useTabs(role: 'sender' | 'recipient') {
  return useInfiniteQuery({
    queryKey: [...TABS_KEY, role],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      callApi<Page>(
        'GET',
        `/escrow${queryOf({ role: role === 'recipient' ? role : null, limit: PAGE, cursor: pageParam })}`,
        undefined,
        signal,
      ),
    getNextPageParam: (page) => (page.has_more ? page.next_cursor : null),
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some((page) => page.escrows.some(isBusy)) ? WHILE_BUSY_MS : REFRESH_MS,
  });
}

export async function fetchTab(id: string): Promise<TabView> {
  const { escrow } = await callApi<{ escrow: TabView }>('GET', `/escrow/${encodeURIComponent(id)}`);
  return escrow;
}

export function useTab(id: string) {
  return useQuery({
    queryKey: tabKey(id),
    queryFn: ({ signal }) =>
      callApi<{ escrow: TabView }>('GET', `/escrow/${encodeURIComponent(id)}`, undefined, signal),
    select: ({ escrow }) => escrow,
    refetchInterval: ({ state: { data } }) => {
      if (!data) return REFRESH_MS;
      const { status } = data.escrow;
      if (status === 'claimed' || status === 'refunded') return false;
      return isBusy(data.escrow) || status === 'pending_create' ? WHILE_BUSY_MS : REFRESH_MS;
    },
  });
}

/** Something is under way that will change the tab by itself. */
export function isBusy({ status, claim, refund }: TabView): boolean {
  return status === 'open' && (isUnderWay(claim?.status) || isUnderWay(refund?.status));
}

export function isUnderWay(progress: Progress | undefined): boolean {
  return progress !== undefined && progress !== 'failed' && progress !== 'final';
}

/** What the page just heard of a tab, before any list is asked again. */
export function noteTab(client: QueryClient, escrow: TabView): void {
  takeAnswer(client, tabKey(escrow.id), { escrow });
  void client.invalidateQueries({ queryKey: TABS_KEY });
}

const tabKey = (id: string) => ['tab', id];

export function stageTab(tab: NewTab): Promise<{ escrow: TabView; onChainArgs: OnChainArgs }> {
  return callApi('POST', '/escrow', tab);
}

export type TabAction =
  | { action: 'confirm_create'; txHash: string; onChainId: string }
  | { action: 'claim' }
  | { action: 'refund' }
  | { action: 'refund'; txHash: string }
  | { action: 'refund'; deadline: number; signature: string };

export async function actOnTab(id: string, action: TabAction): Promise<TabView> {
  const { escrow } = await callApi<{ escrow: TabView }>('POST', `/escrow/${encodeURIComponent(id)}`, action);
  return escrow;
}

/** What the sender signs to take a tab back before its deadline, and the call with which its wallet can send that itself. */
export function prepareRefund(
  id: string,
): Promise<{ typed_data: TypedData; deadline: number; transaction: TransactionRequest }> {
  return callApi('GET', `/escrow/${encodeURIComponent(id)}/refund_data`);
}
