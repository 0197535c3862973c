// What the workers process does: one short consumer a queue, one watcher a chain, one sweeper.
import type { Ctx } from '../src/context.ts';
import { dropOldRows } from '../src/services/housekeeping.ts';
import { settlePause } from '../src/services/pauses.ts';
import { settleChain } from '../src/services/settle.ts';
import { sendSponsored } from '../src/services/sponsored.ts';
import { sweep } from '../src/services/sweep.ts';
import { prepareIntent } from '../src/services/tips.ts';
import { reconcileChain, watchChain } from '../src/services/watch.ts';
import { every } from './loop.ts';

const SWEEP_EVERY_MS = 1_000;
const RECONCILE_EVERY_MS = 15_000;
const CLEAN_EVERY_MS = 600_000;

export function runWorkers(ctx: Ctx): void {
  for (const chain of Object.values(ctx.chains)) {
    every(ctx, `reconcile ${chain.name}`, RECONCILE_EVERY_MS, () => reconcileChain(ctx, chain));
    every(ctx, `watch ${chain.name}`, chain.pollMs, () => watchChain(ctx, chain));
  }
  ctx.queues.consume(
    'intents',
    async ({ intentIds }) => {
      for (const id of intentIds) await prepareIntent(ctx, id);
    },
    8,
  );
  ctx.queues.consume('settle', async ({ chain }) => void (await settleChain(ctx, chain)), 4);
  ctx.queues.consume('pauses', ({ handleId }) => settlePause(ctx, handleId), 2);
  ctx.queues.consume('sponsored', ({ callId }) => sendSponsored(ctx, callId), 2);
  every(ctx, 'sweep', SWEEP_EVERY_MS, () => sweep(ctx));
  every(ctx, 'housekeeping', CLEAN_EVERY_MS, () => dropOldRows(ctx));
}
