// A run waits for the blocks of the transactions that it queued.
import type { Ctx } from '../../context.ts';
import { pollWithin } from '../polling.ts';

/** @returns the batches once blocks have all of them, or after the time limit: then `outcomes` is null for those that are in none */
export async function minedBatches<Batch extends { outcomes: unknown }>(
  ctx: Ctx,
  ids: readonly string[],
  read: () => Promise<Batch[]>,
  withinMs: number,
): Promise<Batch[]> {
  if (ids.length === 0) return [];
  await pollWithin(ctx, withinMs, async () => {
    const batches = await read();
    return batches.every(({ outcomes }) => outcomes !== null) ? true : null;
  });
  return read();
}
