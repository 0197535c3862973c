// What went wrong, in the buyer's language.
import { ApiError } from '../../app/apiError.ts';
import { WalletError } from '../../wallet/requests.ts';
import { wordsNow } from './language.ts';

/** A sentence for people. What the service says in English only is better than nothing. */
export function problemWords(error: Error): string {
  const words = wordsNow();
  if (error instanceof WalletError)
    return error.problem === 'failed' ? words.wallet.failed(error.reason) : words.wallet[error.problem];
  if (error instanceof ApiError) return words.errors[error.code] ?? error.message;
  return error.message;
}

export function isRefusal(error: Error): boolean {
  return error instanceof WalletError && error.problem === 'refused';
}
