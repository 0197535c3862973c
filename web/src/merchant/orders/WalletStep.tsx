// The button that has the merchant's wallet send something: above it what that does, below it the steps and the error.
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { shortHex } from '../../app/format.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/notices.tsx';
import { type Step, Steps } from '../../ui/Steps.tsx';
import { askOtherAccount, isSameAddress } from '../../wallet/requests.ts';
import { WalletButtons } from '../../wallet/WalletButtons.tsx';
import { rememberWallet, useWalletAccount, useWallets, usualWallet, type Wallet } from '../../wallet/wallets.ts';
import type { Calls } from './ordersApi.ts';
import { RefusedError, RUN_WORDS, runCalls } from './walletRun.ts';

export function WalletStep({
  allows,
  button,
  kind = 'outlined',
  disabled = false,
  payee,
  chainLabel,
  prepare,
  check,
  onDone,
  onCancel,
}: {
  /** One or two sentences on what the wallet will request and what that does. */
  allows: ReactNode;
  button: string;
  kind?: 'filled' | 'outlined';
  disabled?: boolean;
  /** The only account that may send it. */
  payee: string;
  chainLabel: string;
  prepare: () => Promise<Calls>;
  /** Says the transaction to the service. @returns whether that has seen it */
  check: (txHash: string) => Promise<boolean>;
  onDone: () => void;
  onCancel?: () => void;
}) {
  const wallets = useWallets();
  const [chosen, setChosen] = useState<Wallet | null>(null);
  const [sent, setSent] = useState<string | null>(null);
  const [run, setRun] = useState<{ steps: Step[]; endedAt: number | null }>({ steps: [], endedAt: null });
  const [isChoosing, setIsChoosing] = useState(false);
  const wallet = chosen ?? (wallets && usualWallet(wallets));
  const current = useWalletAccount(wallet);
  const isOther = current !== null && !isSameAddress(current, payee);
  const choose = (next: Wallet) => {
    rememberWallet(next);
    setChosen(next);
    setIsChoosing(false);
    void askOtherAccount(next.provider);
  };
  const change = () => {
    if (wallets?.length === 1 && wallet) void askOtherAccount(wallet.provider);
    else setIsChoosing(true);
  };
  const task = useMutation({
    mutationFn: async () => {
      if (!wallet) throw new Error('Choose a wallet first.');
      setRun({ steps: [], endedAt: null });
      await runCalls(
        wallet.provider,
        chainLabel,
        prepare,
        check,
        (stage) =>
          setRun(({ steps }) => ({
            steps: [...steps, { key: `${stage}${steps.length}`, at: Date.now(), ...RUN_WORDS[stage] }],
            endedAt: null,
          })),
        { txHash: sent, keep: setSent },
      );
    },
    onSuccess: () => {
      setSent(null);
      onDone();
    },
    onError: (error) => {
      if (error instanceof RefusedError) setSent(null);
    },
    onSettled: () => setRun((known) => ({ ...known, endedAt: Date.now() })),
  });
  return (
    <div className="flex flex-col gap-3">
      <p className="text-sm">{allows}</p>
      {isOther && sent === null && (
        <div
          role="status"
          className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg bg-amber-soft px-4 py-2 text-sm text-amber"
        >
          <p className="min-w-0 grow basis-48">
            Your wallet is on <span className="font-mono">{shortHex(current)}</span>. Only{' '}
            <span className="font-mono">{shortHex(payee)}</span>, which received the payment, can send this.
          </p>
          <Button className="min-h-8! border-amber! px-2! text-amber!" onClick={change}>
            Change wallet
          </Button>
        </div>
      )}
      {wallets && (!wallet || isChoosing) ? (
        <WalletButtons verb="Use" onChoose={choose} />
      ) : (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button
            kind={kind}
            className="min-h-12! max-sm:w-full"
            disabled={((disabled || isOther) && sent === null) || task.isPending || !wallet}
            onClick={() => task.mutate()}
          >
            {task.isPending ? 'One moment…' : sent ? 'Check status' : button}
          </Button>
          {onCancel && !task.isPending && sent === null && (
            <Button kind="plain" onClick={onCancel}>
              Cancel
            </Button>
          )}
        </div>
      )}
      {run.steps.length > 0 && <Steps {...run} failed={task.isError} />}
      {task.isError && <ErrorNote retry={() => task.mutate()}>{task.error.message}</ErrorNote>}
    </div>
  );
}
