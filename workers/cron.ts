// What comes again by itself: the work of /api/cron on the queues' own schedulers. The loops do nearly all of it before; this is there for when one stands
// still.
import type { Ctx } from '../src/context.ts';
import { AppError } from '../src/domain/errors.ts';
import { every } from '../src/loop.ts';
import type { Payload, Schedule } from '../src/queues.ts';
import { runIndexer } from '../src/services/operations/feed.ts';
import type { Deliverer } from '../src/services/webhooks/dispatcher.ts';
import { runDeliverers } from '../src/services/webhooks/runs.ts';

const TURN_EVERY_MS = 30_000;
/** The queues can be emptied at any time, and the repeated jobs with them. */
const SAY_EVERY_MS = 60_000;
/** Where it could not be said. */
const SAY_AGAIN_MS = 2_000;

export function runCron(ctx: Ctx, deliverer: Deliverer): void {
  const schedules = schedulesOf(ctx);
  const say = () => unlessAway(() => ctx.queues.schedule(schedules));
  every(ctx, 'schedules', SAY_EVERY_MS, say, { idleMs: SAY_AGAIN_MS });
  // A turn that takes long keeps one place; the next of its kind finds it running and is over at once.
  ctx.queues.consume(
    'cron',
    async (task) => void (await unlessAway(() => runTask(ctx, deliverer, task))),
    schedules.length + 1,
  );
}

function schedulesOf(ctx: Ctx): Schedule[] {
  const chains = Object.values(ctx.chains).map(({ name }) => name);
  return [
    ...(ctx.env.WEBHOOK_KEY
      ? [{ id: 'process-webhooks', everyMs: TURN_EVERY_MS, payload: { task: 'process-webhooks' as const } }]
      : []),
    ...chains.map((chain) => ({
      id: `indexer ${chain}`,
      everyMs: TURN_EVERY_MS,
      payload: { task: 'indexer' as const, chain },
    })),
  ];
}

async function runTask(ctx: Ctx, deliverer: Deliverer, task: Payload<'cron'>): Promise<void> {
  if (task.task === 'process-webhooks') await runDeliverers(ctx, deliverer);
  // Another process may serve chains that this one does not.
  else if (ctx.chains[task.chain]) await runIndexer(ctx, task.chain);
}

/** An unreachable chain or Redis is reported by the alerts, and the next run tries again. @returns the number of runs: 0 when it was unreachable */
async function unlessAway(work: () => Promise<unknown>): Promise<0 | 1> {
  try {
    await work();
    return 1;
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'provider_unavailable')) throw error;
    return 0;
  }
}
