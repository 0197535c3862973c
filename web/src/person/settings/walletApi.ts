// The payout wallet and its change, as the service tells them.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { callApi, type TypedData } from '../../app/api.ts';
import { askAccounts, isSameAddress, signTyped, type WalletProvider } from '../../wallet/requests.ts';

export type WalletChange = { id: string; new_address: string; requested_at: string; effective_at: string };

export type PayoutWallet = {
  address: string;
  kind: 'account' | 'contract';
  proven_chains: string[];
  change: WalletChange | null;
};

/** `nonce`, `deadline` and `chain` go back as they came, with the signatures. */
export type PreparedChange = {
  typed_data: TypedData;
  nonce: number;
  deadline: number;
  chain: string;
  delay_hours: number;
};

export const WALLET_KEY = ['wallet'];

export function useWalletState() {
  return useQuery({
    queryKey: WALLET_KEY,
    queryFn: ({ signal }) => callApi<PayoutWallet>('GET', '/wallet', undefined, signal),
  });
}

export function prepareChange(newAddress: string): Promise<PreparedChange> {
  return callApi('POST', '/wallet/change/prepare', { new_address: newAddress });
}

/** Signs the change with one of the two wallets; both may sit in the same wallet app. */
export function signChange(provider: WalletProvider, address: string, prepared: PreparedChange): Promise<string> {
  return signTyped(provider, address, prepared.typed_data);
}

export async function requestChange(
  newAddress: string,
  prepared: PreparedChange,
  signatures: { new_signature: string; old_signature?: string },
): Promise<PayoutWallet> {
  const { nonce, deadline, chain } = prepared;
  const { wallet } = await callApi<{ wallet: PayoutWallet }>('POST', '/wallet/change', {
    new_address: newAddress,
    nonce,
    deadline,
    chain,
    ...signatures,
  });
  return wallet;
}

/** The account that the wallet is set to, when it is another than the payout wallet. */
export async function pickNewAddress(provider: WalletProvider, current: string): Promise<string | null> {
  const accounts = await askAccounts(provider);
  return accounts.find((account) => !isSameAddress(account, current)) ?? null;
}

export function useCancelChange() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callApi('DELETE', '/wallet/change'),
    onSuccess: () => client.invalidateQueries({ queryKey: WALLET_KEY }),
  });
}
