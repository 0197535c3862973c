// The lives of an intent (one command) and of a tip (one leg of it).
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
