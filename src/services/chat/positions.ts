// How far a bot has read a feed that confirms nothing: the place is moved only after the inbox has what came before it.
import type { Ctx } from '../../context.ts';

export type ChatFeed = { platform: string; botId: string; feed: 'mentions' | 'dms' };

export async function readPosition(ctx: Ctx, place: ChatFeed): Promise<string | null> {
  const row = await ctx.db.cursor.findUnique({ where: { platform_botId_feed: place } });
  return row?.value ?? null;
}

/**
 * What a poll at X begins with: up to which mention the inbox has them, and whether an account waits for a question in direct messages after redeeming a
 * link, because only then are those read.
 */
export async function pollOf(ctx: Ctx, botId: string): Promise<{ since: string | null; isAsked: boolean }> {
  const now = new Date(ctx.clock.now());
  const [row] = await ctx.db.$queryRaw<{ since: string | null; isAsked: boolean }[]>`
    select (select value from cursor where platform = 'x' and bot_id = ${botId} and feed = 'mentions') as since,
      exists (
        select 1 from link where platform = 'x' and bot_id = ${botId} and status = 'redeemed' and expires_at > ${now}
      ) as "isAsked"`;
  return row ?? { since: null, isAsked: false };
}

/** Moves on to a later id; an earlier one (of a poll that overlapped) changes nothing. @param value a decimal id that grows with time */
export async function moveCursor(ctx: Ctx, { platform, botId, feed }: ChatFeed, value: string): Promise<void> {
  const now = new Date(ctx.clock.now());
  await ctx.db.$executeRaw`
    insert into cursor as c (platform, bot_id, feed, value, updated_at) values (${platform}, ${botId}, ${feed}, ${value}, ${now}::timestamptz)
    on conflict (platform, bot_id, feed) do update set value = excluded.value, updated_at = excluded.updated_at
      where c.value::numeric < excluded.value::numeric`;
}
