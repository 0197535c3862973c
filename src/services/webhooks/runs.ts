// One round of deliveries on request of a scheduler, ours or an operator's, at most one at a time.
import type { Ctx } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import { claimTask, endTask } from '../exclusiveRuns.ts';
import type { Deliverer } from './dispatcher.ts';
import { bindSecrets } from './secrets.ts';

/** A call is over by then, but for what is still under way. */
const WITHIN_MS = 20_000;

export type WebhookRun = {
  object: 'webhook_run';
  /** False: another run is under way, and this call did nothing. */
  ran: boolean;
  /** Attempts of this process so far; a failed delivery is retried by the retry schedule, or is over. */
  attempts: number;
  delivered: number;
  failed: number;
  /** Deliveries that are due all the same: call again. */
  left: number;
};

/**
 * Sends what is due. Workers that send at the same time take other rows; a run that was killed stands in the way for a minute.
 * @throws AppError `provider_unavailable` where there is no WEBHOOK_KEY
 */
export async function runDeliverers(
  ctx: Ctx,
  deliverer: Deliverer,
  { withinMs = WITHIN_MS }: { withinMs?: number } = {},
): Promise<WebhookRun> {
  if (!ctx.env.WEBHOOK_KEY) throw new AppError('provider_unavailable', 'WEBHOOK_KEY is not set for this process.');
  const run = await claimTask(ctx, 'process-webhooks');
  if (!run)
    return { object: 'webhook_run', ran: false, attempts: 0, delivered: 0, failed: 0, left: await countDue(ctx) };
  try {
    await bindSecrets(ctx);
    const before = deliverer.tally();
    await deliverer.round({ withinMs });
    const now = deliverer.tally();
    const [attempts, delivered] = [now.attempts - before.attempts, now.delivered - before.delivered];
    const left = await countDue(ctx);
    return { object: 'webhook_run', ran: true, attempts, delivered, failed: attempts - delivered, left };
  } finally {
    await endTask(ctx, 'process-webhooks', run);
  }
}

async function countDue(ctx: Ctx): Promise<number> {
  const [row] = await ctx.db.$queryRaw<{ due: number }[]>`
    select coalesce(sum(d.due), 0)::int as due from webhook_endpoint w
      cross join lateral (
        select count(*) as due from delivery where endpoint_id = w.id and next_attempt_at <= ${new Date(ctx.clock.now())}) d
      where w.status = 'enabled'`;
  return row?.due ?? 0;
}
