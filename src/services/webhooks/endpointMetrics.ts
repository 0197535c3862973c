// How an endpoint did over time: attempts that succeeded and that failed, and how long answers took, in equal steps without gaps. Test events count nowhere.
import type { Ctx } from '../../context.ts';
import { sqlList } from '../../db.ts';
import type { WorkspaceReader } from '../workspaces/workspaces.ts';
import { ownEndpoint } from './endpoints.ts';

const DAY_MS = 24 * 3_600_000;
/** Hours that are looked back over, and the step of each in seconds: 48, 42 and 60 steps. */
export const FIGURE_STEPS = { 24: 1_800, 168: 14_400, 720: 43_200 } as const;
export type FigureHours = keyof typeof FIGURE_STEPS;

/** `time` is where the step begins, in Unix seconds. Latencies are those of attempts that were answered, in milliseconds; null where none was. */
export type FigureBucket = {
  time: number;
  succeeded: number;
  failed: number;
  p50_ms: number | null;
  p95_ms: number | null;
};
export type WebhookFigures = { object: 'webhook_figures'; step_seconds: number; buckets: FigureBucket[] };

/** The oldest step first; the newest is the one that is under way. @throws AppError `resource_missing` */
export async function readEndpointMetrics(
  ctx: Ctx,
  reader: WorkspaceReader,
  id: string,
  hours: FigureHours,
): Promise<WebhookFigures> {
  await ownEndpoint(ctx.db, reader, id);
  return restful(ctx, `figures:${id}:${hours}`, () => sumUp(ctx, id, hours));
}

async function sumUp(ctx: Ctx, id: string, hours: FigureHours): Promise<WebhookFigures> {
  const step = FIGURE_STEPS[hours];
  const newest = Math.floor(ctx.clock.now() / 1_000 / step) * step;
  const oldest = newest - hours * 3_600 + step;
  const [from, until] = [new Date(oldest * 1_000), new Date((newest + step) * 1_000)];
  const buckets = await ctx.db.$queryRaw<FigureBucket[]>`
    select extract(epoch from b.time)::float8 as time, coalesce(a.succeeded, 0)::float8 as succeeded, coalesce(a.failed, 0)::float8 as failed, a.p50_ms, a.p95_ms
    from generate_series(${from}::timestamptz, ${new Date(newest * 1_000)}::timestamptz, ${`${step} seconds`}::interval) b(time)
      left join (
        select date_bin(${`${step} seconds`}::interval, started_at, ${from}::timestamptz) as time,
          count(*) filter (where a.status between 200 and 299) as succeeded,
          count(*) filter (where a.status is null or a.status not between 200 and 299) as failed,
          percentile_disc(0.5) within group (order by latency_ms) filter (where a.status is not null) as p50_ms,
          percentile_disc(0.95) within group (order by latency_ms) filter (where a.status is not null) as p95_ms
        from delivery_attempt a join delivery d using (event_id, endpoint_id)
        where a.endpoint_id = ${id} and started_at >= ${from}::timestamptz and started_at < ${until}::timestamptz and not d.is_test
        group by 1
      ) a using (time)
    order by b.time`;
  return { object: 'webhook_figures', step_seconds: step, buckets };
}

export type LastDay = { delivered: number; failed_attempts: number };

/** Attempts of the last 24 hours without those of test events, for each of some endpoints. */
export function readLastDay(ctx: Ctx, endpoints: { id: string }[]): Promise<Map<string, LastDay>> {
  const ids = endpoints.map(({ id }) => id);
  return restful(ctx, `days:${ids.join()}`, () => sumUpDay(ctx, ids));
}

async function sumUpDay(ctx: Ctx, ids: string[]): Promise<Map<string, LastDay>> {
  const found = new Map(ids.map((id) => [id, { delivered: 0, failed_attempts: 0 }]));
  if (ids.length === 0) return found;
  const since = new Date(ctx.clock.now() - DAY_MS);
  const rows = await ctx.db.$queryRaw<(LastDay & { endpoint_id: string })[]>`
    select a.endpoint_id, count(*) filter (where a.status between 200 and 299)::float8 as delivered,
      count(*) filter (where a.status is null or a.status not between 200 and 299)::float8 as failed_attempts
    from delivery_attempt a join delivery d using (event_id, endpoint_id)
    where a.endpoint_id in (${sqlList(ids)}) and started_at > ${since}::timestamptz and not d.is_test
    group by a.endpoint_id`;
  for (const { endpoint_id: id, ...day } of rows) found.set(id, day);
  return found;
}

/** A query that takes at least this long is cached for a multiple of that time, because open pages refetch with every change. */
const LONG_MS = 250;
const REST = 10;
const MOST_REMEMBERED = 1_000;

type Remembered = Map<string, { answer: Promise<unknown>; goodUntil: number }>;
/** Of each process's own context. */
const remembered = new WeakMap<Ctx, Remembered>();

/** Reads it once for all concurrent calls. What is quick is read again each time. */
function restful<T>(ctx: Ctx, key: string, read: () => Promise<T>): Promise<T> {
  const known: Remembered = remembered.get(ctx) ?? new Map();
  remembered.set(ctx, known);
  const began = performance.now();
  const before = known.get(key);
  if (before && before.goodUntil > began) return before.answer as Promise<T>;
  if (known.size >= MOST_REMEMBERED) known.clear();
  const answer = read();
  const entry = { answer, goodUntil: Number.POSITIVE_INFINITY };
  known.set(key, entry);
  const over = (goodUntil: number) => {
    entry.goodUntil = goodUntil;
    if (goodUntil === 0 && known.get(key) === entry) known.delete(key);
  };
  answer.then(
    () => {
      const took = performance.now() - began;
      over(took < LONG_MS ? 0 : performance.now() + REST * took);
    },
    () => over(0),
  );
  return answer;
}
