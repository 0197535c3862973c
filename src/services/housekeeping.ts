// What nobody needs any more is dropped: sign-ins that are over, sessions that ended long ago, counts of windows that have passed.
import type { Ctx } from '../context.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Longer than any window counts. */
const COUNTS_KEPT_MS = 2 * DAY_MS;
const ENDED_SESSIONS_KEPT_MS = 30 * DAY_MS;

export async function dropOldRows(ctx: Ctx): Promise<void> {
  const ago = (ms: number) => new Date(ctx.clock.now() - ms);
  await ctx.db.signInNonce.deleteMany({ where: { expiresAt: { lt: ago(HOUR_MS) } } });
  const ended = ago(ENDED_SESSIONS_KEPT_MS);
  await ctx.db.session.deleteMany({ where: { OR: [{ expiresAt: { lt: ended } }, { revokedAt: { lt: ended } }] } });
  await ctx.db.rateEvent.deleteMany({ where: { at: { lt: ago(COUNTS_KEPT_MS) } } });
}
