// Where a connected account can be told something in private: the direct chat in which a bot has answered it before.
import type { Ctx } from '../context.ts';
import type { Row, Tx } from '../db.ts';
import type { ChatAddress } from '../domain/chat.ts';
import { WARNED_AFTER_DISCONNECT_MS } from '../domain/walletChange.ts';

/** The direct chat with an account, or null when no bot has ever written there. On Telegram its id is that of the person. */
export async function directChatWith(tx: Tx, platform: string, platformUserId: string): Promise<ChatAddress | null> {
  return tx.reply.findFirst({
    where: { platform, chatId: platformUserId },
    orderBy: { createdAt: 'desc' },
    select: { platform: true, botId: true, chatId: true },
  });
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
