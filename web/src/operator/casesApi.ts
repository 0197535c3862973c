// What the pages ask the service for that follow a complaint: a search, a timeline, what failed, and dead work.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Case } from '../../../src/services/operations/cases.ts';
import type { DeadItem, Retried } from '../../../src/services/operations/deadWork.ts';
import type { FailedLine } from '../../../src/services/operations/failed.ts';
import type { CaseLine } from '../../../src/services/operations/search.ts';
import type { TransferList, TransferView } from '../../../src/services/operations/transfers.ts';
import { callApi, type List, queryOf } from '../app/api.ts';
import { KEY, useAct } from './operationsApi.ts';

const AGAIN_MS = 5_000;

export function useCases(q: string) {
  return useInfiniteQuery({
    queryKey: [...KEY, 'search', q],
    queryFn: ({ pageParam, signal }) =>
      callApi<List<CaseLine>>('GET', `/operations/search${queryOf({ q, cursor: pageParam })}`, undefined, signal),
    initialPageParam: '',
    getNextPageParam: (last) => last.next_cursor,
    enabled: q !== '',
  });
}

export function useCase(id: string) {
  return useQuery({
    queryKey: [...KEY, 'case', id],
    queryFn: ({ signal }) => callApi<Case>('GET', `/operations/case${queryOf({ id })}`, undefined, signal),
    refetchInterval: (query) => (query.state.error ? false : AGAIN_MS),
  });
}

export function useFailed(what: 'tips' | 'replies') {
  return useInfiniteQuery({
    queryKey: [...KEY, 'failed', what],
    queryFn: ({ pageParam, signal }) =>
      callApi<List<FailedLine>>('GET', `/operations/failed${queryOf({ what, cursor: pageParam })}`, undefined, signal),
    initialPageParam: '',
    getNextPageParam: (last) => last.next_cursor,
  });
}

export function useDeadWork() {
  return useQuery({
    queryKey: [...KEY, 'dead'],
    queryFn: ({ signal }) => callApi<List<DeadItem>>('GET', '/operations/dead', undefined, signal),
    refetchInterval: (query) => (query.state.error ? false : AGAIN_MS),
  });
}

export function useTransfers(list: TransferList) {
  return useInfiniteQuery({
    queryKey: [...KEY, 'transfers', list],
    queryFn: ({ pageParam, signal }) =>
      callApi<List<TransferView>>(
        'GET',
        `/operations/transfers${queryOf({ list, cursor: pageParam })}`,
        undefined,
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (last) => last.next_cursor,
  });
}

export const useReturnTransfer = () =>
  useAct((id: string) => callApi('POST', `/operations/transfers/${encodeURIComponent(id)}/return`));

export const useRetry = () =>
  useAct((item: { kind: Retried; id: string }) => callApi<{ begun: number }>('POST', '/operations/dead/retry', item));
