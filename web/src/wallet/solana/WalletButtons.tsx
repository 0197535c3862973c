// The wallets of Solana to choose from; or, where there is none, what to do about it.
import { LOCAL_STACK } from '../../app/localStack.ts';
import { Button } from '../../ui/Button.tsx';
import { type Choice, PlayWallets, WalletList } from '../WalletButtons.tsx';
import { type SolanaWallet, useSolanaWallets } from './wallets.ts';

export function SolanaWalletButtons(choice: Choice<SolanaWallet>) {
  const wallets = useSolanaWallets();
  return wallets.length === 0 ? <NoSolanaWallet /> : <WalletList wallets={wallets} {...choice} />;
}

function NoSolanaWallet() {
  return (
    <div role="status" className="flex flex-col gap-3 rounded-lg bg-amber-soft p-4 text-sm text-amber">
      <p className="font-semibold">No Solana wallet found in this browser.</p>
      <p>
        On a computer, install a wallet extension such as Phantom, Solflare or Backpack from your browser’s own store.
        On a phone, open this page in your wallet app’s browser.
      </p>
      <Button className="self-start border-amber! text-amber!" onClick={() => location.reload()}>
        Try again
      </Button>
      {LOCAL_STACK && <PlayWallets />}
    </div>
  );
}
