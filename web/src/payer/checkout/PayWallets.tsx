// The wallets to pay with: those of this browser, one on another device where that is set up, or none.
import { useQuery } from '@tanstack/react-query';
import { Button } from '../../ui/Button.tsx';
import { Skeleton } from '../../ui/notices.tsx';
import type { SolanaWallet } from '../../wallet/solana/wallets.ts';
import type { Wallet } from '../../wallet/wallets.ts';
import { fetchConfig } from './checkoutApi.ts';
import { useWords } from './language.ts';
import { OtherDevice } from './OtherDevice.tsx';
import { LARGE_BUTTON, NoWallet, WalletList } from './usePayerWallet.tsx';

/** Of EVM networks. */
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
  const { data: config } = useQuery({
    queryKey: ['config'],
    queryFn: fetchConfig,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const projectId = config?.walletconnect_project_id;
  if (wallets === null) return <Skeleton className="h-14" />;
  return (
    <>
      <WalletList wallets={wallets} disabled={disabled} onChoose={onChoose} />
      {projectId && (
        <OtherDevice projectId={projectId} chainId={chainId} className={LARGE_BUTTON} onWallet={onChoose} />
      )}
      <ByHand isOnly={wallets.length === 0} onAddress={onAddress} />
    </>
  );
}

/** Of Solana. */
export function SolanaPayWallets({
  wallets,
  disabled,
  onChoose,
  onAddress,
}: {
  wallets: readonly SolanaWallet[];
  disabled: boolean;
  onChoose: (wallet: SolanaWallet) => void;
  onAddress: () => void;
}) {
  return (
    <>
      <WalletList wallets={wallets} disabled={disabled} onChoose={onChoose} />
      <ByHand isOnly={wallets.length === 0} isScanned onAddress={onAddress} />
    </>
  );
}

/** Without a wallet that this page can ask. */
function ByHand({
  isOnly,
  isScanned = false,
  onAddress,
}: {
  isOnly: boolean;
  isScanned?: boolean;
  onAddress: () => void;
}) {
  const words = useWords();
  const usual = isOnly ? words.fromAWallet : words.fromAnotherWallet;
  return (
    <>
      <Button kind={isOnly ? 'filled' : 'outlined'} className={LARGE_BUTTON} onClick={onAddress}>
        {isScanned ? words.scanOrSend : usual}
      </Button>
      {isOnly && <NoWallet />}
    </>
  );
}
