// How many deliveries failed, which their owner may replay: of endpoints, and of one since a time. Test events are none of them.
import type { Ctx } from '../../context.ts';
import type { WorkspaceReader } from '../workspaces/workspaces.ts';
import { ownEndpoint } from './endpoints.ts';

/** `has_more`: there are at least so many; the rest was not counted. */
export type FailedCount = { count: number; has_more: boolean };

/** The count stops here: pages query it often, and a higher number has no use. */
export const MOST_FAILED_COUNTED = 1_000;

/** Of each of some endpoints. */
export async function countFailed(ctx: Ctx, endpoints: { id: string }[]): Promise<Map<string, FailedCount>> {
  const rows = await ctx.db.$queryRaw<{ id: string; count: number }[]>`
    select w.id, f.count
    from unnest(${endpoints.map(({ id }) => id)}::text[]) w(id) cross join lateral (
      select count(*)::float8 as count
      from (select 1 from delivery where endpoint_id = w.id and status = 'failed' and not is_test limit ${MOST_FAILED_COUNTED + 1}) d
    ) f`;
  return new Map(rows.map(({ id, count }) => [id, viewCount(count)]));
}

/**
 * What a replay of all that failed since then would begin with.
 * @param sinceMs Unix milliseconds, of the end of a delivery
 * @throws AppError `resource_missing`
 */
export async function countFailedSince(
  ctx: Ctx,
  reader: WorkspaceReader,
  id: string,
  sinceMs: number,
): Promise<FailedCount> {
  await ownEndpoint(ctx.db, reader, id);
  const since = new Date(sinceMs);
  const [row] = await ctx.db.$queryRaw<{ count: number }[]>`
    select count(*)::float8 as count
    from (
      select 1 from delivery where endpoint_id = ${id} and status = 'failed' and not is_test and ended_at >= ${since}::timestamptz
      limit ${MOST_FAILED_COUNTED + 1}
    ) d`;
  return viewCount(row?.count ?? 0);
}

function viewCount(count: number): FailedCount {
  return { count: Math.min(count, MOST_FAILED_COUNTED), has_more: count > MOST_FAILED_COUNTED };
}
