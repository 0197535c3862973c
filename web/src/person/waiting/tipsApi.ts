// The calls of tips that were typed in a chat before their sender was connected.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { PendingTipList } from '../../../../src/http/api/waitingAnswers.ts';
import { callApi } from '../../app/api.ts';
import { takeAnswer } from '../../app/takeAnswer.ts';
import { SPENDING_KEY } from '../spending/spendingApi.ts';

export type Answer = { action: 'confirm'; fingerprint: string } | { action: 'decline' };

/** The spending limits decide what can be sent, so refetching them refetches these as well. */
const KEY = [...SPENDING_KEY, 'kept tips'];

export function useKeptTips(everyMs: number) {
  return useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => callApi<PendingTipList>('GET', '/waiting', undefined, signal),
    select: ({ tips }) => tips,
    refetchInterval: everyMs,
  });
}

/** @param onAnswered the service has taken the answer; called before the tip leaves the list */
export function useAnswer(onAnswered: (id: string, answer: Answer) => void) {
  const client = useQueryClient();
  return useMutation({
    // One after the other, so that the list of an earlier answer cannot arrive after that of a later one.
    scope: { id: 'kept tips' },
    mutationFn: ({ id, answer }: { id: string; answer: Answer }) =>
      callApi<PendingTipList>('POST', `/waiting/${encodeURIComponent(id)}`, answer),
    onSuccess: (kept, { id, answer }) => {
      onAnswered(id, answer);
      takeAnswer(client, KEY, kept);
    },
    onError: () => client.invalidateQueries({ queryKey: KEY }),
  });
}
