// What a bot says when nothing was sent: why, and what can be done about it.
import type { Refusal } from '../src/domain/plan.ts';

export function unconnectedText(bot: string): string {
  return `Your account here is not connected to Ampersat yet, so there is nothing to show or spend. Send me /connect in our direct chat${bot ? ` (@${bot})` : ''}: a wallet is all it takes.`;
}

/** One refusal, to the person whose money it was. @param bot username of the bot, for a hint where to go */
export function refusalText(refusal: Refusal, bot: string): string {
  const chat = bot ? ` (@${bot})` : '';
  switch (refusal.code) {
    case 'sender_not_connected':
      return unconnectedText(bot);
    case 'sender_receive_only':
      return 'Your account here can receive but not spend yet: your wallet has not signed that right. Nothing was taken. Choose on the page below what I may spend.';
    case 'sender_disconnected':
      return 'Your account was disconnected, or may only receive now, so that tip was not sent. Nothing was taken.';
    case 'sender_no_wallet':
      return 'Your account has no wallet for this chain yet. Nothing was taken.';
    case 'sender_not_on_chain':
      return `Your wallet is a contract that has proven itself on ${refusal.where} only, so I spend nothing from its address on ${refusal.chain}. Nothing was taken. Leave the chain out, or name one of those.`;
    case 'sender_paused':
      return 'Your spending is paused, so nothing was taken. Only your wallet can resume it.';
    case 'expired':
      return 'That took too long, so it was not sent. Nothing was taken; type it again.';
    case 'price_stale':
      return 'I have no fresh price for that asset right now, and I do not guess. Nothing was taken; try USDC, or again in a few minutes.';
    case 'router_paused':
      return 'Payments are paused for the moment. Nothing was taken; try again later.';
    case 'recipient_unknown':
      return `I have never seen ${refusal.label} in a chat with me, so I cannot tell who that is. Nothing was taken for them. Answer one of their messages with /tip and an amount, or check the spelling.`;
    case 'recipient_not_connected':
      return `${refusal.label} has not connected Ampersat here yet. Nothing was taken for them. Once they send me /connect, they can be tipped.`;
    case 'recipient_bot':
      return `${refusal.label} is a bot; bots cannot be tipped.`;
    case 'handle_not_found':
      return `There is no ${refusal.label}. Check the spelling.`;
    case 'recipient_no_wallet':
      return `${refusal.label} has no wallet for this chain yet. Nothing was taken for them.`;
    case 'recipient_not_on_chain':
      return `${refusal.label} can be paid on ${refusal.where} only, so nothing went out on ${refusal.chain} and nothing was taken. Leave the chain out, or name that one.`;
    case 'recipient_contract':
      return `${refusal.label} is a contract that nothing comes out of again, so I send nothing there. Check the address.`;
    case 'recipient_twice':
      return `${refusal.label} is somebody that you named already; they were counted once.`;
    case 'recipient_self':
      return `${refusal.label} is you: you cannot tip yourself.`;
    case 'chain_not_served':
      return `${refusal.chain} is not served here at the moment. Leave the chain out, or name another one.`;
    case 'asset_not_on_chain':
      return `${refusal.asset} does not live on ${refusal.chain}. Leave the chain out, or name another one.`;
    case 'amount_too_small':
      return `That is too little: the least is ${refusal.least} ${refusal.asset}.`;
    case 'command_cap':
      return `That is ${refusal.total} USD with the fee; your cap for one command is ${refusal.cap} USD. Nothing was taken. Tip less.`;
    case 'day_cap':
      return `That is ${refusal.total} USD with the fee, and ${refusal.left} USD are left of your ${refusal.cap} USD for 24 hours. Nothing was taken. Tip less, or later.`;
    case 'balance_low':
      return `Your balance on ${refusal.chain} is ${refusal.have} ${refusal.asset}; this tip needs ${refusal.need} with the fee. Top up or tip less.`;
    case 'allowance_low':
      return `Your wallet lets me spend ${refusal.have} ${refusal.asset} more on ${refusal.chain}; this tip needs ${refusal.need} with the fee. Raise the allowance with your wallet, or tip less.`;
    case 'limit_per_tip':
      return `Your wallet set a limit of ${refusal.limit} ${refusal.asset} for one tip on ${refusal.chain}; this one needs ${refusal.need} with the fee. Tip less, or raise the limit with your wallet.`;
    case 'limit_per_day':
      return `Of your limit for 24 hours on ${refusal.chain}, ${refusal.limit} ${refusal.asset} are left; this tip needs ${refusal.need} with the fee. Tip less, or later.`;
    case 'limit_fee':
      return `The fee of ${refusal.need} ${refusal.asset} is above the ${refusal.limit} that your wallet allows on ${refusal.chain}. Nothing was taken.`;
    case 'not_available':
      return notAvailableText(refusal.kind);
    case 'token_refused':
      return `The token on ${refusal.chain} refused the transfer (“${refusal.text}”). Nothing was taken.`;
    case 'chain_refused':
      return `The payment was refused on ${refusal.chain} (${refusal.reason}). Nothing was taken. Check /limits in our direct chat${chat}.`;
  }
}

function notAvailableText(kind: string): string {
  if (kind === 'split') return 'I cannot split a sum yet. “/tip @a @b 5” gives each of them 5. Nothing was taken.';
  return `I cannot do “${kind}” from here yet. Nothing was changed.`;
}

/** One error, by the code of the parser or of ingest. */
export function errorText(data: { code: string; [field: string]: unknown }, now: number, bot: string): string {
  if (data.code === 'rate_limited')
    return `You have used your five tip commands of this hour. You can tip again ${inWords(Number(data['retryAt']) - now)}.`;
  if (data.code === 'links_limited')
    return `That were many links for one hour. You can ask for the next one ${inWords(Number(data['retryAt']) - now)}.`;
  if (data.code === 'not_available') return notAvailableText(String(data['kind']));
  if (data.code === 'sender_not_connected') return unconnectedText(bot);
  return PARSE_WORDS[data.code] ?? `I did not get that. Try “/tip @name 5”, or /help. Our direct chat: @${bot}.`;
}

const PARSE_WORDS: Record<string, string> = {
  too_old: 'That message reached me more than 10 minutes late, so I did nothing. Type it again if you still want it.',
  amount_missing: 'How much? Try “/tip @name 5”.',
  amount_invalid: 'I could not read the amount. Use plain digits, like 5 or 2.50.',
  amount_ambiguous:
    'I can read the amount in two ways. Type “1000” for a thousand or “1.0” for one, and put “for” before a note.',
  amount_zero: 'Zero moves nothing. The least is 0.01.',
  amount_too_small: 'That is too little: the least is 0.01 USD.',
  amount_too_large: 'That is more than I can send.',
  too_many_decimals: 'That has more decimals than this currency. USDC has six.',
  recipient_missing: 'Who gets it? Name somebody, like “/tip @name 5”, or answer their message with “/tip 5”.',
  recipient_invalid: 'I could not make out who gets it. Name them with @, or answer one of their messages.',
  recipient_self: 'You cannot tip yourself.',
  recipient_bot: 'Bots cannot be tipped.',
  too_many_recipients: 'That is too many people for one command: 20 at most.',
  mass_mention: 'I do not tip everyone at once. Name the people.',
  role_recipient: 'A role cannot be tipped. Name the people.',
  multiple_commands: 'One command a message, please. Nothing was taken.',
  unsupported_token: 'I do not know that token. I can send USDC and the chains’ own coins: ETH, BNB, CELO.',
  unsupported_currency: 'I only count in US dollars. Type the amount in USD or USDC.',
  unsupported_chain: 'I do not know that chain. I know Base, BSC, Ink, Celo and Solana.',
  address_checksum: 'There is a typing mistake in that address. Copy it again.',
  split_mismatch: 'The parts do not add up to the whole. Nothing was taken.',
  suspicious_unicode: 'There are hidden characters in that message. Type it by hand.',
};

export function inWords(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / 60_000));
  return minutes === 1 ? 'in a minute' : `in ${minutes} minutes`;
}
