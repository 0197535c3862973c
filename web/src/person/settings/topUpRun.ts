// A top-up of SOL from its price to its arrival. What the wallet has sent is kept: a lost answer or a reload goes on with it, and pays nothing twice.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { alone } from '../../app/alone.ts';
import { callApi, readClockOffset } from '../../app/api.ts';
import { forgetSmart, keepSmart, keptSmart, sentLegsOf, unseenSmart } from '../../smart/kept.ts';
import { isBegun, type PreparedSmart, withSent } from '../../smart/smartApi.ts';
import { type GiveWords, giveLegs, type SmartStage } from '../../smart/smartRun.ts';
import { smartKeyOf, useSmartPayment } from '../../smart/useSmartPayment.ts';
import { useUnseen } from '../../smart/useUnseen.ts';
import type { WalletProvider } from '../../wallet/requests.ts';
import { WRAP_KEY } from './wrapRun.ts';

const WORDS: GiveWords = {
  reverted: 'The network rejected the transaction, so nothing was paid. Try again.',
  slowNetwork: 'The network is slower than usual. Check your wallet’s activity before you try again.',
  otherWallet: (address) => `The wallet ${address} pays for this. Connect it, then try again.`,
};

const OTHER_TAB = 'This is open in another tab. Go on there, or close it.';
const SENT_ALREADY = 'This was already paid from another tab. Its payment is shown now.';

export type TopUpStage = 'price' | SmartStage['stage'];

export function useTopUp(evmAddress: string) {
  const name = `top-up:${evmAddress.toLowerCase()}`;
  const client = useQueryClient();
  const [id, setId] = useState(() => keptSmart<{ id: string }>(name)?.id ?? null);
  const [stage, setStage] = useState<TopUpStage>('price');
  const prepared = useRef<{ amount: string; payment: PreparedSmart } | null>(null);
  const payment = useSmartPayment(name, id);
  const pay = async ({ provider, amount }: { provider: WalletProvider; amount: string }) => {
    setStage('price');
    const unseen = unseenSmart<{ id: string }>(name);
    if (unseen) {
      setId(unseen.id);
      throw new Error(SENT_ALREADY);
    }
    const known = prepared.current;
    // What was declined holds its part of the day's limit until its price is over: the same amount is the same payment.
    const isSame = known?.amount === amount && Date.parse(known.payment.expires_at) - readClockOffset() > Date.now();
    const next = isSame ? known.payment : await callApi<PreparedSmart>('POST', '/solana/top-up', { amount });
    const kept = { id: next.id };
    if (!isSame) keepSmart(name, kept);
    prepared.current = { amount, payment: next };
    setId(next.id);
    const wallets = { evm: { provider, address: evmAddress }, solana: null };
    const after = await giveLegs(wallets, next, sentLegsOf(name, kept), (now) => setStage(now.stage), WORDS);
    if (after) client.setQueryData(smartKeyOf(after.id), after);
  };
  const give = useMutation({
    mutationFn: (wish: Parameters<typeof pay>[0]) => alone(`smart:${name}`, OTHER_TAB, () => pay(wish)),
    onSuccess: () => {
      prepared.current = null;
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['smart'] }),
  });
  const { isPending } = give;
  const status = payment?.status;
  const unseen = useUnseen(name, payment, id === null ? null : { id }, isPending);
  useEffect(() => {
    if (status === undefined || status === 'pending') return;
    void client.invalidateQueries({ queryKey: WRAP_KEY });
    // Nothing of it is left to tell at the next visit; what a bridge still has is.
    if (status !== 'failed') forgetSmart(name);
  }, [client, name, status]);
  return {
    give,
    stage,
    /** What its wallet shows now. */
    asked: isPending && stage !== 'price' ? (prepared.current?.payment.legs[0] ?? null) : null,
    unseen,
    /** Null before anything of it was given. */
    payment: payment && (isBegun(payment) || unseen.legs.length > 0) ? withSent(payment, unseen.legs) : null,
  };
}
