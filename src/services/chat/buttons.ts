// Pressed buttons: each token works once, for one person, in one message.
import type { Ctx } from '../../context.ts';
import type { Tx } from '../../db.ts';
import type { ChatButton } from '../../domain/chat.ts';
import { answerLink, type LinkAnswer } from '../accounts/connectLinks.ts';
import { confirmIntent, declineIntent } from '../tips/preparation.ts';
import { isNoticeSwitch, type NoticeSwitch, pressNoticeSwitch } from '../tips/receivedSettings.ts';
import { finishInbox } from './inbox.ts';
import { CANCEL_ORDER, pressCancel } from './orderButton.ts';
import { offerWaiting } from './waiting.ts';

export type PressAnswer =
  | 'confirmed'
  | 'declined'
  | 'order_cancelled'
  | 'not_yours'
  | 'too_late'
  | 'too_early'
  | NoticeSwitch
  | LinkAnswer;

/** Applies a pressed button: its person, chat and message must be those of the row, and its token works once. */
export async function pressButton(ctx: Ctx, key: string, press: ChatButton): Promise<PressAnswer> {
  const outcome = await ctx.db.$transaction(async (tx): Promise<PressAnswer> => {
    const result = await applyPress(ctx, tx, press);
    return (await finishInbox(ctx, tx, key, result)) ? result : 'too_late';
  });
  await ctx.queues.flush(ctx.db);
  return outcome;
}

async function applyPress(ctx: Ctx, tx: Tx, press: ChatButton): Promise<PressAnswer> {
  const now = new Date(ctx.clock.now());
  const button = await tx.button.findUnique({ where: { token: press.token }, include: { reply: true } });
  if (!button) return 'too_late';
  if (button.reply.platformMessageId === null) return 'too_early';
  const samePlace =
    button.platform === press.platform && button.chatId === press.chatId && button.reply.botId === press.botId;
  if (button.userId !== press.userId || !samePlace) return 'not_yours';
  const { platformMessageId, twins, seeksTwins } = button.reply;
  if (![platformMessageId, ...twins].includes(press.messageId)) return seeksTwins ? 'too_early' : 'not_yours';
  if (isNoticeSwitch(button.action)) return pressNoticeSwitch(ctx, tx, button, button.action);
  if (button.action === CANCEL_ORDER) return (await pressCancel(ctx, tx, button)) ? 'order_cancelled' : 'too_late';
  const { count } = await tx.button.updateMany({
    where: { intentId: button.intentId, replyId: button.replyId, usedAt: null, expiresAt: { gt: now } },
    data: { usedAt: now },
  });
  if (count === 0) return 'too_late';
  if (button.linkId !== null) return answerLink(ctx, tx, button.linkId, button.action === 'confirm', offerWaiting);
  if (button.intentId === null) return 'too_late';
  const moved = await (button.action === 'confirm' ? confirmIntent : declineIntent)(ctx, tx, button.intentId);
  if (!moved) return 'too_late';
  return button.action === 'confirm' ? 'confirmed' : 'declined';
}
