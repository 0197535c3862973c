// Replies to what was not understood or not allowed, and to calls for help: the one place that decides whether one is given, and where.
import type { Ctx } from '../../context.ts';
import type { Tx } from '../../db.ts';
import { type ChatMessage, privateChatId } from '../../domain/chat.ts';
import { type ReplyTopic, replyRule } from '../../domain/errorReplies.ts';
import { AppError } from '../../domain/errors.ts';
import type { ReplyData } from '../outbox/content.ts';
import { wantReply } from '../outbox/replies.ts';
import { hit } from '../rateLimit.ts';
import { closeEntry } from './entries.ts';
import type { ServerRefusal } from './servers.ts';

export type ErrorData = Omit<ReplyData<'error'>, 'userId' | 'origin'>;

/** Answers a command that was not understood or not allowed. */
export async function answerError(ctx: Ctx, key: string, message: ChatMessage, data: ErrorData): Promise<void> {
  await ctx.db.$transaction(async (tx) => {
    if (!(await closeEntry(ctx, tx, key, message, `error:${data.code}`))) return;
    await errorReply(ctx, tx, key, message, data);
  });
  await ctx.queues.flush(ctx.db);
}

/** Wants the reply about an error, in the transaction that closes its entry. */
export async function errorReply(ctx: Ctx, tx: Tx, key: string, message: ChatMessage, data: ErrorData): Promise<void> {
  if (!(await mayAnswer(ctx, tx, key, message, { kind: 'error', code: data.code }))) return;
  // A reaction is on another author's message: in the group the reply would look as if it were for them.
  await wantError(ctx, tx, key, message, data, message.byReaction === true);
}

/** The rules of a server go to the account that they refused, not to the channel. */
export async function answerServerRefusal(
  ctx: Ctx,
  key: string,
  message: ChatMessage,
  refusal: ServerRefusal,
): Promise<void> {
  if (message.privateChatId !== undefined) return answerError(ctx, key, message, refusal);
  await ctx.db.$transaction(async (tx) => {
    if (!(await closeEntry(ctx, tx, key, message, `error:${refusal.code}`))) return;
    const topic = { kind: 'error', code: refusal.code } as const;
    if (await mayAnswer(ctx, tx, key, message, topic)) await wantError(ctx, tx, key, message, refusal, true);
  });
  await ctx.queues.flush(ctx.db);
}

/**
 * Counts a reply. One that does not fit is stood in for by a reaction to the message or, once, by a notice that this is too much.
 * @param key of the message; asked again it is not counted a second time
 */
export async function mayAnswer(
  ctx: Ctx,
  tx: Tx,
  key: string,
  message: ChatMessage,
  topic: ReplyTopic,
): Promise<boolean> {
  const rule = replyRule(message, topic, ctx.clock.now());
  const fits = async (limits: typeof rule.counters) => {
    try {
      return (await hit(ctx, tx, { id: key, limits }, ctx.clock.now())).allowed;
    } catch (err) {
      // Help costs nothing outside X, so it does not wait for the counters to come back.
      const isAway = err instanceof AppError && err.code === 'provider_unavailable';
      if (isAway && topic.kind === 'help' && message.platform !== 'x') return true;
      throw err;
    }
  };
  if (rule.counters.length === 0 || (await fits(rule.counters))) return true;
  if (!('otherwise' in rule)) return false;
  if (rule.otherwise === 'reaction' && (await fits([rule.reactions]))) await wantReaction(ctx, tx, key, message);
  if (rule.otherwise === 'notice' && (await fits([rule.notice])))
    await wantError(ctx, tx, key, message, { code: 'flooded' }, false);
  return false;
}

function wantError(ctx: Ctx, tx: Tx, key: string, message: ChatMessage, data: ErrorData, inPrivate: boolean) {
  const { platform, botId, chatId, messageId, sender } = message;
  return wantReply(ctx, tx, {
    key: `answer:${key}`,
    to: { platform, botId, chatId: inPrivate ? privateChatId(message) : chatId },
    replyTo: inPrivate ? null : messageId,
    kind: 'error',
    data: { ...data, userId: sender.id },
  });
}

function wantReaction(ctx: Ctx, tx: Tx, key: string, message: ChatMessage) {
  const { platform, botId, chatId, messageId, sender } = message;
  return wantReply(ctx, tx, {
    key: `answer:${key}`,
    to: { platform, botId, chatId },
    replyTo: messageId,
    kind: 'reaction',
    data: { userId: sender.id },
  });
}
