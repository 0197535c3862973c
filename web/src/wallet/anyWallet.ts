// A wallet of any family, where one account of a known family has to act.
import { WalletError, type WalletProvider } from './requests.ts';
import type { SolanaWallet } from './solana/wallets.ts';
import type { Wallet } from './wallets.ts';

export type AnyWallet = Wallet | SolanaWallet;

const OTHER = 'This needs a wallet of the other kind. Reload the page and try again.';

/** @throws WalletError for a wallet of Solana */
export function providerOf(wallet: AnyWallet): WalletProvider {
  if ('provider' in wallet) return wallet.provider;
  throw new WalletError('failed', OTHER);
}

/** @throws WalletError for a wallet of EVM */
export function solanaWalletOf(wallet: AnyWallet): SolanaWallet {
  if ('standard' in wallet) return wallet;
  throw new WalletError('failed', OTHER);
}
