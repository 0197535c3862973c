// Where a connected account can be told something in private: the direct chat in which a bot has answered it before.
import type { Tx } from '../db.ts';
import type { ChatAddress } from '../domain/chat.ts';

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
  const connected = await tx.connection.findMany({ where: { handleId, disconnectedAt: null } });
  const chats: ChatAddress[] = [];
  for (const { platform, platformUserId } of connected) {
    const chat = await directChatWith(tx, platform, platformUserId);
    if (chat) chats.push(chat);
  }
  return chats;
}
