// Which wallet of this browser signs: the usual one of a family, or one to choose.
import { isSameAddress, type WalletFamily } from '../../../../src/domain/walletFamily.ts';
import { SolanaWalletButtons } from '../../wallet/solana/WalletButtons.tsx';
import { rememberSolanaWallet, useSolanaWallets, usualSolanaWallet } from '../../wallet/solana/wallets.ts';
import { WalletButtons } from '../../wallet/WalletButtons.tsx';
import { PASSKEY_WALLET, rememberWallet, usePasskey, useWallets, usualWallet } from '../../wallet/wallets.ts';
import type { ChosenWallet } from './runCall.ts';

/** Undefined while wallets may still announce themselves, null where one has to be chosen. */
export function useUsualWallet(family: WalletFamily): ChosenWallet | null | undefined {
  const wallets = useWallets();
  const solana = usualSolanaWallet(useSolanaWallets());
  if (family === 'solana') return solana && { family, wallet: solana };
  if (wallets === null) return undefined;
  const wallet = usualWallet(wallets);
  return wallet && { family, wallet };
}

/** The account is that of this browser's passkey, and the passkey is what signs here. */
export function useIsPasskey(address: string | undefined): boolean {
  const own = usePasskey()?.address;
  const usual = useUsualWallet('evm');
  return Boolean(address && own && isSameAddress(address, own) && usual?.wallet.id === PASSKEY_WALLET.id);
}

export function WalletChoice({
  family,
  disabled = false,
  onChoose,
}: {
  family: WalletFamily;
  disabled?: boolean;
  onChoose: (chosen: ChosenWallet) => void;
}) {
  if (family === 'solana')
    return (
      <SolanaWalletButtons
        verb="Use"
        disabled={disabled}
        onChoose={(wallet) => {
          rememberSolanaWallet(wallet);
          onChoose({ family, wallet });
        }}
      />
    );
  return (
    <WalletButtons
      verb="Use"
      disabled={disabled}
      onChoose={(wallet) => {
        rememberWallet(wallet);
        onChoose({ family, wallet });
      }}
    />
  );
}
