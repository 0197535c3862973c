// What stands behind the figures of failures on the operations page: tips that failed and replies that a platform refused, newest first.
import type { Ctx } from '../../context.ts';
import { sqlPart } from '../../db.ts';
import { formatUnits } from '../../domain/money.ts';
import { readCursor, writeCursor } from '../pagination.ts';
import { caseIdOfReply } from './caseLinks.ts';
import { reasonWords } from './replies.ts';
import { refusalWords } from './words.ts';

export type FailedLine = {
  id: string;
  /** ISO 8601. */
  at: string;
  platform: string;
  what: string;
  reason: string;
  case_id: string;
};
export type FailedPage = { lines: FailedLine[]; nextCursor: string | null };
type Place = { limit: number; cursor?: string | undefined };

/** Legs that were not paid. @throws AppError `parameter_invalid` for a cursor that is not ours */
export async function failedTips(ctx: Ctx, { limit, cursor }: Place): Promise<FailedPage> {
  const below = cursor === undefined ? sqlPart`` : sqlPart`and id < ${readCursor('tip', cursor)}`;
  const ids = await ctx.db.$queryRaw<{ id: string }[]>`
    select id from tip where (failure is not null or status = 'failed') ${below} order by id desc limit ${limit + 1}`;
  const page = ids.slice(0, limit).map(({ id }) => id);
  const rows = await ctx.db.tip.findMany({
    where: { id: { in: page } },
    include: { intent: { select: { inboxKey: true, platform: true } } },
    orderBy: { id: 'desc' },
  });
  const lines = rows.map((row) => ({
    id: row.id,
    at: row.createdAt.toISOString(),
    platform: row.intent.platform,
    what: `${formatUnits(BigInt(row.units.toFixed(0)), row.decimals)} ${row.asset} to ${row.recipientLabel} on ${row.chain}`,
    reason: refusalWords(row.failure) ?? row.status,
    case_id: row.intent.inboxKey,
  }));
  return paged(lines, ids.length > limit);
}

/** Replies that are no longer tried. Same errors. */
export async function failedReplies(ctx: Ctx, { limit, cursor }: Place): Promise<FailedPage> {
  const last = cursor === undefined ? null : readCursor('rpl', cursor);
  const place =
    last === null ? null : await ctx.db.reply.findUnique({ where: { id: last }, select: { failedAt: true } });
  const below =
    last === null
      ? sqlPart``
      : sqlPart`and (failed_at, id) < (${place?.failedAt ?? new Date(ctx.clock.now())}::timestamptz, ${last})`;
  const ids = await ctx.db.$queryRaw<{ id: string }[]>`
    select id from reply where failure is not null and failed_at is not null ${below} order by failed_at desc, id desc limit ${limit + 1}`;
  const rows = await ctx.db.reply.findMany({
    where: { id: { in: ids.slice(0, limit).map(({ id }) => id) } },
    orderBy: [{ failedAt: 'desc' }, { id: 'desc' }],
  });
  const lines = rows.map(async (row) => ({
    id: row.id,
    at: (row.failedAt ?? row.createdAt).toISOString(),
    platform: row.platform,
    what: `reply ${row.kind}`,
    reason: reasonWords(row.failure ?? ''),
    case_id: await caseIdOfReply(ctx, row),
  }));
  return paged(await Promise.all(lines), ids.length > limit);
}

function paged(lines: FailedLine[], isMore: boolean): FailedPage {
  const last = lines.at(-1);
  return { lines, nextCursor: isMore && last ? writeCursor(last.id) : null };
}
