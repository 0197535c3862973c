// Which sentences a message is made of. The sentences stand in bots/render/say; figures come in as canonical strings.
import type { Platform } from '../../src/domain/command.ts';
import type { Language } from '../../src/domain/language.ts';
import type { Refusal } from '../../src/domain/plan.ts';
import type { ChatLink } from '../../src/services/accounts/connectLinks.ts';
import type { WalletChangeNotice } from '../../src/services/accounts/walletChanges.ts';
import type { BalanceLine, LimitsView, Unreachable } from '../../src/services/spending/chatBalances.ts';
import type { HistoryLine } from '../../src/services/tips/history.ts';
import type { IntentView, LegView } from '../../src/services/tips/intentView.ts';
import type { DisabledEndpoint } from '../../src/services/webhooks/endpointNotices.ts';
import { feeMoney, type Money, showMoney } from './amounts.ts';
import { examplesOf } from './examples.ts';
import { foldedText, isFoldable, isFolded, type Part } from './foldedReceipt.ts';
import { refusalText } from './refusals.ts';
import { isWordId, type Piece, say, sayLinked, sayWith } from './say.ts';

/** Where a paid leg can be looked at. */
type LegUrl = (leg: { id: string; chain: string }, hash: string) => string;

/** A one-time link in the direct chat; the button below carries it while it can be used. */
export function linkText(language: Language, link: ChatLink): string {
  if (link.status === 'open') return say(language, 'link-open');
  return say(language, link.status === 'expired' ? 'link-expired' : 'link-used');
}

/** The question after a link was redeemed, then what came of it. */
export function linkQuestionText(language: Language, link: ChatLink): string {
  const { handle, username, displayName, platformUserId: id } = link;
  switch (link.status) {
    case 'redeemed':
      return say(language, 'link-ask', {
        account: username ? `@${username}` : (displayName ?? say(language, 'link-account', { id })),
        handle,
      });
    case 'confirmed':
      return say(language, 'link-confirmed', { handle });
    case 'declined':
      return say(language, 'link-declined');
    default:
      return say(language, 'link-closed');
  }
}

/** Told to the other chats of a handle when an account was connected to it. */
export function connectionNoticeText(
  language: Language,
  account: Pick<ChatLink, 'platform' | 'platformUserId' | 'username' | 'handle'>,
): string {
  const { platform, handle, username, platformUserId: id } = account;
  return say(language, 'notice-connected', {
    platform: platform.charAt(0).toUpperCase() + platform.slice(1),
    account: username
      ? say(language, 'notice-account-named', { username, id })
      : say(language, 'notice-account-nameless', { id }),
    handle,
  });
}

/** Told to every chat of a workspace when we stop sending to an endpoint of its. */
export function endpointText(language: Language, { host, reason, livemode }: DisabledEndpoint): string {
  const told = say(language, `notice-endpoint-${reason}`, { host });
  return livemode ? told : [told, say(language, 'notice-endpoint-test')].join('\n');
}

/** Told to every chat of a handle when its wallet gave the right to spend to one of them. */
export function rightText(language: Language, view: { own: boolean; commandCap: string; dayCap: string }): string {
  const caps = { perCommand: { usd: view.commandCap }, perDay: { usd: view.dayCap } };
  return say(language, view.own ? 'notice-right-own' : 'notice-right-other', caps);
}

/** The payout wallet of a handle, and what becomes of it: told to everybody who is connected, or was until a short time ago. */
export function walletNoticeText(language: Language, change: WalletChangeNotice): string {
  const about = { handle: change.slug, wallet: shortHash(change.newAddress) };
  switch (change.status) {
    case 'pending':
      return say(language, 'notice-wallet-pending', { ...about, date: inUtc(language, change.effectiveAt) });
    case 'applied':
      return say(language, change.connected ? 'notice-wallet-changed' : 'notice-wallet-changed-elsewhere', about);
    default:
      return say(language, 'notice-wallet-stays', about);
  }
}

/** What the chat shows of an intent at each point of its life. */
export function intentText(language: Language, view: IntentView, urlOf: LegUrl): Part[] {
  const { sender } = view;
  switch (view.status) {
    case 'waiting':
      return [say(language, 'pay-kept', { sender })];
    case 'accepted':
      return [view.waitingFor === null ? say(language, 'pay-under-way', { sender }) : waitingText(language, view)];
    case 'awaiting_confirmation':
      return [questionText(language, view)];
    case 'declined':
      return [say(language, 'pay-declined', { sender })];
    case 'lapsed':
      return [say(language, 'pay-lapsed', { sender })];
    case 'refused':
      return [refusedText(language, view)];
    default:
      return slowText(language, view, urlOf) ?? receiptText(language, view, urlOf);
  }
}

/** What waits for a chain that is in trouble, or null when nothing does. */
function slowText(language: Language, view: IntentView, urlOf: LegUrl): Part[] | null {
  const waiting = view.legs.filter(({ status }) => status === 'ready' || status === 'submitted');
  if (view.waitingFor === null || waiting.length === 0) return null;
  const chains = [...new Set(waiting.map((leg) => leg.chainLabel))];
  const chain = new Intl.ListFormat(language).format(chains);
  const slow = say(language, 'pay-chain-slow', { sender: view.sender, chain });
  const isAll = waiting.length === view.legs.length && view.refused.length === 0;
  return isAll ? [slow] : [...receiptText(language, view, urlOf), '\n', slow];
}

function waitingText(language: Language, { sender, waitingFor }: IntentView): string {
  const chain = /^(.+) does not answer$/.exec(waitingFor ?? '')?.[1];
  return chain ? say(language, 'pay-waits-for-chain', { sender, chain }) : say(language, 'pay-waits', { sender });
}

function questionText(language: Language, view: IntentView): string {
  const why = view.doubts.map((doubt) => `ask-why-${doubt}`).filter(isWordId);
  return [
    say(language, 'ask-send', { sender: view.sender }),
    ...view.asked.map((leg) => askedLeg(language, leg)),
    ...noteLines(language, view),
    ...why.map((id) => sayWith(language, id, {})),
    say(language, finalWord(view)),
  ].join('\n');
}

/** The note as it would go out, and in a split whom it would leave out. */
export function noteLines(language: Language, { note, doubts, refused }: IntentView): string[] {
  const left = doubts.includes('left_out') ? refused.map(({ label }) => label) : [];
  return [
    ...(note === null ? [] : [say(language, 'ask-note', { note })]),
    ...(left.length === 0 ? [] : [say(language, 'ask-left-out', { labels: left.join(', ') })]),
  ];
}

export function askedLeg(
  language: Language,
  { label: recipient, tabDays, chain, ...leg }: IntentView['asked'][number],
): string {
  const { amount, fee } = moneyOf(leg);
  if (tabDays === null) return say(language, 'ask-leg', { recipient, amount, fee, chain });
  return say(language, 'ask-tab', { recipient, amount, chain, days: say(language, 'days', { days: tabDays }) });
}

/** What a leg moves and costs. */
export function moneyOf({ amount, fee, asset }: Pick<LegView, 'amount' | 'fee' | 'asset'>): {
  amount: Money;
  fee: Money;
} {
  return { amount: { amount, asset }, fee: feeMoney(fee, asset) };
}

/** What can be taken back afterwards. */
export function finalWord({ asked }: IntentView): 'ask-final' | 'ask-final-tabs' | 'ask-final-mixed' {
  const tabs = asked.filter((leg) => leg.tabDays !== null).length;
  if (tabs === 0) return 'ask-final';
  return tabs === asked.length ? 'ask-final-tabs' : 'ask-final-mixed';
}

function refusedText(language: Language, view: IntentView): string {
  if (!view.refusal) return say(language, 'pay-not-sent');
  if (view.tellsInPrivate)
    return say(language, view.tellsBeside ? 'pay-refused-beside' : 'pay-refused-in-private', { sender: view.sender });
  return refusalText(language, view.refusal, view);
}

function receiptText(language: Language, view: IntentView, urlOf: LegUrl): Part[] {
  const waiting = view.legs.filter(isWaiting);
  const [first, ...more] = waiting;
  // How a tab is claimed and taken back is said once, however many there are.
  const how =
    first?.tab && more.length > 0
      ? [say(language, 'tabs-how', { sender: view.sender, days: say(language, 'days', { days: first.tab.days }) })]
      : [];
  const linkTo = (leg: LegView, hash: string | null): Piece =>
    hash ? { text: say(language, 'leg-link', { hash: shortHash(hash) }), url: urlOf(leg, hash) } : '';
  const folds = isFolded(view.legs);
  const lines: Part[][] = [
    ...(folds ? [foldedText(language, view, view.legs.filter(isFoldable), linkTo)] : []),
    ...view.legs
      .filter((leg) => !(folds && isFoldable(leg)))
      .map((leg) =>
        leg.tab ? tabText(language, view, leg, waiting.length > 1, urlOf) : legText(language, view, leg, urlOf),
      ),
    how,
    ...view.refused.map(({ refusal }) => [refusalText(language, refusal, view)]),
  ];
  return lines.filter((line) => line.length > 0).flatMap((line, index) => (index === 0 ? line : ['\n', ...line]));
}

/** A tab that has its money, or will within moments, and is neither claimed nor gone back. */
export function isWaiting({ tab, status, failure }: LegView): boolean {
  const paid = status === 'settled' || (status === 'mined' && failure === null);
  return paid && tab !== null && tab.status !== 'claimed' && tab.status !== 'refunded';
}

function tabText(language: Language, view: IntentView, leg: LegView, isShort: boolean, urlOf: LegUrl): Piece[] {
  const { recipient, tab, txHash } = leg;
  const { amount } = moneyOf(leg);
  const about = { sender: view.sender, recipient, amount };
  const linkTo = (hash: string | null) =>
    hash ? { text: say(language, 'leg-link', { hash: shortHash(hash) }), url: urlOf(leg, hash) } : '';
  if (tab?.status === 'claimed') return sayLinked(language, 'tab-claimed', { ...about, link: linkTo(tab.closeTxHash) });
  if (tab?.status === 'refunded')
    return sayLinked(language, 'tab-went-back', { ...about, link: linkTo(tab.closeTxHash) });
  if (leg.status === 'failed') return failedText(language, view, leg);
  if (leg.status === 'mined' && leg.failure) return [say(language, 'tab-checked', about)];
  if (!isWaiting(leg) || !tab) return [say(language, 'tab-under-way', about)];
  const link = linkTo(txHash);
  const waits = isShort
    ? sayLinked(language, 'tab-waits-short', { recipient, amount, link })
    : sayLinked(language, 'tab-waits', { ...about, days: say(language, 'days', { days: tab.days }), link });
  if (leg.status === 'settled') return waits;
  return [...waits, ` ${say(language, 'tab-confirming', { chain: leg.chainLabel })}`];
}

function failedText(language: Language, { sender }: IntentView, leg: LegView): Piece[] {
  const { recipient, failure } = leg;
  const { amount } = moneyOf(leg);
  const hint = failure ? failureHint(language, failure) : '';
  return [say(language, 'leg-failed', { sender, recipient, amount, hint }).trim()];
}

function legText(language: Language, view: IntentView, leg: LegView, urlOf: LegUrl): Piece[] {
  const { recipient, chainLabel: chain } = leg;
  const { sender } = view;
  const what = sayWith(language, `leg-${view.kind}${view.chainTyped ? '-on-chain' : ''}`, {
    ...{ sender, recipient, chain },
    ...moneyOf(leg),
  });
  const hash = leg.txHash;
  const link = hash ? { text: say(language, 'leg-link', { hash: shortHash(hash) }), url: urlOf(leg, hash) } : '';
  switch (leg.status) {
    case 'settled':
      return sayLinked(language, 'leg-done', { what, link });
    case 'mined':
      if (leg.failure) return [say(language, 'leg-checked', { what })];
      return sayLinked(language, 'leg-confirming', { what, link, chain });
    case 'failed':
      return failedText(language, view, leg);
    default:
      return [say(language, 'leg-under-way', { what })];
  }
}

/** Why a leg failed, without anybody's figures: this is read by the whole chat. */
function failureHint(language: Language, failure: Refusal): string {
  if (failure.code === 'expired') return say(language, 'hint-expired');
  if (failure.code === 'sender_disconnected') return say(language, 'hint-disconnected');
  if (failure.code === 'router_paused') return say(language, 'hint-paused');
  return say(language, 'hint-check');
}

export function shortHash(hash: string): string {
  return `${hash.slice(0, 6)}…${hash.slice(-4)}`;
}

export function balanceText(language: Language, handle: string, lines: (BalanceLine | Unreachable)[]): string {
  const rows = lines.map((line) => {
    if ('unreachable' in line) return say(language, 'balance-away', line);
    const { chain, amount, asset, wrapped } = line;
    const held = { chain, amount: { amount, asset } };
    return wrapped ? say(language, 'balance-line-wrapped', { ...held, asset }) : say(language, 'balance-line', held);
  });
  return [say(language, 'balance-title', { handle }), ...rows].join('\n');
}

export function limitsText(language: Language, view: LimitsView): string {
  return [
    ...(view.paused_at === null ? [] : [say(language, 'limits-paused')]),
    say(language, 'limits-commands', { open: view.tips_left_this_hour, all: view.tips_per_hour }),
    say(language, 'limits-caps', {
      perCommand: { usd: view.command_cap },
      perDay: { usd: view.day_cap },
      spent: { usd: view.spent_24h_usd },
    }),
    ...view.chains.flatMap((chain) => limitLines(language, chain)),
  ].join('\n');
}

function limitLines(language: Language, chain: LimitsView['chains'][number]): string[] {
  if (chain.unreachable) return [say(language, 'limits-away', { chain: chain.label })];
  const name = chain.paused ? say(language, 'limits-chain-paused', { chain: chain.label }) : chain.label;
  return chain.tokens.map(({ asset, ...token }) => {
    const sum = (amount: string) => ({ amount, asset });
    return say(language, 'limits-line', {
      chain: name,
      perTip: sum(token.per_tip),
      left: sum(token.left_24h),
      perDay: sum(token.per_day),
      allowance: token.allowance === null ? say(language, 'limits-no-end') : showMoney(language, sum(token.allowance)),
    });
  });
}

export function historyText(language: Language, lines: HistoryLine[], now: number, platform: Platform): string {
  if (lines.length === 0) return say(language, 'history-none', { tip: examplesOf(language, platform).tip });
  return [say(language, 'history-title'), ...lines.map((line) => historyLine(language, line, now))].join('\n');
}

function historyLine(language: Language, line: HistoryLine, now: number): string {
  const { direction, amount, asset, counterparty, status } = line;
  return [
    say(language, `history-${direction}`, { amount: { amount, asset }, counterparty }),
    ago(language, now - Date.parse(line.at)),
    ...(status === 'final' ? [] : [say(language, `history-status-${status}`)]),
  ].join(' · ');
}

function ago(language: Language, ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return say(language, 'ago-now');
  if (minutes < 60) return say(language, 'ago-minutes', { minutes });
  if (minutes < 48 * 60) return say(language, 'ago-hours', { hours: Math.floor(minutes / 60) });
  return say(language, 'ago-days', { days: Math.floor(minutes / 1_440) });
}

/** `24 Nov 2026, 10:40 UTC`. */
export function inUtc(language: Language, at: number): string {
  const format = new Intl.DateTimeFormat(language, {
    ...{ day: '2-digit', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' },
    ...{ hourCycle: 'h23', timeZone: 'UTC' },
  });
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const { day = '', month = '', year = '', hour = '', minute = '' } = parts;
  return say(language, 'date-utc', { day, month, year, time: `${hour}:${minute}` });
}
