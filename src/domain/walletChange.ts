// Changing the payout wallet: its life, how long it waits, and what the wallets sign (EIP-712).
import type { Lifecycle } from './lifecycle.ts';

export type WalletChangeStatus = 'pending' | 'applied' | 'cancelled';
export type WalletChangeAction = 'apply' | 'cancel';

export const WALLET_CHANGE: Lifecycle<WalletChangeStatus, WalletChangeAction> = {
  pending: { apply: 'applied', cancel: 'cancelled' },
  applied: {},
  cancelled: {},
};

const HOUR = 3_600_000;
/** Without the old wallet's signature a change waits this long, so that whoever is robbed of a session can stop it. */
export const WALLET_CHANGE_DELAY_HOURS = 72;
export const WALLET_CHANGE_DELAY_MS = WALLET_CHANGE_DELAY_HOURS * HOUR;
/** How long what was prepared can be signed. */
export const WALLET_CHANGE_SIGN_MS = HOUR / 4;
/** Each change is told to people, so there are only so many. */
export const WALLET_CHANGES_PER_WINDOW = { points: 5, windowMs: 24 * HOUR } as const;

export type WalletChangeTerms = {
  chainId: number;
  handle: string;
  oldWallet: string;
  newWallet: string;
  /** Counts the changes that were asked for: what was signed for one is worth nothing for another. */
  nonce: number;
  /** Unix seconds. */
  deadline: number;
};

const FIELDS = [
  { name: 'handle', type: 'string' },
  { name: 'oldWallet', type: 'address' },
  { name: 'newWallet', type: 'address' },
  { name: 'nonce', type: 'uint256' },
  { name: 'deadline', type: 'uint256' },
];

/** Ready for `eth_signTypedData_v4`: the new wallet signs it, and the old one too when the change is to be at once. */
export function walletChangeData({ chainId, handle, oldWallet, newWallet, nonce, deadline }: WalletChangeTerms) {
  return {
    domain: { name: 'Ampersat', version: '1', chainId },
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'version', type: 'string' },
        { name: 'chainId', type: 'uint256' },
      ],
      PayoutWalletChange: FIELDS,
    },
    primaryType: 'PayoutWalletChange',
    message: { handle, oldWallet, newWallet, nonce: String(nonce), deadline: String(deadline) },
  };
}
