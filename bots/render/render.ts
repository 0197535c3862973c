// Renders a reply from the rows as they are now, so that a late reply never shows an old state.
import type { Ctx } from '../../src/context.ts';
import { directChatUser } from '../../src/domain/chat.ts';
import type { ReplyKind } from '../../src/services/outbox/content.ts';
import type { DueReply } from '../../src/services/outbox/due.ts';
import { languagesOf, type Reader } from '../../src/services/outbox/languages.ts';
import { type IntentView, intentViews } from '../../src/services/tips/intentView.ts';
import type { Adapter, Rendered, Views } from '../adapter.ts';
import { renderDisconnected, renderEndpointDisabled, renderNotice, renderPaused, renderRight } from './accounts.ts';
import {
  renderBalance,
  renderConnected,
  renderDeposit,
  renderHistory,
  renderLimits,
  renderMe,
  renderWithdraw,
} from './balances.ts';
import { renderClaimed, renderNameHold, renderRefunded, renderReminder, renderWaiting } from './escrows.ts';
import { renderGrant } from './grants.ts';
import { renderLeaderboard, renderReact, renderThreadTotal } from './groups.ts';
import { renderError, renderHelp } from './help.ts';
import { renderIntent, renderIntentPrivate, renderIntentQuestion } from './intents.ts';
import { renderLink, renderLinkQuestion, renderOpenChat, renderPointer } from './links.ts';
import type { RenderContext } from './message.ts';
import { renderOrder, renderOrderEnd, renderOrderMoney } from './orders.ts';
import { renderReceived, renderSendReceived } from './received.ts';
import {
  renderCharged,
  renderFailing,
  renderHalted,
  renderLow,
  renderNewPrice,
  renderPlanForm,
  renderSubscriptionCancelled,
  renderSubscriptions,
} from './subscriptions.ts';

/** @returns null when this version has nothing to show */
type Renderer<Kind extends ReplyKind> = (
  ctx: Ctx,
  reply: DueReply<Kind>,
  context: RenderContext,
) => Rendered | null | Promise<Rendered | null>;

const RENDERERS: { [Kind in ReplyKind]: Renderer<Kind> } = {
  intent: renderIntent,
  intent_private: renderIntentPrivate,
  intent_question: renderIntentQuestion,
  guest_private: renderPointer,
  help: renderHelp,
  balance: renderBalance,
  history: renderHistory,
  limits: renderLimits,
  subscriptions: renderSubscriptions,
  me: renderMe,
  deposit: renderDeposit,
  withdraw: renderWithdraw,
  plan: renderPlanForm,
  react: renderReact,
  leaderboard: renderLeaderboard,
  paused: renderPaused,
  error: renderError,
  // An emoji under the message, which has no text.
  reaction: () => null,
  open_chat: renderOpenChat,
  link: renderLink,
  link_sent: renderPointer,
  link_question: renderLinkQuestion,
  connected: renderConnected,
  disconnected: renderDisconnected,
  notice: renderNotice,
  right: renderRight,
  waiting: renderWaiting,
  thread_total: renderThreadTotal,
  received: renderReceived,
  tab_claimed: renderClaimed,
  tab_refunded: renderRefunded,
  tab_reminder: renderReminder,
  tab_name_hold: renderNameHold,
  subscription_failing: renderFailing,
  subscription_halted: renderHalted,
  subscription_cancelled: renderSubscriptionCancelled,
  subscription_low: renderLow,
  subscription_price: renderNewPrice,
  subscription_charged: renderCharged,
  grant: renderGrant,
  send_received: renderSendReceived,
  order: renderOrder,
  order_end: renderOrderEnd,
  order_money: renderOrderMoney,
  endpoint_disabled: renderEndpointDisabled,
};

/** @returns null when this version has nothing to show */
export async function render(ctx: Ctx, adapter: Adapter, reply: DueReply, views: Views): Promise<Rendered | null> {
  return renderKind(ctx, reply, { adapter, views, language: views.languageOf(reply) });
}

function renderKind<Kind extends ReplyKind>(ctx: Ctx, reply: DueReply<Kind>, context: RenderContext) {
  return RENDERERS[reply.kind](ctx, reply, context);
}

/** Reads the intents of these replies, and the languages of their readers. */
export async function readViews(ctx: Ctx, replies: DueReply[]): Promise<Views> {
  const intents = await intentViews(
    ctx,
    replies.flatMap(({ data }) => ('intentId' in data ? data.intentId : [])),
  );
  const languageOf = await languagesOf(
    ctx,
    replies.map((reply) => readerOf(reply, intents)),
  );
  return { intents, languageOf: (reply) => languageOf(readerOf(reply, intents)) };
}

/** Who reads a reply: in a group the sender of the command, in a direct chat its person. */
function readerOf(reply: DueReply, intents: Map<string, IntentView>): Reader {
  return { platform: reply.platform, userId: addresseeOf(reply, { intents }) ?? directChatUser(reply.chatId) };
}

/** The platform's id of the person whom a reply addresses; null when only its chat shows it. */
export function addresseeOf({ data }: DueReply, { intents }: Pick<Views, 'intents'>): string | null {
  if (data.userId !== undefined) return data.userId;
  return 'intentId' in data ? (intents.get(data.intentId)?.senderId ?? null) : null;
}
