// The account that this document is for. All that it shows, holds and signs is that account's, while the browser's session is of the account that signed
// in last, in any tab: every call names the account that it is made for, and another account begins in a document of its own.
import type { Account } from '../api.ts';

/** `@handle`, or without one the address that signed in; null before a sign-in. */
let own: string | null = null;

export const pageAccount = (): string | null => own;

export const nameOf = ({ handle, address }: Account): string => (handle === null ? address : `@${handle}`);

/** The service refuses a call whose account is not the session's. */
export function accountHeader(): Record<string, string> {
  return own === null ? {} : { 'Ampersat-Account': own };
}

/** The session is of this account. Goes on where it is the page's, which may have chosen its handle meanwhile; otherwise the page reloads. */
export async function meetAccount(account: Account): Promise<void> {
  const isSame = own === null || own === nameOf(account) || Object.values(account.wallets).includes(own);
  if (!isSame) return reloadPage();
  own = nameOf(account);
}

/** In a new document, with nothing of this one. What waits for this never goes on. */
export function reloadPage(): Promise<never> {
  const root = document.getElementById('root');
  if (root) Object.assign(root, { inert: true, hidden: true });
  location.reload();
  return new Promise(() => {});
}
