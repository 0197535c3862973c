// Takes secrets out of a text before it is stored: by the name of its field, and by what keys, signatures and cards look like. Every step is linear
// in the length of the text, whatever the text is.
import { base64urlnopad } from '@scure/base';
import { isDeniedName, plainName, redactPairs } from './redactedPairs.ts';
import { redactShapes } from './secretShapes.ts';
import { hasEscapes, unescaped } from './unescaped.ts';

export { isDeniedName };
export const REDACTED = '[redacted]';

/** Names of public identifiers that look like private keys or like signatures. */
const HASH_NAMES = new Set(['hash', 'transactionhash', 'onchainid', 'orderid', 'planid', 'plankey', 'campaignid']);
const HASH = /^(?:0x[0-9a-fA-F]{64}|[1-9A-HJ-NP-Za-km-z]{64,88})$/;
const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/;
/** Names of accounts: on Solana, an address looks like a private key of 32 bytes. */
const ACCOUNT_NAMES = new Set(
  'to from refundto paidto signedby sponsor creator subscriber recipient payer payee router spender owner sender account mint program pubkey publickey'.split(
    ' ',
  ),
);
const SOLANA_ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
const CURSOR = /^[\w-]{38,48}$/;
const ID = /^[a-z]{2,6}_[0-9a-z]{26}$/;

/** @param name of its field: a token’s address may be read, another token not; a transaction’s hash may, another 32 bytes not */
export function redactField(name: string, text: string): string {
  const plain = plainName(name);
  if (plain.endsWith('token') && EVM_ADDRESS.test(text)) return text;
  if (isDeniedName(name)) return REDACTED;
  return isPublic(plain, text) ? text : redactText(text);
}

function isPublic(plain: string, text: string): boolean {
  if (HASH_NAMES.has(plain) || plain.endsWith('txhash')) return HASH.test(text);
  if (ACCOUNT_NAMES.has(plain) || plain.endsWith('address') || plain.endsWith('wallet'))
    return SOLANA_ADDRESS.test(text);
  return plain.endsWith('cursor') && isCursor(text);
}

function isCursor(text: string): boolean {
  if (!CURSOR.test(text)) return false;
  try {
    return ID.test(String.fromCharCode(...base64urlnopad.decode(text)));
  } catch {
    return false;
  }
}

/** Of `%2525…` and of escapes that come out of escapes; each time takes in a whole row of them. */
const ESCAPES_DEEP = 3;

/** A text in which a secret is escaped comes back without escapes: `\u0030x…` is as good a key as `0x…`. */
export function redactText(text: string): string {
  if (text.includes('PRIVATE KEY')) return REDACTED;
  let view = redactPairs(text, REDACTED);
  let shown = redactShapes(view, REDACTED);
  if (!hasEscapes(view)) return shown;
  // Which quotes end a value is seen before they are read; a secret of another kind may stand on both sides of an escape.
  for (let depth = 0; depth < ESCAPES_DEEP; depth++) {
    const read = unescaped(view);
    if (read === view) break;
    if (read.includes('PRIVATE KEY')) return REDACTED;
    view = redactPairs(read, REDACTED);
    const found = redactShapes(view, REDACTED);
    if (found !== read) shown = found;
  }
  return shown;
}
