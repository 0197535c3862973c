// Reads what is due, and single replies by their keys.
import type { Ctx } from '../../context.ts';
import type { Row } from '../../db.ts';
import { type ReplyData, type ReplyKind, readContent } from './content.ts';

type StoredReply = Omit<Row<'Reply'>, 'kind' | 'data'> & { buttons: Row<'Button'>[] };
/** A reply of one of these kinds that is to be shown. */
export type DueReply<Kind extends ReplyKind = ReplyKind> = {
  [K in Kind]: StoredReply & { kind: K; data: ReplyData<K> };
}[Kind];

/** A row of another version. */
export type UnreadableReply = Row<'Reply'>;

/** Those of the replies that are not up to date, or have duplicates to find; not given up, and due. */
export async function dueReplies(
  ctx: Ctx,
  replyIds: string[],
): Promise<{ due: DueReply[]; unreadable: UnreadableReply[] }> {
  const rows = await ctx.db.reply.findMany({ where: { id: { in: replyIds } }, include: { buttons: true } });
  const due: DueReply[] = [];
  const unreadable: UnreadableReply[] = [];
  for (const row of rows) {
    const isOpen = row.failure === null && (row.sentVersion < row.version || row.seeksTwins);
    // A wait that the platform asked for is kept, however often the row is read.
    if (!isOpen || row.nextAttemptAt.getTime() > ctx.clock.now()) continue;
    const content = readContent(row);
    if (content) due.push({ ...row, ...content });
    else unreadable.push(row);
  }
  return { due, unreadable };
}

/** The key of the message in public that points to a direct message. */
export function pointerKey(replyId: string): string {
  return `pointer:${replyId}`;
}

/** The direct message that a pointer in public announces. */
export async function directReplyOf(ctx: Ctx, pointer: { key: string }): Promise<Row<'Reply'> | null> {
  return ctx.db.reply.findUnique({ where: { id: pointer.key.slice('pointer:'.length) } });
}

export async function replyByKey(ctx: Ctx, key: string): Promise<Row<'Reply'> | null> {
  return ctx.db.reply.findUnique({ where: { key } });
}
