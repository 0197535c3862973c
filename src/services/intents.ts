// What an inbox entry leads to: an accepted intent, a pressed button's effect, or a plain answer. Each closes the entry in the same transaction.
import type { Ctx } from '../context.ts';
import { newId } from '../context.ts';
import type { Json, Tx } from '../db.ts';
import type { ChatButton, ChatMessage } from '../domain/chat.ts';
import type { Command } from '../domain/command.ts';
import { ERROR_REPLIES, TIP_VALIDITY_MS, TIPS_PER_WINDOW_CONNECTED, tipsKey } from '../domain/limits.ts';
import { enqueue } from '../queues.ts';
import { findConnection } from './connections.ts';
import { finishInbox } from './inbox.ts';
import { answerLink, type LinkAnswer } from './links.ts';
import { pauseHandle } from './pauses.ts';
import { hit } from './rateLimit.ts';
import { type ReplyKind, reviveReplies, wantReply } from './replies.ts';
import { confirmIntent, declineIntent } from './tips.ts';

/**
 * Accepts a command that moves money: counts it, stores the intent and asks for its job, all or nothing.
 * A sender over the limit, or without a connection, gets an answer instead.
 */
export async function acceptIntent(ctx: Ctx, key: string, message: ChatMessage, command: Command): Promise<void> {
  const connection = await findConnection(ctx, message.platform, message.sender.id);
  if (!connection) return answerError(ctx, key, message, { code: 'sender_not_connected' });
  await ctx.db.$transaction(async (tx) => {
    const now = ctx.clock.now();
    const id = newId(ctx, 'int');
    if (!(await closeEntry(ctx, tx, key, message, id))) return;
    const rate = await countCommand(ctx, tx, key, message, connection.handleId, now);
    if (!rate.allowed) {
      await tx.inbox.update({ where: { key }, data: { outcome: 'limited' } });
      await errorReply(ctx, tx, key, message, { code: 'rate_limited', retryAt: rate.retryAt });
      return;
    }
    await tx.intent.create({
      data: {
        id,
        inboxKey: key,
        platform: message.platform,
        botId: message.botId,
        chatId: message.chatId,
        chatKind: message.chatKind,
        messageId: message.messageId,
        senderId: message.sender.id,
        senderUsername: message.sender.username,
        senderHandleId: connection.handleId,
        command: command as object,
        status: 'accepted',
        acceptedAt: new Date(now),
        validUntil: new Date(now + TIP_VALIDITY_MS),
        nextAttemptAt: new Date(now),
      },
    });
    await enqueue(tx, 'intents', `intent-${id}`, { intentIds: [id] }, now);
  });
  await ctx.queues.flush(ctx.db);
}

/** Closes a message's entry. Somebody who writes in the direct chat can be told there what was held back. */
export async function closeEntry(
  ctx: Ctx,
  tx: Tx,
  key: string,
  message: ChatMessage,
  outcome: string,
): Promise<boolean> {
  const closed = await finishInbox(ctx, tx, key, outcome);
  if (closed && message.chatKind === 'dm') await reviveReplies(ctx, tx, message);
  return closed;
}

/** Five commands an hour, for the platform account and for the handle behind all of its accounts. */
function countCommand(ctx: Ctx, tx: Tx, key: string, message: ChatMessage, handleId: string, now: number) {
  const limits = [tipsKey('handle', handleId), tipsKey(message.platform, message.sender.id)];
  return hit(
    ctx,
    tx,
    { id: key, limits: limits.map((name) => ({ key: name, window: TIPS_PER_WINDOW_CONNECTED })) },
    now,
  );
}

/** Answers a command that moves nothing. Figures about somebody's money go to that person's direct chat only. */
export async function answer(ctx: Ctx, key: string, message: ChatMessage, kind: ReplyKind, data: Json): Promise<void> {
  const inPrivate = kind !== 'help' && message.chatKind !== 'dm';
  const origin = inPrivate ? { origin: { chatId: message.chatId, messageId: message.messageId } } : {};
  await ctx.db.$transaction(async (tx) => {
    if (!(await closeEntry(ctx, tx, key, message, kind))) return;
    const to = {
      platform: message.platform,
      botId: message.botId,
      chatId: inPrivate ? message.sender.id : message.chatId,
    };
    await wantReply(ctx, tx, {
      key: `answer:${key}`,
      to,
      replyTo: inPrivate ? null : message.messageId,
      kind,
      data: { ...(data as object), ...origin },
    });
  });
  await ctx.queues.flush(ctx.db);
}

/** Answers a command that was not understood or not allowed; quietly dropped when this person was told something within ten minutes. */
export async function answerError(
  ctx: Ctx,
  key: string,
  message: ChatMessage,
  data: { code: string; [field: string]: Json },
): Promise<void> {
  await ctx.db.$transaction(async (tx) => {
    if (!(await closeEntry(ctx, tx, key, message, `error:${data.code}`))) return;
    await errorReply(ctx, tx, key, message, data);
  });
  await ctx.queues.flush(ctx.db);
}

export async function errorReply(
  ctx: Ctx,
  tx: Tx,
  key: string,
  message: ChatMessage,
  data: { code: string; [field: string]: Json },
) {
  // When the next tip is possible is an answer of its own: an earlier mistake must not hide it.
  const slot = data.code === 'rate_limited' ? 'limits' : 'errors';
  const limit = { key: `${slot}:${message.platform}:${message.sender.id}`, window: ERROR_REPLIES };
  const cooled = await hit(ctx, tx, { id: key, limits: [limit] }, ctx.clock.now());
  if (!cooled.allowed) return;
  await wantReply(ctx, tx, { key: `answer:${key}`, to: message, replyTo: message.messageId, kind: 'error', data });
}

/** Pauses the sender's handle and says so, in one transaction with the entry. */
export async function pauseByMessage(ctx: Ctx, key: string, message: ChatMessage): Promise<void> {
  const connection = await findConnection(ctx, message.platform, message.sender.id);
  if (!connection) return answerError(ctx, key, message, { code: 'sender_not_connected' });
  await ctx.db.$transaction(async (tx) => {
    if (!(await closeEntry(ctx, tx, key, message, 'pause'))) return;
    await pauseHandle(ctx, tx, connection.handleId);
    await wantReply(ctx, tx, {
      key: `answer:${key}`,
      to: message,
      replyTo: message.messageId,
      kind: 'paused',
      data: {},
    });
  });
  await ctx.queues.flush(ctx.db);
}

export async function ignore(ctx: Ctx, key: string, outcome: string): Promise<void> {
  await ctx.db.$transaction((tx) => finishInbox(ctx, tx, key, outcome));
}

export type PressAnswer = 'confirmed' | 'declined' | 'not_yours' | 'too_late' | 'too_early' | LinkAnswer;

/** Applies a pressed button: presser, chat and message must be the row's, and the token works once. */
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
  const sameMessage =
    button.platform === press.platform &&
    button.chatId === press.chatId &&
    button.reply.botId === press.botId &&
    button.reply.platformMessageId === press.messageId;
  if (button.userId !== press.userId || !sameMessage) return 'not_yours';
  const { count } = await tx.button.updateMany({
    where: { intentId: button.intentId, replyId: button.replyId, usedAt: null, expiresAt: { gt: now } },
    data: { usedAt: now },
  });
  if (count === 0) return 'too_late';
  if (button.linkId !== null) return answerLink(ctx, tx, button.linkId, button.action === 'confirm');
  if (button.intentId === null) return 'too_late';
  const moved = await (button.action === 'confirm' ? confirmIntent : declineIntent)(ctx, tx, button.intentId);
  if (!moved) return 'too_late';
  return button.action === 'confirm' ? 'confirmed' : 'declined';
}
