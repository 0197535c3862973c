// Records the outcome of showing a reply: begun, shown, delayed, given up, refused.
import type { Ctx } from '../../context.ts';
import { sqlRows } from '../../db.ts';
import { directChatId, guestQueryOf } from '../../domain/chat.ts';
import { type DueReply, pointerKey } from './due.ts';
import { enqueueReplies } from './jobs.ts';
import { wantReply } from './replies.ts';

/** Before the first call: if its answer is lost, it is uncertain whether the message stands there. */
export async function recordBegun(ctx: Ctx, replyIds: string[]): Promise<void> {
  if (replyIds.length === 0) return;
  await ctx.db.reply.updateMany({
    where: { id: { in: replyIds }, begunAt: null, platformMessageId: null },
    data: { begunAt: new Date(ctx.clock.now()) },
  });
}

export type ShownReply = {
  id: string;
  version: number;
  platformMessageId: string | null;
  /** Where messages cannot be changed: what this version says, so that it is posted once. */
  said?: string;
  /** A version that has nothing to show. */
  isSilent?: boolean;
  /** An earlier call may have left a message, which is to be found. */
  hasDuplicates?: boolean;
};

/** Records which versions the platform has shown; what became newer meanwhile is due again. No reply is named twice. */
export async function recordShown(ctx: Ctx, shown: ShownReply[]): Promise<void> {
  const now = ctx.clock.now();
  const rows = shown.map(
    ({ id, version, platformMessageId, said = null, isSilent = false, hasDuplicates = false }) => ({
      ...{ id, version, said, shown_as: platformMessageId, is_silent: isSilent, has_duplicates: hasDuplicates },
    }),
  );
  const isAnyOpen = await ctx.db.$transaction(async (tx) => {
    const open = await tx.$queryRaw<{ id: string; version: number }[]>`
      with shown as (
        select * from jsonb_to_recordset(${sqlRows(rows)})
          as s(id text, version int, shown_as text, said text, is_silent boolean, has_duplicates boolean)
      ), locked as (
        select id from reply where id in (select id from shown) order by key for update
      ), noted as (
        update reply r
          set sent_version = s.version, platform_message_id = s.shown_as, said = coalesce(s.said, r.said), attempts = 0,
            sent_at = ${new Date(now)}::timestamptz,
            seeks_twins = r.seeks_twins or s.has_duplicates,
            open = r.version > s.version or r.seeks_twins or s.has_duplicates,
            receipt_sent_at = case when s.is_silent then r.receipt_sent_at when r.receipt_version <= s.version then coalesce(r.receipt_sent_at, ${new Date(now)}::timestamptz) end
          from shown s join locked l on l.id = s.id where r.id = s.id
          returning r.id, r.version, r.open
      )
      select id, version from noted where open`;
    await enqueueReplies(tx, open, now, '-again');
    return open.length > 0;
  });
  if (isAnyOpen) await ctx.queues.flush(ctx.db);
}

const RETRY_MS = [1_000, 2_000, 5_000, 15_000, 60_000, 300_000];
const MOST_ATTEMPTS = 40;

/**
 * Records that the platform did not take it, and when it is tried again; after the last attempt it is given up.
 * @param retryAfterMs what the platform asked for; @param isUntaken it surely did not take it: what was begun just now has left nothing behind
 */
export async function recordDelay(
  ctx: Ctx,
  reply: Pick<DueReply, 'id' | 'attempts' | 'begunAt'>,
  reason: string,
  { retryAfterMs, isUntaken = retryAfterMs !== undefined }: { retryAfterMs?: number; isUntaken?: boolean } = {},
): Promise<void> {
  const delay = retryAfterMs ?? RETRY_MS[Math.min(reply.attempts, RETRY_MS.length - 1)] ?? 300_000;
  const isGivenUp = reply.attempts + 1 >= MOST_ATTEMPTS;
  await ctx.db.reply.update({
    where: { id: reply.id },
    data: {
      attempts: { increment: 1 },
      nextAttemptAt: new Date(ctx.clock.now() + delay),
      ...(isUntaken && reply.begunAt === null ? { begunAt: null } : {}),
      ...(isGivenUp ? { failure: reason, failedAt: new Date(ctx.clock.now()), open: false } : {}),
    },
  });
}

/**
 * Records that the platform refused it permanently. A private reply is kept for when the person opens the chat; a pointer stands in the group that
 * asked for it.
 * @param readerId the platform's id of the person whom it addresses; null when it is not known
 */
export async function recordRefusal(ctx: Ctx, reply: DueReply, reason: string, readerId: string | null): Promise<void> {
  if (readerId !== null && isAnswerToGuest(reply)) return moveToDirectChat(ctx, reply, readerId);
  if (reply.data.origin) await pointToDirectChat(ctx, reply, reply.data.origin);
  await ctx.db.reply.update({
    where: { id: reply.id },
    data: { failure: reason, failedAt: new Date(ctx.clock.now()), open: false, attempts: { increment: 1 } },
  });
}

/** Its chat can be written to no longer (its query is over, its answer was deleted), and it is no pointer. */
function isAnswerToGuest({ kind, chatId }: DueReply): boolean {
  return guestQueryOf(chatId) !== null && kind !== 'guest_private' && kind !== 'link_sent';
}

async function pointToDirectChat(
  ctx: Ctx,
  { id, platform, botId, data: { userId } }: DueReply,
  { chatId, messageId }: { chatId: string; messageId: string },
): Promise<void> {
  await ctx.db.$transaction((tx) =>
    wantReply(ctx, tx, {
      key: pointerKey(id),
      to: { platform, botId, chatId },
      replyTo: messageId,
      kind: 'open_chat',
      data: { refused: true, ...(userId === undefined ? {} : { userId }) },
    }),
  );
  await ctx.queues.flush(ctx.db);
}

async function moveToDirectChat(ctx: Ctx, reply: DueReply, readerId: string): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.$transaction(async (tx) => {
    await tx.reply.update({
      where: { id: reply.id },
      data: {
        chatId: directChatId(reply.platform, readerId),
        replyToMessageId: null,
        platformMessageId: null,
        begunAt: null,
        attempts: 0,
        nextAttemptAt: new Date(now),
      },
    });
    await enqueueReplies(tx, [reply], now, '-moved');
  });
  await ctx.queues.flush(ctx.db);
}
