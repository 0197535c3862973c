// Commands in the inbox: accepted as intents, or answered. Each closes its entry in the same transaction.

import type { Ctx } from '../../context.ts';
import { newId } from '../../context.ts';
import type { Tx } from '../../db.ts';
import { type ChatMessage, guestQueryOf, privateChatId } from '../../domain/chat.ts';
import { AppError } from '../../domain/errors.ts';
import { findConnection, findConnections } from '../accounts/connections.ts';
import { pauseHandle } from '../accounts/handles.ts';
import type { ReplyContent } from '../outbox/content.ts';
import { wantReply } from '../outbox/replies.ts';
import { countCommands } from '../spending/commandQuota.ts';
import { type NewIntent, type Payment, storeIntents } from '../tips/intents.ts';
import { closeEntries, closeEntry } from './entries.ts';
import { answerError, answerServerRefusal, errorReply, mayAnswer } from './errorReplies.ts';
import { finishInbox } from './inbox.ts';
import { serverVerdicts } from './servers.ts';

/**
 * Accepts commands that move money: counts them, stores their intents and enqueues one job, all or nothing. When that fails, one by one, so
 * that a bad one fails alone. A sender over the limit gets an answer instead; the intents of a sender without a connection wait for it.
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

type Accepted = NewIntent & { canSpend: boolean };

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
  await ctx.db.$transaction((tx) => acceptIn(ctx, tx, wanted));
  await ctx.queues.flush(ctx.db);
}

async function acceptIn(ctx: Ctx, tx: Tx, wanted: Accepted[]): Promise<void> {
  const now = ctx.clock.now();
  const closing = wanted.map(({ key, message, id }) => ({ key, message, outcome: id }));
  const open = await closeEntries(ctx, tx, closing);
  const fresh: Accepted[] = [];
  for (const payment of wanted) {
    if (!open.has(payment.key)) continue;
    // A suggestion for a misread command answers an error, and is counted as one.
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
  await storeIntents(ctx, tx, accepted, now);
}

async function refuseOverLimit(ctx: Ctx, tx: Tx, { key, message, handleId }: Accepted, retryAt: number): Promise<void> {
  await tx.inbox.update({ where: { key }, data: { outcome: 'limited' } });
  const overLimit = message.byReaction ? 'reactions_limited' : 'rate_limited';
  const code = handleId === null ? 'pending_limited' : overLimit;
  await errorReply(ctx, tx, key, message, { code, retryAt });
}

type Answer = Extract<
  ReplyContent,
  {
    kind:
      | 'help'
      | 'balance'
      | 'history'
      | 'limits'
      | 'subscriptions'
      | 'plan'
      | 'react'
      | 'me'
      | 'deposit'
      | 'withdraw';
  }
>;

/** Answers a command that moves no money. What is about its sender’s own money goes to the sender's direct chat only. */
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
