// The payout wallets and their changes, as the service tells them.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { isSameAddress, type WalletFamily } from '../../../../src/domain/walletFamily.ts';
import type { ChangedWallets, PayoutWallets, PreparedWalletChange } from '../../../../src/http/api/walletAnswers.ts';
import { callApi } from '../../app/api.ts';
import { askAccounts, signTyped, type WalletProvider } from '../../wallet/requests.ts';
import { signSolanaText } from '../../wallet/solana/requests.ts';
import type { SolanaWallet } from '../../wallet/solana/wallets.ts';

export const WALLET_KEY = ['wallet'];

export function useWalletState() {
  return useQuery({
    queryKey: WALLET_KEY,
    queryFn: ({ signal }) => callApi<PayoutWallets>('GET', '/wallet', undefined, signal),
  });
}

export function prepareChange(newAddress: string): Promise<PreparedWalletChange> {
  return callApi('POST', '/wallet/change/prepare', { new_address: newAddress });
}

/** Signs the change with one of the two wallets; both may be in the same wallet app. */
export async function signChange(
  provider: WalletProvider,
  address: string,
  { typed_data }: PreparedWalletChange,
): Promise<string> {
  if (typed_data === null) throw new Error('This change needs no signature of an EVM wallet.');
  return signTyped(provider, address, typed_data);
}

/** The same with a wallet of Solana. */
export async function signSolanaChange(
  wallet: SolanaWallet,
  address: string,
  { text }: PreparedWalletChange,
): Promise<string> {
  if (text === null) throw new Error('This change needs no signature of a Solana wallet.');
  return signSolanaText(wallet, address, text);
}

export async function requestChange(
  newAddress: string,
  { nonce, deadline, chain }: PreparedWalletChange,
  signatures: { new_signature: string; old_signature?: string },
): Promise<PayoutWallets> {
  const { wallets } = await callApi<ChangedWallets>('POST', '/wallet/change', {
    new_address: newAddress,
    nonce,
    deadline,
    chain,
    ...signatures,
  });
  return wallets;
}

/** The account that the wallet is set to, when it is another than the payout wallet. */
export async function pickNewAddress(provider: WalletProvider, current: string | null): Promise<string | null> {
  const accounts = await askAccounts(provider);
  return accounts.find((account) => current === null || !isSameAddress(account, current)) ?? null;
}

export function useCancelChange(family: WalletFamily) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callApi('DELETE', `/wallet/change?family=${family}`),
    onSuccess: () => client.invalidateQueries({ queryKey: WALLET_KEY }),
  });
}
