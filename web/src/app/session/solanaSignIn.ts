// Signing in with a wallet of Solana: the text of the standard, which the wallet signs and the service checks field by field.

import type { SignInStart } from '../../wallet/signInMessage.ts';
import { signInWith } from '../../wallet/solana/requests.ts';
import type { SolanaWallet } from '../../wallet/solana/wallets.ts';
import { type Account, callApi } from '../api.ts';
import type { SignInStep } from './signIn.ts';

/**
 * @param onStep receives the pending step
 * @throws WalletError, ApiError
 */
export async function signInWithSolana(wallet: SolanaWallet, onStep: (step: SignInStep) => void): Promise<Account> {
  onStep('signature');
  const start = await callApi<SignInStart>('POST', '/auth/nonce');
  const { message, signature } = await signInWith(wallet, {
    domain: start.domain,
    statement: start.statement,
    uri: start.uri,
    version: start.version,
    chainId: start.solana.chain_id,
    nonce: start.nonce,
    issuedAt: start.issued_at,
    expirationTime: start.expires_at,
  });
  onStep('check');
  const { account } = await callApi<{ account: Account }>('POST', '/auth/siws', { message, signature });
  return account;
}
