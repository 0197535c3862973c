// Waking: what a transaction wrote wakes the loops of its topic when it commits, also after the connection that listens was lost.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase } from '../test/setup/database.ts';
import { until } from '../test/setup/processes.ts';
import { connectDb, type Db, disconnectDb } from './db.ts';
import { createLog } from './log.ts';
import { every } from './loop.ts';
import { wake } from './services/wake.ts';
import { createWakes, type Wakes } from './wakes.ts';

let db: Db;
let wakes: Wakes;
let heard: string[] = [];
let drop: () => Promise<unknown>;
beforeAll(async () => {
  const { url, drop: dropDatabase } = await freshDatabase();
  drop = dropDatabase;
  db = connectDb(url);
  wakes = createWakes(url, createLog('test', 'silent', []));
  wakes.on('outgoing', () => heard.push('outgoing'));
  wakes.on('claims', () => heard.push('claims'));
  // Both are called once the connection listens.
  await until(async () => heard.length === 2, 'the connection listens', 10_000);
});
afterAll(async () => {
  await wakes.close();
  await disconnectDb(db);
  await drop();
});

const commit = (topic: 'outgoing' | 'claims') => db.$transaction((tx) => wake(tx, topic));

test('a commit wakes the listeners of its topic and no others', async () => {
  heard = [];
  await commit('claims');
  await until(async () => heard.length > 0, 'the wake', 10_000);
  expect(heard).toEqual(['claims']);
});

test('a transaction that is rolled back wakes nothing', async () => {
  heard = [];
  const failed = db.$transaction(async (tx) => {
    await wake(tx, 'outgoing');
    throw new Error('rolled back');
  });
  await expect(failed).rejects.toThrow('rolled back');
  await commit('claims');
  await until(async () => heard.length > 0, 'the wake', 10_000);
  expect(heard).toEqual(['claims']);
});

test('a lost connection is opened again, and every listener is called for what was missed', async () => {
  heard = [];
  await db.$queryRaw`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and query = 'listen ampersat_wake'`;
  await until(async () => heard.length === 2, 'the new connection', 10_000);
  expect(heard.sort()).toEqual(['claims', 'outgoing']);
  heard = [];
  await commit('outgoing');
  await until(async () => heard.length > 0, 'the wake', 10_000);
  expect(heard).toEqual(['outgoing']);
});

test('an idle loop begins its next round at once', async () => {
  let rounds = 0;
  let closing = false;
  const closers: (() => unknown)[] = [];
  const shutdown = { closing: () => closing, onClose: (_: string, close: () => unknown) => closers.push(close) };
  const ctx = { log: createLog('test', 'silent', []), shutdown: shutdown as never, wakes };
  const round = async () => {
    rounds += 1;
    return 0;
  };
  every(ctx, 'loop', 60_000, round, { topics: ['claims'] });
  await until(async () => rounds > 0, 'its first round', 10_000);
  const before = rounds;
  await commit('claims');
  await until(async () => rounds > before, 'the woken round', 10_000);
  closing = true;
  await Promise.all(closers.map((close) => close()));
});
