// What a wallet sent for a payment, while the service has not seen it: nothing else may be paid for the same until it has, or until the chain refuses it.
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ApiError } from '../app/apiError.ts';
import { type KeptSmart, sentLegsOf } from './kept.ts';
import { type SmartLeg, type SmartPayment, submitLeg } from './smartApi.ts';
import type { SentLegs } from './smartRun.ts';
import { smartKeyOf } from './useSmartPayment.ts';

const AGAIN_MS = 15_000;

export type Unseen = ReturnType<typeof useUnseen>;

/** @param kept with what is needed to go on with it */
export function useUnseen(
  name: string,
  payment: SmartPayment | null,
  kept: Pick<KeptSmart, 'id'> | null,
  isGiving: boolean,
) {
  const client = useQueryClient();
  const sent = payment && kept?.id === payment.id ? sentLegsOf(name, kept) : null;
  const mine = sent === null ? [] : (payment?.legs ?? []).filter(({ n }) => sent.of(n) !== null);
  const legs = mine.filter(isUnseen).map(({ n }) => n);
  const look = useQuery({
    queryKey: ['smart-unseen', payment?.id],
    queryFn: async () => {
      if (payment && sent) for (const n of legs) await lookAt(client, payment.id, n, sent);
      return Date.now();
    },
    enabled: legs.length > 0 && !isGiving,
    refetchInterval: AGAIN_MS,
    retry: false,
    gcTime: 0,
  });
  const seen = mine.filter((leg) => !isUnseen(leg)).map(({ n }) => n);
  useEffect(() => {
    for (const n of seen) sent?.keep(n, null);
  });
  return {
    /** Numbers of legs. */
    legs,
    /** Unix milliseconds at which the wallet sent the first of them. */
    since: Math.min(...legs.map((n) => sent?.since(n) ?? Infinity)),
    isLooking: look.isFetching,
    look: () => void look.refetch(),
    /** Its owner saw in the wallet that it was dropped. */
    forget() {
      for (const n of legs) sent?.keep(n, null);
      void look.refetch();
    },
  };
}

/** One that the service gave up without a transaction of it can still come. */
function isUnseen({ status, txHashes }: SmartLeg): boolean {
  return status === 'prepared' || (status === 'failed' && txHashes.origin === null);
}

/** Tells the service of it once more. */
async function lookAt(client: QueryClient, id: string, n: number, sent: SentLegs): Promise<void> {
  const hash = sent.of(n);
  if (hash === null) return;
  try {
    client.setQueryData(smartKeyOf(id), await submitLeg(id, n, { txHash: hash }));
  } catch (error) {
    // The chain refused it, or it does something else: nothing was paid.
    if (error instanceof ApiError && error.code === 'tx_mismatch') sent.keep(n, null);
  }
}
