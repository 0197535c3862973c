// Signing in with a passkey: one press makes or finds it, and its key signs the same text that every wallet signs.
import { loadSigner } from '../../wallet/passkey/passkeyWallet.ts';
import type { WhichPasskey } from '../../wallet/passkey/window/protocol.ts';
import type { SignInStart } from '../../wallet/signInMessage.ts';
import { type Account, callApi } from '../api.ts';
import type { SignInStep } from './signIn.ts';

/**
 * @param onStep receives the pending step
 * @throws WalletError, ApiError
 */
export async function signInWithPasskey(which: WhichPasskey, onStep: (step: SignInStep) => void): Promise<Account> {
  onStep('passkey');
  // Beside the prompt, which some browsers show only right after the press, and long before its answer.
  const start = callApi<SignInStart>('POST', '/auth/nonce');
  const { openPasskey } = await loadSigner();
  const { message, signature } = await openPasskey(which, start);
  onStep('check');
  const { account } = await callApi<{ account: Account }>('POST', '/auth/siwe', { message, signature });
  return account;
}
