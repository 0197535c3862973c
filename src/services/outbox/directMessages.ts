// Where a connected account gets private messages: the direct chat in which a bot has answered it before.
import type { Ctx } from '../../context.ts';
import { type Row, sqlRows, type Tx } from '../../db.ts';
import { type ChatAddress, directChatId } from '../../domain/chat.ts';
import { WARNED_AFTER_DISCONNECT_MS } from '../../domain/walletChange.ts';

/** An account on a platform, by the ID that never changes there. */
export type PlatformAccount = { platform: string; platformUserId: string };
/** `isClosed`: the platform refused the newest message there, and the person has not written since. */
export type DirectChat = PlatformAccount & { chat: ChatAddress; isClosed: boolean };

type ChatRow = {
  platform: string;
  platform_user_id: string;
  chat_id: string;
  bot_id: string | null;
  is_closed: boolean | null;
};

/** The direct chats with these accounts. An account that no bot can write to has none: on Telegram, before they wrote to it. */
export async function directChatsWith(tx: Tx, accounts: PlatformAccount[]): Promise<DirectChat[]> {
  if (accounts.length === 0) return [];
  const wanted = accounts.map(({ platform, platformUserId }) => ({
    platform,
    platform_user_id: platformUserId,
    chat_id: directChatId(platform, platformUserId),
  }));
  // On Discord a bot may begin, and answers in the middle of a server leave no direct chat behind.
  const rows = await tx.$queryRaw<ChatRow[]>`
    select w.platform, w.platform_user_id, w.chat_id, coalesce(known.bot_id, case when w.platform = 'discord' then coalesce(
        (select l.bot_id from link l where l.platform = w.platform and l.platform_user_id = w.platform_user_id order by l.created_at desc limit 1),
        (select d.bot_id from discord_channel d limit 1)) end) as bot_id,
      (select r.failure is not null from reply r
        where r.platform = w.platform and r.chat_id = w.chat_id and (r.sent_version > 0 or r.failure is not null)
        order by r.created_at desc limit 1) as is_closed
    from jsonb_to_recordset(${sqlRows(wanted)}) as w(platform text, platform_user_id text, chat_id text)
    left join lateral (
      select r.bot_id from reply r where r.platform = w.platform and r.chat_id = w.chat_id order by r.created_at desc limit 1) known on true`;
  return rows.flatMap(({ platform, platform_user_id: platformUserId, chat_id: chatId, bot_id: botId, is_closed }) =>
    botId === null
      ? []
      : [{ platform, platformUserId, chat: { platform, botId, chatId }, isClosed: is_closed === true }],
  );
}

/** The direct chat with an account, or null when no bot can write there. */
export async function directChatWith(tx: Tx, platform: string, platformUserId: string): Promise<ChatAddress | null> {
  const [found] = await directChatsWith(tx, [{ platform, platformUserId }]);
  return found?.chat ?? null;
}

/** The direct chats of all accounts that are connected to a handle. */
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
  return (await directChatsWith(tx, accounts)).map(({ chat }) => chat);
}
