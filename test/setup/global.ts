// Before the first test: one real PostgreSQL for the whole run, with templates that each test file copies
// (migrated, and seeded with its chain), and one Redis.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startPostgres } from '../../local/postgres/postgres.ts';
import { findRedisServer, startRedis } from '../../local/stack/redis.ts';
import { migrateDb } from '../../src/db.ts';
import { createLog } from '../../src/log.ts';
import { migrateQueues } from '../../src/queues.ts';
import { ROOT } from '../../src/root.ts';
import { startHost } from './hosted.ts';
import { openScratch } from './scratch.ts';
import { makeSeededWorld, type SeededWorld } from './seeded.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string;
    /** Of the process that starts chains and processes. */
    hostUrl: string;
    seededWorld: SeededWorld;
    /** Undefined where there is no redis-server. */
    redisUrl: string | undefined;
    /** On what the queues, limits and leases of this suite run. */
    backend: 'postgres' | 'redis';
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // The real processes of a test are what the bundle has, so it has to be of these sources.
  execFileSync(process.execPath, [join(ROOT, 'tools/bundle.mjs')], { stdio: 'inherit' });
  const removeScratch = openScratch();
  const host = await startHost();
  project.provide('hostUrl', host.url);
  const dataDir = mkdtempSync(join(tmpdir(), 'ampersat-test-'));
  // PostgreSQL never runs as root, and its account has to get through this folder.
  chmodSync(dataDir, 0o711);
  const postgres = await startPostgres({ dataDir, database: 'template_ampersat', durable: false });
  await migrateDb(postgres.url);
  await migrateQueues(postgres.url, createLog('setup', 'silent'));
  project.provide('postgresUrl', postgres.url);
  project.provide('seededWorld', await makeSeededWorld(postgres.url, join(dataDir, 'world')));
  const redis = findRedisServer() ? await startRedis() : undefined;
  project.provide('redisUrl', redis?.url);
  return async () => {
    await host.stop();
    await redis?.stop();
    await postgres.stop();
    removeScratch();
  };
}
