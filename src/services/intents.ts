// What an inbox entry leads to: an accepted intent, a pressed button's effect, or a plain answer. Each closes the entry in the same transaction.
import type { Ctx } from '../context.ts';
import { newId } from '../context.ts';
import type { Json, Tx } from '../db.ts';
import { sqlRows } from '../db.ts';
import type { ChatButton, ChatMessage } from '../domain/chat.ts';
import type { Command } from '../domain/command.ts';
import { AppError } from '../domain/errors.ts';
import { ERROR_REPLIES, TIP_VALIDITY_MS, TIPS_PER_WINDOW_CONNECTED, tipsKey } from '../domain/limits.ts';
import { enqueue } from '../queues.ts';
import { findConnection, findConnections } from './connections.ts';
import { finishEntries, finishInbox } from './inbox.ts';
import { answerLink, type LinkAnswer } from './links.ts';
import { pauseHandle } from './pauses.ts';
import { type Action, hit, hitMany } from './rateLimit.ts';
import { type ReplyKind, reviveReplies, wantReply } from './replies.ts';
import { confirmIntent, declineIntent } from './tips.ts';

/** A stored message that asks for money to move. */
export type Payment = { key: string; message: ChatMessage; command: Command };

/**
 * Accepts commands that move money: counts them, stores their intents and asks for one job, all or nothing. When that fails, one by one, so
 * that a bad one fails alone. A sender over the limit, or without a connection, gets an answer instead.
 * @throws the first failure, when all others are done
 */
export async function acceptIntents(ctx: Ctx, payments: Payment[]): Promise<void> {
  try {
    await acceptTogether(ctx, payments);
  } catch (err) {
    const away = err instanceof AppError && err.code === 'provider_unavailable';
    if (away || payments.length === 1) throw err;
    ctx.log.warn({ err, entries: payments.length }, 'a batch of commands failed; they are taken one by one');
    const failures: unknown[] = [];
    for (const payment of payments) {
      await acceptTogether(ctx, [payment]).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }
}

type Accepted = Payment & { id: string; handleId: string; canSpend: boolean };

async function acceptTogether(ctx: Ctx, payments: Payment[]): Promise<void> {
  const wanted: Accepted[] = [];
  for (const platform of new Set(payments.map(({ message }) => message.platform))) {
    const group = payments.filter(({ message }) => message.platform === platform);
    const senders = [...new Set(group.map(({ message }) => message.sender.id))];
    const connections = await findConnections(ctx, platform, senders);
    for (const payment of group) {
      const connection = connections.get(payment.message.sender.id);
      if (connection)
        wanted.push({
          ...payment,
          id: newId(ctx, 'int'),
          handleId: connection.handleId,
          canSpend: connection.canSpend,
        });
      else await answerError(ctx, payment.key, payment.message, { code: 'sender_not_connected' });
    }
  }
  if (wanted.length === 0) return;
  await ctx.db.$transaction((tx) => storeIntents(ctx, tx, wanted));
  await ctx.queues.flush(ctx.db);
}

async function storeIntents(ctx: Ctx, tx: Tx, wanted: Accepted[]): Promise<void> {
  const now = ctx.clock.now();
  const closing = wanted.map(({ key, message, id }) => ({ key, message, outcome: id }));
  const open = await closeEntries(ctx, tx, closing);
  const fresh = wanted.filter(({ key }) => open.has(key));
  const rates = await hitMany(ctx, tx, fresh.map(countedCommand), now);
  const accepted: Accepted[] = [];
  for (const [index, payment] of fresh.entries()) {
    const rate = rates[index];
    if (!rate?.allowed) await refuseOverLimit(ctx, tx, payment, rate?.retryAt ?? now);
    else accepted.push(payment);
  }
  const [first] = accepted;
  if (!first) return;
  const rows = accepted.map(({ key, message, command, id, handleId }) => ({
    id,
    inbox_key: key,
    platform: message.platform,
    bot_id: message.botId,
    chat_id: message.chatId,
    chat_kind: message.chatKind,
    message_id: message.messageId,
    sender_id: message.sender.id,
    sender_username: message.sender.username,
    sender_handle_id: handleId,
    command,
  }));
  await tx.$executeRaw`
    insert into intent (id, inbox_key, platform, bot_id, chat_id, chat_kind, message_id, sender_id, sender_username, sender_handle_id,
      command, status, accepted_at, valid_until, next_attempt_at)
    select i.*, 'accepted', ${new Date(now)}::timestamptz, ${new Date(now + TIP_VALIDITY_MS)}::timestamptz, ${new Date(now)}::timestamptz
    from jsonb_to_recordset(${sqlRows(rows)}) as i(id text, inbox_key text, platform text, bot_id text, chat_id text, chat_kind text,
      message_id text, sender_id text, sender_username text, sender_handle_id text, command jsonb)`;
  const intentIds = accepted.map(({ id }) => id);
  await enqueue(tx, 'intents', `intent-${first.id}-${intentIds.length}`, { intentIds }, now);
}

async function refuseOverLimit(ctx: Ctx, tx: Tx, { key, message }: Payment, retryAt: number): Promise<void> {
  await tx.inbox.update({ where: { key }, data: { outcome: 'limited' } });
  await errorReply(ctx, tx, key, message, { code: 'rate_limited', retryAt });
}

type Closing = { key: string; message: ChatMessage; outcome: string };

/** Closes a message's entry. Somebody who writes in the direct chat can be told there what was held back. */
export async function closeEntry(
  ctx: Ctx,
  tx: Tx,
  key: string,
  message: ChatMessage,
  outcome: string,
): Promise<boolean> {
  return (await closeEntries(ctx, tx, [{ key, message, outcome }])).has(key);
}

/** The same for many. @returns the keys that were still open */
async function closeEntries(ctx: Ctx, tx: Tx, entries: Closing[]): Promise<Set<string>> {
  const closed = await finishEntries(
    ctx,
    tx,
    entries.map(({ key, outcome }) => ({ key, outcome })),
  );
  for (const { key, message } of entries) {
    if (closed.has(key) && message.chatKind === 'dm') await reviveReplies(ctx, tx, message);
  }
  return closed;
}

/**
 * Five commands an hour, for the platform account and for the handle behind all of its accounts. An account that only receives is refused in
 * any case, so it uses up nothing of those that spend.
 */
function countedCommand({ key, message, handleId, canSpend }: Accepted): Action {
  const own = tipsKey(message.platform, message.sender.id);
  const names = canSpend ? [tipsKey('handle', handleId), own] : [own];
  return { id: key, limits: names.map((name) => ({ key: name, window: TIPS_PER_WINDOW_CONNECTED })) };
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
