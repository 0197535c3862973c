// Duplicates: messages of one reply that stand in a chat twice, because the platform took a call whose answer was lost. All state is in the rows.
import type { Ctx } from '../../context.ts';
import type { DueReply } from './due.ts';
import { enqueueReplies } from './jobs.ts';

/** Of the messages that may be ours, this many are tried. */
const MOST_CANDIDATES = 10;
const RETRY_MS = 2_000;
/** After this long the search ends. */
const SEARCH_WITHIN_MS = 120_000;

/** Whether a message of ours in this chat may be another reply's whose id is not known yet. */
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

/** Those of these messages that belong to no reply in the chat. */
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
 * Where a platform counts messages up: the numbers between the newest message before the first try and the message that shows the reply, lowest
 * first, without those of other replies: a message of ours among them is a duplicate.
 */
export async function duplicateCandidates(ctx: Ctx, reply: DueReply): Promise<string[]> {
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

/** Ends the search: what was found is edited with the reply from now on. */
export async function recordDuplicates(ctx: Ctx, { id, version }: DueReply, found: string[]): Promise<void> {
  const isNewer = await ctx.db.$transaction(async (tx) => {
    const [recorded] = await tx.$queryRaw<{ open: boolean }[]>`
      update reply set twins = ${found}, seeks_twins = false, open = failure is null and version > sent_version
      where id = ${id} returning open`;
    if (recorded?.open) await enqueueReplies(tx, [{ id, version }], ctx.clock.now(), '-twins');
    return recorded?.open === true;
  });
  if (isNewer) await ctx.queues.flush(ctx.db);
}

/** Searches again a little later, or ends the search when it took too long. */
export async function retrySearch(ctx: Ctx, reply: DueReply, waitMs = RETRY_MS): Promise<void> {
  const now = ctx.clock.now();
  if (now - (reply.sentAt?.getTime() ?? now) > SEARCH_WITHIN_MS) return recordDuplicates(ctx, reply, reply.twins);
  await ctx.db.reply.update({ where: { id: reply.id }, data: { nextAttemptAt: new Date(now + waitMs) } });
}
