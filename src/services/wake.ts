// Waking: what a transaction wrote is announced by PostgreSQL when it commits, and the loops that name the topic look at once. Nothing depends on it:
// every loop also polls.
import type { Tx } from '../db.ts';

/** What loops wait for. */
export type Topic = 'outgoing' | 'pauses' | 'claims';

/** The channel of NOTIFY; its payload is a topic. */
export const WAKE_CHANNEL = 'ampersat_wake';

/** Wakes the loops of a topic, in every process, once the transaction commits. */
export async function wake(tx: Tx, topic: Topic): Promise<void> {
  await tx.$executeRaw`select pg_notify(${WAKE_CHANNEL}, ${topic})`;
}
