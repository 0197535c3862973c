// Every sentence that a bot says. Short, plain, warm: what happened, then what can be done. Figures come in as canonical strings.
import type { PublicStatus } from '../src/domain/history.ts';
import type { Refusal } from '../src/domain/plan.ts';
import type { BalanceLine, LimitsView, Unreachable } from '../src/services/accounts.ts';
import type { HistoryLine } from '../src/services/history.ts';
import type { PressAnswer } from '../src/services/intents.ts';
import type { IntentView, LegView } from '../src/services/intentView.ts';
import type { ChatLink } from '../src/services/links.ts';
import type { WalletChangeNotice } from '../src/services/walletChanges.ts';

import { refusalText } from './refusalTexts.ts';

type Piece = string | { text: string; url: string };
/** Where a paid leg can be looked at. */
type LegUrl = (leg: { id: string; chain: string }, hash: string) => string;

export const PRESS_WORDS: Record<PressAnswer, string> = {
  confirmed: 'Got it, checking…',
  declined: 'Cancelled. Nothing was taken.',
  not_yours: 'Only the person who typed this can answer it.',
  too_late: 'This question is closed.',
  too_early: 'One moment, then press again.',
  link_confirmed: 'Connected.',
  link_declined: 'Not connected. Nothing has changed.',
  link_taken: 'This account is connected already.',
};

export function helpText(bot: string): string {
  return [
    'Pay anybody here by name, in dollars that live on-chain (USDC).',
    '',
    '/tip @bob 5: each person named gets 5 USDC',
    '/tip 5: as a reply, tips the person you answer',
    '/tip @bob @carol 5 for lunch: 5 each, with a note',
    '/send @bob 20 on base: one person, on the chain you name',
    '/send 0x… 20: to an address',
    '/balance, /history, /limits: answered in private',
    '/pause: stops all your spending at once',
    '/connect, /disconnect: whether this account belongs to your Ampersat handle',
    '',
    'The fee is 0.05 USD under 5 USD and 0.10 from 5 USD, on top: the other side gets the full amount.',
    `Above 50 USD I ask first. Somebody’s Ampersat handle is written name@ampersat. Our direct chat: @${bot}.`,
  ].join('\n');
}

/** A one-time link in the direct chat; the button below carries it while it can be used. */
export function linkText(link: ChatLink): string {
  switch (link.status) {
    case 'open':
      return [
        'Open this to connect your account here to your Ampersat handle. You sign in with your wallet; if you have no handle yet, you choose one there.',
        '',
        'It works once, for 15 minutes. It is yours alone, so do not pass it on. I ask you here again before anything is connected.',
      ].join('\n');
    case 'expired':
      return 'That link is over. Send /connect for a new one.';
    default:
      return 'That link was used.';
  }
}

/** The question after a link was redeemed, then what came of it. */
export function linkQuestionText(link: ChatLink): string {
  const account = link.username ? `@${link.username}` : `user ${link.platformUserId}`;
  switch (link.status) {
    case 'redeemed':
      return [
        `Connect ${account} here to the Ampersat handle ${link.handle}@ampersat?`,
        '',
        `Your link was opened in a browser that is signed in as ${link.handle}@ampersat. What people tip you here will go to that handle’s wallet, so press Connect only if it is yours.`,
      ].join('\n');
    case 'confirmed':
      return `✅ Connected to ${link.handle}@ampersat. You can be tipped here from now on. To tip others, let your wallet say what I may spend.`;
    case 'declined':
      return 'Not connected. Nothing has changed. If you did not open that link yourself, somebody else had it; it is void now.';
    default:
      return 'Not connected: the question is closed. Send /connect for a new link.';
  }
}

export function linkSentText(): string {
  return 'I sent you a link in our direct chat. It is for you alone, so it is not shown here.';
}

export function connectedText(slug: string): string {
  return `This account is connected to ${slug}@ampersat. To connect it to another handle, send /disconnect first: that ends all tips from here at once.`;
}

export function disconnectedText(): string {
  return 'Disconnected. From now on no tip leaves from this account and none arrives at it. Send /connect in our direct chat to connect it again.';
}

/** Told to the other chats of a handle when an account was connected to it. */
export function connectionNoticeText(link: ChatLink): string {
  const platform = link.platform.charAt(0).toUpperCase() + link.platform.slice(1);
  const account = `${platform} account ${link.username ? `@${link.username} (id ${link.platformUserId})` : `with the id ${link.platformUserId}`}`;
  return `The ${account} is connected to ${link.handle}@ampersat now. It can be tipped, see your balances, history and limits, and pause; it cannot spend. If that was not you, sign in on the settings page, disconnect it there, and sign out everywhere.`;
}

/** Told to a chat that was disconnected from a page: perhaps by somebody who has taken over a browser. */
export function disconnectedElsewhereText(slug: string): string {
  return [
    `Disconnected from ${slug}@ampersat, on the settings page. From now on no tip leaves from this account and none arrives at it. Send me /connect to connect it again.`,
    'If that was not you, somebody else is signed in: sign in there with your wallet, and sign out everywhere.',
  ].join('\n');
}

/** Told to every chat of a handle when its wallet gave the right to spend to one of them. */
export function rightText(view: { own: boolean; commandCap: string; dayCap: string }): string {
  const caps = `${view.commandCap} USD a command and ${view.dayCap} USD in 24 hours at most, over all your chats`;
  const who = view.own ? 'this account spend' : 'another connected account of yours spend';
  return `Your wallet lets ${who} now: ${caps}. If that was not you, send /pause.`;
}

/** The payout wallet of a handle, and what becomes of it: told to everybody who is connected, or was until a short time ago. */
export function walletNoticeText(change: WalletChangeNotice): string {
  const wallet = `${change.newAddress.slice(0, 6)}…${change.newAddress.slice(-4)}`;
  switch (change.status) {
    case 'pending':
      return [
        `⚠️ The payout wallet of ${change.slug}@ampersat is to change to ${wallet}, from ${inUtc(change.effectiveAt)} on. The old wallet has not signed this.`,
        'If that was not you, sign in on the settings page now, cancel it there, and sign out everywhere.',
      ].join('\n');
    case 'applied':
      if (!change.connected)
        return `The payout wallet of ${change.slug}@ampersat is ${wallet} now. What people tip that handle goes there. Your account here is not connected to it.`;
      return `The payout wallet of ${change.slug}@ampersat is ${wallet} now. What people tip you goes there. You can receive here, and spend again once the new wallet has said what I may spend.`;
    default:
      return `The payout wallet of ${change.slug}@ampersat stays as it is: the change to ${wallet} was cancelled.`;
  }
}

export function openChatText(): string {
  return 'I may not write to you yet. Open our chat and press Start: the answer waits for you there.';
}

export function pausedText(): string {
  return '⏸ Paused. From now on no tip leaves your wallet from any chat. The chains are being told as well, so only your wallet can resume.';
}

/** What the chat shows of an intent at each point of its life. */
export function intentText(view: IntentView, urlOf: LegUrl): Piece[] {
  switch (view.status) {
    case 'accepted':
      return [
        view.waitingFor
          ? `⏳ ${view.waitingFor} at the moment. ${view.sender}, your tip is kept and goes out by itself; nothing was taken yet.`
          : `⏳ ${view.sender}, on its way…`,
      ];
    case 'awaiting_confirmation':
      return [questionText(view)];
    case 'declined':
      return [`Cancelled by ${view.sender}. Nothing was taken.`];
    case 'lapsed':
      return [`${view.sender} did not answer in time. Nothing was taken; type it again to tip.`];
    case 'refused':
      return [refusedText(view)];
    default:
      return receiptText(view, urlOf);
  }
}

function questionText(view: IntentView): string {
  const lines = view.asked.map((leg) => `${leg.amount} ${leg.asset} to ${leg.label} (fee ${leg.fee}, on ${leg.chain})`);
  const why = view.doubts.map((doubt) => DOUBT_WORDS[doubt]).filter((words) => words !== undefined);
  return [
    `${view.sender}, shall I send this?`,
    ...lines,
    ...why,
    'It cannot be taken back. The question closes in 10 minutes.',
  ].join('\n');
}

const DOUBT_WORDS: Record<string, string> = {
  large_amount: 'I ask because it is more than 50 USD.',
  large_fee: 'I ask because the fee is more than a tenth of it.',
  username_changed: 'Careful: this username belonged to somebody else within the last 30 days.',
  username_stale: 'Careful: I have not seen this username for over a day.',
};

function refusedText(view: IntentView): string {
  if (!view.refusal) return 'That tip was not sent. Nothing was taken.';
  if (view.tellsInPrivate)
    return `${view.sender}, that tip was not sent and nothing was taken. The reason is in our direct chat.`;
  return refusalText(view.refusal, '');
}

function receiptText(view: IntentView, urlOf: LegUrl): Piece[] {
  const pieces: Piece[] = [];
  for (const leg of view.legs) {
    if (pieces.length > 0) pieces.push('\n');
    pieces.push(...legText(view, leg, urlOf));
  }
  for (const { refusal } of view.refused) pieces.push(pieces.length > 0 ? '\n' : '', refusalText(refusal, ''));
  return pieces;
}

function legText(view: IntentView, leg: LegView, urlOf: LegUrl): Piece[] {
  const verb = view.kind === 'send' ? 'sent' : 'tipped';
  const where = view.chainTyped ? `, on ${leg.chainLabel}` : '';
  const what = `${view.sender} ${verb} ${leg.recipient} ${leg.amount} ${leg.asset} (fee ${leg.fee}${where})`;
  const link = leg.txHash ? { text: `View ${shortHash(leg.txHash)}`, url: urlOf(leg, leg.txHash) } : '';
  switch (leg.status) {
    case 'settled':
      return [`✅ ${what}. `, link];
    case 'mined':
      if (leg.failure) return [`⏳ ${what}: being checked…`];
      return [`✅ ${what}. `, link, ` · confirming on ${leg.chainLabel}…`];
    case 'failed':
      return [
        `${view.sender}’s ${leg.amount} ${leg.asset} to ${leg.recipient} was not sent; nothing was taken. ${leg.failure ? failureHint(leg.failure) : ''}`.trim(),
      ];
    default:
      return [`⏳ ${what}: on its way…`];
  }
}

/** Why a leg failed, without anybody's figures: this is read by the whole chat. */
function failureHint(failure: Refusal): string {
  if (failure.code === 'expired') return 'It could not be placed within 15 minutes; type it again.';
  if (failure.code === 'sender_disconnected') return 'The account was disconnected before it was signed.';
  if (failure.code === 'router_paused') return 'Payments are paused for the moment; try later.';
  return 'Check /balance and /limits in our direct chat, then type it again.';
}

export function shortHash(hash: string): string {
  return `${hash.slice(0, 6)}…${hash.slice(-4)}`;
}

export function balanceText(slug: string, lines: (BalanceLine | Unreachable)[]): string {
  const rows = lines.map((line) =>
    'unreachable' in line
      ? `${line.chain}: does not answer right now, try again in a minute`
      : `${line.chain}: ${line.amount} ${line.asset}`,
  );
  return [`@${slug}, you have`, ...rows].join('\n');
}

export function limitsText(view: LimitsView): string {
  return [
    ...(view.paused_at === null ? [] : ['⏸ Your spending is paused. Only your wallet can resume it.']),
    `Commands: ${view.tips_left_this_hour} of ${view.tips_per_hour} left this hour`,
    `Caps: ${view.command_cap} USD a command, ${view.day_cap} USD in 24 hours (${view.spent_24h_usd} spent)`,
    ...view.chains.flatMap(limitLines),
  ].join('\n');
}

function limitLines(chain: LimitsView['chains'][number]): string[] {
  if (chain.unreachable) return [`${chain.label}: does not answer right now`];
  const paused = chain.paused ? ' (paused)' : '';
  return chain.tokens.map(
    (token) =>
      `${chain.label}${paused}: ${token.per_tip} a tip, ${token.left_24h} of ${token.per_day} ${token.asset} left in 24 hours, allowance ${token.allowance ?? 'without limit'}`,
  );
}

export function historyText(lines: HistoryLine[], now: number): string {
  if (lines.length === 0) return 'No tips yet. Start with “/tip @name 1”.';
  return ['Your last tips', ...lines.map((line) => historyLine(line, now))].join('\n');
}

const STATUS_WORDS: Record<PublicStatus, string> = {
  pending: ' · on its way',
  paid: ' · confirming',
  final: '',
  failed: ' · not sent',
};

function historyLine(line: HistoryLine, now: number): string {
  const [arrow, preposition] = line.direction === 'sent' ? ['→', 'to'] : ['←', 'from'];
  const when = ago(now - Date.parse(line.at));
  return `${arrow} ${line.amount} ${line.asset} ${preposition} ${line.counterparty} · ${when}${STATUS_WORDS[line.status]}`;
}

function ago(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ago`;
  return `${Math.floor(minutes / 1_440)} days ago`;
}

/** `24 Nov 2026, 10:40 UTC`. */
function inUtc(at: number): string {
  const [, day, month, year, time] = /^\w+, (\d+) (\w+) (\d+) (\d+:\d+)/.exec(new Date(at).toUTCString()) ?? [];
  return `${day} ${month} ${year}, ${time} UTC`;
}
