// Why a kept tip, or a part of it, cannot be sent at the moment: in one plain sentence, with the page on which that can be changed.
import type { Refusal } from '../../../../src/domain/plan.ts';

export type RefusalWords = {
  /** @param who the recipient, or what stands for one that is not named */
  text: (who: string) => string;
  next?: { href: string; label: string };
};

const TO_LIMITS = { href: '/spending', label: 'View limits' };
const TO_WALLET = { href: '/settings', label: 'Wallet settings' };
const TO_BALANCE = { href: '/account', label: 'View balance' };
const LATER = 'This page retries automatically.';

/** Complete by its type: a code without a sentence does not compile. */
const WORDS: Record<Refusal['code'], RefusalWords> = {
  sender_not_connected: {
    text: () => 'The account that sent it is no longer connected.',
    next: { href: '/connect', label: 'How to connect' },
  },
  sender_receive_only: {
    text: () => 'This account can receive but not spend yet. Set a spending limit first, then come back here.',
    next: { href: '/spending', label: 'Set spending limits' },
  },
  sender_disconnected: {
    text: () => 'The account that typed it was disconnected, or can only receive now.',
    next: TO_LIMITS,
  },
  sender_no_wallet: { text: () => 'Your account has no wallet for that network yet.', next: TO_WALLET },
  sender_not_on_chain: {
    text: () => 'Your smart wallet must sign once for that network before it can pay there.',
    next: TO_WALLET,
  },
  sender_paused: {
    text: () => 'Your spending is paused. Only your wallet can resume it.',
    next: { href: '/spending', label: 'View spending' },
  },
  expired: { text: () => 'Expired after 24 hours. Type it again in the chat.' },
  price_stale: { text: () => `The price of that currency is currently unavailable. ${LATER}` },
  router_paused: { text: () => `Payments are currently paused. ${LATER}` },
  recipient_unknown: {
    text: (who) => `${who} isn’t known yet. You can send the money as a tab instead.`,
    next: { href: '/tabs/new', label: 'Open a tab' },
  },
  recipient_bot: { text: (who) => `${who} is a bot. Bots can’t be tipped.` },
  handle_not_found: { text: (who) => `${who} doesn’t exist. Type it again in the chat with the right name.` },
  recipient_no_wallet: { text: (who) => `${who} has no wallet for that network yet.` },
  recipient_unopened: { text: (who) => `${who} has no account for this on that network yet.` },
  recipient_unopened_small: {
    text: (who) => `${who} has no account for this on that network yet. Send a little more.`,
  },
  recipient_not_on_chain: { text: (who) => `${who} can’t be paid on that network. Type it again without the network.` },
  recipient_contract: { text: (who) => `${who} is a contract that can’t send money on.` },
  recipient_twice: { text: (who) => `${who} was already named, so they were counted once.` },
  recipient_self: { text: () => `You can’t tip yourself.` },
  chain_not_served: { text: () => `That network is currently unavailable. ${LATER}` },
  asset_not_on_chain: {
    text: () => 'That currency isn’t available on that network. Type it again without the network.',
  },
  asset_not_served: { text: () => 'That currency isn’t available here. Type it again in USDC.' },
  address_other_family: { text: (who) => `${who} belongs to an unsupported network. Check the address.` },
  plan_failed: { text: () => 'This payment can’t be sent. Type it again in the chat.' },
  amount_too_small: { text: () => 'The amount is too small. Type a larger amount in the chat.' },
  tab_too_small: {
    text: () => 'That’s below the minimum for someone without an account. Type a larger amount.',
  },
  command_cap: { text: () => 'Above your limit per tip from a chat.', next: TO_LIMITS },
  server_cap: { text: () => 'Above the server’s limit per command.', next: TO_LIMITS },
  day_cap: { text: () => 'Above what is left of your 24-hour limit.', next: TO_LIMITS },
  balance_low: {
    text: () => 'Your balance doesn’t cover the amount and fee. Add funds; this page updates automatically.',
    next: TO_BALANCE,
  },
  allowance_low: { text: () => 'Above your total allowance.', next: TO_LIMITS },
  limit_per_tip: { text: () => 'Above your wallet’s limit per tip.', next: TO_LIMITS },
  limit_per_day: { text: () => 'Above what is left of your wallet’s 24-hour limit.', next: TO_LIMITS },
  limit_fee: { text: () => 'The fee is above your wallet’s fee limit.', next: TO_LIMITS },
  bridge_away: {
    text: () => `Your money is on another network, and the bridge to this one doesn’t answer. ${LATER}`,
  },
  bridge_fee: {
    text: () => `Your money is on another network, and the bridge to this one is too expensive right now. ${LATER}`,
  },
  not_bridged: {
    text: () => 'Your money is on another network, and tips can’t cross from there to this one.',
    next: TO_BALANCE,
  },
  token_refused: { text: () => 'The currency’s contract rejected this payment.' },
  chain_refused: { text: () => 'The network rejects this payment. Check your limits.', next: TO_LIMITS },
};

/** The service may know a reason that a page of yesterday does not. */
export function refusalWords(code: string): RefusalWords {
  return WORDS[code as Refusal['code']] ?? { text: () => `It can’t be sent right now. ${LATER}` };
}
