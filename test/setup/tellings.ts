// What a test that waited in vain says beside what it waited for: the open rows and the last complaints of the processes, for a machine that
// is gone afterwards.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../src/db.ts';

type Watched = { db: Db; folder: string };

const watched = new Set<Watched>();
const MOST_ROWS = 5;
const LAST_LINES = 8;
const LONGEST_LINE = 400;
/** A table that a test has locked must not cost the whole telling. */
const WITHIN_MS = 3_000;

/** Has every wait that fails describe a world, until the returned function is called. */
export function tellOf(world: Watched): () => void {
  watched.add(world);
  return () => watched.delete(world);
}

/** @returns lines about every running world of this file, or an empty text */
export async function tellings(): Promise<string> {
  return (await Promise.all([...watched].map(tell))).join('\n');
}

async function tell({ db, folder }: Watched): Promise<string> {
  const rows = Object.entries(questions(db)).map(async ([name, question]) => {
    const late = sleep(WITHIN_MS, ['no answer'], { ref: false });
    const found = await Promise.race([question, late]).catch((error: unknown) => [String(error)]);
    return found.map(
      (row) => `  ${name}: ${JSON.stringify(row, (_, one) => (typeof one === 'bigint' ? `${one}` : one))}`,
    );
  });
  return [...(await Promise.all(rows)).flat(), ...complaintsIn(join(folder, 'logs'))].join('\n');
}

function questions(db: Db): Record<string, Promise<unknown[]>> {
  return {
    transactions: db.outgoingTx.findMany({
      orderBy: { createdAt: 'desc' },
      take: MOST_ROWS,
      select: {
        chain: true,
        kind: true,
        nonce: true,
        status: true,
        minedBlock: true,
        succeeded: true,
        attempts: { select: { number: true, signedAt: true, broadcastAt: true, lastError: true } },
      },
    }),
    keys: db.executorKey.findMany({ select: { chain: true, nextNonce: true, pausedReason: true } }),
    submissions: db.orderSubmission.findMany({ take: MOST_ROWS, select: { status: true, failure: true } }),
    tips: db.$queryRaw`select status, count(*)::int from tip group by 1`,
    'open replies': db.reply.findMany({
      where: { open: true },
      take: MOST_ROWS,
      select: { kind: true, version: true, sentVersion: true, attempts: true, nextAttemptAt: true },
    }),
    'inbox not done': db.inbox.findMany({
      where: { status: { not: 'done' } },
      take: MOST_ROWS,
      select: { key: true, status: true },
    }),
    connections: db.$queryRaw`
      select state, wait_event, (now() - xact_start)::text as age, left(query, 80) as query, pg_blocking_pids(pid)::text as behind
      from pg_stat_activity where datname = current_database() and (cardinality(pg_blocking_pids(pid)) > 0 or state like '%transaction%')`,
  };
}

function complaintsIn(logs: string): string[] {
  if (!existsSync(logs)) return [];
  return readdirSync(logs).flatMap((file) =>
    readFileSync(join(logs, file), 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.includes('"level":"debug"'))
      .slice(-LAST_LINES)
      .map((line) => `  ${file}: ${line.slice(0, LONGEST_LINE)}`),
  );
}
