// Signing in with a wallet: what it means in one line, the wallets, and what is waited for.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorNote, Skeleton } from '../../ui/notices.tsx';
import { rememberSolanaWallet, type SolanaWallet, useSolanaWallets } from '../../wallet/solana/wallets.ts';
import { NoWallet, PlayWallets, WalletList } from '../../wallet/WalletButtons.tsx';
import { PASSKEY_WALLET, rememberWallet, useWallets, type Wallet } from '../../wallet/wallets.ts';
import type { Account } from '../api.ts';
import { LOCAL_STACK } from '../localStack.ts';
import { NoPasskey, PasskeySignIn, useSupport } from './PasskeySignIn.tsx';
import { signInWithPasskey } from './passkeySignIn.ts';
import { type SignInStep, signIn } from './signIn.ts';
import { signInWithSolana } from './solanaSignIn.ts';
import { noteAccount } from './useSession.ts';

const WAITING: Record<SignInStep, string> = {
  account: 'Choose an account in your wallet…',
  signature: 'Sign the text in your wallet…',
  passkey: 'Waiting for your passkey…',
  check: 'Signing you in…',
};

export function SignIn() {
  const client = useQueryClient();
  const [step, setStep] = useState<SignInStep>('account');
  const task = useMutation({
    mutationFn: (run: (onStep: (step: SignInStep) => void) => Promise<Account>) => run(setStep),
    onSuccess: (account) => noteAccount(client, account),
  });
  const support = useSupport();
  const wallets = useWallets();
  if (wallets === null) return <Skeleton className="h-48" />;
  return (
    <div className="flex flex-col gap-3">
      {support === 'yes' && (
        <PasskeySignIn
          disabled={task.isPending}
          onChoose={(which) =>
            task.mutate(async (onStep) => {
              const account = await signInWithPasskey(which, onStep);
              rememberWallet(PASSKEY_WALLET);
              return account;
            })
          }
        />
      )}
      {support === 'yes' && <p className="border-t border-line pt-4 text-sm font-medium">Or with a wallet app</p>}
      <Wallets
        isSecond={support === 'yes'}
        evm={wallets.filter(({ id }) => id !== PASSKEY_WALLET.id)}
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
      {support !== 'yes' && <NoPasskey support={support} />}
      {task.isError && <ErrorNote>{task.error.message}</ErrorNote>}
    </div>
  );
}

/** Beside the passkey it is no problem that there is none. */
function NoWalletApp() {
  return (
    <div className="flex flex-col gap-3 text-sm text-muted">
      <p>
        There is none in this browser. On a computer, install a wallet extension; on a phone, open this page in your
        wallet app’s browser.
      </p>
      {LOCAL_STACK && <PlayWallets />}
    </div>
  );
}

/** Of both families in one list; those of Solana only where there are some. */
function Wallets({
  isSecond,
  evm,
  disabled,
  onEvm,
  onSolana,
}: {
  isSecond: boolean;
  evm: Wallet[];
  disabled: boolean;
  onEvm: (wallet: Wallet) => void;
  onSolana: (wallet: SolanaWallet) => void;
}) {
  const solana = useSolanaWallets();
  if (evm.length === 0 && solana.length === 0) return isSecond ? <NoWalletApp /> : <NoWallet />;
  const choices = [
    ...evm.map((wallet) => ({ ...wallet, choose: () => onEvm(wallet) })),
    ...solana.map((wallet) => ({ ...wallet, choose: () => onSolana(wallet) })),
  ].map((one, index) => ({ ...one, id: `${index}:${one.id}` }));
  return (
    <WalletList
      verb="Sign in with"
      wallets={choices}
      isSecond={isSecond}
      disabled={disabled}
      onChoose={({ choose }) => choose()}
    />
  );
}
