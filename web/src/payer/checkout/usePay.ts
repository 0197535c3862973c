// Paying as a page shows it: the stages that were reached, and what went wrong.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError } from '../../app/apiError.ts';
import { noTimes } from '../../ui/Steps.tsx';
import { WalletError } from '../../wallet/requests.ts';
import { type OrderNow, type PayWay, type Prepared, preparePayment } from './checkoutApi.ts';
import { type Payer, payOrder, tellOf } from './payRun.ts';
import { forgetSent, sentFor } from './sent.ts';
import type { Reached } from './UnderWay.tsx';
import { takeOrder } from './useOrder.ts';

export type Pay = ReturnType<typeof usePay>;

/** What only the wallet's own transaction gets around. */
const NOT_GASLESS = ['delegation_legacy', 'rate_limited'];

const FRESH_MS = 120_000;
/** A whole transaction is good for about a minute, of which its owner reads for a while. */
const FRESH_WHOLE_MS = 15_000;

export function usePay({ order }: OrderNow) {
  const client = useQueryClient();
  const { id } = order;
  const [stages, setStages] = useState<Reached[]>(() => sentStage(id));
  const [way, setWay] = useState<PayWay>('auto');
  const [shown] = useState(noTimes);
  useEffect(() => {
    const sent = sentFor(id);
    if (sent) void tellOf(id, sent.hash);
  }, [id]);
  const mutation = useMutation({
    mutationFn: async ({ payer, prepared, at }: { payer: Payer; prepared: Prepared; at: number }) => {
      setStages([]);
      const onStage = (stage: Reached['stage']) => setStages((known) => [...known, { stage, at: Date.now() }]);
      // Prepared terms are valid for a few minutes; after that they are prepared again, so that no expired signature is requested.
      const isWhole = prepared.payment?.way === 'transaction';
      const isOld = Date.now() - at > (isWhole ? FRESH_WHOLE_MS : FRESH_MS);
      const fresh = isOld ? await preparePayment(id, { payer: payer.address, way }) : prepared;
      const after = await payOrder(payer, fresh, onStage);
      if (after) takeOrder(client, after);
    },
    onError: (error) => {
      setStages(sentStage(id));
      if (error instanceof ApiError && NOT_GASLESS.includes(error.code)) setWay('direct');
      // A rejection in the wallet changes nothing; after any other error amounts and deadlines are refetched.
      if (error instanceof WalletError) return;
      void client.invalidateQueries({ queryKey: ['prepared', id] });
      void client.invalidateQueries({ queryKey: ['checkout', id] });
    },
  });
  return {
    stages,
    shown,
    way,
    mutation,
    /** The wallet sends it by itself, whatever would be cheaper. */
    sendDirectly() {
      mutation.reset();
      setWay('direct');
    },
    /** Lets the payer try again although a transaction was sent and did not show up. */
    startOver() {
      forgetSent(id);
      setStages([]);
      mutation.reset();
    },
  };
}

function sentStage(orderId: string): Reached[] {
  const sent = sentFor(orderId);
  return sent ? [{ stage: 'sent', at: sent.at }] : [];
}
