// A payment from elsewhere as a page shows it: the ways to choose from, the one under way, and what went wrong.
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError } from '../../../app/api.ts';
import { WalletError, type WalletProvider } from '../../../wallet/requests.ts';
import { askAgain, type PublicOrder } from '../checkoutApi.ts';
import { forgetSmart, type KeptSmart, keepSmart, keptSmart } from './kept.ts';
import {
  beginSmart,
  type Candidate,
  fetchCandidates,
  fetchSmart,
  type SmartPayment,
  smartStreamOf,
} from './smartApi.ts';
import { giveLegs, type SmartStage } from './smartRun.ts';

/** Prices are good for half a minute. */
const REFRESH_MS = 25_000;
const POLL_MS = 4_000;

export function useCandidates({ id, amount_due }: PublicOrder, address: string, isPaused: boolean) {
  return useQuery({
    queryKey: ['candidates', id, address.toLowerCase(), amount_due],
    queryFn: ({ signal }) => fetchCandidates(id, address, signal),
    enabled: !isPaused,
    staleTime: REFRESH_MS,
    refetchInterval: ({ state }) => askAgain(state.error, REFRESH_MS),
    retry: false,
  });
}

export type SmartRun = ReturnType<typeof useSmartRun>;

const keyOf = (id: string) => ['smart', id];

export function useSmartRun({ id: orderId }: PublicOrder) {
  const client = useQueryClient();
  const [kept, setKept] = useState<KeptSmart | null>(() => keptSmart(orderId));
  const [stages, setStages] = useState<(SmartStage & { at: number })[]>([]);
  const payment = useSmartPayment(client, kept?.id ?? null);
  const give = useMutation({
    mutationFn: async ({
      provider,
      candidateId,
      payer,
    }: {
      provider: WalletProvider;
      candidateId: string;
      payer: string;
    }) => {
      setStages([]);
      const prepared = await beginSmart(candidateId, payer).catch((error: unknown) => {
        if (error instanceof ApiError && error.code === 'quote_expired') clear();
        throw error;
      });
      const next = { id: prepared.id, candidateId, payer };
      keepSmart(orderId, next);
      setKept(next);
      const onStage = (stage: SmartStage) => setStages((known) => [...known, { ...stage, at: Date.now() }]);
      const after = await giveLegs({ provider, address: payer }, prepared, onStage);
      if (after) client.setQueryData(keyOf(after.id), after);
    },
    onSettled: (_answer, error) => {
      if (error && !(error instanceof WalletError))
        void client.invalidateQueries({ queryKey: ['candidates', orderId] });
    },
  });
  function clear(): void {
    forgetSmart(orderId);
    setKept(null);
    setStages([]);
  }
  return {
    payment,
    stages,
    give,
    kept,
    /** Leaves a payment that is over, or that nothing was given to. */
    clear() {
      clear();
      give.reset();
    },
  };
}

/** By a stream while that stands, by asking again while it does not. */
function useSmartPayment(client: QueryClient, id: string | null): SmartPayment | null {
  const { data } = useQuery({
    queryKey: keyOf(id ?? ''),
    queryFn: ({ signal }) => fetchSmart(id ?? '', signal),
    enabled: id !== null,
    refetchInterval: ({ state }) => (state.data && state.data.status !== 'pending' ? false : POLL_MS),
  });
  const isOpen = data?.status === 'pending';
  useEffect(() => {
    if (id === null || !isOpen) return;
    const source = new EventSource(smartStreamOf(id));
    source.addEventListener('payment', (event) => client.setQueryData(keyOf(id), JSON.parse(event.data)));
    return () => source.close();
  }, [client, id, isOpen]);
  return id === null ? null : (data ?? null);
}

/** The same way in another list of prices. */
export function wayOf({ kind, legs }: Candidate): string {
  return `${kind} ${legs.map(({ chain, asset }) => `${chain}/${asset}`).join(' ')}`;
}

/** Something of it was given. */
export function isBegun({ legs }: SmartPayment): boolean {
  return legs.some(
    ({ status, txHashes }) => status !== 'prepared' && (status !== 'failed' || txHashes.origin !== null),
  );
}
