// SOL for the Solana wallet, paid with USDC of the EVM wallet: one amount, and what that wallet asks for.
import { useMutation, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { PreparedPaymentAnswer } from '../../../../src/http/api/smartAnswers.ts';
import { callApi } from '../../app/api.ts';
import { fetchSmart, type SmartPayment } from '../../smart/smartApi.ts';
import { type GiveWords, giveLegs } from '../../smart/smartRun.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/notices.tsx';
import { useWallets, usualWallet } from '../../wallet/wallets.ts';

/** Some thousand transactions of Solana. */
const USUAL = '0.02';
const POLL_MS = 2_000;

const ENDED: Record<SmartPayment['status'], string> = {
  pending: 'On its way. It takes about a minute.',
  succeeded: 'Your SOL has arrived.',
  partly: 'A part of it has arrived.',
  refunded: 'It couldn’t be delivered. Your USDC is back in your wallet.',
  failed: 'It wasn’t sent, or the bridge reports a failure.',
};

const WORDS: GiveWords = {
  reverted: 'The network rejected the transaction, so nothing was paid. Try again.',
  slowNetwork: 'The network is slower than usual. Check your wallet’s activity before you try again.',
  otherWallet: (address) => `The wallet ${address} pays for this. Connect it, then try again.`,
};

export function TopUpSol({ evmAddress }: { evmAddress: string }) {
  const field = useId();
  const wallets = useWallets();
  const wallet = wallets && usualWallet(wallets);
  const [amount, setAmount] = useState(USUAL);
  const [paymentId, setPaymentId] = useState<string | null>(null);
  const give = useMutation({
    mutationFn: async () => {
      if (!wallet) throw new Error('Connect your EVM wallet in this browser first.');
      const prepared = await callApi<PreparedPaymentAnswer>('POST', '/solana/top-up', { amount });
      setPaymentId(prepared.id);
      const sent = new Map<number, string>();
      const legs = {
        of: (n: number) => sent.get(n) ?? null,
        keep: (n: number, hash: string | null) => void (hash === null ? sent.delete(n) : sent.set(n, hash)),
      };
      await giveLegs(
        { evm: { provider: wallet.provider, address: evmAddress }, solana: null },
        prepared,
        legs,
        () => {},
        WORDS,
      );
      return prepared.id;
    },
  });
  const { data: payment } = useQuery({
    queryKey: ['smart', paymentId],
    queryFn: ({ signal }) => fetchSmart(paymentId ?? '', signal),
    enabled: give.isSuccess && paymentId !== null,
    refetchInterval: ({ state }) => (state.data && state.data.status !== 'pending' ? false : POLL_MS),
  });
  return (
    <form
      className="flex flex-col gap-3 border-t border-line pt-4"
      onSubmit={(event) => {
        event.preventDefault();
        give.mutate();
      }}
    >
      <p className="text-sm">
        Your own transactions on Solana cost a little SOL. Get some for USDC of your EVM wallet, at most 50 USD a day.
      </p>
      <label htmlFor={field} className="text-sm font-medium">
        SOL to get
      </label>
      <div className="flex flex-wrap gap-3">
        <input
          id={field}
          inputMode="decimal"
          value={amount}
          onChange={(event) => setAmount(event.target.value)}
          className="min-h-12 w-32 rounded-lg border border-edge bg-surface px-3"
        />
        <Button disabled={give.isPending || amount.trim() === ''} type="submit">
          {give.isPending ? 'Confirm in your wallet…' : 'Get SOL'}
        </Button>
      </div>
      {give.isError && <ErrorNote>{give.error.message}</ErrorNote>}
      {payment && (
        <p role="status" data-top-up={payment.status} className="text-sm">
          {ENDED[payment.status]}
        </p>
      )}
    </form>
  );
}
