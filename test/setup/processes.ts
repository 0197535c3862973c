// Real processes of ours over a test's own world, to be killed at a chosen moment; and a lock on a table, to choose it.
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../../local/stack/ports.ts';
import { type HostedProcess, hostedChild } from './hosted.ts';
import { tellings } from './tellings.ts';
import type { World } from './world.ts';

/** What runs of a process: the file that the bundle has for it (see tools/bundle.mjs). */
export function bundled(name: 'api' | 'workers' | 'bots' | 'signer' | 'watchdog' | 'cli' | 'start'): string {
  return join(import.meta.dirname, '../../dist', `${name}.mjs`);
}

/** What a shell would give: Vitest puts variables of its own (BASE_URL, MODE …) into the environment, which our processes must not get. */
export function shellEnv(): { PATH?: string | undefined; HOME?: string | undefined; TMPDIR?: string | undefined } {
  const { PATH, HOME, TMPDIR } = process.env;
  return { PATH, HOME, TMPDIR };
}

export type Runner = { start(): Promise<void>; kill(): Promise<void>; stop(): Promise<void> };

/**
 * A process that stays dead when it is killed, until it is started again.
 * @param followsClock it has the world's clock as it is at each start; the machine's otherwise
 */
export function processOf(
  world: World,
  name: 'workers' | 'bots' | 'signer' | 'watchdog',
  env: Record<string, string> = {},
  { followsClock = false } = {},
): Runner {
  /** From the moment its start is requested: a test may kill it before it is ready. */
  let child: Promise<HostedProcess> | undefined;
  const logs = join(world.folder, 'logs');
  mkdirSync(logs, { recursive: true });
  return {
    async start() {
      const given = { ...shellEnv(), ...world.processEnv, LOG_LEVEL: 'info', ...env };
      const clockAheadMs = followsClock ? world.ctx.clock.now() - Date.now() : 0;
      child = hostedChild({ name, env: given, logs, dataDir: world.folder, clockAheadMs });
      await (await child).ready();
    },
    async kill() {
      const running = await child;
      await running?.kill();
      await until(() => !running || !isAlive(running.pid), `${name} is dead`);
    },
    async stop() {
      await (await child)?.stop();
    },
  };
}

export type ApiProcess = { base: string; kill(): Promise<void> };

/** The API as a process of its own. @param port the same one again after a kill; a free one without it */
export async function startApi(world: World, env: Record<string, string> = {}, port?: number): Promise<ApiProcess> {
  const at = port ?? (await freePort());
  const base = `http://127.0.0.1:${at}`;
  const own = { PORT: String(at), BASE_URL: base, API_RATE_PER_SECOND: '10000', API_RATE_BURST: '10000' };
  const child = spawn(process.execPath, [bundled('api')], {
    env: { ...shellEnv(), ...world.processEnv, ...own, ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve());
    child.once('exit', () => reject(new Error(`the API ended: ${errors}`)));
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    base,
    kill: () => {
      child.kill('SIGKILL');
      return ended;
    },
  };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const SOON_MS = 2_000;

/**
 * Waits for something that other processes do.
 * @param withinMs is counted in the pauses between two looks: on a machine that is busy with other work each look takes longer, as all else does
 * @throws Error that names it when it does not come
 */
export async function until(holds: () => Promise<boolean> | boolean, what: string, withinMs = 60_000): Promise<void> {
  const begin = Date.now();
  let pausedMs = 0;
  while (!(await holds())) {
    if (pausedMs > withinMs) {
      const tookS = Math.round((Date.now() - begin) / 1_000);
      throw new Error(`waited ${withinMs / 1_000} s in vain, in ${tookS} s: ${what}\n${await tellings()}`);
    }
    // What takes long is not polled forty times a second: its processes need the time.
    const pauseMs = pausedMs > SOON_MS ? 100 : 25;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    pausedMs += pauseMs;
  }
}

/**
 * Locks a table: every query of it waits, and `reached` resolves when one does.
 * @param mode `share` lets it be read: only what writes to it waits
 */
export async function lockTable(
  databaseUrl: string,
  table: string,
  mode: 'access exclusive' | 'share' = 'access exclusive',
): Promise<{ reached(): Promise<void>; release(): Promise<void> }> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('begin');
  await client.query(`lock table ${pg.escapeIdentifier(table)} in ${mode} mode`);
  const watcher = new pg.Client({ connectionString: databaseUrl });
  await watcher.connect();
  // A test that fails with the lock held must not fail a second time when its database goes away.
  for (const one of [client, watcher]) one.on('error', () => {});
  return {
    reached: () =>
      until(async () => {
        const { rowCount } = await watcher.query(
          'select 1 from pg_locks where relation = $1::regclass and not granted',
          [table],
        );
        return (rowCount ?? 0) > 0;
      }, `a query waits for ${table}`),
    async release() {
      await client.query('rollback');
      await client.end();
      await watcher.end();
    },
  };
}

/** Empties all queues at once: BullMQ's tables. A Redis that is emptied has its test in redis.kill.test.ts. */
export async function queueEmptier(
  databaseUrl: string,
): Promise<{ empty(): Promise<unknown>; close(): Promise<void> }> {
  const client = new pg.Client({ connectionString: databaseUrl });
  // A test that fails meanwhile must not fail a second time when its database goes away.
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    "select quote_ident(tablename) as name from pg_tables where schemaname = 'bullmq' and tablename not in ('migration', 'meta')",
  );
  const tables = rows.map((row) => `bullmq.${row.name}`);
  return {
    empty: () => client.query(`delete from ${tables.join('; delete from ')}`).catch(() => undefined),
    close: () => client.end(),
  };
}
