// Why a kept tip, or a part of it, cannot be sent at the moment: in one plain sentence, with the page on which that can be changed.
import type { Refusal } from '../../../src/domain/plan.ts';

export type RefusalWords = {
  /** @param who the recipient, or what stands for one that is not named */
  text: (who: string) => string;
  next?: { href: string; label: string };
};

const TO_LIMITS = { href: '/spending', label: 'To your limits' };
const TO_WALLET = { href: '/settings', label: 'To your wallet’s settings' };
const TO_BALANCE = { href: '/account', label: 'See your balance' };
const LATER = 'This page asks again by itself.';

/** Complete by its type: a code without a sentence does not compile. */
const WORDS: Record<Refusal['code'], RefusalWords> = {
  sender_not_connected: {
    text: () => 'The account that typed it is not connected any more.',
    next: { href: '/connect', label: 'How to connect' },
  },
  sender_receive_only: {
    text: () =>
      'This account can receive but not spend yet. Say once with your wallet what it may spend, then come back here.',
    next: { href: '/spending', label: 'Choose what it may spend' },
  },
  sender_disconnected: {
    text: () => 'The account that typed it was disconnected, or may only receive now.',
    next: TO_LIMITS,
  },
  sender_no_wallet: { text: () => 'Your account has no wallet for that chain yet.', next: TO_WALLET },
  sender_not_on_chain: {
    text: () => 'Your wallet is a contract that has to sign once for that chain before it can pay there.',
    next: TO_WALLET,
  },
  sender_paused: {
    text: () => 'Your spending is paused. Only your wallet can resume it.',
    next: { href: '/spending', label: 'To the pause' },
  },
  expired: { text: () => 'Its day is over. Type it again in the chat.' },
  price_stale: { text: () => `There is no fresh price for that currency right now, and we do not guess. ${LATER}` },
  router_paused: { text: () => `Payments are paused for the moment. ${LATER}` },
  recipient_unknown: {
    text: (who) => `We do not know ${who} yet. You can keep the money for that name in a tab instead.`,
    next: { href: '/tabs/new', label: 'Open a tab' },
  },
  recipient_bot: { text: (who) => `${who} is a bot, and bots cannot be tipped.` },
  handle_not_found: { text: (who) => `There is no ${who}. Type it again in the chat with the right name.` },
  recipient_no_wallet: { text: (who) => `${who} has no wallet for that chain yet.` },
  recipient_not_on_chain: { text: (who) => `${who} cannot be paid on that chain. Type it again without the chain.` },
  recipient_contract: { text: (who) => `${who} is a contract that nothing comes out of again.` },
  recipient_twice: { text: (who) => `${who} is somebody that you named already, so they were counted once.` },
  recipient_self: { text: (who) => `${who} is you, and you cannot tip yourself.` },
  chain_not_served: { text: () => `That chain is not served at the moment. ${LATER}` },
  asset_not_on_chain: { text: () => 'That currency isn’t available on that chain. Type it again without the chain.' },
  asset_not_served: { text: () => 'That currency isn’t available here. Type it again in USDC.' },
  address_other_family: { text: (who) => `${who} belongs to a network that we don’t serve. Check the address.` },
  plan_failed: { text: () => 'This payment can’t be sent. Type it again in the chat.' },
  amount_too_small: { text: () => 'That is too little to send. Type a larger amount in the chat.' },
  tab_too_small: {
    text: (who) => `That is too little to keep for ${who}, who has no account yet. Type a larger amount.`,
  },
  command_cap: { text: () => 'It is more than you allow for one tip from a chat.', next: TO_LIMITS },
  server_cap: { text: () => 'It is more than the admins of that server allow for one command.', next: TO_LIMITS },
  day_cap: { text: () => 'It is more than what is left of your limit for 24 hours.', next: TO_LIMITS },
  balance_low: {
    text: () => 'Your balance is too low for it and its fee. Top up your wallet; this page notices by itself.',
    next: TO_BALANCE,
  },
  allowance_low: { text: () => 'It is more than your wallet lets us take in total.', next: TO_LIMITS },
  limit_per_tip: { text: () => 'It is more than your wallet’s limit for one tip.', next: TO_LIMITS },
  limit_per_day: { text: () => 'It is more than what is left of your wallet’s limit for 24 hours.', next: TO_LIMITS },
  limit_fee: { text: () => 'Its fee is above what your wallet allows for a fee.', next: TO_LIMITS },
  token_refused: { text: () => 'The currency’s own rules refuse this payment.' },
  chain_refused: { text: () => 'The chain refuses this payment. Look whether your limits allow it.', next: TO_LIMITS },
};

/** The service may know a reason that a page of yesterday does not. */
export function refusalWords(code: string): RefusalWords {
  return WORDS[code as Refusal['code']] ?? { text: () => `It cannot be sent at the moment. ${LATER}` };
}
