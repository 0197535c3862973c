// The time by which leases are judged: the database's own, which all processes share, so that a process whose clock is wrong holds none too long and takes
// none too soon.
import type { Ctx } from '../context.ts';
import { sqlPart } from '../db.ts';

/** Null where the database's time counts: a clock that a test moves is the time of its leases, too. */
export function movedTime({ clock }: Pick<Ctx, 'clock'>): Date | null {
  return clock.ofLeases === 'this' ? new Date(clock.now()) : null;
}

/** Now, as part of a statement. @param aheadMs so much later */
export function leaseTime(ctx: Pick<Ctx, 'clock'>, aheadMs = 0): typeof NOTHING {
  return sqlPart`(coalesce(${movedTime(ctx)}::timestamptz, statement_timestamp()) + ${aheadMs}::float8 * interval '1 millisecond')`;
}

const NOTHING = sqlPart``;
