// Replies that may stand in a chat twice: the platform took the first one and its answer was lost. What is known of them is in the rows, so a kill changes nothing.
import type { Ctx } from '../../context.ts';
import { enqueue } from '../../queues.ts';
import type { DueReply } from './replies.ts';

/** Of what may be a message of ours, this many are looked at. */
const MOST_CANDIDATES = 10;
const LOOK_AGAIN_MS = 2_000;
/** After this long it is not looked for any more. */
const SEEK_WITHIN_MS = 120_000;

/** Notes, before they are shown for the first time, that these replies are about to be. */
export async function noteBegun(ctx: Ctx, replyIds: string[]): Promise<void> {
  if (replyIds.length === 0) return;
  await ctx.db.reply.updateMany({
    where: { id: { in: replyIds }, begunAt: null, platformMessageId: null },
    data: { begunAt: new Date(ctx.clock.now()) },
  });
}

/** Whether a message of ours in this chat may be another reply's, which has not heard its id yet. */
export async function isAmbiguous(ctx: Ctx, reply: DueReply): Promise<boolean> {
  const { platform, botId, chatId, id } = reply;
  const others = await ctx.db.reply.count({
    where: {
      ...{ platform, botId, chatId },
      id: { not: id },
      OR: [
        { open: true, begunAt: { not: null }, platformMessageId: null },
        { seeksTwins: true, id: { lt: id } },
      ],
    },
  });
  return others > 0;
}

/** Which of these messages no reply in its chat knows as its own. */
export async function unknownMessages(ctx: Ctx, reply: DueReply, messageIds: string[]): Promise<string[]> {
  const { platform, botId, chatId } = reply;
  const rows = await ctx.db.reply.findMany({
    where: {
      ...{ platform, botId, chatId },
      OR: [{ platformMessageId: { in: messageIds } }, { twins: { hasSome: messageIds } }],
    },
    select: { platformMessageId: true, twins: true },
  });
  const known = new Set(rows.flatMap((row) => [row.platformMessageId, ...row.twins]));
  return messageIds.filter((id) => !known.has(id));
}

/**
 * Where a platform counts messages up: the numbers between what was there before the reply was first tried and the message that shows it, lowest first.
 * What a reply knows as its own is not among them, so whatever of ours is there is a leftover.
 */
export async function twinCandidates(ctx: Ctx, reply: DueReply): Promise<string[]> {
  const { platform, botId, chatId, begunAt, platformMessageId, replyToMessageId } = reply;
  const below = numberOf(platformMessageId);
  if (below === null || begunAt === null) return [];
  const [before] = await ctx.db.$queryRaw<{ newest: bigint | null }[]>`
    select max(case when platform_message_id ~ '^[0-9]{1,15}$' then cast(platform_message_id as bigint) end) as newest
    from reply where platform = ${platform} and bot_id = ${botId} and chat_id = ${chatId} and sent_at <= ${begunAt}`;
  const newest = Number(before?.newest ?? 0);
  const above = Math.max(numberOf(replyToMessageId) ?? 0, newest < below ? newest : 0, 0);
  const first = above === 0 ? Math.max(below - MOST_CANDIDATES, 1) : above + 1;
  // Of a hundred, because those that are known do not count.
  const numbers = Array.from({ length: Math.max(0, Math.min(below - first, 100)) }, (_, index) =>
    String(first + index),
  );
  return (await unknownMessages(ctx, reply, numbers)).slice(0, MOST_CANDIDATES);
}

function numberOf(id: string | null): number | null {
  return id !== null && /^[0-9]{1,15}$/.test(id) ? Number(id) : null;
}

/** What was found is changed with the reply from now on. */
export async function noteTwins(ctx: Ctx, { id, version }: DueReply, found: string[]): Promise<void> {
  const isNewer = await ctx.db.$transaction(async (tx) => {
    const [noted] = await tx.$queryRaw<{ open: boolean }[]>`
      update reply set twins = ${found}, seeks_twins = false, open = failure is null and version > sent_version
      where id = ${id} returning open`;
    if (noted?.open) await enqueue(tx, 'replies', `reply-${id}-${version}-twins`, { replyIds: [id] }, ctx.clock.now());
    return noted?.open === true;
  });
  if (isNewer) await ctx.queues.flush(ctx.db);
}

/** They are looked for a little later, or no more when it took too long. */
export async function seekLater(ctx: Ctx, reply: DueReply, waitMs = LOOK_AGAIN_MS): Promise<void> {
  const now = ctx.clock.now();
  if (now - (reply.sentAt?.getTime() ?? now) > SEEK_WITHIN_MS) return noteTwins(ctx, reply, reply.twins);
  await ctx.db.reply.update({ where: { id: reply.id }, data: { nextAttemptAt: new Date(now + waitMs) } });
}
