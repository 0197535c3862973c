// The whole local stack with real processes, in a folder of its own, as `npm start` gives it: on the run's PostgreSQL, with the seeded chain of the
// run, because making both anew took as long as all of our processes. What `npm start` makes by itself is the matter of start.test.ts.
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { claimDatabase } from '../../local/stack/databaseMark.ts';
import type { LocalFile } from '../../local/stack/localFile.ts';
import { type Stack, startStack } from '../../local/stack/stack.ts';
import type { ChainName } from '../../src/domain/chains.ts';
import { seededDatabase } from './database.ts';
import { shellEnv } from './processes.ts';

export type TestStack = { baseUrl: string; local: LocalFile; stack: Stack; dataDir: string; stop(): Promise<void> };

/** @param more chains beside the seeded one, which are made anew */
export async function startTestStack({ more = [] as ChainName[] } = {}): Promise<TestStack> {
  const dataDir = mkdtempSync(join(tmpdir(), 'ampersat-stack-'));
  chmodSync(dataDir, 0o711);
  const { chain, stateFile } = inject('seededWorld');
  mkdirSync(join(dataDir, 'chains'));
  copyFileSync(stateFile, join(dataDir, 'chains', `${chain.name}.json`));
  const database = await seededDatabase();
  await claimDatabase(database.url, { embedded: true });
  const env = { ...shellEnv(), DATABASE_URL: database.url };
  const stack = await startStack({ dataDir, port: 0, chains: [chain.name, ...more], fresh: false, env });
  return {
    baseUrl: stack.local.base_url,
    local: stack.local,
    stack,
    dataDir,
    async stop() {
      await stack.stop();
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
