// The transactions that executors send: what each is for, and its life.
import type { Lifecycle } from './lifecycle.ts';

/**
 * What a transaction of ours is for, with the row that `subject_id` names: `tips` and `escrow_open` the first of their legs, `pause` a pause, `claim` a
 * claim, `order` a payment or a sweep of an order (order_submission), `treasury` a transfer that leaves the treasury again (treasury_transfer), `sponsored` a call that a wallet signed (sponsored_call), `escrow_refund` an escrow,
 * `charge` a charge_batch, `halt` a subscription, `trial` a trial, `grants` a grant_batch, `campaign_close` a campaign, `bridge_deposit` a leg of a smart
 * payment (smart_leg), `rent` an account of the chain that is no longer needed, by its address.
 */
export type OutgoingKindName =
  | 'tips'
  | 'escrow_open'
  | 'pause'
  | 'claim'
  | 'order'
  | 'treasury'
  | 'sponsored'
  | 'escrow_refund'
  | 'charge'
  | 'halt'
  | 'trial'
  | 'grants'
  | 'campaign_close'
  | 'bridge_deposit'
  | 'rent';

export type OutgoingTxStatus = 'queued' | 'cancelled' | 'signed' | 'sent' | 'mined' | 'final' | 'lost';
export type OutgoingTxAction = 'cancel' | 'sign' | 'send' | 'mine' | 'unmine' | 'finalise' | 'reopen' | 'lose';

/** `lose` is for a slot that the chain spent on bytes that are not ours: none of its attempts can ever be mined, so its subject is free again.
 * `reopen` is for a chain that lost blocks below the confirmation depth: the same bytes go out again, and the routers' keys keep it harmless. */
export const OUTGOING_TX: Lifecycle<OutgoingTxStatus, OutgoingTxAction> = {
  queued: { cancel: 'cancelled', sign: 'signed' },
  cancelled: {},
  signed: { send: 'sent', mine: 'mined', lose: 'lost' },
  sent: { mine: 'mined', lose: 'lost' },
  mined: { unmine: 'sent', finalise: 'final' },
  final: { reopen: 'sent' },
  lost: {},
};
