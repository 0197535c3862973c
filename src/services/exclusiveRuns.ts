// Tasks of which one run is under way at a time, in whichever process it is requested.
import type { Ctx } from '../context.ts';

/** A run that was killed stands in the way for this long: longer than any run takes. */
const RUN_MS = 60_000;

export type CronTask = 'process-webhooks';

/** Whether a run may begin. @returns what {@link endTask} wants back, or null while another one is under way */
export async function claimTask(ctx: Ctx, task: CronTask): Promise<Date | null> {
  const now = ctx.clock.now();
  const until = new Date(now + RUN_MS);
  const claimed = await ctx.db.$executeRaw`
    insert into cron_run as r (task, until) values (${task}, ${until}::timestamptz)
    on conflict (task) do update set until = excluded.until where r.until <= ${new Date(now)}::timestamptz`;
  return claimed === 1 ? until : null;
}

export async function endTask(ctx: Ctx, task: CronTask, until: Date): Promise<void> {
  await ctx.db.cronRun.updateMany({ where: { task, until }, data: { until: new Date(ctx.clock.now()) } });
}
