// A payment from elsewhere as a page shows it: the ways to choose from, the one under way, and what went wrong.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { comparable } from '../../../../../src/domain/walletFamily.ts';
import { alone } from '../../../app/alone.ts';
import { ApiError } from '../../../app/apiError.ts';
import {
  forgetSmart,
  type KeptSmart,
  keepPast,
  keepSmart,
  keptPast,
  keptSmart,
  sentLegsOf,
  unseenSmart,
} from '../../../smart/kept.ts';
import { beginSmart, type Candidate, fetchCandidates, isBegun } from '../../../smart/smartApi.ts';
import { type GiveWords, giveLegs, type LegWallets, type SmartStage } from '../../../smart/smartRun.ts';
import { smartKeyOf, useSmartPayment } from '../../../smart/useSmartPayment.ts';
import { useUnseen } from '../../../smart/useUnseen.ts';
import { WalletError } from '../../../wallet/requests.ts';
import { askAgain, type PublicOrder } from '../checkoutApi.ts';
import { wordsNow } from '../language.ts';

/** Prices are good for half a minute. */
const REFRESH_MS = 25_000;
/** While a bridge does not answer. */
const AWAY_REFRESH_MS = 10_000;

export function useCandidates({ id, amount_due }: PublicOrder, payers: readonly string[], isPaused: boolean) {
  return useQuery({
    queryKey: ['candidates', id, payers.map(comparable).join(' '), amount_due],
    queryFn: ({ signal }) => fetchCandidates(id, payers, signal),
    enabled: !isPaused,
    staleTime: REFRESH_MS,
    refetchInterval: ({ state }) =>
      askAgain(state.error, state.data?.unavailable.length ? AWAY_REFRESH_MS : REFRESH_MS),
    retry: false,
  });
}

export type SmartRun = ReturnType<typeof useSmartRun>;

export function useSmartRun({ id: orderId }: PublicOrder) {
  const client = useQueryClient();
  const [kept, setKept] = useState<KeptSmart | null>(() => keptSmart(orderId));
  const [stages, setStages] = useState<(SmartStage & { at: number })[]>([]);
  const payment = useSmartPayment(orderId, kept?.id ?? null);
  const [pastId, setPastId] = useState(() => keptPast(orderId));
  const past = useSmartPayment(orderId, pastId);
  type Wish = { wallets: LegWallets; candidateId: string; payer: string };
  const pay = async ({ wallets, candidateId, payer }: Wish) => {
    setStages([]);
    const unseen = unseenSmart(orderId);
    if (unseen && unseen.candidateId !== candidateId) {
      // Another tab sent it.
      setKept(unseen);
      throw new Error(wordsNow().smart.sentAlready);
    }
    const prepared = await beginSmart(candidateId, payer).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'quote_expired') clear();
      throw error;
    });
    const next = { id: prepared.id, candidateId, payer };
    keepSmart(orderId, next);
    setKept(next);
    const onStage = (stage: SmartStage) => setStages((known) => [...known, { ...stage, at: Date.now() }]);
    const after = await giveLegs(wallets, prepared, sentLegsOf(orderId, next), onStage, giveWords());
    if (after) client.setQueryData(smartKeyOf(after.id), after);
  };
  const give = useMutation({
    mutationFn: (wish: Wish) => alone(`smart:${orderId}`, wordsNow().smart.otherTab, () => pay(wish)),
    onSettled: (_answer, error) => {
      if (error && !(error instanceof WalletError))
        void client.invalidateQueries({ queryKey: ['candidates', orderId] });
    },
  });
  const unseen = useUnseen(orderId, payment, kept, give.isPending);
  function clear(): void {
    forgetSmart(orderId);
    setKept(null);
    setStages([]);
  }
  return {
    payment,
    unseen,
    /** Money of it has left a wallet, or may have. */
    isUnderWay: payment !== null && (isBegun(payment) || unseen.legs.length > 0),
    /** One whose money a bridge still has; null once that is back. */
    past: past?.status === 'failed' ? past : null,
    stages,
    give,
    kept,
    /** Leaves a payment that is over, or that nothing was given to. */
    clear() {
      if (payment?.status === 'failed' && isBegun(payment)) {
        keepPast(orderId, payment.id);
        setPastId(payment.id);
      }
      clear();
      give.reset();
    },
  };
}

function giveWords(): GiveWords {
  const { reverted, slowNetwork, smart } = wordsNow();
  return { reverted, slowNetwork, otherWallet: smart.otherWallet };
}

/** The same way in another list of prices. */
export function wayOf({ kind, legs }: Candidate): string {
  return `${kind} ${legs.map(({ chain, asset }) => `${chain}/${asset}`).join(' ')}`;
}
