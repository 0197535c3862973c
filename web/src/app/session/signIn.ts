// Signing in: a text by EIP-4361 that the wallet signs and the service checks field by field.
import { readAddress } from '../../../../src/domain/command/addresses.ts';
import { askAccounts, readChainId, signText, type WalletProvider } from '../../wallet/requests.ts';
import { type SignInStart, signInMessage } from '../../wallet/signInMessage.ts';
import { type Account, callApi } from '../api.ts';

export type SignInStep = 'account' | 'signature' | 'passkey' | 'check';

/**
 * @param onStep receives the pending step
 * @throws WalletError, ApiError
 */
export async function signIn(provider: WalletProvider, onStep: (step: SignInStep) => void): Promise<Account> {
  onStep('account');
  const [address = ''] = await askAccounts(provider);
  const fields = await callApi<SignInStart>('POST', '/auth/nonce');
  const current = await readChainId(provider);
  const chain = fields.chains.find((one) => one.chain_id === current) ?? fields.chains[0];
  const message = signInMessage(fields, checksummed(address), chain?.chain_id ?? 1);
  onStep('signature');
  const signature = await signText(provider, address, message);
  onStep('check');
  const { account } = await callApi<{ account: Account }>('POST', '/auth/siwe', { message, signature });
  return account;
}

/** Wallets give an address in any case; the text needs the one with the checksum. */
function checksummed(address: string): string {
  const read = readAddress(address.toLowerCase());
  return typeof read === 'string' ? read : address;
}
