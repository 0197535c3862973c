// The limits of chat tipping that hold for everybody: windows, caps, ages. Amounts in micro-USD, times in milliseconds.
import type { MicroUsd } from './money.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

export type RateWindow = { points: number; windowMs: number };

export const TIPS_PER_WINDOW_CONNECTED = { points: 5, windowMs: HOUR } as const;
/** Tips by reaction have a count of their own, within the same caps. */
export const REACTION_TIPS_PER_WINDOW = { points: 20, windowMs: HOUR } as const;
/** A sender without a connection: the tip is kept until they have connected and confirmed it. */
export const TIPS_PER_WINDOW_UNCONNECTED = { points: 1, windowMs: 24 * HOUR } as const;
export const PENDING_TIP_MS = 24 * HOUR;
/** The name under which tip commands of a handle (or of one platform account) are counted. */
export function tipsKey(space: string, id: string): string {
  return `tips:${space}:${id}`;
}
/** The same for tips by reaction. */
export function reactionsKey(space: string, id: string): string {
  return `reactions:${space}:${id}`;
}
/** Orders that the chats of one handle may make, and for how long each can be paid. */
export const ORDERS_PER_WINDOW = { points: 30, windowMs: HOUR } as const;
export const ORDER_CHAT_SECONDS = 86_400;
/** One-time links that one platform account may ask for. */
export const LINKS_PER_WINDOW = { points: 5, windowMs: HOUR } as const;
/** Replies about errors and help in groups: of each kind one for a person within this time, above that a reaction. */
export const ERROR_REPLIES = { points: 1, windowMs: 10 * MINUTE } as const;
/** Help and answers to typos in one group, for all of its members. */
export const GROUP_NOTICES = { points: 6, windowMs: HOUR } as const;
/** On X every post costs: one unrequested reply (an error or help) per person and UTC day. */
export const X_ERROR_REPLIES = { points: 1, windowMs: 24 * HOUR } as const;
/** The name under which such replies of a day are counted. */
export function xErrorsKey(userId: string, now: number): string {
  return `errors:x:${userId}:${new Date(now).toISOString().slice(0, 10)}`;
}
/** Errors and help in a direct chat, and reactions to one person's errors in groups. Above it one notice, then silence. */
export const DIRECT_ANSWERS = { points: 20, windowMs: MINUTE } as const;
export const FLOOD_NOTICES = { points: 1, windowMs: MINUTE } as const;

/** A command that was typed longer ago than this asks again and never pays. */
export const MAX_COMMAND_AGE_MS = 10 * MINUTE;
/** How long a confirmation button works. */
export const CONFIRMATION_TTL_MS = 10 * MINUTE;
/** How long a one-time link can be redeemed. */
export const LINK_TTL_MS = 15 * MINUTE;
/** How long the question in the chat stands after that. */
export const LINK_ANSWER_MS = 10 * MINUTE;
/** How long a login at a platform may take, from its start to the confirming press on our page. */
export const LOGIN_TTL_MS = 10 * MINUTE;
/** How old an answer that a platform signed may be, and how far ahead its clock may stand. */
export const LOGIN_ANSWER_AGE_MS = 5 * MINUTE;
export const LOGIN_CLOCK_SKEW_MS = MINUTE;
/** A tip may settle until this long after its acceptance; the router enforces it. */
export const TIP_VALIDITY_MS = 15 * MINUTE;
/** How long a signature for a call that we send, or for the right to spend, may be used. */
export const CALL_SIGNATURE_MS = 10 * MINUTE;
export const RIGHT_SIGNATURE_MS = 15 * MINUTE;
/** Calls that one handle gets sent at our cost in 24 hours. */
export const SPONSORED_CALLS_PER_HANDLE = 20;
/** Token accounts that we pay for and one handle gets: their rent is the wallet's once it closes them. */
export const OPENED_ACCOUNTS = { points: 3, windowMs: 30 * 24 * HOUR } as const;
/** After this many failures within 24 hours the wallet has to send the call itself. */
export const SPONSORED_FAILURES = 3;
export const SPEND_WINDOW_MS = 24 * HOUR;

export const CONFIRM_ABOVE: MicroUsd = 50_000_000n;
export const DEFAULT_COMMAND_CAP: MicroUsd = 100_000_000n;
export const DEFAULT_DAY_CAP: MicroUsd = 500_000_000n;
/** What a wallet may raise them to. */
export const MAX_COMMAND_CAP: MicroUsd = 1_000_000_000n;
export const MAX_DAY_CAP: MicroUsd = 10_000_000_000n;
/** The highest fee of one tip that the pages ask a wallet to allow: above every fee that there is. */
export const MAX_TIP_FEE: MicroUsd = 1_000_000n;
export const MIN_TIP: MicroUsd = 10_000n;
/** Opening and paying out an escrow costs us two transactions and earns nothing. */
export const MIN_ESCROW_TIP: MicroUsd = 500_000n;
/** How long a tip waits in an escrow before anyone may refund it. */
export const ESCROW_TIP_MS = 7 * 24 * HOUR;

/** A username that two ids carried within this time needs a confirmation. */
export const USERNAME_CHANGE_MS = 30 * 24 * HOUR;
/** A username unseen for this long needs a confirmation when the amount is above CONFIRM_ABOVE. */
export const USERNAME_STALE_MS = 24 * HOUR;

/** What we pay for the accounts of a sender's new recipients: of a token on a chain where each account costs rent. */
export const NEW_ACCOUNTS_USD: MicroUsd = 1_000_000n;
export const NEW_ACCOUNTS_MS = 30 * 24 * 3_600_000;
