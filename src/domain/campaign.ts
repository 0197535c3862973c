// Campaigns and their grants: their lifecycles, what a grant may be, and why one fails.
import { looksLikeAddress, readAddress } from './command/addresses.ts';
import type { Lifecycle } from './lifecycle.ts';

/** `dropped` is a staged campaign that was never opened: it is not shown, and the chain may still show it. */
export type CampaignStatus = 'pending_create' | 'active' | 'closed' | 'dropped';
export type CampaignAction = 'open' | 'drop' | 'close' | 'unopen' | 'reopen';

/** `unopen` and `reopen` are only for a chain that reverted final blocks. */
export const CAMPAIGN: Lifecycle<CampaignStatus, CampaignAction> = {
  pending_create: { open: 'active', drop: 'dropped' },
  active: { close: 'closed', unopen: 'pending_create' },
  closed: { reopen: 'active' },
  dropped: { open: 'active' },
};

export const GRANT_STATUSES = ['queued', 'sent', 'paid', 'failed', 'cancelled'] as const;
export type GrantStatus = (typeof GRANT_STATUSES)[number];
export type GrantAction = 'send' | 'pay' | 'release' | 'fail' | 'cancel' | 'retry' | 'unpay';

/** The router pays each number once, so what is released or retried is never paid twice. `unpay` is only for a chain that reverted final blocks. */
export const GRANT: Lifecycle<GrantStatus, GrantAction> = {
  queued: { send: 'sent', pay: 'paid', fail: 'failed', cancel: 'cancelled' },
  sent: { pay: 'paid', release: 'queued', fail: 'failed' },
  paid: { unpay: 'queued' },
  failed: { retry: 'queued', pay: 'paid' },
  cancelled: { pay: 'paid' },
};

/** Why a grant was not paid, in one sentence each. */
export const GRANT_FAILURES = {
  campaign_closed: 'The campaign was closed first.',
  campaign_expired: 'The campaign expired first.',
  budget_exhausted: 'The campaign’s budget was spent first.',
  grant_too_large: 'The amount is above the campaign’s limit for one grant.',
  handle_not_found: 'No such handle. Check the spelling.',
  recipient_bot: 'The recipient is a bot.',
  recipient_uncertain: 'This username changed hands recently, or wasn’t seen for long. Use platform:id:<id> instead.',
  recipient_refused:
    'The recipient can’t be paid by the router: it is a contract of Ampersat or of another program, a token, the zero address or the sponsor itself.',
  wallet_not_there: 'The recipient’s smart wallet isn’t verified on this network.',
  token_refused: 'The token refused the transfer to this address.',
  places_used: 'The campaign has no place left for another grant.',
  number_used: 'The router paid this number to another recipient. Create the grant again with another key.',
} as const;
export type GrantFailure = keyof typeof GRANT_FAILURES;
/** Those that another try may cure. */
export const CURABLE: readonly GrantFailure[] = [
  'budget_exhausted',
  'handle_not_found',
  'recipient_uncertain',
  'wallet_not_there',
  'token_refused',
];

/** Why no grant of a campaign is sent now, in one sentence each: the sponsor’s to cure. */
export const CAMPAIGN_PROBLEMS = {
  insufficient_balance: 'The sponsor’s wallet has too little USDC.',
  insufficient_allowance: 'The sponsor’s allowance to the router is too low.',
  sponsor_paused: 'The sponsor’s wallet is paused.',
  router_paused: 'The router is paused.',
} as const;
export type CampaignProblem = keyof typeof CAMPAIGN_PROBLEMS;

/** A staged campaign that was not opened within this time is dropped. */
export const CAMPAIGN_STAGED_FOR_MS = 7 * 86_400_000;
/** A campaign lasts for so long at most, from when it is staged. */
export const CAMPAIGN_LASTS_MS = { least: 3_600_000, most: 366 * 86_400_000 } as const;
/** Grants of one request. */
export const MOST_GRANTS = 1_000;
export const GRANT_KEY = /^[\x21-\x7e]{1,64}$/;

const HANDLE = /^@[a-z0-9_]{3,30}$/;
const BY_ID = /^(telegram|discord|x):id:\d{1,24}$/;
const BY_NAME = /^(telegram|discord|x):@?[a-z0-9_.]{2,32}$/;

/**
 * A recipient as it is kept: `@handle`, `platform:id:<id>`, `platform:name` or an address.
 * @returns null for what is none of them
 */
export function readGrantRecipient(text: string): string | null {
  const given = text.trim();
  if (!given.includes(':') && looksLikeAddress(given)) {
    const read = readAddress(given);
    return typeof read === 'string' ? read : null;
  }
  const lower = given.toLowerCase();
  if (HANDLE.test(lower) || BY_ID.test(lower)) return lower;
  return BY_NAME.test(lower) ? lower.replace(':@', ':') : null;
}
