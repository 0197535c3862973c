// The life of a call that a wallet signed and an executor sends. Once submitted, it is as far as its outgoing transaction.
import type { Lifecycle } from './lifecycle.ts';
import type { OutgoingTxStatus } from './outgoing.ts';

/** `allow` is an allowance and limits in one; those of orders are signed by the payee; `wrap` and `unwrap` are of the native asset, those of campaigns are the sponsor's. The five before the last are of plans and subscriptions: on EVM chains `Subscribe`, `SetSubscription`, `SetPlan`
 * and an allowance of USDC of the subscription router. `send` pays a send (services/sends). */
export const SPONSORED_KINDS = [
  'permit',
  'limits',
  'allow',
  'resume',
  'tab_open',
  'tab_refund',
  'order_refund',
  'order_deposit',
  'wrap',
  'unwrap',
  'campaign_open',
  'campaign_allowance',
  'create_plan',
  'subscribe',
  'cancel_subscription',
  'set_plan',
  'subscription_allowance',
  'send',
] as const;
export type SponsoredKind = (typeof SPONSORED_KINDS)[number];
export type SponsoredStatus = 'queued' | 'submitted' | 'failed';
export type SponsoredAction = 'submit' | 'fail';

export const SPONSORED_CALL: Lifecycle<SponsoredStatus, SponsoredAction> = {
  queued: { submit: 'submitted', fail: 'failed' },
  submitted: {},
  failed: {},
};

/** The progress of a call as its pages show it. "mined" and "final" mean that it did what was signed. */
export type CallProgress = 'queued' | 'sent' | 'mined' | 'final' | 'failed';

/**
 * A transaction that failed in a block may still succeed in another one after a reorg, so it has failed only when that block is final.
 * @param tx the outgoing transaction, once there is one
 */
export function progressOf(
  status: SponsoredStatus,
  tx: { status: OutgoingTxStatus; succeeded: boolean | null } | null,
): CallProgress {
  if (status !== 'submitted' || !tx) return status === 'failed' ? 'failed' : 'queued';
  const byTx: Record<OutgoingTxStatus, CallProgress> = {
    queued: 'queued',
    cancelled: 'failed',
    signed: 'sent',
    sent: 'sent',
    mined: tx.succeeded ? 'mined' : 'sent',
    final: tx.succeeded ? 'final' : 'failed',
    lost: 'failed',
  };
  return byTx[tx.status];
}

/** The on-chain numbers that a call uses up. Each escrow is refunded once, whatever else is under way. */
const NUMBERS: Readonly<Record<SponsoredKind, readonly ('token' | 'bot' | 'tab' | 'subscription')[]>> = {
  permit: ['token'],
  limits: ['bot'],
  allow: ['token', 'bot'],
  resume: ['bot'],
  tab_open: ['tab'],
  tab_refund: [],
  order_refund: [],
  order_deposit: [],
  wrap: [],
  unwrap: [],
  // What stands is part of what they approve.
  campaign_open: ['token'],
  campaign_allowance: ['token'],
  create_plan: [],
  subscribe: ['subscription', 'token'],
  cancel_subscription: ['subscription'],
  set_plan: ['subscription'],
  subscription_allowance: ['token'],
  // Its key at the router is its own.
  send: [],
};

/** Calls that use up the same on-chain number, so that only one of them may be under way at a time. */
export function rivalsOf(kind: SponsoredKind): SponsoredKind[] {
  return SPONSORED_KINDS.filter((other) => NUMBERS[other].some((number) => NUMBERS[kind].includes(number)));
}
