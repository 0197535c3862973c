// Signing in with a passkey: one prompt makes or finds it, and its key signs the same text that every wallet signs.
import { type Account, callApi } from '../api.ts';
import { type SignInStart, type SignInStep, signInMessage } from './signIn.ts';

/** A new passkey, the one that this browser remembers, or any that the person has for this site. */
export type WhichPasskey = 'new' | 'usual' | 'any';

export const loadSigner = () => import('../../wallet/passkey/signer.ts');

/**
 * @param onStep receives the pending step
 * @throws WalletError, ApiError
 */
export async function signInWithPasskey(which: WhichPasskey, onStep: (step: SignInStep) => void): Promise<Account> {
  onStep('passkey');
  // First, so that the key waits for nothing.
  const [{ openPasskey }, start] = await Promise.all([loadSigner(), callApi<SignInStart>('POST', '/auth/nonce')]);
  const { message, signature } = await openPasskey(which, (address) =>
    signInMessage(start, address, start.chains[0]?.chain_id ?? 1),
  );
  onStep('check');
  const { account } = await callApi<{ account: Account }>('POST', '/auth/siwe', { message, signature });
  return account;
}
