// What the workers process does: its loops and the consumers of its queues, a file for each subject.
import type { Ctx } from '../src/context.ts';
import { StartError } from '../src/domain/errors.ts';
import { every, FALLBACK_MS, UNTIL_WOKEN_MS } from '../src/loop.ts';
import { evaluateAlerts } from '../src/services/operations/alertChecks.ts';
import { tellAlerts } from '../src/services/operations/alertNotices.ts';
import { BRIDGE_LOOK_MS, lookAtBridges } from '../src/services/operations/bridges.ts';
import { wakeDue } from '../src/services/operations/dueWork.ts';
import { dropOldRows } from '../src/services/operations/housekeeping.ts';
import { lookAtChains } from '../src/services/operations/probes.ts';
import { sweep } from '../src/services/operations/sweep.ts';
import { recordSamples, SAMPLE_EVERY_MS } from '../src/services/operations/timeSeries.ts';
import { bindSecrets } from '../src/services/webhooks/secrets.ts';
import { runChains } from './chains.ts';
import { runCron } from './cron.ts';
import { runEscrows } from './escrows.ts';
import { runPlans } from './plans.ts';
import { runSmart } from './smart.ts';
import { runTips } from './tips.ts';
import { runWebhooks } from './webhooks.ts';

/** While payments wait for a retry, the first of which is due in half a second. */
const SWEEP_EVERY_MS = 1_000;
const LOOK_EVERY_MS = 15_000;
const TELL_EVERY_MS = 2_000;
const CLEAN_EVERY_MS = 600_000;

/** @throws StartError */
export async function runWorkers(ctx: Ctx): Promise<void> {
  if (ctx.executors.length === 0)
    throw new StartError('EXECUTOR_KEYS is missing: the workers need at least one key to send with.');
  await bindSecrets(ctx);
  runChains(ctx);
  runTips(ctx);
  runEscrows(ctx);
  runPlans(ctx);
  runSmart(ctx);
  runCron(ctx, runWebhooks(ctx));
  runOperations(ctx);
}

function runOperations(ctx: Ctx): void {
  every(ctx, 'due', FALLBACK_MS, () => wakeDue(ctx));
  every(ctx, 'sweep', SWEEP_EVERY_MS, () => sweep(ctx), { idleMs: UNTIL_WOKEN_MS, topics: ['retries'] });
  const look = async () => {
    await lookAtChains(ctx);
    await evaluateAlerts(ctx);
  };
  every(ctx, 'look', LOOK_EVERY_MS, look, { firstAfterMs: 1_000 });
  every(ctx, 'bridges', BRIDGE_LOOK_MS, () => lookAtBridges(ctx), { firstAfterMs: 1_500 });
  every(ctx, 'samples', SAMPLE_EVERY_MS, () => recordSamples(ctx), { firstAfterMs: FALLBACK_MS });
  every(ctx, 'tell alerts', TELL_EVERY_MS, () => tellAlerts(ctx), { idleMs: UNTIL_WOKEN_MS, topics: ['alerts'] });
  every(ctx, 'housekeeping', CLEAN_EVERY_MS, () => dropOldRows(ctx));
}
