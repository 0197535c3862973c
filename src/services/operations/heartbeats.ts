// Which processes run: each says so every few seconds, so that the others and an operator see when one is gone.
import type { Ctx, ReadCtx } from '../../context.ts';

/** A process without a heartbeat for this long counts as gone. */
export const SILENT_AFTER_MS = 30_000;
/** Instances that were replaced are forgotten after this time. */
const FORGET_AFTER_MS = 3_600_000;

export type Beat = { process: string; instance: string; startedAt: Date; rssBytes: number; lagMs: number };

/** Notes that this process runs. */
export async function beat(ctx: Ctx, { process, instance, startedAt, rssBytes, lagMs }: Beat): Promise<void> {
  const lastSeenAt = new Date(ctx.clock.now());
  const figures = { lastSeenAt, rssBytes: BigInt(Math.round(rssBytes)), lagMs: Math.round(lagMs) };
  await ctx.db.beat.upsert({
    where: { process_instance: { process, instance } },
    create: { process, instance, startedAt, ...figures },
    update: figures,
  });
}

/** Drops instances that others of their kind have long replaced. @returns how many */
export function dropReplaced(ctx: Ctx): Promise<number> {
  const before = new Date(ctx.clock.now() - FORGET_AFTER_MS);
  return ctx.db.$executeRaw`
    delete from beat old where last_seen_at < ${before}
      and exists (select 1 from beat newer where newer.process = old.process and newer.last_seen_at > old.last_seen_at)`;
}

/** An orderly end. The last of its kind leaves its row, so that its absence is noticed when nothing takes its place. */
export async function endBeat(ctx: Ctx, process: string, instance: string): Promise<void> {
  const fresh = new Date(ctx.clock.now() - SILENT_AFTER_MS);
  const others = await ctx.db.beat.count({
    where: { process, instance: { not: instance }, lastSeenAt: { gt: fresh } },
  });
  if (others > 0) await ctx.db.beat.deleteMany({ where: { process, instance } });
}

export type ProcessState = {
  process: string;
  /** Instances with a heartbeat within the last half minute. */
  instances: number;
  /** Milliseconds since the newest beat. */
  silentMs: number;
  startedAt: Date;
  rssBytes: number;
  lagMs: number;
};

/** Every kind of process that ever sent a heartbeat. */
export async function listProcesses(ctx: Pick<ReadCtx, 'db' | 'clock'>): Promise<ProcessState[]> {
  const rows = await ctx.db.beat.findMany({ orderBy: { lastSeenAt: 'desc' } });
  const now = ctx.clock.now();
  return [...new Set(rows.map((row) => row.process))].sort().map((process) => {
    const own = rows.filter((row) => row.process === process);
    const live = own.filter((row) => now - row.lastSeenAt.getTime() <= SILENT_AFTER_MS);
    const [newest] = own;
    return {
      process,
      instances: live.length,
      silentMs: Math.max(0, now - (newest?.lastSeenAt.getTime() ?? 0)),
      startedAt: newest?.startedAt ?? new Date(0),
      rssBytes: live.reduce((sum, row) => sum + Number(row.rssBytes), 0),
      lagMs: Math.max(0, ...live.map((row) => row.lagMs)),
    };
  });
}
