// Polling within a request, for a result that usually follows in seconds.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ctx } from '../context.ts';

/** How long a response waits for the last confirmation, or for a transaction's hash. */
export const ANSWER_WITHIN_MS = 4_000;

const POLL_EVERY_MS = 250;

/** Polls until `read` has a result; null when the time is over, or the process shuts down, before. */
export async function pollWithin<T>(ctx: Ctx, withinMs: number, read: () => Promise<T | null>): Promise<T | null> {
  const until = performance.now() + withinMs;
  for (;;) {
    const found = await read();
    if (found !== null || performance.now() >= until || ctx.shutdown.closing()) return found;
    await sleep(POLL_EVERY_MS);
  }
}
