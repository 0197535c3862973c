// The whole local stack with real processes, in a folder of its own, as `npm start` gives it.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LocalFile } from '../../local/localFile.ts';
import { type Stack, startStack } from '../../local/stack.ts';
import type { ChainName } from '../../src/domain/chains.ts';
import { backendEnv } from './redis.ts';

export type TestStack = { baseUrl: string; local: LocalFile; stack: Stack; dataDir: string; stop(): Promise<void> };

export async function startTestStack({ chains = ['base'] as ChainName[] } = {}): Promise<TestStack> {
  const dataDir = mkdtempSync(join(tmpdir(), 'ampersat-stack-'));
  chmodSync(dataDir, 0o711);
  const { PATH, HOME } = process.env;
  const stack = await startStack({ dataDir, port: 0, chains, fresh: false, env: { PATH, HOME, ...backendEnv() } });
  return {
    baseUrl: stack.local.base_url,
    local: stack.local,
    stack,
    dataDir,
    async stop() {
      await stack.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
