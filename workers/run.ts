// What the workers process does: one short consumer a queue, one watcher a chain, one sweeper.
import type { Ctx } from '../src/context.ts';
import { every } from '../src/loop.ts';
import { evaluateAlerts } from '../src/services/alertChecks.ts';
import { tellAlerts } from '../src/services/alertNotices.ts';
import { sendClaims } from '../src/services/claims.ts';
import { dropOldRows } from '../src/services/housekeeping.ts';
import { settlePause } from '../src/services/pauses.ts';
import { lookAtChains } from '../src/services/probes.ts';
import { recordSamples, SAMPLE_EVERY_MS } from '../src/services/samples.ts';
import { settleChain } from '../src/services/settle.ts';
import { sendSponsored } from '../src/services/sponsored.ts';
import { sweep } from '../src/services/sweep.ts';
import { prepareIntents } from '../src/services/tips.ts';
import { reconcileChain, watchChain } from '../src/services/watch.ts';

const SWEEP_EVERY_MS = 1_000;
const RECONCILE_EVERY_MS = 15_000;
const LOOK_EVERY_MS = 5_000;
const TELL_EVERY_MS = 2_000;
const CLAIMS_EVERY_MS = 500;
const CLEAN_EVERY_MS = 600_000;

export function runWorkers(ctx: Ctx): void {
  for (const chain of Object.values(ctx.chains)) {
    every(ctx, `reconcile ${chain.name}`, RECONCILE_EVERY_MS, () => reconcileChain(ctx, chain));
    every(ctx, `watch ${chain.name}`, chain.pollMs, () => watchChain(ctx, chain));
  }
  ctx.queues.consume('intents', ({ intentIds }) => prepareIntents(ctx, intentIds), 4);
  ctx.queues.consume('settle', async ({ chain }) => void (await settleChain(ctx, chain)), 4);
  ctx.queues.consume('pauses', ({ handleId }) => settlePause(ctx, handleId), 2);
  ctx.queues.consume('sponsored', ({ callId }) => sendSponsored(ctx, callId), 2);
  every(ctx, 'claims', CLAIMS_EVERY_MS, () => sendClaims(ctx));
  every(ctx, 'sweep', SWEEP_EVERY_MS, () => sweep(ctx));
  every(
    ctx,
    'look',
    LOOK_EVERY_MS,
    async () => {
      await lookAtChains(ctx);
      await evaluateAlerts(ctx);
    },
    { firstAfterMs: 1_000 },
  );
  every(ctx, 'samples', SAMPLE_EVERY_MS, () => recordSamples(ctx), { firstAfterMs: LOOK_EVERY_MS });
  every(ctx, 'tell alerts', TELL_EVERY_MS, () => tellAlerts(ctx));
  every(ctx, 'housekeeping', CLEAN_EVERY_MS, () => dropOldRows(ctx));
}
