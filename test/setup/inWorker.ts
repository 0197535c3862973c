// What our processes do, in the process of the test: their modules are loaded and compiled there already. For what no test kills.
import { runBots } from '../../bots/run.ts';
import { type Ctx, createContext, verifyChains } from '../../src/context.ts';
import { readEnv } from '../../src/env.ts';
import { keepBeating } from '../../src/process.ts';
import { runWorkers } from '../../workers/run.ts';
import type { Runner } from './processes.ts';
import type { World } from './world.ts';

/** As `runProcess` does it. */
export async function runInWorker(
  name: string,
  env: Record<string, string>,
  start: (ctx: Ctx) => Promise<void> | void,
  options: Parameters<typeof createContext>[2] = {},
): Promise<Ctx> {
  const ctx = await createContext(readEnv({ LOG_LEVEL: 'silent', ...env }), name, options);
  await verifyChains(ctx);
  await start(ctx);
  keepBeating(ctx, name);
  return ctx;
}

const STARTS = { workers: runWorkers, bots: runBots };

/** Like a process of a world, which a test starts and stops, and does not kill. */
export function companionOf(world: World, name: keyof typeof STARTS, env: Record<string, string> = {}): Runner {
  let running: Ctx | undefined;
  return {
    async start() {
      running = await runInWorker(name, { ...world.processEnv, ...env }, STARTS[name]);
    },
    kill: () => Promise.reject(new Error(`${name} run in the process of the test`)),
    async stop() {
      await running?.shutdown.close();
      running = undefined;
    },
  };
}
