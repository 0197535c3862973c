// The lives of an intent (one command), of a tip (one leg of it) and of an outgoing transaction.
import type { Lifecycle } from './lifecycle.ts';

export type IntentStatus =
  | 'waiting'
  | 'accepted'
  | 'awaiting_confirmation'
  | 'routed'
  | 'completed'
  | 'refused'
  | 'declined'
  | 'lapsed';
export type IntentAction = 'ask' | 'confirm' | 'decline' | 'lapse' | 'route' | 'refuse' | 'complete';

/** `waiting` is for a sender who has to connect first; `completed` means that every leg has ended, paid or not. */
export const INTENT: Lifecycle<IntentStatus, IntentAction> = {
  waiting: { confirm: 'accepted', decline: 'declined', lapse: 'lapsed' },
  accepted: { ask: 'awaiting_confirmation', route: 'routed', refuse: 'refused' },
  awaiting_confirmation: { confirm: 'accepted', decline: 'declined', lapse: 'lapsed' },
  routed: { complete: 'completed' },
  completed: {},
  refused: {},
  declined: {},
  lapsed: {},
};

export type TipStatus = 'ready' | 'submitted' | 'mined' | 'settled' | 'failed';
export type TipAction = 'submit' | 'mine' | 'unmine' | 'settle' | 'fail' | 'adopt' | 'requeue';

/** A mined leg may still vanish in a reorg; only `settled` and `failed` are final, and a submitted leg fails only by a final
 * block. `adopt` takes over a payment that the chain knows and our rows do not. */
export const TIP: Lifecycle<TipStatus, TipAction> = {
  ready: { submit: 'submitted', fail: 'failed', adopt: 'settled' },
  submitted: { mine: 'mined', requeue: 'ready' },
  mined: { unmine: 'submitted', settle: 'settled', fail: 'failed' },
  settled: {},
  failed: {},
};

export type OutgoingTxStatus = 'signed' | 'sent' | 'mined' | 'final' | 'lost';
export type OutgoingTxAction = 'send' | 'mine' | 'unmine' | 'finalise' | 'reopen' | 'lose';

/** `lose` is for a slot that the chain spent on bytes that are not ours: none of its attempts can ever be mined, so its legs are free again.
 * `reopen` is for a chain that lost blocks below the confirmation depth: the same bytes go out again, and the routers' keys keep it harmless. */
export const OUTGOING_TX: Lifecycle<OutgoingTxStatus, OutgoingTxAction> = {
  signed: { send: 'sent', mine: 'mined', lose: 'lost' },
  sent: { mine: 'mined', lose: 'lost' },
  mined: { unmine: 'sent', finalise: 'final' },
  final: { reopen: 'sent' },
  lost: {},
};
