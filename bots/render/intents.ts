// Renders the messages of an intent: question, progress and receipt, and what concerns its sender alone.
import { type Ctx, chainOf } from '../../src/context.ts';
import { guestQueryOf } from '../../src/domain/chat.ts';
import type { Language } from '../../src/domain/language.ts';
import type { DueReply } from '../../src/services/outbox/due.ts';
import type { IntentView } from '../../src/services/tips/intentView.ts';
import type { Adapter, ButtonView, Rendered, Views } from '../adapter.ts';
import { intentText } from './intentText.ts';
import { chatButton, choice, pageUrl, plain, type RenderContext, withLinks } from './message.ts';
import { isWaiting } from './receipt.ts';
import { refusalText } from './refusals.ts';
import { remediesOf } from './remedies.ts';
import { say } from './say.ts';

/** @throws Error when the intent is not there */
export function viewOf(views: Views, { intentId }: { intentId: string }): IntentView {
  const view = views.intents.get(intentId);
  if (!view) throw new Error(`a reply speaks of the intent ${intentId}, which is not there`);
  return view;
}

/** In the chat of the command; a guest's question goes to the direct chat. */
export function renderIntent(ctx: Ctx, reply: DueReply<'intent'>, context: RenderContext): Rendered {
  const { adapter, views, language } = context;
  const view = viewOf(views, reply.data);
  const isAskedElsewhere = view.status === 'awaiting_confirmation' && guestQueryOf(reply.chatId) !== null;
  if (!isAskedElsewhere) return renderView(ctx, reply, context, view);
  return plain(say(language, 'guest-asked', { sender: view.sender }), [[chatButton(adapter, language)]]);
}

export function renderIntentQuestion(ctx: Ctx, reply: DueReply<'intent_question'>, context: RenderContext): Rendered {
  return renderView(ctx, reply, context, viewOf(context.views, reply.data));
}

/** The figures of a refusal. */
export function renderIntentPrivate(
  ctx: Ctx,
  reply: DueReply<'intent_private'>,
  { adapter, views, language }: RenderContext,
): Rendered {
  const { refusal } = viewOf(views, reply.data);
  if (!refusal) return plain('');
  return plain(refusalText(language, refusal, adapter), remediesOf(ctx, adapter, language, refusal));
}

function renderView(ctx: Ctx, reply: DueReply, { adapter, language }: RenderContext, view: IntentView): Rendered {
  const parts = intentText(language, view, (leg, hash) => receiptUrl(ctx, leg, hash));
  const buttons: ButtonView[][] = [];
  if (view.status === 'awaiting_confirmation')
    buttons.push(...choice(reply, say(language, 'button-send'), say(language, 'button-cancel')));
  buttons.push(...escrowButtons(ctx, adapter, view, language), ...holdButtons(ctx, view, language));
  if (view.status === 'waiting') buttons.push([adapter.connectButton(say(language, 'button-connect-first'))]);
  if (view.refusal && view.tellsInPrivate) buttons.push(...(view.tellsBeside ? [] : [[chatButton(adapter, language)]]));
  else if (view.refusal) buttons.push(...remediesOf(ctx, adapter, language, view.refusal));
  return { ...withLinks(parts), buttons };
}

/** The pages on which money can be held for recipients who are not known yet. */
export function holdUrls(ctx: Ctx, { refused, refusal }: IntentView): { label: string; url: string }[] {
  return [...refused.map((leg) => leg.refusal), ...(refusal ? [refusal] : [])].flatMap((one) =>
    one.code === 'recipient_unknown' && one.create
      ? [{ label: one.label, url: pageUrl(ctx, `/tabs/new?${one.create}`) }]
      : [],
  );
}

function holdButtons(ctx: Ctx, view: IntentView, language: Language): ButtonView[][] {
  return holdUrls(ctx, view).map(({ label, url }) => [{ label: say(language, 'button-keep-for', { label }), url }]);
}

/** The recipient connects to claim; the sender may take it back. */
function escrowButtons(ctx: Ctx, adapter: Adapter, view: IntentView, language: Language): ButtonView[][] {
  const [first, ...more] = view.legs.filter(isWaiting);
  if (!first?.escrow) return [];
  const claim = adapter.connectButton(say(language, 'button-claim'));
  const back =
    more.length === 0
      ? { label: say(language, 'button-take-back'), url: pageUrl(ctx, `/tabs/${first.escrow.id}`) }
      : { label: say(language, 'button-your-tabs'), url: pageUrl(ctx, '/tabs') };
  return [[claim, back]];
}

/** Our receipt leads on to the chain's explorer. Without TLS the explorer itself is shown. */
function receiptUrl(ctx: Ctx, leg: { id: string; chain: string }, hash: string): string {
  const receipt = pageUrl(ctx, `/r/${leg.id}`);
  return receipt.startsWith('https:') ? receipt : `${chainOf(ctx, leg.chain).explorerUrl}/tx/${hash}`;
}
