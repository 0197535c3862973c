// Several payments in one transaction of ours: charges of subscriptions, or grants of a campaign.
import type { Lifecycle } from './lifecycle.ts';

/** `mined` until the block is final; `done` also when no block can have it. */
export type BatchStatus = 'open' | 'mined' | 'done';
export type BatchAction = 'mine' | 'unmine' | 'finish';
export const BATCH: Lifecycle<BatchStatus, BatchAction> = {
  open: { mine: 'mined', finish: 'done' },
  mined: { unmine: 'open', finish: 'done' },
  done: {},
};
