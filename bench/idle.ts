// What an idle stack costs: processor time of its parts, and transactions of the database.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Stack } from '../local/stack/stack.ts';
import { cpuSince, cpuTimes } from './cpu.ts';
import type { Row } from './main.ts';

/** What a start leaves to do ends before. */
const SETTLE_MS = 20_000;
const WINDOW_MS = 40_000;
const OURS = ['workers', 'bots', 'api', 'signer'];

export async function measureIdle(stack: Stack): Promise<Row[]> {
  const db = new pg.Client({ connectionString: stack.processEnv['DATABASE_URL'] ?? '' });
  await db.connect();
  try {
    await sleep(SETTLE_MS);
    const before = { cpu: cpuTimes(stack), transactions: await transactions(db) };
    await sleep(WINDOW_MS);
    const cpu = cpuSince(before.cpu, stack);
    // Without the two statements of this measurement.
    const count = (await transactions(db)) - before.transactions - 2;
    const percent = (parts: string[]) =>
      Math.round((parts.reduce((sum, part) => sum + (cpu[part] ?? 0), 0) / WINDOW_MS) * 1_000) / 10;
    const note = Object.keys(cpu)
      .map((part) => `${part} ${percent([part])}`)
      .join(', ');
    return [
      {
        name: 'idle: workers, bots, API and signer',
        value: percent(OURS),
        unit: '% of a core',
        note: 'goal at most 2',
      },
      {
        name: 'idle: the whole stack',
        value: percent(Object.keys(cpu)),
        unit: '% of a core',
        note: `goal at most 10; ${note}`,
      },
      {
        name: 'idle: transactions of the database',
        value: Math.round((count / WINDOW_MS) * 10_000) / 10,
        unit: '/s',
        note: 'goal at most 5',
      },
    ];
  } finally {
    await db.end();
  }
}

async function transactions(db: pg.Client): Promise<number> {
  // What a process counted is seen by others a moment later.
  await db.query('select pg_stat_force_next_flush()');
  const { rows } = await db.query<{ count: string }>(
    'select xact_commit + xact_rollback as count from pg_stat_database where datname = current_database()',
  );
  return Number(rows[0]?.count);
}
