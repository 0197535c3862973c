// The wallet that pays or subscribes: the usual one, or another choice, once it has shown its account.
import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { WalletMinimal } from 'lucide-react';
import { useState } from 'react';
import { shortHex } from '../../app/format.ts';
import { LOCAL_STACK } from '../../app/localStack.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/notices.tsx';
import { askAccounts } from '../../wallet/requests.ts';
import { askSolanaAccount } from '../../wallet/solana/requests.ts';
import { rememberSolanaWallet, type SolanaWallet, useSolanaWallets } from '../../wallet/solana/wallets.ts';
import { PlayWallets } from '../../wallet/WalletButtons.tsx';
import { rememberWallet, useWalletAccount, useWallets, usualWallet, type Wallet } from '../../wallet/wallets.ts';
import { useWords } from './language.ts';
import { isRefusal, problemWords } from './problems.ts';

type Connect<One = Wallet> = UseMutationResult<{ id: string; address: string }, Error, One>;
/** A wallet of any family, as it is shown. */
type Shown = Pick<Wallet, 'id' | 'name' | 'icon'>;

export function usePayerWallet() {
  const wallets = useWallets();
  const [chosen, setChosen] = useState<Wallet | 'none' | null>(null);
  const usual = wallets && usualWallet(wallets);
  const wallet = chosen === 'none' ? null : (chosen ?? usual);
  const shown = useWalletAccount(wallet);
  const connect: Connect = useMutation({
    mutationFn: async (next: Wallet) => ({ id: next.id, address: (await askAccounts(next.provider))[0] ?? '' }),
    onSuccess: (_answer, next) => {
      rememberWallet(next);
      setChosen(next);
    },
  });
  const address = shown ?? (connect.data && connect.data.id === wallet?.id ? connect.data.address : null);
  return {
    wallets,
    connect,
    /** Null until a wallet has shown an account. */
    payer: wallet && address ? { wallet, address } : null,
    /** Chooses again. */
    forget() {
      connect.reset();
      setChosen('none');
    },
  };
}

export type SolanaPayer = ReturnType<typeof useSolanaPayer>;

/** The same of Solana's wallets, which show their account on request only. */
export function useSolanaPayer() {
  const wallets = useSolanaWallets();
  const connect: Connect<SolanaWallet> = useMutation({
    mutationFn: async (next: SolanaWallet) => ({ id: next.id, address: await askSolanaAccount(next) }),
    onSuccess: (_answer, next) => rememberSolanaWallet(next),
  });
  const wallet = wallets.find(({ id }) => id === connect.data?.id);
  return {
    wallets,
    connect,
    payer: wallet && connect.data ? { wallet, address: connect.data.address } : null,
    forget: () => connect.reset(),
  };
}

/** While the wallet is to show its account, and why it did not. */
export function ConnectNote({ connect }: { connect: { isPending: boolean; error: Error | null } }) {
  const words = useWords();
  if (connect.isPending)
    return (
      <p role="status" className="text-center text-sm text-muted">
        {words.seeAccount}
      </p>
    );
  return connect.error && <WalletProblem error={connect.error} declined={words.declinedConnect} />;
}

/** Why a wallet's step did not work; that it was declined is no error. */
export function WalletProblem({
  error,
  declined,
  wordsOf = problemWords,
}: {
  error: Error;
  declined: string;
  wordsOf?: (error: Error) => string;
}) {
  return isRefusal(error) ? (
    <p role="alert" className="rounded-lg bg-amber-soft px-4 py-2 text-sm text-amber">
      {declined}
    </p>
  ) : (
    <ErrorNote>{wordsOf(error)}</ErrorNote>
  );
}

/** The wallet that pays, by its name and address. */
export function PayerLine({
  wallet,
  address,
  onChange,
}: {
  wallet: Pick<Shown, 'name' | 'icon'>;
  address: string;
  /** Null while it pays. */
  onChange: (() => void) | null;
}) {
  const words = useWords();
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
      {wallet.icon && <img src={wallet.icon} alt="" className="size-5 rounded-sm" />}
      <span>
        {words.from} <b className="font-semibold">{wallet.name}</b>
      </span>
      <code title={address} className="font-mono text-muted">
        {shortHex(address)}
      </code>
      {onChange && (
        <Button kind="plain" className="ml-auto min-h-8!" onClick={onChange}>
          {words.change}
        </Button>
      )}
    </p>
  );
}

export const LARGE_BUTTON = 'min-h-14! py-2 w-full text-base!';

/** The wallets of this browser, a button each. */
export function WalletList<One extends Shown>({
  wallets,
  disabled,
  onChoose,
}: {
  wallets: readonly One[];
  disabled: boolean;
  onChoose: (wallet: One) => void;
}) {
  const words = useWords();
  if (wallets.length === 0) return null;
  return (
    <ul className="flex flex-col gap-2">
      {wallets.map((wallet) => (
        <li key={wallet.id}>
          <Button
            kind={wallets.length === 1 ? 'filled' : 'outlined'}
            className={LARGE_BUTTON}
            disabled={disabled}
            onClick={() => onChoose(wallet)}
          >
            {wallet.icon ? (
              <img src={wallet.icon} alt="" className="size-6 rounded-sm" />
            ) : (
              <WalletMinimal aria-hidden="true" className="size-5" />
            )}
            {words.payWith(wallet.name)}
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** For a browser without a wallet. */
export function NoWallet() {
  const words = useWords();
  return (
    <div className="flex flex-col gap-3 text-center text-sm text-muted">
      <p>{words.noWallet}</p>
      {LOCAL_STACK && (
        <div className="text-left">
          <PlayWallets words={words} />
        </div>
      )}
    </div>
  );
}
