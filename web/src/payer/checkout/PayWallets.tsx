// The wallets to pay with: those of this browser, one on another device where that is set up, or none.
import { useQuery } from '@tanstack/react-query';
import { WalletMinimal } from 'lucide-react';
import { LOCAL_STACK } from '../../app/localStack.ts';
import { Button } from '../../ui/Button.tsx';
import { Skeleton } from '../../ui/notices.tsx';
import { PlayWallets } from '../../wallet/WalletButtons.tsx';
import type { Wallet } from '../../wallet/wallets.ts';
import { fetchConfig } from './checkoutApi.ts';
import { useWords } from './language.ts';
import { OtherDevice } from './OtherDevice.tsx';

const LARGE = 'min-h-14! py-2 w-full text-base!';

export function PayWallets({
  wallets,
  chainId,
  disabled,
  onChoose,
  onAddress,
}: {
  wallets: Wallet[] | null;
  /** The network that is paid on. */
  chainId: number;
  disabled: boolean;
  onChoose: (wallet: Wallet) => void;
  onAddress: () => void;
}) {
  const words = useWords();
  const { data: config } = useQuery({
    queryKey: ['config'],
    queryFn: fetchConfig,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const projectId = config?.walletconnect_project_id;
  if (wallets === null) return <Skeleton className="h-14" />;
  return (
    <>
      {wallets.length > 0 && (
        <ul className="flex flex-col gap-2">
          {wallets.map((wallet) => (
            <li key={wallet.id}>
              <Button
                kind={wallets.length === 1 ? 'filled' : 'outlined'}
                className={LARGE}
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
      )}
      {projectId && <OtherDevice projectId={projectId} chainId={chainId} className={LARGE} onWallet={onChoose} />}
      <Button kind={wallets.length === 0 ? 'filled' : 'outlined'} className={LARGE} onClick={onAddress}>
        {wallets.length === 0 ? words.fromAWallet : words.fromAnotherWallet}
      </Button>
      {wallets.length === 0 && (
        <div className="flex flex-col gap-3 text-center text-sm text-muted">
          <p>{words.noWallet}</p>
          {LOCAL_STACK && (
            <div className="text-left">
              <PlayWallets words={words} />
            </div>
          )}
        </div>
      )}
    </>
  );
}
