// Where a connected account can be told something in private: the direct chat in which a bot has answered it before.
import type { Ctx } from '../context.ts';
import type { Row, Tx } from '../db.ts';
import { type ChatAddress, directChatId } from '../domain/chat.ts';
import { WARNED_AFTER_DISCONNECT_MS } from '../domain/walletChange.ts';

/** The direct chat with an account, or null when no bot can write there: on Telegram, before anybody has. */
export async function directChatWith(tx: Tx, platform: string, platformUserId: string): Promise<ChatAddress | null> {
  const chatId = directChatId(platform, platformUserId);
  const known = await tx.reply.findFirst({
    where: { platform, chatId },
    orderBy: { createdAt: 'desc' },
    select: { platform: true, botId: true, chatId: true },
  });
  if (known || platform !== 'discord') return known;
  // On Discord a bot may begin, and answers in the middle of a server leave no direct chat behind.
  const link = await tx.link.findFirst({
    where: { platform, platformUserId },
    orderBy: { createdAt: 'desc' },
    select: { botId: true },
  });
  const bot = link ?? (await tx.discordChannel.findFirst({ select: { botId: true } }));
  return bot && { platform, botId: bot.botId, chatId };
}

/** The direct chats of everybody who is connected to a handle. */
export async function directChatsOf(tx: Tx, handleId: string): Promise<ChatAddress[]> {
  return chatsWith(tx, await tx.connection.findMany({ where: { handleId, disconnectedAt: null } }));
}

/**
 * The same, and of everybody who was connected within the last 30 days: a thief of a session can disconnect a chat, and must not silence it
 * by that.
 */
export async function chatsToWarn(ctx: Ctx, tx: Tx, handleId: string): Promise<ChatAddress[]> {
  const since = new Date(ctx.clock.now() - WARNED_AFTER_DISCONNECT_MS);
  const stillWarned = [{ disconnectedAt: null }, { disconnectedAt: { gt: since } }];
  return chatsWith(tx, await tx.connection.findMany({ where: { handleId, OR: stillWarned } }));
}

async function chatsWith(tx: Tx, accounts: Row<'Connection'>[]): Promise<ChatAddress[]> {
  const chats: ChatAddress[] = [];
  for (const { platform, platformUserId } of accounts) {
    const chat = await directChatWith(tx, platform, platformUserId);
    if (chat) chats.push(chat);
  }
  return chats;
}
