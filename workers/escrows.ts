// What the workers do for escrows in time: claims that wait for a username, reminders, refunds after the deadline.
import type { Ctx } from '../src/context.ts';
import { BUSY_MS, every, UNTIL_WOKEN_MS } from '../src/loop.ts';
import { dropStaged, refundOverdueEscrows, remindOfEscrows } from '../src/services/escrow/deadlines.ts';
import { matchEscrows } from '../src/services/escrow/matching.ts';
import { holdNames } from '../src/services/escrow/usernameHolds.ts';

/** Escrows that were opened elsewhere find their people as handles and accounts come. */
const MATCH_EVERY_MS = 30_000;
const CARE_EVERY_MS = 60_000;

export function runEscrows(ctx: Ctx): void {
  every(ctx, 'names', BUSY_MS, () => holdNames(ctx), { idleMs: UNTIL_WOKEN_MS, topics: ['names'] });
  every(ctx, 'matching', MATCH_EVERY_MS, () => matchEscrows(ctx));
  every(ctx, 'overdue', BUSY_MS, () => refundOverdueEscrows(ctx), { idleMs: UNTIL_WOKEN_MS, topics: ['refunds'] });
  every(ctx, 'staged and reminders', CARE_EVERY_MS, async () => {
    await dropStaged(ctx);
    await remindOfEscrows(ctx);
  });
}
