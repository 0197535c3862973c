// The tabs that are reserved for the reader: which of them can be claimed, which are being paid, and the calls that ask for them.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ClaimedEscrows, EscrowList, EscrowView } from '../../../../src/http/api/escrowAnswers.ts';
import { callApi, queryOf } from '../../app/api.ts';
import { addAmounts } from '../../app/format.ts';
import { actOnEscrow, ESCROWS_KEY, isUnderWay } from '../escrow/escrowApi.ts';
import { isAskedFor, isBeingPaid } from './claimState.ts';

const REFRESH_MS = 30_000;
/** Open tabs come first, so one page of a hundred is enough. */
const PAGE = 100;
const WHILE_PAID_MS = 2_000;

export function useWaitingEscrows(everyMs = REFRESH_MS) {
  return useQuery({
    queryKey: [...ESCROWS_KEY, 'waiting'],
    queryFn: ({ signal }) =>
      callApi<EscrowList>('GET', `/escrow${queryOf({ role: 'recipient', limit: PAGE })}`, undefined, signal),
    refetchInterval: ({ state: { data } }) =>
      data?.confirming || data?.escrows.some((escrow) => isBeingPaid(escrow, Date.now())) ? WHILE_PAID_MS : everyMs,
  });
}

/** What can be claimed now, and what could be if the reader's wallet were paid on that chain. */
export function readyEscrows(escrows: EscrowView[]): { ready: EscrowView[]; unpayable: EscrowView[] } {
  const unclaimed = escrows.filter((escrow) => isClaimable(escrow) && !isAskedFor(escrow));
  return {
    ready: unclaimed.filter(({ pays_to }) => pays_to !== null),
    unpayable: unclaimed.filter(({ pays_to }) => pays_to === null),
  };
}

function isClaimable({ status, role, claim, refund }: EscrowView): boolean {
  return status === 'open' && role === 'recipient' && !isUnderWay(claim?.status) && !isUnderWay(refund?.status);
}

export type Sum = { amount: string; currency: string; chain: string; chainLabel: string };

export function sumsPerChain(escrows: EscrowView[]): Sum[] {
  const sums = new Map<string, Sum>();
  for (const { amount, currency, chain, chain_label: chainLabel } of escrows) {
    const key = `${currency} ${chain}`;
    sums.set(key, { amount: addAmounts([sums.get(key)?.amount ?? '0', amount]), currency, chain, chainLabel });
  }
  return [...sums.values()];
}

/**
 * Requests the claim of ready tabs, one or all.
 * @param onAsked receives the claimed tabs, once the list has them
 */
export function useClaim(onAsked: (escrows: EscrowView[]) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (ready: EscrowView[]) => {
      const [only] = ready;
      if (only && ready.length === 1) return [await actOnEscrow(only.id, { action: 'claim' })];
      return (await callApi<ClaimedEscrows>('POST', '/escrow/claim_all')).escrows;
    },
    // Cancels requests from before the claim and waits for the state after it: until then the button stays pressed.
    onSuccess: async (asked) => {
      await client.invalidateQueries({ queryKey: ESCROWS_KEY });
      onAsked(asked);
    },
    onError: () => client.invalidateQueries({ queryKey: ESCROWS_KEY }),
  });
}
