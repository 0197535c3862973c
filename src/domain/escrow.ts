// The lifecycle of an escrow (OpenTab): staged, open once the chain shows it, and paid out once, to its claimant or back to its sender.
import type { Lifecycle } from './lifecycle.ts';

export type EscrowStatus = 'pending_create' | 'open' | 'claimed' | 'refunded' | 'dropped';
/** Opened from a page, by a tip, or by a wallet of which only the chain knows. */
export type EscrowOrigin = 'page' | 'tip' | 'chain';
export type EscrowAction = 'confirm' | 'drop' | 'claim' | 'refund' | 'unconfirm' | 'reopen';

/**
 * `dropped` is a staged escrow that was never opened: it is not shown, and the chain may still show that it was opened after all. `unconfirm`
 * and `reopen` are only for a chain that reverted final blocks.
 */
export const ESCROW: Lifecycle<EscrowStatus, EscrowAction> = {
  pending_create: { confirm: 'open', drop: 'dropped' },
  open: { claim: 'claimed', refund: 'refunded', unconfirm: 'pending_create' },
  claimed: { reopen: 'open' },
  refunded: { reopen: 'open' },
  dropped: { confirm: 'open' },
};

type Closing = 'claim' | 'refund';

/**
 * What an opening does to an escrow in each status: an action, or nothing where the row has it already. What was closed was open, also if the
 * opening comes after it.
 */
export const OPENED: Readonly<Record<EscrowStatus, 'confirm' | null>> = {
  pending_create: 'confirm',
  dropped: 'confirm',
  open: null,
  claimed: null,
  refunded: null,
};

/**
 * What a claim or refund does to an escrow in each status: the actions in their order. None for one that is closed in the same way already, null
 * for one that is closed in the other way, which a chain cannot show. What was closed was open: its opening may lie before the first block read.
 */
export const CLOSED: Readonly<
  Record<'claimed' | 'refunded', Readonly<Record<EscrowStatus, readonly ('confirm' | Closing)[] | null>>>
> = {
  claimed: {
    pending_create: ['confirm', 'claim'],
    dropped: ['confirm', 'claim'],
    open: ['claim'],
    claimed: [],
    refunded: null,
  },
  refunded: {
    pending_create: ['confirm', 'refund'],
    dropped: ['confirm', 'refund'],
    open: ['refund'],
    claimed: null,
    refunded: [],
  },
};

/** Why nothing can be done with a tab that has been paid out. */
export const CLOSED_WORDS = {
  claimed: 'This tab was already claimed.',
  refunded: 'This tab was already returned.',
} as const;

const HOUR_S = 3_600;
const DAY_MS = 24 * HOUR_S * 1_000;

export const DUE_HOURS = { least: 1, most: 2_160, usual: 168 } as const;
/** A staged escrow that was not opened within this time is dropped. */
export const STAGED_FOR_MS = DAY_MS;
/** The claimant of an escrow for a username has to hold the name for this long, in which its sender can refund it. */
export const NAME_HOLD_MS = DAY_MS;
/** What a platform said about a name counts for this long. */
export const NAME_FRESH_MS = 10 * 60_000;
/** We pay for an early refund from this time after the opening on, this many times a day. */
export const SPONSORED_REFUND_AFTER_MS = 10 * 60_000;
export const SPONSORED_REFUNDS = { points: 3, windowMs: DAY_MS } as const;
/** What one sender gets sent back at our cost in 24 hours after deadlines. */
export const OVERDUE_REFUNDS_PER_SENDER = 20;

/** The router takes 1 hour to 90 days as of the block; signing takes time, and the chain's clock is not ours. */
const SIGNING_S = 900;
const DRIFT_S = 300;

/** The Unix second that is staged for an escrow that is due in some hours. */
export function stagedDeadline(nowMs: number, dueInHours: number): number {
  const now = Math.floor(nowMs / 1_000);
  const least = now + DUE_HOURS.least * HOUR_S + SIGNING_S;
  const most = now + DUE_HOURS.most * HOUR_S - DRIFT_S;
  return Math.min(Math.max(now + dueInHours * HOUR_S, least), most);
}

/** Who may refund an open escrow, and when; `no` for one that is not open. */
export type Refundable = 'now' | 'by_sender' | 'after_deadline' | 'no';

export function refundable(
  escrow: { status: string; deadline: bigint; revocable: boolean },
  nowMs: number,
): Refundable {
  if (escrow.status !== 'open') return 'no';
  if (BigInt(Math.floor(nowMs / 1_000)) >= escrow.deadline) return 'now';
  return escrow.revocable ? 'by_sender' : 'after_deadline';
}

/** What a signature of the sender uses up that refunds an escrow before its deadline. `tabId` is the router's id of it. */
export function refundUse({ chain, tabId }: { chain: string; tabId: string }): string {
  return `tab_refund:${chain}:${tabId}`;
}
