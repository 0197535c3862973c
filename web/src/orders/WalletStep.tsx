// The button behind which the merchant's wallet sends something: what it does stands above it, the steps and the error below.
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Button } from '../ui/Button.tsx';
import { ErrorNote } from '../ui/notices.tsx';
import { type Step, Steps } from '../ui/Steps.tsx';
import { WalletButtons } from '../wallet/WalletButtons.tsx';
import { rememberWallet, useWallets, usualWallet, type Wallet } from '../wallet/wallets.ts';
import type { Calls } from './ordersApi.ts';
import { RefusedError, RUN_WORDS, runCalls } from './walletRun.ts';

export function WalletStep({
  allows,
  button,
  kind = 'outlined',
  disabled = false,
  chainLabel,
  prepare,
  check,
  onDone,
  onCancel,
}: {
  /** In a sentence what the wallet is asked for and what that does. */
  allows: ReactNode;
  button: string;
  kind?: 'filled' | 'outlined';
  disabled?: boolean;
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
  const wallet = chosen ?? (wallets && usualWallet(wallets));
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
      {wallets && !wallet ? (
        <WalletButtons
          verb="Use"
          onChoose={(next) => {
            rememberWallet(next);
            setChosen(next);
          }}
        />
      ) : (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button
            kind={kind}
            className="min-h-12! max-sm:w-full"
            disabled={(disabled && sent === null) || task.isPending || !wallet}
            onClick={() => task.mutate()}
          >
            {task.isPending ? 'One moment…' : sent ? 'Look whether it is final' : button}
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
