// A smart payment under way: the life of each leg, and what the legs make of the payment.
import type { Lifecycle } from './lifecycle.ts';

export const BRIDGES = ['across', 'relay'] as const;
export type BridgeName = (typeof BRIDGES)[number];
export const BRIDGE_LABELS: Record<BridgeName, string> = { across: 'Across', relay: 'Relay' };
/** `direct`: on the due chain already. */
export type Via = BridgeName | 'direct';

export type LegStatus = 'prepared' | 'sent' | 'bridging' | 'arrived' | 'refunded' | 'failed';
export type LegAction = 'send' | 'resume' | 'bridge' | 'unbridge' | 'arrive' | 'refund' | 'fail';

/**
 * `sent`: the payer's part is done. `bridging`: the origin's block has it, which a reorg takes back (`unbridge`). It ends with final blocks only. A leg that
 * was given up may still arrive, or be sent (`resume`): its wallet was later than we looked.
 */
export const SMART_LEG: Lifecycle<LegStatus, LegAction> = {
  prepared: { send: 'sent', bridge: 'bridging', arrive: 'arrived', fail: 'failed' },
  sent: { bridge: 'bridging', arrive: 'arrived', refund: 'refunded', fail: 'failed' },
  bridging: { unbridge: 'sent', arrive: 'arrived', refund: 'refunded', fail: 'failed' },
  arrived: {},
  refunded: {},
  failed: { resume: 'sent', arrive: 'arrived', refund: 'refunded' },
};

export const LEG_OVER: readonly LegStatus[] = ['arrived', 'refunded', 'failed'];
/** The payer has given its money to it. */
export const LEG_LIVE: readonly LegStatus[] = ['sent', 'bridging'];

export type SmartStatus = 'pending' | 'succeeded' | 'partly' | 'refunded' | 'failed';
export type SmartAction = 'succeed' | 'part' | 'refund' | 'fail';

export const SMART_PAYMENT: Lifecycle<SmartStatus, SmartAction> = {
  pending: { succeed: 'succeeded', part: 'partly', refund: 'refunded', fail: 'failed' },
  succeeded: {},
  partly: { succeed: 'succeeded' },
  refunded: { succeed: 'succeeded', part: 'partly' },
  failed: { succeed: 'succeeded', part: 'partly', refund: 'refunded' },
};

/** How a payment whose legs are all over ended; null while one is under way. */
export function outcomeOf(legs: readonly LegStatus[]): SmartAction | null {
  if (legs.some((status) => !LEG_OVER.includes(status))) return null;
  if (legs.every((status) => status === 'arrived')) return 'succeed';
  if (legs.includes('arrived')) return 'part';
  return legs.includes('refunded') ? 'refund' : 'fail';
}

export type SmartStep = 'preparing' | 'waiting_for_confirmation' | 'bridge_processing' | 'bridge_complete';

const STEPS: Readonly<Record<LegStatus, SmartStep>> = {
  prepared: 'preparing',
  sent: 'waiting_for_confirmation',
  bridging: 'bridge_processing',
  arrived: 'bridge_complete',
  refunded: 'bridge_complete',
  failed: 'bridge_complete',
};
const IN_ORDER: readonly SmartStep[] = [
  'preparing',
  'waiting_for_confirmation',
  'bridge_processing',
  'bridge_complete',
];

/** The earliest step of a leg that is still under way. */
export function stepOf(legs: readonly LegStatus[]): SmartStep {
  const reached = legs.map((status) => IN_ORDER.indexOf(STEPS[status]));
  return IN_ORDER[Math.min(...reached, IN_ORDER.length - 1)] ?? 'preparing';
}

const MINUTE_MS = 60_000;
/** How long candidates and what is signed for them are good. */
export const CANDIDATE_MS = 2 * MINUTE_MS;
export const LEG_SIGNATURE_MS = 10 * MINUTE_MS;
/** How long a bridge has to deliver: then the money goes back. */
export const FILL_WITHIN_MS = 30 * MINUTE_MS;
/** With less time than this until an order's end, nothing is bridged to it. */
export const LEAST_FILL_MS = 3 * MINUTE_MS;
/** Delivering takes seconds: a leg that is under way for so long waits for a bridge that does not work. */
export const LEG_SLOW_MS = 10 * MINUTE_MS;
/** A leg without an end so long after its deadline is an operator's matter. */
export const LEG_STUCK_MS = 120 * MINUTE_MS;
/** What a payer reads of a leg that its bridge gave up, with the money. */
export const BRIDGE_FAILURE = 'The bridge reports a failure. Name the request’s ID to its support.';
/** For so long such a leg is looked at: the bridge may still give the money back. */
export const BRIDGE_FAILURE_OPEN_MS = 7 * 24 * 60 * MINUTE_MS;
/** USD that a leg of a pack delivers at least, in micro-USD. */
export const LEAST_LEG_USD = 500_000n;
/** In hundredths of a percent. */
export const SLIPPAGE_BPS = { usual: 200, most: 500 } as const;
export const CANDIDATES = { usual: 5, most: 10 } as const;
/** What a handle may top its Solana wallet up with in 24 hours, in micro-USD, and the least that such a wallet is to have, in lamports. */
export const TOP_UP = { mostUsd: 50_000_000n, least: 2_000_000n } as const;
/** Wallets that one payer may name. */
export const MOST_PAYERS = 4;
