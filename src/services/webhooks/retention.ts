// Deliveries that ended long ago go with their attempts, and so do the events that were tests. All other events stay: they can be read and replayed.
import type { Ctx } from '../../context.ts';
import { sqlList } from '../../db.ts';
import { formatId } from '../../domain/ids.ts';

/** Each batch is a short transaction; what is left over waits for the next time. */
const BATCH = 1_000;
const MOST_BATCHES = 200;

/** @param before only deliveries that ended by then. @returns how many went */
export async function dropOldDeliveries(ctx: Ctx, before: Date): Promise<number> {
  let dropped = 0;
  for (let batch = 0; batch < MOST_BATCHES && !ctx.shutdown.closing(); batch++) {
    const count = await dropBatch(ctx, before);
    dropped += count;
    if (count < BATCH) break;
  }
  return dropped;
}

/** Ids of events sort by time, and no delivery ends before its event: the oldest ids are all that must be looked at. */
async function dropBatch(ctx: Ctx, before: Date): Promise<number> {
  const newest = formatId('evt', before.getTime(), new Uint8Array(10).fill(255));
  return ctx.db.$transaction(async (tx) => {
    const gone = await tx.$queryRaw<{ event_id: string; is_test: boolean }[]>`
      delete from delivery d using (
        select event_id, endpoint_id from delivery
          where event_id <= ${newest} and next_attempt_at is null and ended_at < ${before}::timestamptz
          order by event_id, endpoint_id limit ${BATCH} for update skip locked
      ) old
      where d.event_id = old.event_id and d.endpoint_id = old.endpoint_id
      returning d.event_id, d.is_test`;
    const tests = gone.flatMap((row) => (row.is_test ? [row.event_id] : []));
    if (tests.length > 0)
      await tx.$executeRaw`
        delete from event e where e.id in (${sqlList(tests)}) and e.is_test
          and not exists (select from delivery where event_id = e.id)`;
    return gone.length;
  });
}
