// Figures over time, for the charts: the workers write them down twice a minute, and what is older than a week is dropped.
import type { Ctx } from '../../context.ts';
import type { FigureName } from '../../metrics.ts';
import { readParts } from './metrics.ts';

export const SAMPLE_EVERY_MS = 30_000;
const KEEP_MS = 7 * 24 * 3_600_000;

/** What is written down: a fixed set, each with few subjects. What rows can tell later is not among it. */
const SAMPLED: ReadonlySet<FigureName> = new Set<FigureName>([
  'ampersat_work_waiting',
  'ampersat_work_oldest_seconds',
  'ampersat_executor_balance',
  'ampersat_executor_nonce',
  'ampersat_executor_open_slots',
  'ampersat_rpc_latency_seconds',
  'ampersat_rpc_up',
  'ampersat_price_age_seconds',
  'ampersat_process_memory_bytes',
]);

/** Writes the present figures down under the time's half minute: of several processes, the first one does. @returns how many were written */
export async function recordSamples(ctx: Ctx): Promise<number> {
  const now = ctx.clock.now();
  const at = new Date(Math.floor(now / SAMPLE_EVERY_MS) * SAMPLE_EVERY_MS);
  const figures = await readParts(ctx, ['work', 'executors', 'chains', 'processes']);
  const data = figures
    .filter(({ name }) => SAMPLED.has(name))
    .map(({ name, labels = {}, value }) => ({ at, name, subject: Object.values(labels).join(' '), value }));
  const { count } = await ctx.db.sample.createMany({ data, skipDuplicates: true });
  await ctx.db.sample.deleteMany({ where: { at: { lt: new Date(now - KEEP_MS) } } });
  return count;
}

export type Series = { name: string; subject: string; points: [atMs: number, value: number][] };

/**
 * The samples of some figures since a time, averaged over steps so that a chart gets a few hundred points however long the span is.
 * @param sinceMs Unix milliseconds; @param stepSeconds the width of one point
 */
export async function readSeries(
  ctx: Ctx,
  names: readonly FigureName[],
  sinceMs: number,
  stepSeconds: number,
): Promise<Series[]> {
  const rows = await ctx.db.$queryRaw<{ name: string; subject: string; at: number; value: number }[]>`
    select name, subject, (floor(extract(epoch from at) / ${stepSeconds}::float8) * ${stepSeconds}::float8 * 1000)::float8 as at, avg(value)::float8 as value
    from sample where name = any(${[...names]}) and at >= ${new Date(sinceMs)}
    group by 1, 2, 3 order by 1, 2, 3`;
  const series = new Map<string, Series>();
  for (const { name, subject, at, value } of rows) {
    const key = `${name} ${subject}`;
    const one = series.get(key) ?? { name, subject, points: [] };
    one.points.push([at, value]);
    series.set(key, one);
  }
  return [...series.values()];
}
