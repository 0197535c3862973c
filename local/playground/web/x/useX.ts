// The conversations and direct messages of the local X, polled: X has no stream for users.
import { useQueries, useQuery } from '@tanstack/react-query';
import { fetchConversation, fetchDirect, type XPost } from './xApi.ts';

const EACH_MS = 1_500;

export function useConversations(url: string, ids: string[]) {
  return useQueries({
    queries: ids.map((id) => ({
      queryKey: ['x', id],
      queryFn: () => fetchConversation(url, id),
      refetchInterval: EACH_MS,
    })),
    combine: (results) => ({
      // A conversation of an earlier stack is empty.
      threads: results.flatMap(({ data }): XPost[][] => (data && data.length > 0 ? [data] : [])),
      error: results.find(({ error }) => error !== null)?.error ?? null,
    }),
  });
}

export function useDirect(url: string, userId: string) {
  return useQuery({
    queryKey: ['x', 'direct', userId],
    queryFn: () => fetchDirect(url, userId),
    refetchInterval: EACH_MS,
  });
}
