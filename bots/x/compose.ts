// What is posted of each reply on X, where nothing can be changed: once, in public or in a direct message.
import type { Ctx } from '../../src/context.ts';
import type { Language } from '../../src/domain/language.ts';
import { chatLink } from '../../src/services/accounts/connectLinks.ts';
import { mentionedIn } from '../../src/services/chat/mentions.ts';
import { chatOrderView, directOrderKey } from '../../src/services/orders/notices.ts';
import type { ReplyKind } from '../../src/services/outbox/content.ts';
import { type DueReply, directReplyOf, replyByKey } from '../../src/services/outbox/due.ts';
import type { Adapter, Composed, Rendered, Views } from '../adapter.ts';
import { errorPlace } from '../render/help.ts';
import { holdUrls, viewOf } from '../render/intents.ts';
import { plain } from '../render/message.ts';
import { errorText } from '../render/refusals.ts';
import { addresseeOf, render } from '../render/render.ts';
import { say } from '../render/say.ts';
import { intentSaying, keepNames, postText, shorten } from './text.ts';

const NOTHING: Composed = { kind: 'nothing' };
const DIRECT_WAIT_MS = 2_000;

/** Whether a chat is the direct messages with one person. */
export function directUser(chatId: string): string | null {
  return /^user:(\d{1,19})$/.exec(chatId)?.[1] ?? null;
}

export async function composeForX(ctx: Ctx, adapter: Adapter, reply: DueReply, views: Views): Promise<Composed> {
  const isDirect = directUser(reply.chatId) !== null;
  const composed = await (isDirect ? composeDirect : composePost)(ctx, adapter, reply, views);
  if (composed.kind !== 'say') return composed;
  const answered = answeredBy(reply, views);
  const message = { ...composed.message, ...(answered === null ? {} : { answered }) };
  if (isDirect || !reply.replyToMessageId) return { ...composed, message };
  // X would mention all accounts that the answered post mentions.
  const leaveOut = await mentionedIn(ctx, reply);
  return { ...composed, message: { ...message, leaveOut } };
}

const ANSWERS: ReadonlySet<ReplyKind> = new Set<ReplyKind>([
  'intent',
  'intent_private',
  'intent_question',
  'link',
  'link_sent',
  'link_question',
  'error',
  'help',
  'balance',
  'history',
  'limits',
  'subscriptions',
  'plan',
  'me',
  'deposit',
  'withdraw',
  'react',
  'leaderboard',
  'paused',
  'open_chat',
  'connected',
  'order',
]);

/**
 * The author of the post that a reply answers. Notices cost their readers nothing: others cause them. Ingesting a post reserves the cost of its
 * answer; a pause is always ingested, so its answer is not owed.
 */
function answeredBy(reply: DueReply, views: Views): { id: string; isOwed: boolean } | null {
  if (!ANSWERS.has(reply.kind)) return null;
  const id = addresseeOf(reply, views) ?? directUser(reply.chatId);
  return id === null ? null : { id, isOwed: reply.kind !== 'paused' };
}

async function composePost(ctx: Ctx, adapter: Adapter, reply: DueReply, views: Views): Promise<Composed> {
  const language = views.languageOf(reply);
  if (reply.kind === 'intent') return composeIntent(ctx, reply, views);
  if (reply.kind === 'link_sent' || reply.kind === 'open_chat') return composePointer(ctx, reply, language);
  if (reply.said !== null) return NOTHING;
  if (reply.kind === 'order') return composeOrder(ctx, reply, language);
  const text = await publicText(ctx, adapter, reply, views);
  const isCourtesy = reply.kind === 'error' || reply.kind === 'help';
  const message = plain(postText(language, text, null, referenceOf(reply)));
  return { kind: 'say', said: 'said', message: { ...message, isCourtesy } };
}

function composeIntent(ctx: Ctx, reply: DueReply<'intent'>, views: Views): Composed {
  const language = views.languageOf(reply);
  const view = viewOf(views, reply.data);
  const saying = intentSaying(language, view, reply.said, referenceOf(reply));
  if (saying === null) return NOTHING;
  const isQuestion = saying.said.startsWith('question');
  const again = isQuestion ? { again: shorten(language, `${say(language, 'x-asked-again')}\n${saying.text}`, '') } : {};
  // The one address that a post may have.
  const [hold] = ctx.env.X_CREATE_LINKS ? holdUrls(ctx, view) : [];
  const link = hold === undefined ? {} : { link: hold.url };
  return { kind: 'say', said: saying.said, message: { ...plain(saying.text), ...again, ...link } };
}

async function publicText(ctx: Ctx, adapter: Adapter, reply: DueReply, views: Views): Promise<string> {
  const language = views.languageOf(reply);
  if (reply.kind === 'help') return say(language, 'x-help');
  if (reply.kind !== 'error') return (await render(ctx, adapter, reply, views))?.text ?? '';
  if (reply.data.code === 'sender_not_connected') return say(language, 'x-unconnected');
  if (reply.data.code === 'post_edited') return say(language, 'x-edited');
  return errorText(language, reply.data, errorPlace(ctx, adapter));
}

/** Mentions a direct message only once it was sent: a post cannot be undone. */
async function composePointer(
  ctx: Ctx,
  reply: DueReply<'link_sent' | 'open_chat'>,
  language: Language,
): Promise<Composed> {
  const reference = referenceOf(reply);
  const post = (id: 'x-direct-closed' | 'x-connect-sent') =>
    plain(postText(language, say(language, id), null, reference));
  if (reply.data.refused) {
    if (reply.said === 'closed') return NOTHING;
    return { kind: 'say', said: 'closed', message: post('x-direct-closed') };
  }
  if (reply.said !== null) return NOTHING;
  const direct = await directReplyOf(ctx, reply);
  if (direct?.failure) return { kind: 'say', said: 'closed', message: post('x-direct-closed') };
  if (direct && direct.sentVersion === 0)
    return { kind: 'later', reason: 'the direct message goes first', retryAfterMs: DIRECT_WAIT_MS };
  return { kind: 'say', said: 'sent', message: post('x-connect-sent') };
}

/** An order without its link, once the seller has that directly: or with it, where the configuration and the budget of the day let it. */
async function composeOrder(ctx: Ctx, reply: DueReply<'order'>, language: Language): Promise<Composed> {
  const { orderId } = reply.data;
  const direct = await replyByKey(ctx, directOrderKey(orderId));
  if (direct && direct.failure === null && direct.sentVersion === 0)
    return { kind: 'later', reason: 'the direct message goes first', retryAfterMs: DIRECT_WAIT_MS };
  const { id, amount, currency, chainLabel: chain, url } = await chatOrderView(ctx, orderId);
  const words = direct?.failure === null ? 'x-order-direct' : 'x-order-page';
  const text = postText(
    language,
    say(language, words, { id, amount: { amount, asset: currency }, chain }),
    null,
    referenceOf(reply),
  );
  return { kind: 'say', said: 'said', message: { ...plain(text), ...(ctx.env.X_ORDER_LINKS ? { link: url } : {}) } };
}

async function composeDirect(ctx: Ctx, adapter: Adapter, reply: DueReply, views: Views): Promise<Composed> {
  const said = await directStage(ctx, reply);
  if (said === null || said === reply.said) return NOTHING;
  const message = await render(ctx, adapter, reply, views);
  if (message === null) return NOTHING;
  return {
    kind: 'say',
    said,
    message: plain(keepNames(message.text, null).trim() === '' ? '' : flat(message, views.languageOf(reply))),
  };
}

/** A link is shown while it can be used, a question while it is open, then what came of it; everything else is said once. */
async function directStage(ctx: Ctx, reply: DueReply): Promise<string | null> {
  if (reply.kind !== 'link' && reply.kind !== 'link_question') return reply.said === null ? 'said' : null;
  const { status } = await chatLink(ctx, reply.data.linkId);
  if (reply.kind === 'link') return status === 'open' ? 'open' : null;
  if (status === 'redeemed') return 'question';
  return status === 'confirmed' || status === 'declined' ? status : null;
}

/** Buttons in words: X has none. */
function flat(message: Rendered, language: Language): string {
  const buttons = message.buttons.flat();
  const links = buttons.flatMap((button) => ('url' in button ? [`${button.label}: ${button.url}`] : []));
  const isQuestion = buttons.some((button) => 'token' in button);
  return [message.text, ...links, ...(isQuestion ? [say(language, 'x-answer-here')] : [])].join('\n\n');
}

/** Short, and different for every reply: X refuses the same words twice within a day. */
function referenceOf(reply: DueReply): string {
  return reply.id.slice(-6).toUpperCase();
}
