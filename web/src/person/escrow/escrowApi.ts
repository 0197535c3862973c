// The calls of escrows: what one person reads of them, and what that person may ask.
import { type QueryClient, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { CallProgress } from '../../../../src/domain/sponsoredCall.ts';
import type {
  EscrowList,
  EscrowResult,
  EscrowView,
  OneEscrow,
  OpenedEscrow,
  PreparedRefund,
  StagedEscrow,
} from '../../../../src/http/api/escrowAnswers.ts';
import type { TransactionToSign } from '../../../../src/http/api/signingAnswers.ts';
import { callApi, queryOf } from '../../app/api.ts';
import { takeAnswer } from '../../app/takeAnswer.ts';

export type NewEscrow = { handleSlug: string; amount: string; chain: string; dueInHours: number; note?: string };

export const ESCROWS_KEY = ['tabs'];
const PAGE = 20;
const REFRESH_MS = 15_000;
const WHILE_BUSY_MS = 2_000;

/** @param role whose side: what one sent, or what waits for one, open ones first */
export function useEscrows(role: 'sender' | 'recipient') {
  return useInfiniteQuery({
    queryKey: [...ESCROWS_KEY, role],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      callApi<EscrowList>(
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

export async function fetchEscrow(id: string): Promise<EscrowView> {
  const { escrow } = await callApi<OneEscrow>('GET', `/escrow/${encodeURIComponent(id)}`);
  return escrow;
}

export function useEscrow(id: string) {
  return useQuery({
    queryKey: escrowKey(id),
    queryFn: ({ signal }) => callApi<OneEscrow>('GET', `/escrow/${encodeURIComponent(id)}`, undefined, signal),
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
export function isBusy({ status, claim, refund }: EscrowView): boolean {
  return status === 'open' && (isUnderWay(claim?.status) || isUnderWay(refund?.status));
}

export function isUnderWay(progress: CallProgress | undefined): boolean {
  return progress !== undefined && progress !== 'failed' && progress !== 'final';
}

/** Puts a response about a tab into the cache, before any list is refetched. */
export function noteEscrow(client: QueryClient, escrow: EscrowView): void {
  takeAnswer(client, escrowKey(escrow.id), { escrow });
  void client.invalidateQueries({ queryKey: ESCROWS_KEY });
}

const escrowKey = (id: string) => ['tab', id];

export function stageEscrow(escrow: NewEscrow): Promise<StagedEscrow> {
  return callApi('POST', '/escrow', escrow);
}

export type EscrowRequest =
  | { action: 'confirm_create'; txHash: string; onChainId: string }
  | { action: 'claim' }
  | { action: 'refund' }
  | { action: 'refund'; txHash: string }
  | { action: 'refund'; deadline: number; signature: string }
  | { action: 'refund'; solana_transaction: string };

export async function actOnEscrow(id: string, action: EscrowRequest): Promise<EscrowView> {
  const { escrow } = await callApi<EscrowResult>('POST', `/escrow/${encodeURIComponent(id)}`, action);
  return escrow;
}

/** On Solana, what the wallet signs to open a staged tab. */
export function prepareOpening(id: string): Promise<TransactionToSign> {
  return callApi('GET', `/escrow/${encodeURIComponent(id)}/open_data`);
}

export function openSigned(id: string, solana_transaction: string): Promise<OpenedEscrow> {
  return callApi('POST', `/escrow/${encodeURIComponent(id)}`, { action: 'open', solana_transaction });
}

export function prepareRefund(id: string): Promise<PreparedRefund> {
  return callApi('GET', `/escrow/${encodeURIComponent(id)}/refund_data`);
}
