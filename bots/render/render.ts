// Renders a reply from the rows as they are now, so that a late reply never says something old.
import { type Ctx, chainOf } from '../../src/context.ts';
import { directChatUser, guestQueryOf } from '../../src/domain/chat.ts';
import type { Platform } from '../../src/domain/command.ts';
import type { Language } from '../../src/domain/language.ts';
import { chatLink } from '../../src/services/accounts/connectLinks.ts';
import { walletChangeNotice } from '../../src/services/accounts/walletChanges.ts';
import { type LeaderboardOutcome, leaderboardOf } from '../../src/services/chat/leaderboard.ts';
import { type ReactionOutcome, reactionSetting } from '../../src/services/chat/reactions.ts';
import { languagesOf, type Reader } from '../../src/services/outbox/languages.ts';
import type { DueReply } from '../../src/services/outbox/replies.ts';
import { balancesOf, limitsOf, personOf } from '../../src/services/spending/chatBalances.ts';
import { servedAssets, servedChains } from '../../src/services/tips/chainChoice.ts';
import { listHistory } from '../../src/services/tips/history.ts';
import { type IntentView, intentViews } from '../../src/services/tips/intentView.ts';
import { threadTotal } from '../../src/services/tips/threads.ts';
import type { DisabledEndpoint } from '../../src/services/webhooks/endpointNotices.ts';
import type { Adapter, ButtonView, Rendered, Views } from '../adapter.ts';
import { leaderboardText, reactText, threadText } from './beyond.ts';
import { renderTabNotice, renderWaiting } from './escrows.ts';
import { examplesOf } from './examples.ts';
import type { Part } from './foldedReceipt.ts';
import { renderOrder, renderOrderNotice } from './orders.ts';
import { renderReceived } from './received.ts';
import { type ErrorPlace, errorText, refusalText, unconnectedText } from './refusals.ts';
import { remediesOf } from './remedies.ts';
import { type Piece, say } from './say.ts';
import {
  balanceText,
  connectionNoticeText,
  endpointText,
  historyText,
  intentText,
  isWaiting,
  limitsText,
  linkQuestionText,
  linkText,
  rightText,
  walletNoticeText,
} from './texts.ts';

const HISTORY_LINES = 10;

const NO_THREAD = { platform: '', botId: '', chatId: '', messageId: '' };

type ReplyData = {
  thread?: typeof NO_THREAD;
  intentId?: string;
  escrowId?: string;
  orderId?: string;
  handleId?: string;
  linkId?: string;
  changeId?: string;
  endpoint?: DisabledEndpoint;
  account?: { platform: string; platformUserId: string; username: string | null; handle: string };
  userId?: string;
  handle?: string;
  refused?: boolean;
  inGroup?: boolean;
  isStart?: boolean;
  outcome?: string;
  cap?: string;
  own?: boolean;
  commandCap?: string;
  dayCap?: string;
};

/** Reads the intents that these replies speak of, and the languages of those who read them. */
export async function readViews(ctx: Ctx, replies: DueReply[]): Promise<Views> {
  const intents = await intentViews(
    ctx,
    replies.flatMap((reply) => (reply.data as ReplyData).intentId ?? []),
  );
  const languageOf = await languagesOf(
    ctx,
    replies.map((reply) => readerOf(reply, intents)),
  );
  return { intents, languageOf: (reply) => languageOf(readerOf(reply, intents)) };
}

/** Whom a reply is said to: in a group whoever typed the command, in a direct chat the person whose chat it is. */
function readerOf({ platform, chatId, data }: DueReply, intents: Map<string, IntentView>): Reader {
  const { userId, intentId } = data as ReplyData;
  return { platform, userId: userId ?? intents.get(intentId ?? '')?.senderId ?? directChatUser(chatId) };
}

/** @returns null when this version has nothing to show */
export async function render(ctx: Ctx, adapter: Adapter, reply: DueReply, views: Views): Promise<Rendered | null> {
  const data = reply.data as ReplyData;
  const language = views.languageOf(reply);
  switch (reply.kind) {
    case 'intent': {
      const view = viewOf(views, data.intentId);
      const isAsked = view.status === 'awaiting_confirmation' && guestQueryOf(reply.chatId) !== null;
      if (!isAsked) return renderIntent(ctx, adapter, reply, view, language);
      const text = say(language, 'guest-asked', { sender: view.sender });
      return { ...plain(text), buttons: [[chatButton(adapter, language)]] };
    }
    case 'intent_question':
      return renderIntent(ctx, adapter, reply, viewOf(views, data.intentId), language);
    case 'intent_private': {
      const { refusal } = viewOf(views, data.intentId);
      if (!refusal) return plain('');
      return { ...plain(refusalText(language, refusal, reply)), buttons: remediesOf(ctx, adapter, language, refusal) };
    }
    case 'guest_private':
      if (data.refused) return openChat(adapter, language);
      return { ...plain(say(language, 'guest-private')), buttons: [[chatButton(adapter, language)]] };
    case 'link':
      return renderLink(ctx, data.linkId ?? '', language);
    case 'link_question':
      return renderLinkQuestion(ctx, reply, data.linkId ?? '', language);
    case 'link_sent':
      if (data.refused) return openChat(adapter, language);
      return { ...plain(say(language, 'link-sent')), buttons: [[chatButton(adapter, language)]] };
    case 'notice':
      if (data.account === undefined) return renderWalletNotice(ctx, reply, data.changeId ?? '', language);
      return {
        ...plain(connectionNoticeText(language, data.account)),
        buttons: [[settingsButton(ctx, language)]],
      };
    case 'endpoint_disabled': {
      const button = { label: say(language, 'button-webhooks'), url: pageUrl(ctx, '/webhooks') };
      if (!data.endpoint) throw new Error('a reply speaks of no endpoint');
      return { ...plain(endpointText(language, data.endpoint)), buttons: [[button]] };
    }
    case 'disconnected': {
      const { handle } = data;
      if (handle === undefined) return plain(say(language, 'disconnected'));
      const text = say(language, 'disconnected-elsewhere', { handle });
      return { ...plain(text), buttons: [[settingsButton(ctx, language)]] };
    }
    case 'right': {
      const { own = false, commandCap = '', dayCap = '' } = data;
      return plain(rightText(language, { own, commandCap, dayCap }));
    }
    case 'help':
      return renderHelp(ctx, adapter, reply, language);
    case 'error':
      return renderError(ctx, adapter, reply, language);
    case 'open_chat':
      return openChat(adapter, language);
    case 'react': {
      const setting = await reactionSetting(ctx, reply.platform, data.userId ?? '');
      const text = reactText(language, data.outcome as ReactionOutcome, setting, data.cap ?? '', reply.platform);
      return { ...plain(text), buttons: data.outcome === 'receive_only' ? [[spendingButton(ctx, language)]] : [] };
    }
    case 'leaderboard': {
      const board = await leaderboardOf(ctx, reply.platform, reply.chatId);
      return plain(leaderboardText(language, data.outcome as LeaderboardOutcome, board));
    }
    case 'thread_total':
      return plain(threadText(language, await threadTotal(ctx, data.thread ?? NO_THREAD)));
    case 'paused':
      return {
        ...plain(say(language, 'paused')),
        buttons: remediesOf(ctx, adapter, language, { code: 'sender_paused' }),
      };
    case 'received':
      return renderReceived(ctx, adapter, reply, language, (path) => pageUrl(ctx, path));
    case 'tab_claimed':
    case 'tab_refunded':
    case 'tab_reminder':
    case 'tab_name_hold':
      return renderTabNotice(ctx, reply, data.escrowId ?? '', language, (path) => pageUrl(ctx, path));
    case 'order':
      return renderOrder(ctx, reply, data.orderId ?? '', language);
    case 'order_end':
    case 'order_money':
      return renderOrderNotice(ctx, reply, data.orderId ?? '', language);
    case 'waiting':
      return renderWaiting(ctx, data.handleId ?? '', language, (path) => pageUrl(ctx, path));
    default:
      return renderPersonal(ctx, adapter, reply, data.userId ?? '', language);
  }
}

function onlyFor({ userId }: ReplyData): Pick<Rendered, 'onlyFor'> {
  return userId === undefined ? {} : { onlyFor: userId };
}

function viewOf(views: Views, intentId: string | undefined): IntentView {
  const view = views.intents.get(intentId ?? '');
  if (!view) throw new Error(`a reply speaks of the intent ${intentId}, which is not there`);
  return view;
}

async function renderPersonal(
  ctx: Ctx,
  adapter: Adapter,
  reply: DueReply,
  userId: string,
  language: Language,
): Promise<Rendered> {
  const person = await personOf(ctx, reply.platform, userId);
  if (!person) {
    const buttons = remediesOf(ctx, adapter, language, { code: 'sender_not_connected' });
    return { ...plain(unconnectedText(language)), buttons };
  }
  if (reply.kind === 'connected') return plain(say(language, 'link-connected-already', { handle: person.slug }));
  if (reply.kind === 'balance') return plain(balanceText(language, person.slug, await balancesOf(ctx, person)));
  if (reply.kind === 'limits') return plain(limitsText(language, await limitsOf(ctx, person, reply.platform, userId)));
  const { lines } = await listHistory(ctx, person.handleId, {}, { limit: HISTORY_LINES });
  return plain(historyText(language, lines, ctx.clock.now(), adapter.platform as Platform));
}

function renderIntent(ctx: Ctx, adapter: Adapter, reply: DueReply, view: IntentView, language: Language): Rendered {
  const parts = intentText(language, view, (leg, hash) => receiptUrl(ctx, leg, hash));
  const buttons: ButtonView[][] = [];
  if (view.status === 'awaiting_confirmation')
    buttons.push(...choice(reply, say(language, 'button-send'), say(language, 'button-cancel')));
  buttons.push(...tabButtons(ctx, adapter, view, language), ...keepButtons(ctx, view, language));
  if (view.status === 'waiting') buttons.push([adapter.connectButton(say(language, 'button-connect-first'))]);
  if (view.refusal && view.tellsInPrivate) buttons.push(...(view.tellsBeside ? [] : [[chatButton(adapter, language)]]));
  else if (view.refusal) buttons.push(...remediesOf(ctx, adapter, language, view.refusal));
  return { ...withLinks(parts), buttons };
}

/** Where money can be kept for somebody whom nobody knows yet. */
function keepButtons(ctx: Ctx, view: IntentView, language: Language): ButtonView[][] {
  const refusals = [...view.refused.map(({ refusal }) => refusal), ...(view.refusal ? [view.refusal] : [])];
  return refusals.flatMap((refusal) =>
    refusal.code === 'recipient_unknown' && refusal.create
      ? [
          [
            {
              label: say(language, 'button-keep-for', { label: refusal.label }),
              url: pageUrl(ctx, `/tabs/new?${refusal.create}`),
            },
          ],
        ]
      : [],
  );
}

/** Whoever money waits for connects to claim it; whoever sent it may take it back. */
function tabButtons(ctx: Ctx, adapter: Adapter, view: IntentView, language: Language): ButtonView[][] {
  const open = view.legs.filter(isWaiting);
  const [first, ...more] = open;
  if (!first?.tab) return [];
  const claim = adapter.connectButton(say(language, 'button-claim'));
  const back =
    more.length === 0
      ? { label: say(language, 'button-take-back'), url: pageUrl(ctx, `/tabs/${first.tab.id}`) }
      : { label: say(language, 'button-your-tabs'), url: pageUrl(ctx, '/tabs') };
  return [[claim, back]];
}

/** Our receipt leads on to the chain's explorer. A page without TLS is nothing to send people to: there the explorer itself is shown. */
function receiptUrl(ctx: Ctx, leg: { id: string; chain: string }, hash: string): string {
  const receipt = pageUrl(ctx, `/r/${leg.id}`);
  return receipt.startsWith('https:') ? receipt : `${chainOf(ctx, leg.chain).explorerUrl}/tx/${hash}`;
}

/** The two buttons of a question, as long as they can be pressed. */
function choice(reply: DueReply, yes: string, no: string): ButtonView[][] {
  const open = reply.buttons.filter((button) => button.usedAt === null);
  const token = (action: string) => open.findLast((button) => button.action === action)?.token;
  const [confirm, decline] = [token('confirm'), token('decline')];
  if (!confirm || !decline) return [];
  return [
    [
      { label: yes, token: confirm },
      { label: no, token: decline },
    ],
  ];
}

/** The secret stands behind the #, which no browser sends to a server. */
async function renderLink(ctx: Ctx, linkId: string, language: Language): Promise<Rendered> {
  const link = await chatLink(ctx, linkId);
  const url = link.secret === null ? null : `${pageUrl(ctx, '/connect')}#${link.secret}`;
  const buttons = url === null ? [] : [[{ label: say(language, 'button-connect'), url }]];
  return { ...plain(linkText(language, link)), buttons };
}

async function renderLinkQuestion(ctx: Ctx, reply: DueReply, linkId: string, language: Language): Promise<Rendered> {
  const link = await chatLink(ctx, linkId);
  const [yes, no] = [say(language, 'button-connect'), say(language, 'button-no')];
  const buttons = link.status === 'redeemed' ? choice(reply, yes, no) : [];
  if (link.status === 'confirmed') buttons.push([spendingButton(ctx, language)]);
  return { ...plain(linkQuestionText(language, link)), buttons };
}

async function renderWalletNotice(ctx: Ctx, reply: DueReply, changeId: string, language: Language): Promise<Rendered> {
  const change = await walletChangeNotice(ctx, changeId, reply);
  const mayChoose = change.status === 'applied' && change.connected;
  const button = mayChoose ? spendingButton(ctx, language) : settingsButton(ctx, language);
  return { ...plain(walletNoticeText(language, change)), buttons: [[button]] };
}

function renderError(ctx: Ctx, adapter: Adapter, reply: DueReply, language: Language): Rendered {
  const data = reply.data as ReplyData & { code: string; word?: string };
  const text = errorText(language, data, errorPlace(ctx, reply));
  return { ...plain(text), buttons: remediesOf(ctx, adapter, language, data), ...onlyFor(data) };
}

/** What an error's text needs to know of where it is read and of this deployment. */
export function errorPlace(ctx: Ctx, { platform }: DueReply): ErrorPlace {
  return { platform, chains: servedChains(ctx), assets: servedAssets(ctx), now: ctx.clock.now() };
}

function renderHelp(ctx: Ctx, adapter: Adapter, reply: DueReply, language: Language): Rendered {
  const data = reply.data as ReplyData;
  const platform = adapter.platform as Platform;
  if (data.inGroup) {
    const text = say(language, 'help-group', { tip: examplesOf(language, platform).tip });
    return { ...plain(text), buttons: [[chatButton(adapter, language)]], ...onlyFor(data) };
  }
  if (data.isStart) {
    const page = (path: string) => pageUrl(ctx, path);
    const buttons = [
      [adapter.connectButton(say(language, 'button-connect'))],
      [
        { label: say(language, 'button-try'), url: page('/') },
        { label: say(language, 'button-fees'), url: page('/#fees') },
      ],
    ];
    return { ...plain(say(language, 'start', { tip: examplesOf(language, platform).tip })), buttons };
  }
  const bot = adapter.botUsername;
  const text = platform === 'discord' ? say(language, 'help-discord', { bot }) : say(language, 'help-telegram');
  return { ...plain(text), buttons: [[{ label: say(language, 'button-more'), url: pageUrl(ctx, '/') }]] };
}

function spendingButton(ctx: Ctx, language: Language): ButtonView {
  return { label: say(language, 'button-spending'), url: pageUrl(ctx, '/spending') };
}

function settingsButton(ctx: Ctx, language: Language): ButtonView {
  return { label: say(language, 'button-settings'), url: pageUrl(ctx, '/settings') };
}

function pageUrl(ctx: Ctx, path: string): string {
  return new URL(path, ctx.env.BASE_URL).href;
}

function chatButton(adapter: Adapter, language: Language): ButtonView {
  return { label: say(language, 'button-open-chat'), url: adapter.directChatUrl() };
}

function openChat(adapter: Adapter, language: Language): Rendered {
  return { ...plain(say(language, 'open-chat')), buttons: [[chatButton(adapter, language)]] };
}

function plain(text: string): Rendered {
  return { text, links: [], buttons: [] };
}

/** Joins pieces of text, some of them linked, and counts the links' places in UTF-16 units. */
export function withLinks(parts: Part[]): Pick<Rendered, 'text' | 'links' | 'folded'> {
  let text = '';
  let folded: Rendered['folded'];
  const links: Rendered['links'] = [];
  function add(piece: Piece): void {
    const shown = typeof piece === 'string' ? piece : piece.text;
    if (typeof piece !== 'string') links.push({ offset: text.length, length: shown.length, url: piece.url });
    text += shown;
  }
  for (const part of parts) {
    if (typeof part === 'string' || 'url' in part) {
      add(part);
      continue;
    }
    text += '\n';
    const offset = text.length;
    for (const piece of part.folded.flatMap((line, index) => (index === 0 ? line : ['\n', ...line]))) add(piece);
    folded = { offset, length: text.length - offset };
  }
  return { text, links, ...(folded ? { folded } : {}) };
}
