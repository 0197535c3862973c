// Waiting for another connection to wait: how a test makes two transactions meet.
import type { Db } from '../../src/db.ts';

/** Until a connection of the database waits for an advisory lock that another transaction holds. */
export async function waitForLock(db: Db): Promise<void> {
  for (;;) {
    const [row] = await db.$queryRaw<{ waiting: bigint }[]>`
      select count(*) as waiting from pg_locks l join pg_database d on d.oid = l.database
      where l.locktype = 'advisory' and not l.granted and d.datname = current_database()`;
    if (row && row.waiting > 0n) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
