// The life of a one-time link: handed out in a direct chat, redeemed by a signed-in browser, then confirmed by the same person in the chat.
import type { Lifecycle } from './lifecycle.ts';

export type LinkStatus = 'open' | 'redeemed' | 'confirmed' | 'declined' | 'expired';
export type LinkAction = 'redeem' | 'confirm' | 'decline' | 'expire';

/** A link is redeemed once and answered once. `expire` is also what a newer link of the same person does to it. */
export const LINK: Lifecycle<LinkStatus, LinkAction> = {
  open: { redeem: 'redeemed', expire: 'expired' },
  redeemed: { confirm: 'confirmed', decline: 'declined', expire: 'expired' },
  confirmed: {},
  declined: {},
  expired: {},
};
