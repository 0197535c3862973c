// A real redis-server of a test's or a bench's own: on a free port, behind a password, gone when it is stopped. `npm start` has none: it
// uses the one of REDIS_URL, and `--fresh` forgets what a database has in there.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { identifyDb } from '../../src/db.ts';
import { createLog } from '../../src/log.ts';
import { openRedis } from '../../src/redis.ts';
import { freePort } from './ports.ts';

const PLACES = [
  '/usr/bin/redis-server',
  '/usr/local/bin/redis-server',
  '/opt/homebrew/bin/redis-server',
  // One program with several names: Debian's redis-tools has it under this one, without the service that redis-server starts.
  '/usr/bin/redis-check-rdb',
];
const READY_WITHIN_MS = 10_000;
/** Not a secret: the server listens on this machine only. It is here so that it can be looked for in logs. */
export const REDIS_PASSWORD = 'local-redis-password';

/** Where a redis-server is, or undefined. */
export function findRedisServer(): string | undefined {
  return [process.env['REDIS_SERVER_PATH'] ?? '', ...PLACES].find((path) => path && existsSync(path));
}

export type RunningRedis = {
  url: string;
  /** A connection for whatever a test wants to look at or to break. Closed by `stop`. */
  client: Redis;
  /** kill -9. */
  kill(): Promise<void>;
  /** SIGSTOP: it keeps its connections and answers nothing. */
  freeze(): void;
  thaw(): void;
  /** Starts it again after `kill`, on the same port and files. */
  restart(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * @param durable whether every write is in the append-only file before it is answered, so that `kill` loses nothing
 * @param args options of redis-server beyond ours
 * @throws Error when there is no redis-server here, or it does not start
 */
export async function startRedis({ durable = false, args = [] as string[] } = {}): Promise<RunningRedis> {
  const binary = findRedisServer();
  if (!binary) throw new Error('There is no redis-server here. Install it, or set REDIS_SERVER_PATH.');
  const dir = mkdtempSync(join(tmpdir(), 'ampersat-redis-'));
  const port = await freePort();
  const url = `redis://:${REDIS_PASSWORD}@127.0.0.1:${port}`;
  const persistence = durable ? ['--appendonly', 'yes', '--appendfsync', 'always'] : ['--appendonly', 'no'];
  const options = ['--port', `${port}`, '--bind', '127.0.0.1', '--requirepass', REDIS_PASSWORD, '--dir', dir];
  const client = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: 50, retryStrategy: () => 50 });
  client.on('error', () => {});
  let child: ChildProcess;

  async function launch(): Promise<void> {
    child = spawn(binary ?? '', [...options, '--save', '', ...persistence, ...args], {
      argv0: 'redis-server',
      stdio: 'ignore',
    });
    child.on('error', () => {});
    const end = Date.now() + READY_WITHIN_MS;
    while (!(await answers(url))) {
      if (child.exitCode !== null || Date.now() > end) throw new Error('redis-server did not start');
      await sleep(20);
    }
  }
  async function end(signal: NodeJS.Signals): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  }

  await launch();
  await client.connect();
  return {
    url,
    client,
    kill: () => end('SIGKILL'),
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    restart: launch,
    async stop() {
      client.disconnect();
      await end('SIGKILL');
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const probe = new Redis(url, { lazyConnect: true, retryStrategy: () => null, connectTimeout: 1_000 });
  probe.on('error', () => {});
  try {
    await probe.connect();
    return (await probe.ping()) === 'PONG';
  } catch {
    return false;
  } finally {
    probe.disconnect();
  }
}

/** Deletes every key that belongs to a database, and no other. */
export async function forgetInRedis(url: string, databaseUrl: string): Promise<void> {
  const redis = await openRedis(url, await identifyDb(databaseUrl), createLog('fresh', 'silent'));
  try {
    for await (const keys of redis.commands.scanStream({ match: `${redis.prefix}:*`, count: 1_000 })) {
      if (keys.length > 0) await redis.commands.unlink(keys);
    }
  } finally {
    await redis.close();
  }
}
