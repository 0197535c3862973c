// Changing the payout wallet: its life and how long it waits.
import type { Lifecycle } from './lifecycle.ts';

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
