// The lifecycle of a message in the inbox. Each is closed once, in the transaction of its effect, which is the record: no transition is noted.
import type { Lifecycle } from './lifecycle.ts';

/** `held` until the platform has shown its user that it was received. */
export type InboxStatus = 'held' | 'received' | 'done';
export type InboxAction = 'release' | 'drop' | 'finish';

export const INBOX = {
  held: { release: 'received', drop: 'done' },
  received: { finish: 'done' },
  done: {},
} as const satisfies Lifecycle<InboxStatus, InboxAction>;
