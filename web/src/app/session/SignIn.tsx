// Signing in with a wallet: what it means in one line, the wallets, and what is waited for.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorNote } from '../../ui/notices.tsx';
import { WalletButtons } from '../../wallet/WalletButtons.tsx';
import { rememberWallet, type Wallet } from '../../wallet/wallets.ts';
import { type SignInStep, signIn } from './signIn.ts';
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
    mutationFn: (wallet: Wallet) => {
      rememberWallet(wallet);
      return signIn(wallet.provider, setStep);
    },
    onSuccess: (account) => noteAccount(client, account),
  });
  return (
    <div className="flex flex-col gap-3">
      <WalletButtons verb="Sign in with" disabled={task.isPending} onChoose={(wallet) => task.mutate(wallet)} />
      <p role="status" className="min-h-5 text-sm text-muted">
        {task.isPending
          ? WAITING[step]
          : 'Your wallet signs a short text that is valid for this sign-in only. It’s free and moves no money.'}
      </p>
      {task.isError && <ErrorNote>{task.error.message}</ErrorNote>}
    </div>
  );
}
