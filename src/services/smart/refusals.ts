// Why a chain would refuse what a payer signed for a leg, in words for the payer.

import type { Chain } from '../../chain/chain.ts';
import type { RevertReason } from '../../chain/routers/reverts.ts';

/** Names of a balance that is too small. */
const TOO_LITTLE: ReadonlySet<string> = new Set(['InsufficientFunds', 'InsufficientFundsForRent']);

export function refusalWords({ facts: { label } }: Chain, { name, text = '' }: RevertReason): string {
  if (/exceeds balance/i.test(text) || TOO_LITTLE.has(name))
    return `Your balance on ${label} no longer covers it. Choose again.`;
  if (/authorization is used/i.test(text)) return 'This signature was already used. Choose again.';
  if (/authorization is expired/i.test(text) || name === 'BlockhashNotFound')
    return 'The signature has expired. Choose again.';
  if (/invalid signature/i.test(text)) return `${label} doesn’t accept this wallet’s signature.`;
  if (/blacklisted/i.test(text)) return 'USDC rejected it: one of the accounts is blocked by its issuer.';
  return `${label} would reject it (${text || name}). Nothing left your wallet.`;
}
