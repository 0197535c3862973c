// Signing in with a wallet: what it means in one line, the wallets, and what is waited for.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorNote } from '../../ui/notices.tsx';
import { rememberSolanaWallet, type SolanaWallet, useSolanaWallets } from '../../wallet/solana/wallets.ts';
import { WalletButtons, WalletList } from '../../wallet/WalletButtons.tsx';
import { rememberWallet, useWallets, type Wallet } from '../../wallet/wallets.ts';
import type { Account } from '../api.ts';
import { type SignInStep, signIn } from './signIn.ts';
import { signInWithSolana } from './solanaSignIn.ts';
import { noteAccount } from './useSession.ts';

const WAITING: Record<SignInStep, string> = {
  account: 'Choose an account in your wallet…',
  signature: 'Sign the text in your wallet…',
  check: 'Signing you in…',
};

export function SignIn() {
  const client = useQueryClient();
  const [step, setStep] = useState<SignInStep>('account');
  const task = useMutation({
    mutationFn: (run: (onStep: (step: SignInStep) => void) => Promise<Account>) => run(setStep),
    onSuccess: (account) => noteAccount(client, account),
  });
  return (
    <div className="flex flex-col gap-3">
      <Wallets
        disabled={task.isPending}
        onEvm={(wallet) => {
          rememberWallet(wallet);
          task.mutate((onStep) => signIn(wallet.provider, onStep));
        }}
        onSolana={(wallet) => {
          rememberSolanaWallet(wallet);
          task.mutate((onStep) => signInWithSolana(wallet, onStep));
        }}
      />
      <p role="status" className="min-h-5 text-sm text-muted">
        {task.isPending
          ? WAITING[step]
          : 'Your wallet signs a short text that is valid for this sign-in only. It’s free and moves no money.'}
      </p>
      {task.isError && <ErrorNote>{task.error.message}</ErrorNote>}
    </div>
  );
}

/** Of both families in one list; those of Solana only where there are some. */
function Wallets({
  disabled,
  onEvm,
  onSolana,
}: {
  disabled: boolean;
  onEvm: (wallet: Wallet) => void;
  onSolana: (wallet: SolanaWallet) => void;
}) {
  const [evm, solana] = [useWallets(), useSolanaWallets()];
  if (evm === null || solana.length === 0)
    return <WalletButtons verb="Sign in with" disabled={disabled} onChoose={onEvm} />;
  const choices = [
    ...evm.map((wallet) => ({ ...wallet, choose: () => onEvm(wallet) })),
    ...solana.map((wallet) => ({ ...wallet, choose: () => onSolana(wallet) })),
  ].map((one, index) => ({ ...one, id: `${index}:${one.id}` }));
  return <WalletList verb="Sign in with" wallets={choices} disabled={disabled} onChoose={({ choose }) => choose()} />;
}
