// The wallets to choose from; or, where there is none, what to do about it.

import { useMutation } from '@tanstack/react-query';
import { WalletMinimal } from 'lucide-react';
import { LOCAL_STACK } from '../app/localStack.ts';
import { Button } from '../ui/Button.tsx';
import { ErrorNote, Skeleton } from '../ui/notices.tsx';
import { usePlayWalletsHere } from './playWallets.ts';
import { useWallets, type Wallet } from './wallets.ts';

export type Choice<One> = {
  /** What the button does, before the wallet's name: `Sign in with`. */
  verb: string;
  disabled?: boolean;
  onChoose: (wallet: One) => void;
};

/** Of EVM. */
export function WalletButtons(choice: Choice<Wallet>) {
  const wallets = useWallets();
  if (wallets === null) return <Skeleton className="h-12" />;
  if (wallets.length === 0) return <NoWallet />;
  return <WalletList wallets={wallets} {...choice} />;
}

/** Of one family or of both. */
export function WalletList<One extends { id: string; name: string; icon: string | null }>({
  wallets,
  verb,
  disabled = false,
  isSecond = false,
  onChoose,
}: Choice<One> & { wallets: readonly One[] /** The next step is another one. */; isSecond?: boolean }) {
  return (
    <ul className="flex flex-col gap-2">
      {wallets.map((wallet) => (
        <li key={wallet.id}>
          <Button
            kind={wallets.length === 1 && !isSecond ? 'filled' : 'outlined'}
            className="min-h-12! w-full text-base!"
            disabled={disabled}
            onClick={() => onChoose(wallet)}
          >
            {wallet.icon ? (
              <img src={wallet.icon} alt="" className="size-6 rounded-sm" />
            ) : (
              <WalletMinimal aria-hidden="true" className="size-5" />
            )}
            {verb} {wallet.name}
          </Button>
        </li>
      ))}
    </ul>
  );
}

export function NoWallet() {
  return (
    <div role="status" className="flex flex-col gap-3 rounded-lg bg-amber-soft p-4 text-sm text-amber">
      <p className="font-semibold">No wallet found in this browser.</p>
      <p>
        On a computer, install a wallet extension such as Rabby, MetaMask or Coinbase Wallet from your browser’s own
        store. On a phone, open this page in your wallet app’s browser.
      </p>
      <Button className="self-start border-amber! text-amber!" onClick={() => location.reload()}>
        Try again
      </Button>
      {LOCAL_STACK && <PlayWallets />}
    </div>
  );
}

const ENGLISH = {
  playWallets: 'This is a local stack. Its test accounts have wallets with play money.',
  usePlayWallets: 'Use play wallets',
};

/** On the local stack no extension is needed. */
export function PlayWallets({ words = ENGLISH }: { words?: typeof ENGLISH }) {
  const begin = useMutation({ mutationFn: usePlayWalletsHere });
  return (
    <div className="flex flex-col gap-3 border-t border-amber pt-3">
      <p>{words.playWallets}</p>
      <Button
        className="self-start border-amber! text-amber!"
        disabled={begin.isPending}
        onClick={() => begin.mutate()}
      >
        {words.usePlayWallets}
      </Button>
      {begin.isError && <ErrorNote>{begin.error.message}</ErrorNote>}
    </div>
  );
}
