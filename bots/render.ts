// Renders a reply from the rows as they are now, so that a late reply never says something old.
import { type Ctx, chainOf } from '../src/context.ts';
import type { Refusal } from '../src/domain/plan.ts';
import { balancesOf, limitsOf, personOf } from '../src/services/accounts.ts';
import { listHistory } from '../src/services/history.ts';
import { type IntentView, intentViews } from '../src/services/intentView.ts';
import { chatLink } from '../src/services/links.ts';
import type { DueReply } from '../src/services/replies.ts';
import { walletChangeNotice } from '../src/services/walletChanges.ts';
import type { Adapter, ButtonView, Rendered } from './adapter.ts';
import { errorText, refusalText, unconnectedText } from './refusalTexts.ts';
import {
  balanceText,
  connectedText,
  connectionNoticeText,
  disconnectedElsewhereText,
  disconnectedText,
  helpText,
  historyText,
  intentText,
  limitsText,
  linkQuestionText,
  linkSentText,
  linkText,
  openChatText,
  pausedText,
  rightText,
  walletNoticeText,
} from './texts.ts';

const HISTORY_LINES = 10;

type ReplyData = {
  intentId?: string;
  linkId?: string;
  changeId?: string;
  userId?: string;
  handle?: string;
  refused?: boolean;
  own?: boolean;
  commandCap?: string;
  dayCap?: string;
};

/** What rendering needs from the rows, read once for a whole batch. */
export type Views = Map<string, IntentView>;

/** Reads the intents that these replies speak of. */
export function readViews(ctx: Ctx, replies: DueReply[]): Promise<Views> {
  return intentViews(
    ctx,
    replies.flatMap((reply) => (reply.data as ReplyData).intentId ?? []),
  );
}

export async function render(ctx: Ctx, adapter: Adapter, reply: DueReply, views: Views): Promise<Rendered> {
  const data = reply.data as ReplyData;
  switch (reply.kind) {
    case 'intent':
      return renderIntent(ctx, adapter, reply, viewOf(views, data.intentId));
    case 'intent_private': {
      const { refusal } = viewOf(views, data.intentId);
      if (!refusal) return plain('');
      return { ...plain(refusalText(refusal, adapter.botUsername)), buttons: remedy(ctx, refusal) };
    }
    case 'link':
      return renderLink(ctx, data.linkId ?? '');
    case 'link_question':
      return renderLinkQuestion(ctx, reply, data.linkId ?? '');
    case 'link_sent':
      return data.refused ? openChat(adapter) : { ...plain(linkSentText()), buttons: [[chatButton(adapter)]] };
    case 'notice':
      return data.linkId === undefined
        ? renderWalletNotice(ctx, reply, data.changeId ?? '')
        : renderConnectionNotice(ctx, data.linkId);
    case 'disconnected':
      return data.handle === undefined
        ? plain(disconnectedText())
        : { ...plain(disconnectedElsewhereText(data.handle)), buttons: [[settingsButton(ctx)]] };
    case 'right':
      return plain(rightText({ own: data.own === true, commandCap: data.commandCap ?? '', dayCap: data.dayCap ?? '' }));
    case 'help':
      return plain(helpText(adapter.botUsername));
    case 'error':
      return plain(errorText(data as { code: string }, ctx.clock.now(), adapter.botUsername));
    case 'open_chat':
      return openChat(adapter);
    case 'paused':
      return plain(pausedText());
    default:
      return plain(await personalText(ctx, adapter, reply, data.userId ?? ''));
  }
}

function viewOf(views: Views, intentId: string | undefined): IntentView {
  const view = views.get(intentId ?? '');
  if (!view) throw new Error(`a reply speaks of the intent ${intentId}, which is not there`);
  return view;
}

async function personalText(ctx: Ctx, adapter: Adapter, reply: DueReply, userId: string): Promise<string> {
  const person = await personOf(ctx, reply.platform, userId);
  if (!person) return unconnectedText(adapter.botUsername);
  if (reply.kind === 'connected') return connectedText(person.slug);
  if (reply.kind === 'balance') return balanceText(person.slug, await balancesOf(ctx, person));
  if (reply.kind === 'limits') return limitsText(await limitsOf(ctx, person, reply.platform, userId));
  const { lines } = await listHistory(ctx, person.handleId, {}, { limit: HISTORY_LINES });
  return historyText(lines, ctx.clock.now());
}

function renderIntent(ctx: Ctx, adapter: Adapter, reply: DueReply, view: IntentView): Rendered {
  const parts = intentText(view, (leg, hash) => receiptUrl(ctx, leg, hash));
  const buttons: ButtonView[][] = [];
  if (view.status === 'awaiting_confirmation') buttons.push(...choice(reply, 'Send', 'Cancel'));
  if (view.refusal && view.tellsInPrivate) buttons.push([chatButton(adapter)]);
  else if (view.refusal) buttons.push(...remedy(ctx, view.refusal));
  return { ...withLinks(parts), buttons };
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
async function renderLink(ctx: Ctx, linkId: string): Promise<Rendered> {
  const link = await chatLink(ctx, linkId);
  const url = link.secret === null ? null : `${pageUrl(ctx, '/connect')}#${link.secret}`;
  return { ...plain(linkText(link)), buttons: url === null ? [] : [[{ label: 'Connect', url }]] };
}

async function renderLinkQuestion(ctx: Ctx, reply: DueReply, linkId: string): Promise<Rendered> {
  const link = await chatLink(ctx, linkId);
  const buttons = link.status === 'redeemed' ? choice(reply, 'Connect', 'No') : [];
  if (link.status === 'confirmed') buttons.push([spendingButton(ctx)]);
  return { ...plain(linkQuestionText(link)), buttons };
}

/** For the other chats of a handle. */
async function renderConnectionNotice(ctx: Ctx, linkId: string): Promise<Rendered> {
  return { ...plain(connectionNoticeText(await chatLink(ctx, linkId))), buttons: [[settingsButton(ctx)]] };
}

async function renderWalletNotice(ctx: Ctx, reply: DueReply, changeId: string): Promise<Rendered> {
  const change = await walletChangeNotice(ctx, changeId, reply);
  const button = change.status === 'applied' && change.connected ? spendingButton(ctx) : settingsButton(ctx);
  return { ...plain(walletNoticeText(change)), buttons: [[button]] };
}

/** Where a refusal can be mended. */
function remedy(ctx: Ctx, refusal: Refusal): ButtonView[][] {
  return refusal.code === 'sender_receive_only' ? [[spendingButton(ctx)]] : [];
}

function spendingButton(ctx: Ctx): ButtonView {
  return { label: 'Choose what I may spend', url: pageUrl(ctx, '/spending') };
}

function settingsButton(ctx: Ctx): ButtonView {
  return { label: 'Settings', url: pageUrl(ctx, '/settings') };
}

function pageUrl(ctx: Ctx, path: string): string {
  return new URL(path, ctx.env.BASE_URL).href;
}

function chatButton(adapter: Adapter): ButtonView {
  return { label: 'Open our chat', url: adapter.directChatUrl() };
}

function openChat(adapter: Adapter): Rendered {
  return { ...plain(openChatText()), buttons: [[chatButton(adapter)]] };
}

function plain(text: string): Rendered {
  return { text, links: [], buttons: [] };
}

/** Joins pieces of text, some of them linked, and counts the links' places in UTF-16 units. */
function withLinks(parts: (string | { text: string; url: string })[]): Pick<Rendered, 'text' | 'links'> {
  let text = '';
  const links: Rendered['links'] = [];
  for (const part of parts) {
    if (typeof part === 'string') {
      text += part;
      continue;
    }
    links.push({ offset: text.length, length: part.text.length, url: part.url });
    text += part.text;
  }
  return { text, links };
}
