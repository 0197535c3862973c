// The button behind every signature: what it allows and for how long stands above it, the steps and the error below.
import { type ReactNode, useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/notices.tsx';
import { WalletButtons } from '../../wallet/WalletButtons.tsx';
import { rememberWallet, useWallets, usualWallet, type Wallet } from '../../wallet/wallets.ts';
import { RunStages } from './RunStages.tsx';
import type { Job } from './runCall.ts';
import { useRunCall } from './useRunCall.ts';

export function SignStep({
  address,
  job,
  chainLabel,
  allows,
  button,
  kind = 'filled',
  disabled = false,
  other,
  onStart,
  onDone,
  onCancel,
}: {
  /** The wallet that has to sign. */
  address: string;
  job: Job;
  chainLabel: string;
  /** In one sentence what the signature allows and for how long. */
  allows: ReactNode;
  button: string;
  kind?: 'filled' | 'outlined';
  disabled?: boolean;
  /** Another way to the same end. */
  other?: { job: Job; button: string };
  onStart?: () => void;
  onDone?: () => void;
  onCancel?: () => void;
}) {
  const wallets = useWallets();
  const [chosen, setChosen] = useState<Wallet | null>(null);
  const [last, setLast] = useState(job);
  const { run, mutation } = useRunCall(address, onDone);
  const wallet = chosen ?? (wallets && usualWallet(wallets));
  const start = (next: Job) => {
    if (!wallet) return;
    onStart?.();
    setLast(next);
    mutation.mutate({ wallet, job: next, chainLabel });
  };
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
            disabled={disabled || mutation.isPending || !wallet}
            onClick={() => start(job)}
          >
            {button}
          </Button>
          {other && !mutation.isPending && (
            <Button kind="plain" disabled={disabled} onClick={() => start(other.job)}>
              {other.button}
            </Button>
          )}
          {onCancel && !mutation.isPending && (
            <Button kind="plain" onClick={onCancel}>
              Cancel
            </Button>
          )}
        </div>
      )}
      {run && run.stages.length > 0 && <RunStages run={run} failed={mutation.isError} />}
      {mutation.isError && <ErrorNote retry={() => start(last)}>{mutation.error.message}</ErrorNote>}
    </div>
  );
}
