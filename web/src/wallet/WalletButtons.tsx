// The wallets to choose from; or, where there is none, what to do about it.
import { WalletMinimal } from 'lucide-react';
import { Button } from '../ui/Button.tsx';
import { Skeleton } from '../ui/notices.tsx';
import { useWallets, type Wallet } from './wallets.ts';

export function WalletButtons({
  verb,
  disabled = false,
  onChoose,
}: {
  /** What the button does, before the wallet's name: `Sign in with`. */
  verb: string;
  disabled?: boolean;
  onChoose: (wallet: Wallet) => void;
}) {
  const wallets = useWallets();
  if (wallets === null) return <Skeleton className="h-12" />;
  if (wallets.length === 0) return <NoWallet />;
  return (
    <ul className="flex flex-col gap-2">
      {wallets.map((wallet) => (
        <li key={wallet.id}>
          <Button
            kind={wallets.length === 1 ? 'filled' : 'outlined'}
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

function NoWallet() {
  return (
    <div role="status" className="flex flex-col gap-3 rounded-lg bg-amber-soft p-4 text-sm text-amber">
      <p className="font-semibold">There is no wallet in this browser.</p>
      <p>
        On a computer, install a wallet extension such as Rabby, MetaMask or Coinbase Wallet from your browser’s own
        store. On a phone, open this page in the browser inside of your wallet app.
      </p>
      <Button className="self-start border-amber! text-amber!" onClick={() => location.reload()}>
        Look again
      </Button>
    </div>
  );
}
