// Waking loops, in every process, once a transaction commits.
import type { Tx } from '../db.ts';
import { type Topic, WAKE_CHANNEL } from '../wakes.ts';

/** Nothing depends on it: what is due is found without it (services/operations/dueWork). */
export async function wake(tx: Tx, topic: Topic): Promise<void> {
  await tx.$executeRaw`select pg_notify(${WAKE_CHANNEL}, ${topic})`;
}
