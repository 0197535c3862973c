// Tasks of which one run is under way at a time, in whichever process it is requested.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Ctx, newId } from '../context.ts';
import type { Json, Tx } from '../db.ts';
import { AppError } from '../domain/errors.ts';
import { leaseTime } from './leaseTime.ts';

/** A run that was killed stands in the way for this long: longer than any run takes. */
const RUN_MS = 60_000;

export type CronTask = 'process-webhooks';
/** A task whose result every caller gets, with what it is about. */
export type SharedTask = `charge:${string}` | `dispatch-grants:${string}`;

/** Whether a run may begin. @returns what {@link endTask} wants back, or null while another one is under way */
export async function claimTask(ctx: Ctx, task: CronTask): Promise<Date | null> {
  const [claimed] = await ctx.db.$queryRaw<{ until: Date }[]>`
    insert into cron_run as r (task, until) values (${task}, ${leaseTime(ctx, RUN_MS)})
    on conflict (task) do update set until = excluded.until where r.until <= ${leaseTime(ctx)} returning until`;
  return claimed?.until ?? null;
}

export async function endTask(ctx: Ctx, task: CronTask, until: Date): Promise<void> {
  await ctx.db.$executeRaw`update cron_run set until = ${leaseTime(ctx)} where task = ${task} and until = ${until}`;
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
  const claimed = await ctx.db.$executeRaw`
    insert into cron_run as r (task, until, run_id) values (${task}, ${leaseTime(ctx, CLAIM_MS)}, ${runId})
    on conflict (task) do update set until = excluded.until, run_id = excluded.run_id where r.until <= ${leaseTime(ctx)}`;
  if (claimed === 1) return { own: true, runId };
  const row = await ctx.db.cronRun.findUniqueOrThrow({ where: { task } });
  return { own: false, runId: row.runId ?? '' };
}

async function runOwn<T extends object>(ctx: Ctx, task: SharedTask, runId: string, run: () => Promise<T>): Promise<T> {
  const hold = (db: Tx, ms: number) =>
    db.$executeRaw`update cron_run set until = ${leaseTime(ctx, ms)} where task = ${task} and run_id = ${runId}`;
  // A renewal that fails lets another run begin, which is harmless: rows are claimed one by one.
  const renewal = setInterval(() => void hold(ctx.db, CLAIM_MS).catch(() => {}), RENEW_EVERY_MS).unref();
  try {
    const result = await run();
    clearInterval(renewal);
    const end = { endedId: runId, result: result as Json, endedAt: new Date(ctx.clock.now()) };
    await ctx.db.$transaction(async (tx) => {
      await hold(tx, 0);
      await tx.cronRun.updateMany({ where: { task, runId }, data: end });
    });
    return result;
  } catch (error) {
    clearInterval(renewal);
    await hold(ctx.db, 0).catch(() => {});
    throw error;
  }
}

async function isOver(ctx: Ctx, task: SharedTask): Promise<boolean> {
  const over = await ctx.db.$queryRaw<unknown[]>`
    select 1 from cron_run where task = ${task} and until <= ${leaseTime(ctx)}`;
  return over.length > 0;
}

/** The result of another's run, or null once it ended without one. */
async function resultOf<T>(ctx: Ctx, task: SharedTask, runId: string, deadline: number): Promise<T | null> {
  while (performance.now() < deadline && !ctx.shutdown.closing()) {
    const row = await ctx.db.cronRun.findUniqueOrThrow({ where: { task } });
    if (row.endedId === runId) return row.result as T;
    if (row.runId !== runId || (await isOver(ctx, task))) return null;
    await sleep(LOOK_EVERY_MS);
  }
  return null;
}
