// The one kind of text that a passkey signs: the sign-in at the site that asks (EIP-4361).
import { SIGN_IN_STATEMENT } from '../../../../src/domain/signInStatement.ts';
import { isSameAddress } from '../../../../src/domain/walletFamily.ts';
import { WalletError } from '../requests.ts';
import type { Explained } from './explain/reading.ts';

/** Where people sign in: this very page's site, or that of the pages for which the wallet's window stands open. */
export type Site = { host: string; origin: string };

/** @throws WalletError for any other text */
export function explainSignIn(text: string, address: string, site: Site = location): Explained {
  const [first, account, blank, statement, blankToo, uri, version, ...fields] = text.split('\n');
  const isOurs =
    first === `${site.host} wants you to sign in with your Ethereum account:` &&
    isSameAddress(account ?? '', address) &&
    blank === '' &&
    statement === SIGN_IN_STATEMENT &&
    blankToo === '' &&
    uri === `URI: ${site.origin}` &&
    version === 'Version: 1' &&
    FIELDS.length === fields.length &&
    FIELDS.every((field, index) => field.test(fields[index] ?? ''));
  if (!isOurs)
    throw new WalletError('failed', 'Your passkey signs no text but the sign-in of this site. Nothing was signed.');
  return {
    title: `Sign in at ${site.host}`,
    text: `${SIGN_IN_STATEMENT} It’s free, and valid for this sign-in only.`,
    facts: [{ name: 'Wallet', value: address }],
  };
}

const FIELDS = [/^Chain ID: \d{1,20}$/, /^Nonce: [0-9A-Za-z]{8,128}$/, /^Issued At: \S+$/, /^Expiration Time: \S+$/];
