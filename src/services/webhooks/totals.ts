// What operators see of webhooks: endpoints by how they are, attempts by what came of them, and what failed by our own fault. Each reads the attempts
// endpoint by endpoint, along their index, because nothing else sorts them by time.
import type { Ctx, ReadCtx } from '../../context.ts';
import type { AttemptFailure } from '../../domain/delivery.ts';

/** Attempts that began longer ago than this are surely written: they take ten seconds at most. */
const SETTLE_DOWN_MS = 60_000;

export type EndpointCount = { status: 'enabled' | 'failing' | 'disabled'; mode: 'live' | 'test'; count: number };

export async function countEndpoints(ctx: Ctx): Promise<EndpointCount[]> {
  return ctx.db.$queryRaw<EndpointCount[]>`
    select case when status = 'enabled' and failing_since is not null then 'failing' else status end as status,
        case when livemode then 'live' else 'test' end as mode, count(*)::int as count
      from webhook_endpoint where status <> 'deleted' group by 1, 2`;
}

/** `result` is "2xx" to "5xx", or why there is no answer (domain/delivery). */
export type AttemptTotal = { result: string; count: number };

type Kept = { until: Date; rows: AttemptTotal[] };
const keptBy = new WeakMap<Ctx['db'], Kept>();

/** All attempts ever but those of test events, by outcome. What can no longer change is counted once and kept. */
export async function attemptTotals(ctx: Ctx): Promise<AttemptTotal[]> {
  const kept = keptBy.get(ctx.db) ?? { until: new Date(0), rows: [] };
  const until = new Date(ctx.clock.now() - SETTLE_DOWN_MS);
  if (until > kept.until) {
    kept.rows = addUp([...kept.rows, ...(await attemptsBetween(ctx, kept.until, until))]);
    kept.until = until;
    keptBy.set(ctx.db, kept);
  }
  return addUp([...kept.rows, ...(await attemptsBetween(ctx, kept.until, null))]);
}

async function attemptsBetween(ctx: Ctx, from: Date, to: Date | null): Promise<AttemptTotal[]> {
  return ctx.db.$queryRaw<AttemptTotal[]>`
    select coalesce(a.failure, (a.status / 100)::text || 'xx') as result, count(*)::int as count
      from webhook_endpoint w join delivery_attempt a on a.endpoint_id = w.id join delivery d using (event_id, endpoint_id)
      where not d.is_test and a.started_at >= ${from} and (${to}::timestamptz is null or a.started_at < ${to}) group by 1`;
}

function addUp(rows: AttemptTotal[]): AttemptTotal[] {
  const sums = new Map<string, number>();
  for (const { result, count } of rows) sums.set(result, (sums.get(result) ?? 0) + count);
  return [...sums].map(([result, count]) => ({ result, count }));
}

/** Seconds; null when no attempt was answered within the last while. */
export async function attemptQuantiles(ctx: Ctx, withinMs: number): Promise<{ p50: number; p99: number } | null> {
  const since = new Date(ctx.clock.now() - withinMs);
  const [row] = await ctx.db.$queryRaw<{ quantiles: number[] | null }[]>`
    select percentile_cont(array[0.5, 0.99]) within group (order by a.latency_ms / 1000.0::float8) as quantiles
      from webhook_endpoint w join delivery_attempt a on a.endpoint_id = w.id
      where a.started_at >= ${since} and a.status is not null`;
  const [p50, p99] = row?.quantiles ?? [];
  return p50 === undefined || p99 === undefined ? null : { p50, p99 };
}

/** Failures that say nothing about the receiver: the way out was shut, or the secret could not be read. */
export type OwnFault = Extract<AttemptFailure, 'proxy' | 'secret_unreadable'>;

/** How many attempts of the last while failed by our own fault. */
export async function countOwnFaults(ctx: ReadCtx, withinMs: number): Promise<Map<OwnFault, number>> {
  const since = new Date(ctx.clock.now() - withinMs);
  const rows = await ctx.db.$queryRaw<{ failure: OwnFault; count: number }[]>`
    select a.failure, count(*)::int as count from webhook_endpoint w join delivery_attempt a on a.endpoint_id = w.id
      where a.started_at >= ${since} and a.failure in ('proxy', 'secret_unreadable') group by 1`;
  return new Map(rows.map(({ failure, count }) => [failure, count]));
}
