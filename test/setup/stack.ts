// The whole local stack as `npm start` gives it, in a folder of its own: on the run's PostgreSQL, with copies of seeded chains, and with its four
// processes in this one, where their modules are loaded and compiled already. Real processes have their tests in test/kill.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runBots } from '../../bots/run.ts';
import { evmChainsOf } from '../../local/chains/embeddedChains.ts';
import { claimDatabase } from '../../local/stack/databaseMark.ts';
import { startLocalApi } from '../../local/stack/localApi.ts';
import type { LocalFile } from '../../local/stack/localFile.ts';
import { startStack } from '../../local/stack/stack.ts';
import { runSigner } from '../../signer/run.ts';
import { CHAINS, type ChainName } from '../../src/domain/chains.ts';
import { runWatchdog } from '../../watchdog/run.ts';
import { runWorkers } from '../../workers/run.ts';
import { seededDatabase } from './database.ts';
import { type HostedChain, hostedAnvil } from './hosted.ts';
import { runInWorker } from './inWorker.ts';
import { shellEnv } from './processes.ts';
import { seededChain } from './seeded.ts';

export type TestStack = {
  baseUrl: string;
  local: LocalFile;
  dataDir: string;
  /** Moves the clock of everything together; what becomes due on the way is done. */
  later(ms: number): Promise<void>;
  stop(): Promise<void>;
};

/**
 * @param more chains beside Base, also Solana's
 * @param watchdog whether the watchdog runs as well
 * @param host the name of this machine in BASE_URL: passkeys belong to names
 * @param walletHost where passkeys are, beside a host of the pages
 */
export async function startTestStack({
  more = [] as ChainName[],
  host = '127.0.0.1' as '127.0.0.1' | 'localhost',
  watchdog = false,
  walletHost = undefined as 'localhost' | undefined,
} = {}): Promise<TestStack> {
  const dataDir = mkdtempSync(join(tmpdir(), 'ampersat-stack-'));
  chmodSync(dataDir, 0o711);
  const names: ChainName[] = ['base', ...more];
  const database = await seededDatabase();
  await claimDatabase(database.url, { embedded: true });
  const evmNames = evmChainsOf(names);
  const anvils = await Promise.all(
    evmNames.map(async (name) => {
      const { stateFile } = await seededChain(name);
      return hostedAnvil({ chainId: CHAINS[name].chainId, extraArgs: ['--load-state', stateFile] });
    }),
  );
  const env = {
    ...shellEnv(),
    DATABASE_URL: database.url,
    X_POLL_SECONDS: '0.5',
    LOG_LEVEL: process.env['TEST_LOG'] ?? 'silent',
  };
  const stack = await startStack({
    dataDir,
    port: 0,
    host,
    ...(walletHost && { walletHost }),
    chains: names,
    fresh: false,
    env: { ...env, ...rpcUrls(evmNames, anvils) },
    withoutProcesses: true,
  });
  const { clock } = stack;
  const running = await Promise.all([
    runInWorker('api', stack.environments.api, (ctx) => startLocalApi(ctx, stack.local), { clock }),
    runInWorker('workers', stack.environments.workers, runWorkers, { clock }),
    runInWorker('bots', stack.environments.bots, runBots, { clock }),
    runInWorker('signer', stack.environments.signer, runSigner, { clock, queueNames: [] }),
    ...(watchdog ? [runInWorker('watchdog', stack.environments.watchdog, runWatchdog, { clock, queueNames: [] })] : []),
  ]);
  return {
    baseUrl: stack.local.base_url,
    local: stack.local,
    dataDir,
    later: async (ms) => void (await clock.advance(ms)),
    async stop() {
      await Promise.all(running.map((ctx) => ctx.shutdown.close()));
      await stack.stop();
      await Promise.all(anvils.map((anvil) => anvil.stop()));
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function rpcUrls(names: ChainName[], anvils: HostedChain[]): Record<string, string> {
  const variable = (name: ChainName) => `RPC_URL_${name.toUpperCase().replaceAll('-', '_')}`;
  return Object.fromEntries(names.map((name, index) => [variable(name), anvils[index]?.rpcUrl ?? '']));
}
