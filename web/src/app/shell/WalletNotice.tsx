// Says when the wallet in the browser is set to another account than the one that is signed in: signatures would not fit.
import { useQueryClient } from '@tanstack/react-query';
import { isSameAddress } from '../../../../src/domain/walletFamily.ts';
import { Button } from '../../ui/Button.tsx';
import { useWalletAccount, useWallets, usualWallet } from '../../wallet/wallets.ts';
import type { Account } from '../api.ts';
import { shortHex } from '../format.ts';
import { signOut } from '../session/useSession.ts';

export function WalletNotice({ account }: { account: Account }) {
  const client = useQueryClient();
  const wallets = useWallets();
  const current = useWalletAccount(wallets && usualWallet(wallets));
  const own = account.wallets.evm;
  if (!current || !own || isSameAddress(current, own)) return null;
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg bg-amber-soft px-4 py-3 text-sm text-amber print:hidden"
    >
      <p className="min-w-0">
        Your wallet is on a different account (<b className="font-mono">{shortHex(current)}</b>). You’re signed in as{' '}
        <b className="font-mono">{shortHex(own)}</b>. Switch back in your wallet before you sign.
      </p>
      <Button
        className="min-h-8! border-amber! px-2! text-amber!"
        onClick={() => void signOut(client, { to: location.pathname + location.search })}
      >
        Switch account
      </Button>
    </div>
  );
}
