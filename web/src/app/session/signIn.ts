// Signing in: a text by EIP-4361 that the wallet signs and the service checks field by field.
import { readAddress } from '../../../../src/domain/command/addresses.ts';
import { askAccounts, readChainId, signText, type WalletProvider } from '../../wallet/requests.ts';
import { type Account, callApi } from '../api.ts';

export type SignInStart = {
  nonce: string;
  domain: string;
  uri: string;
  statement: string;
  version: string;
  chains: { name: string; label: string; chain_id: number }[];
  solana: { chain_id: string };
  issued_at: string;
  expires_at: string;
};

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

export function signInMessage(fields: SignInStart, address: string, chainId: number): string {
  return [
    `${fields.domain} wants you to sign in with your Ethereum account:`,
    address,
    '',
    fields.statement,
    '',
    `URI: ${fields.uri}`,
    `Version: ${fields.version}`,
    `Chain ID: ${chainId}`,
    `Nonce: ${fields.nonce}`,
    `Issued At: ${fields.issued_at}`,
    `Expiration Time: ${fields.expires_at}`,
  ].join('\n');
}
