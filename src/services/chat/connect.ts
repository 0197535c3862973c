// What `connect` and `disconnect` in a chat lead to. A link is shown in the direct chat only, also when the command came from a group.
import type { Ctx } from '../../context.ts';
import type { Tx } from '../../db.ts';
import { type ChatMessage, privateChatId } from '../../domain/chat.ts';
import { LINKS_PER_WINDOW } from '../../domain/limits.ts';
import { disconnectAccount, findConnectionIn, noteSeen } from '../accounts/connections.ts';
import { createConnectLink, linkReplyKey, lockAccount } from '../accounts/connectLinks.ts';
import type { ReplyContent } from '../outbox/content.ts';
import { wantReply } from '../outbox/replies.ts';
import { hit } from '../rateLimit.ts';
import { closeEntry } from './entries.ts';
import { errorReply } from './errorReplies.ts';

/** Gives the sender a one-time link, or the handle that they are connected to already. @param botUsername what the page calls the bot */
export async function connectByMessage(ctx: Ctx, key: string, message: ChatMessage, botUsername: string) {
  const { platform, botId, sender } = message;
  const owner = { platform, platformUserId: sender.id, username: sender.username };
  await ctx.db.$transaction(async (tx) => {
    if (!(await closeEntry(ctx, tx, key, message, 'connect'))) return;
    await lockAccount(tx, owner);
    if (await findConnectionIn(tx, platform, sender.id)) {
      await answerPrivately(ctx, tx, message, `answer:${key}`, { kind: 'connected', data: { userId: sender.id } });
      return;
    }
    const limit = { key: `links:${platform}:${sender.id}`, window: LINKS_PER_WINDOW };
    const rate = await hit(ctx, tx, { id: key, limits: [limit] }, ctx.clock.now());
    if (!rate.allowed) {
      await errorReply(ctx, tx, key, message, { code: 'links_limited', retryAt: rate.retryAt });
      return;
    }
    await noteSeen(tx, platform, [{ id: botId, username: botUsername, isBot: true }], ctx.clock.now());
    const linkId = await createConnectLink(ctx, tx, owner, { platform, botId, chatId: privateChatId(message) });
    const link = { kind: 'link', data: { linkId, userId: sender.id } } as const;
    const replyId = await answerPrivately(ctx, tx, message, linkReplyKey(linkId), link);
    // Shown in the middle of a chat to the one who asked: there is nothing to point at.
    if (message.chatKind === 'dm' || message.privateChatId !== undefined) return;
    // The same key as the pointer that follows when the direct chat is closed to us: the group reads one message.
    const pointer = { key: `pointer:${replyId}`, to: message, replyTo: message.messageId };
    await wantReply(ctx, tx, { ...pointer, kind: 'link_sent', data: { userId: sender.id } });
  });
  await ctx.queues.flush(ctx.db);
}

function answerPrivately(
  ctx: Ctx,
  tx: Tx,
  message: ChatMessage,
  key: string,
  content: Extract<ReplyContent, { kind: 'link' | 'connected' }>,
): Promise<string> {
  const { platform, botId, chatId, messageId, chatKind } = message;
  const inDirectChat = chatKind === 'dm';
  return wantReply(ctx, tx, {
    ...content,
    key,
    to: { platform, botId, chatId: privateChatId(message) },
    replyTo: inDirectChat ? messageId : null,
    origin: inDirectChat ? undefined : { chatId, messageId },
  });
}

/** Ends the sender's connection, if any, and says so, in one transaction with the entry. The account cannot be connected meanwhile. */
export async function disconnectByMessage(ctx: Ctx, key: string, message: ChatMessage): Promise<void> {
  const { platform, sender, messageId } = message;
  await ctx.db.$transaction(async (tx) => {
    if (!(await closeEntry(ctx, tx, key, message, 'disconnect'))) return;
    await lockAccount(tx, { platform, platformUserId: sender.id });
    const connection = await findConnectionIn(tx, platform, sender.id);
    // A page may have ended it between these two.
    const ended = connection !== null && (await disconnectAccount(ctx, tx, connection.id, connection.handleId));
    if (ended) {
      await wantReply(ctx, tx, {
        key: `answer:${key}`,
        to: message,
        replyTo: messageId,
        kind: 'disconnected',
        data: { userId: sender.id },
      });
    } else {
      await tx.inbox.update({ where: { key }, data: { outcome: 'error:sender_not_connected' } });
      await errorReply(ctx, tx, key, message, { code: 'sender_not_connected' });
    }
  });
  await ctx.queues.flush(ctx.db);
}
