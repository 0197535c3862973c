// Changing or adding a payout wallet: its life, how long it waits, and the text that a wallet of Solana signs for it.
import type { Lifecycle } from './lifecycle.ts';
import { FAMILY_LABELS, type WalletFamily } from './walletFamily.ts';

export type WalletChangeStatus = 'pending' | 'applied' | 'cancelled';
export type WalletChangeAction = 'apply' | 'cancel';

export const WALLET_CHANGE: Lifecycle<WalletChangeStatus, WalletChangeAction> = {
  pending: { apply: 'applied', cancel: 'cancelled' },
  applied: {},
  cancelled: {},
};

const HOUR = 3_600_000;
/** Without the old wallet's signature a change waits this long, so that the owner of a stolen session can stop it. */
export const WALLET_CHANGE_DELAY_HOURS = 72;
export const WALLET_CHANGE_DELAY_MS = WALLET_CHANGE_DELAY_HOURS * HOUR;
/** How long what was prepared can be signed. */
export const WALLET_CHANGE_SIGN_MS = HOUR / 4;
/** An account that was disconnected within this time is notified too: as long as a session lives without being used. */
export const WARNED_AFTER_DISCONNECT_MS = 30 * 24 * HOUR;
/** Each change sends notices, so there are only so many. */
export const WALLET_CHANGES_PER_WINDOW = { points: 5, windowMs: 24 * HOUR } as const;

export type WalletChangeText = {
  /** The site for which the signature counts. */
  domain: string;
  uri: string;
  handle: string;
  family: WalletFamily;
  /** Null where the handle has no wallet of the family yet: then the new one is added. */
  oldWallet: string | null;
  /** The wallet of the handle that agrees. */
  currentWallet: string;
  newWallet: string;
  nonce: number;
  /** Unix seconds. */
  deadline: number;
};

/** What EIP-712 is to an EVM wallet: a wallet of Solana shows and signs the text as it is. */
export function walletChangeText(change: WalletChangeText): string {
  const label = FAMILY_LABELS[change.family];
  const what = change.oldWallet === null ? `add this ${label} wallet to` : `change the ${label} wallet of`;
  return [
    `${change.domain} wants you to ${what} @${change.handle}.`,
    '',
    'Payments to this handle go to the new wallet, and it can sign in.',
    '',
    `Current wallet: ${change.currentWallet}`,
    `New wallet: ${change.newWallet}`,
    `URI: ${change.uri}`,
    `Nonce: ${change.nonce}`,
    `Expiration Time: ${new Date(change.deadline * 1_000).toISOString()}`,
  ].join('\n');
}
