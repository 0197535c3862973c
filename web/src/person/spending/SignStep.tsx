// The button behind every signature: what it allows and for how long stands above it, the steps and the error below.
import { type ReactNode, useState } from 'react';
import type { WalletFamily } from '../../../../src/domain/walletFamily.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/notices.tsx';
import { WalletError } from '../../wallet/requests.ts';
import { RunStages } from './RunStages.tsx';
import type { ChosenWallet, Job } from './runCall.ts';
import { useRunCall } from './useRunCall.ts';
import { useUsualWallet, WalletChoice } from './walletChoice.tsx';

/** The handle's wallet that has to sign. */
export type SigningWallet = { family: WalletFamily; address: string };

export function SignStep({
  signer,
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
  signer: SigningWallet;
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
  const { family, address } = signer;
  const usual = useUsualWallet(family);
  const [picked, setPicked] = useState<ChosenWallet | null>(null);
  const [last, setLast] = useState(job);
  const { run, mutation } = useRunCall(address, onDone);
  const [isChoosing, setIsChoosing] = useState(false);
  const chosen = isChoosing ? null : (picked ?? usual);
  const isOtherAccount = mutation.error instanceof WalletError && mutation.error.problem === 'wrong_account';
  // A transaction of Solana lives for about a minute: what was not in time is signed once more.
  const isSignedOver = family === 'solana' && run?.stages.some(({ stage }) => stage === 'send');
  const start = (next: Job) => {
    if (!chosen) return;
    onStart?.();
    setLast(next);
    mutation.mutate({ chosen, job: next, chainLabel });
  };
  return (
    <div className="flex flex-col gap-3">
      <p className="text-sm">{allows}</p>
      {chosen === null ? (
        <WalletChoice
          family={family}
          onChoose={(next) => {
            setPicked(next);
            setIsChoosing(false);
          }}
        />
      ) : (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button
            kind={kind}
            className="min-h-12! max-sm:w-full"
            disabled={disabled || mutation.isPending || !chosen}
            onClick={() => start(job)}
          >
            {button}
          </Button>
          {other && !mutation.isPending && (
            <Button kind="plain" disabled={disabled} onClick={() => start(other.job)}>
              {other.button}
            </Button>
          )}
          {isOtherAccount && (
            <Button kind="plain" onClick={() => setIsChoosing(true)}>
              Use another wallet
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
      {mutation.isError && (
        <ErrorNote retry={() => start(last)} retryWord={isSignedOver ? 'Sign again' : 'Try again'}>
          {mutation.error.message}
        </ErrorNote>
      )}
    </div>
  );
}
