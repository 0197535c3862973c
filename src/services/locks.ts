// Advisory locks: what must be decided one at a time waits here until the transaction before it ends.
import type { Tx } from '../db.ts';

/** Serialises everything under one name until the transaction ends. */
export async function lockKey(tx: Tx, name: string): Promise<void> {
  await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`;
}

/** The lock under which a sender's payments are decided: a pause waits for it, and what comes after the pause sees it. */
export function lockSender(tx: Tx, handleId: string): Promise<void> {
  return lockKey(tx, `sender:${handleId}`);
}

/** The same for many, always in one order, so that no two transactions deadlock. */
export async function lockSenders(tx: Tx, handleIds: string[]): Promise<void> {
  const names = [...new Set(handleIds)].map((handleId) => `sender:${handleId}`);
  await tx.$queryRaw`
    select count(pg_advisory_xact_lock(lock))
    from (select hashtextextended(name, 0) as lock from unnest(${names}::text[]) as name order by lock) as locks`;
}
