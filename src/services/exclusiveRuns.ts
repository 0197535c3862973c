// Tasks of which one run is under way at a time, in whichever process it is requested.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Ctx, newId } from '../context.ts';
import type { Json } from '../db.ts';
import { AppError } from '../domain/errors.ts';

/** A run that was killed stands in the way for this long: longer than any run takes. */
const RUN_MS = 60_000;

export type CronTask = 'process-webhooks';
/** A task whose result every caller gets, with what it is about. */
export type SharedTask = `charge:${string}` | `dispatch-grants:${string}`;

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

/** A shared run renews its claim, so one that was killed stands in the way for this long. */
const CLAIM_MS = 20_000;
const RENEW_EVERY_MS = 5_000;
const LOOK_EVERY_MS = 250;
/** Longer than any shared run takes. */
const SHARED_WITHIN_MS = 180_000;

/**
 * Runs a task once at a time: a caller that comes while a run is under way waits for that one and gets its result. A run that was killed is replaced
 * once it stopped renewing its claim.
 * @throws what the caller's own run throws; AppError `provider_unavailable` when the other one takes too long
 */
export async function runShared<T extends object>(ctx: Ctx, task: SharedTask, run: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + SHARED_WITHIN_MS;
  while (performance.now() < deadline && !ctx.shutdown.closing()) {
    const { own, runId } = await claimShared(ctx, task);
    if (own) return runOwn(ctx, task, runId, run);
    const result = await resultOf<T>(ctx, task, runId, deadline);
    if (result) return result;
  }
  throw new AppError('provider_unavailable', 'Another run is still under way. Try again shortly.');
}

async function claimShared(ctx: Ctx, task: SharedTask): Promise<{ own: boolean; runId: string }> {
  const runId = newId(ctx, 'run');
  const now = ctx.clock.now();
  const claimed = await ctx.db.$executeRaw`
    insert into cron_run as r (task, until, run_id) values (${task}, ${new Date(now + CLAIM_MS)}::timestamptz, ${runId})
    on conflict (task) do update set until = excluded.until, run_id = excluded.run_id where r.until <= ${new Date(now)}::timestamptz`;
  if (claimed === 1) return { own: true, runId };
  const row = await ctx.db.cronRun.findUniqueOrThrow({ where: { task } });
  return { own: false, runId: row.runId ?? '' };
}

async function runOwn<T extends object>(ctx: Ctx, task: SharedTask, runId: string, run: () => Promise<T>): Promise<T> {
  const set = (until: number, end: { endedId?: string; result?: Json; endedAt?: Date } = {}) =>
    ctx.db.cronRun.updateMany({ where: { task, runId }, data: { until: new Date(until), ...end } });
  // A renewal that fails lets another run begin, which is harmless: rows are claimed one by one.
  const renewal = setInterval(() => void set(ctx.clock.now() + CLAIM_MS).catch(() => {}), RENEW_EVERY_MS).unref();
  try {
    const result = await run();
    clearInterval(renewal);
    const endedAt = new Date(ctx.clock.now());
    await set(endedAt.getTime(), { endedId: runId, result: result as Json, endedAt });
    return result;
  } catch (error) {
    clearInterval(renewal);
    await set(ctx.clock.now()).catch(() => {});
    throw error;
  }
}

/** The result of another's run, or null once it ended without one. */
async function resultOf<T>(ctx: Ctx, task: SharedTask, runId: string, deadline: number): Promise<T | null> {
  while (performance.now() < deadline && !ctx.shutdown.closing()) {
    const row = await ctx.db.cronRun.findUniqueOrThrow({ where: { task } });
    if (row.endedId === runId) return row.result as T;
    if (row.runId !== runId || row.until.getTime() <= ctx.clock.now()) return null;
    await sleep(LOOK_EVERY_MS);
  }
  return null;
}
