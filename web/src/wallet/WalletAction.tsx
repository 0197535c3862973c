// The button that has a wallet sign or send something: above it what that does, below it the steps and the error.
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { familyOf, isSameAddress } from '../../../src/domain/walletFamily.ts';
import { shortHex } from '../app/format.ts';
import { Button } from '../ui/Button.tsx';
import { ErrorNote } from '../ui/notices.tsx';
import { type Step, Steps } from '../ui/Steps.tsx';
import type { AnyWallet } from './anyWallet.ts';
import { askOtherAccount } from './requests.ts';
import { SolanaWalletButtons } from './solana/WalletButtons.tsx';
import { rememberSolanaWallet, type SolanaWallet, useSolanaWallets, usualSolanaWallet } from './solana/wallets.ts';
import { WalletButtons } from './WalletButtons.tsx';
import { rememberWallet, useWalletAccount, useWallets, usualWallet, type Wallet } from './wallets.ts';

export type NoteStep = (words: { now: string; after: string }) => void;

export function WalletAction({
  allows,
  button,
  kind = 'outlined',
  disabled = false,
  isGoingOn = false,
  address,
  why,
  run,
  onDone,
  onError,
  onCancel,
  cancelWord = 'Cancel',
}: {
  /** One or two sentences on what the wallet will request and what that does. */
  allows?: ReactNode;
  button: string;
  kind?: 'filled' | 'outlined' | 'danger';
  disabled?: boolean;
  /** Something was sent already: a press only looks, whatever else is wrong by now. */
  isGoingOn?: boolean;
  /** The only account that can do it, and what it is: `which received the payment`. */
  address: string;
  why: string;
  run: (wallet: AnyWallet, note: NoteStep) => Promise<void>;
  onDone: () => void;
  onError?: (error: Error) => void;
  onCancel?: () => void;
  /** Another word where what the button does is a cancellation. */
  cancelWord?: string;
}) {
  const isOfSolana = familyOf(address) === 'solana';
  const evmWallets = useWallets();
  const solanaWallets = useSolanaWallets();
  const wallets = isOfSolana ? solanaWallets : evmWallets;
  const [chosen, setChosen] = useState<Wallet | null>(null);
  const [chosenSolana, setChosenSolana] = useState<SolanaWallet | null>(null);
  const [steps, setSteps] = useState<{ steps: Step[]; endedAt: number | null }>({ steps: [], endedAt: null });
  const [isChoosing, setIsChoosing] = useState(false);
  const evm = isOfSolana ? null : (chosen ?? (evmWallets && usualWallet(evmWallets)));
  const wallet = isOfSolana ? (chosenSolana ?? usualSolanaWallet(solanaWallets)) : evm;
  // A wallet of Solana signs for the account that is named, or says that it is set to another.
  const current = useWalletAccount(evm);
  const isOther = current !== null && !isSameAddress(current, address);
  const choose = (next: Wallet) => {
    rememberWallet(next);
    setChosen(next);
    setIsChoosing(false);
    void askOtherAccount(next.provider);
  };
  const change = () => {
    if (wallets?.length === 1 && evm) void askOtherAccount(evm.provider);
    else setIsChoosing(true);
  };
  const task = useMutation({
    mutationFn: async () => {
      if (!wallet) throw new Error('Choose a wallet first.');
      setSteps({ steps: [], endedAt: null });
      await run(wallet, (words) =>
        setSteps((known) => ({
          steps: [...known.steps, { key: `${known.steps.length}`, at: Date.now(), ...words }],
          endedAt: null,
        })),
      );
    },
    onSuccess: onDone,
    ...(onError && { onError }),
    onSettled: () => setSteps((known) => ({ ...known, endedAt: Date.now() })),
  });
  return (
    <div className="flex flex-col gap-3">
      {allows && <p className="text-sm">{allows}</p>}
      {isOther && !isGoingOn && (
        <div
          role="status"
          className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg bg-amber-soft px-4 py-2 text-sm text-amber"
        >
          <p className="min-w-0 grow basis-48">
            Your wallet is on <span className="font-mono">{shortHex(current)}</span>. Only{' '}
            <span className="font-mono">{shortHex(address)}</span>, {why}, can do this.
          </p>
          <Button className="min-h-8! border-amber! px-2! text-amber!" onClick={change}>
            Change wallet
          </Button>
        </div>
      )}
      {wallets && (!wallet || isChoosing) ? (
        isOfSolana ? (
          <SolanaWalletButtons
            verb="Use"
            onChoose={(next) => {
              rememberSolanaWallet(next);
              setChosenSolana(next);
              setIsChoosing(false);
            }}
          />
        ) : (
          <WalletButtons verb="Use" onChoose={choose} />
        )
      ) : (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button
            kind={kind}
            className="min-h-12! max-sm:w-full"
            disabled={((disabled || isOther) && !isGoingOn) || task.isPending || !wallet}
            onClick={() => task.mutate()}
          >
            {task.isPending ? 'One moment…' : isGoingOn ? 'Check status' : button}
          </Button>
          {onCancel && !task.isPending && !isGoingOn && (
            <Button kind="plain" onClick={onCancel}>
              {cancelWord}
            </Button>
          )}
        </div>
      )}
      {steps.steps.length > 0 && <Steps {...steps} failed={task.isError} />}
      {task.isError && <ErrorNote retry={() => task.mutate()}>{task.error.message}</ErrorNote>}
    </div>
  );
}
