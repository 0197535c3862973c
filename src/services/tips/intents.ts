// What an inbox entry leads to: an accepted intent, a pressed button's effect, or a plain answer. Each closes the entry in the same transaction.

import type { Ctx } from '../../context.ts';
import { newId } from '../../context.ts';
import type { Tx } from '../../db.ts';
import { sqlRows } from '../../db.ts';
import { type ChatButton, type ChatMessage, guestQueryOf, privateChatId } from '../../domain/chat.ts';
import { AppError } from '../../domain/errors.ts';
import { PENDING_TIP_MS, TIP_VALIDITY_MS } from '../../domain/limits.ts';
import type { PaymentCommand } from '../../domain/payment.ts';
import type { IntentDoubt } from '../../domain/plan.ts';
import { enqueue } from '../../queues.ts';
import { findConnection, findConnections } from '../accounts/connections.ts';
import { answerLink, type LinkAnswer } from '../accounts/connectLinks.ts';
import { closeEntries, closeEntry } from '../chat/entries.ts';
import { answerError, answerServerRefusal, errorReply, mayAnswer } from '../chat/errorReplies.ts';
import { finishInbox } from '../chat/inbox.ts';
import { CANCEL_ORDER, pressCancel } from '../chat/orderButton.ts';
import { serverVerdicts } from '../chat/servers.ts';
import type { ReplyContent } from '../outbox/content.ts';
import { wantReply } from '../outbox/replies.ts';
import { countCommands } from '../spending/commandQuota.ts';
import { pauseHandle } from '../spending/pauses.ts';
import { bumpIntentReplies } from './intentReplies.ts';
import { confirmIntent, declineIntent } from './preparation.ts';
import { isNoticeSwitch, type NoticeSwitch, pressNoticeSwitch } from './receivedSettings.ts';

/** A stored message that asks for money to move. */
export type Payment = {
  key: string;
  message: ChatMessage;
  command: PaymentCommand;
  /** Why its words ask before anything is sent. */
  doubt: IntentDoubt | null;
};

/**
 * Accepts commands that move money: counts them, stores their intents and asks for one job, all or nothing. When that fails, one by one, so
 * that a bad one fails alone. A sender over the limit gets an answer instead; what a sender without a connection asks for is kept.
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

type Accepted = Payment & { id: string; handleId: string | null; canSpend: boolean; serverCap: bigint | null };

async function acceptTogether(ctx: Ctx, payments: Payment[]): Promise<void> {
  const wanted: Accepted[] = [];
  const verdictOf = await serverVerdicts(
    ctx,
    payments.map(({ message }) => message),
  );
  for (const platform of new Set(payments.map(({ message }) => message.platform))) {
    const group = payments.filter(({ message }) => message.platform === platform);
    const senders = [...new Set(group.map(({ message }) => message.sender.id))];
    const connections = await findConnections(ctx, platform, senders);
    for (const payment of group) {
      const connection = connections.get(payment.message.sender.id);
      const { refusal, commandCap } = verdictOf(payment.message);
      if (refusal) await answerServerRefusal(ctx, payment.key, payment.message, refusal);
      else
        wanted.push({
          ...payment,
          id: newId(ctx, 'int'),
          handleId: connection?.handleId ?? null,
          canSpend: connection?.canSpend ?? false,
          serverCap: commandCap,
        });
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
  const fresh: Accepted[] = [];
  for (const payment of wanted) {
    if (!open.has(payment.key)) continue;
    // What a misread command was perhaps meant to be is an answer to an error, and counted as one.
    const topic = { kind: 'error', code: 'unknown_command' } as const;
    const isAnswered =
      payment.doubt !== 'suggestion' || (await mayAnswer(ctx, tx, payment.key, payment.message, topic));
    if (isAnswered) fresh.push(payment);
    else await tx.inbox.update({ where: { key: payment.key }, data: { outcome: `error:${topic.code}` } });
  }
  const rates = await countCommands(ctx, tx, fresh, now);
  const accepted: Accepted[] = [];
  for (const [index, payment] of fresh.entries()) {
    const rate = rates[index];
    if (!rate?.allowed) await refuseOverLimit(ctx, tx, payment, rate?.retryAt ?? now);
    else accepted.push(payment);
  }
  // Nothing is taken for somebody who is not connected: the command is kept until they are and have confirmed it.
  const [ready, kept] = [
    accepted.filter((one) => one.handleId !== null),
    accepted.filter((one) => one.handleId === null),
  ];
  await insertIntents(tx, kept, {
    status: 'waiting',
    at: now,
    until: now + PENDING_TIP_MS,
    nextAt: now + PENDING_TIP_MS,
  });
  await bumpIntentReplies(
    ctx,
    tx,
    kept.map(({ id }) => id),
  );
  await insertIntents(tx, ready, { status: 'accepted', at: now, until: now + TIP_VALIDITY_MS, nextAt: now });
  // Whoever summoned the bot is answered at once: the platform waits for that answer a short while only, and lets it be edited.
  const guests = ready.filter(({ message }) => guestQueryOf(message.chatId) !== null);
  await bumpIntentReplies(
    ctx,
    tx,
    guests.map(({ id }) => id),
  );
  const [first] = ready;
  if (!first) return;
  const intentIds = ready.map(({ id }) => id);
  await enqueue(tx, 'intents', `intent-${first.id}-${intentIds.length}`, { intentIds }, now);
}

type Life = { status: 'waiting' | 'accepted'; at: number; until: number; nextAt: number };

async function insertIntents(tx: Tx, accepted: Accepted[], { status, at, until, nextAt }: Life): Promise<void> {
  if (accepted.length === 0) return;
  const rows = accepted.map(({ key, message, command, doubt, id, handleId, serverCap }) => ({
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
    private_chat_id: message.privateChatId ?? null,
    answers_message_id: message.answers ?? null,
    server_cap_micros: serverCap === null ? null : String(serverCap),
    command,
    doubt,
  }));
  await tx.$executeRaw`
    insert into intent (id, inbox_key, platform, bot_id, chat_id, chat_kind, message_id, sender_id, sender_username, sender_handle_id,
      private_chat_id, answers_message_id, server_cap_micros, command, doubt, status, accepted_at, valid_until, next_attempt_at)
    select i.*, ${status}, ${new Date(at)}::timestamptz, ${new Date(until)}::timestamptz, ${new Date(nextAt)}::timestamptz
    from jsonb_to_recordset(${sqlRows(rows)}) as i(id text, inbox_key text, platform text, bot_id text, chat_id text, chat_kind text,
      message_id text, sender_id text, sender_username text, sender_handle_id text, private_chat_id text,
      answers_message_id text, server_cap_micros bigint, command jsonb, doubt text)`;
}

async function refuseOverLimit(ctx: Ctx, tx: Tx, { key, message, handleId }: Accepted, retryAt: number): Promise<void> {
  await tx.inbox.update({ where: { key }, data: { outcome: 'limited' } });
  const overLimit = message.byReaction ? 'reactions_limited' : 'rate_limited';
  const code = handleId === null ? 'pending_limited' : overLimit;
  await errorReply(ctx, tx, key, message, { code, retryAt });
}

type Answer = Extract<ReplyContent, { kind: 'help' | 'balance' | 'history' | 'limits' | 'react' }>;

/** Answers a command that moves nothing. Figures about somebody's money go to that person's direct chat only. */
export async function answer(ctx: Ctx, key: string, message: ChatMessage, content: Answer): Promise<void> {
  const { kind } = content;
  const inPrivate = kind !== 'help' && message.chatKind !== 'dm';
  await ctx.db.$transaction(async (tx) => {
    if (!(await closeEntry(ctx, tx, key, message, kind))) return;
    const isCounted = kind === 'help' || message.chatKind === 'dm';
    if (isCounted && !(await mayAnswer(ctx, tx, key, message, { kind: 'help' }))) return;
    const to = {
      platform: message.platform,
      botId: message.botId,
      chatId: inPrivate ? privateChatId(message) : message.chatId,
    };
    const replyId = await wantReply(ctx, tx, {
      ...content,
      key: `answer:${key}`,
      to,
      replyTo: inPrivate ? null : message.messageId,
      origin: inPrivate ? { chatId: message.chatId, messageId: message.messageId } : undefined,
    });
    if (!inPrivate || guestQueryOf(message.chatId) === null) return;
    // The same key as the pointer that follows when the direct chat is closed to us: a summons has one answer.
    const pointer = { key: `pointer:${replyId}`, to: message, replyTo: message.messageId };
    await wantReply(ctx, tx, { ...pointer, kind: 'guest_private', data: { userId: message.sender.id } });
  });
  await ctx.queues.flush(ctx.db);
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
      data: { userId: message.sender.id },
    });
  });
  await ctx.queues.flush(ctx.db);
}

export async function ignore(ctx: Ctx, key: string, outcome: string): Promise<void> {
  await ctx.db.$transaction((tx) => finishInbox(ctx, tx, key, outcome));
}

export type PressAnswer =
  | 'confirmed'
  | 'declined'
  | 'order_cancelled'
  | 'not_yours'
  | 'too_late'
  | 'too_early'
  | NoticeSwitch
  | LinkAnswer;

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
  if (button.linkId !== null) return answerLink(ctx, tx, button.linkId, button.action === 'confirm');
  if (button.intentId === null) return 'too_late';
  const moved = await (button.action === 'confirm' ? confirmIntent : declineIntent)(ctx, tx, button.intentId);
  if (!moved) return 'too_late';
  return button.action === 'confirm' ? 'confirmed' : 'declined';
}
