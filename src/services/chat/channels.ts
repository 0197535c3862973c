// Channels of Discord in which the bot is used, and the last message of each that is safely stored: where to look after a loss of the gateway.
import type { Ctx } from '../../context.ts';
import { sqlRows } from '../../db.ts';

const USED_WITHIN_MS = 30 * 24 * 3_600_000;
/** More than a bot can look through in a minute. */
const MOST_CHANNELS = 200;

export type SeenMessage = {
  channelId: string;
  messageId: string;
  guildId: string | null;
  /** Set for a direct chat: with whom. */
  userId: string | null;
  /** The channel had a command: from now on the bot watches it. */
  isUsed: boolean;
};

/** Records messages as stored. Those of channels in which the bot is not used are not recorded. */
export async function noteMessages(ctx: Ctx, botId: string, seen: SeenMessage[]): Promise<void> {
  const last = new Map<string, SeenMessage>();
  for (const one of seen) {
    const known = last.get(one.channelId);
    const isUsed = one.isUsed || known?.isUsed === true;
    last.set(one.channelId, { ...(known && BigInt(known.messageId) > BigInt(one.messageId) ? known : one), isUsed });
  }
  const rows = [...last.values()].map(({ channelId, messageId, guildId, userId, isUsed }) => ({
    id: channelId,
    last: messageId,
    guild_id: guildId,
    user_id: userId,
    used: isUsed,
  }));
  if (rows.length === 0) return;
  const now = new Date(ctx.clock.now());
  await ctx.db.$executeRaw`
    insert into discord_channel as known (id, bot_id, user_id, guild_id, last_message_id, used_at)
      select c.id, ${botId}, c.user_id, c.guild_id, c.last, ${now}::timestamptz
      from jsonb_to_recordset(${sqlRows(rows)}) as c(id text, last text, guild_id text, user_id text, used boolean)
      where c.used or exists (select 1 from discord_channel k where k.id = c.id)
      order by c.id
    on conflict (id) do update set
      last_message_id = case when excluded.last_message_id::numeric > known.last_message_id::numeric
        then excluded.last_message_id else known.last_message_id end,
      used_at = excluded.used_at`;
}

/** The channels to look through, those that were used last first. */
export async function usedChannels(ctx: Ctx, botId: string) {
  return ctx.db.discordChannel.findMany({
    where: { botId, usedAt: { gt: new Date(ctx.clock.now() - USED_WITHIN_MS) } },
    orderBy: { usedAt: 'desc' },
    take: MOST_CHANNELS,
  });
}

/** The bot can no longer read there. */
export async function forgetChannel(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.discordChannel.deleteMany({ where: { id } });
}
