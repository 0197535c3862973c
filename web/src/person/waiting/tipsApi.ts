// Tips that were typed in a chat before their sender was connected: what the service keeps of them, and the answer to one.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { IntentDoubt, Refusal } from '../../../../src/domain/plan.ts';
import { callApi } from '../../app/api.ts';
import { takeAnswer } from '../../app/takeAnswer.ts';
import { SPENDING_KEY } from '../spending/spendingApi.ts';

export type KeptLeg = {
  label: string;
  /** Canonical decimal strings, as is `fee`, which comes on top. */
  amount: string;
  fee: string;
  asset: string;
  chain: string;
  /** For how many days it is kept, when it is for somebody without an account; null when it goes to a wallet. */
  tab_days: number | null;
};

/** `legs` are what would be sent now, `fingerprint` is what a yes says yes to, `refusal` is why nothing can be sent at the moment. */
export type KeptTip = {
  id: string;
  platform: string;
  kind: string;
  doubt: IntentDoubt | null;
  note: string | null;
  expires_at: string;
  legs: KeptLeg[];
  refused: { label: string; code: Refusal['code'] }[];
  refusal: Refusal['code'] | null;
  fingerprint: string | null;
};

export type Answer = { action: 'confirm'; fingerprint: string } | { action: 'decline' };

type Kept = { tips: KeptTip[] };
/** What may be spent decides what can be sent, so whatever asks for the one anew asks for the other. */
const KEY = [...SPENDING_KEY, 'kept tips'];

export function useKeptTips(everyMs: number) {
  return useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => callApi<Kept>('GET', '/waiting', undefined, signal),
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
      callApi<Kept>('POST', `/waiting/${encodeURIComponent(id)}`, answer),
    onSuccess: (kept, { id, answer }) => {
      onAnswered(id, answer);
      takeAnswer(client, KEY, kept);
    },
    onError: () => client.invalidateQueries({ queryKey: KEY }),
  });
}
