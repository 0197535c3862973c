// The lifecycle of a pause on one chain: wanted by its person, sent to the router, and done once the router shows it in a final block.
import type { Lifecycle } from './lifecycle.ts';

/** `held`: only our rows hold the spending, because the wallet allows the router nothing; the router is paused once it does. */
export type PauseStatus = 'wanted' | 'sent' | 'done' | 'held';
export type PauseAction = 'want' | 'submit' | 'settle' | 'hold' | 'fail';

/** A person may want a pause once more at any time. One that is over on the chain is deleted, see `dropResumedPauses`. */
export const PAUSE: Lifecycle<PauseStatus, PauseAction> = {
  wanted: { want: 'wanted', submit: 'sent', settle: 'done', hold: 'held' },
  sent: { want: 'wanted', settle: 'done', fail: 'wanted' },
  done: { want: 'wanted' },
  held: { want: 'wanted' },
};
