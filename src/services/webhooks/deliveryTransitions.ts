// The only writer of deliveries' statuses: replays, giving up, and what attempts came to, each for a whole batch in one statement. Rows are locked in
// the order of their keys, so that two batches that meet wait for each other instead of in a circle.
import type { Ctx } from '../../context.ts';
import { type Db, runPrepared, sqlRows, type Tx } from '../../db.ts';
import type { DeliveryFailure } from '../../domain/delivery.ts';
import { LEASE_MS } from '../../domain/delivery.ts';
import type { AttemptOutcome, Fate } from '../../domain/deliveryPlan.ts';
import { enqueue } from '../../queues.ts';
import { movedTime } from '../leaseTime.ts';

/** More ids than this need not stand in a job that only wakes. */
const IDS_OF_A_JOB = 20;
/** In one statement; it holds their rows until its transaction ends. */
export const GIVEN_UP_AT_ONCE = 1_000;

export type DeliveryKey = { eventId: string; endpointId: string };

/**
 * Replays events to endpoints, from the start of the retry schedule and whatever their outcome was; also an event that the endpoint never received.
 * The attempt number continues. The result of an attempt that is under way is recorded and changes nothing else.
 * @param isTest they are tried once; events that are tests always are
 * @returns how many were begun: endpoints that are not enabled, or not of the event's workspace and mode, are left out. A test event says of
 * itself that it is no real one, and goes to endpoints of both modes.
 */
export async function replayDeliveries(
  ctx: Ctx,
  tx: Tx,
  pairs: DeliveryKey[],
  { isTest = false }: { isTest?: boolean } = {},
): Promise<number> {
  if (pairs.length === 0) return 0;
  const now = new Date(ctx.clock.now());
  const rows = pairs.map(({ eventId, endpointId }) => ({ event_id: eventId, endpoint_id: endpointId }));
  const begun = await tx.$queryRaw<{ event_id: string }[]>`
    with wanted as (
      select distinct e.id as event_id, w.id as endpoint_id, e.is_test or ${isTest}::boolean as is_test
        from jsonb_to_recordset(${sqlRows(rows)}) as p(event_id text, endpoint_id text)
        join event e on e.id = p.event_id
        join webhook_endpoint w on w.id = p.endpoint_id and w.handle_id = e.handle_id and (w.livemode = e.livemode or e.is_test)
        where w.status = 'enabled'
    )
    insert into delivery as d (event_id, endpoint_id, status, next_attempt_at, is_test, created_at, replayed_at)
      select event_id, endpoint_id, 'pending', ${now}::timestamptz, is_test, ${now}::timestamptz,
          case when not ${isTest}::boolean then coalesce(${movedTime(ctx)}::timestamptz, statement_timestamp()) end
        from wanted
        order by event_id, endpoint_id
      on conflict (event_id, endpoint_id) do update
        set status = 'pending', rung = 0, next_attempt_at = excluded.next_attempt_at, lease_until = null,
          is_test = excluded.is_test, failure = null, ended_at = null, replayed_at = excluded.replayed_at
      returning event_id`;
  const [first] = begun;
  if (!first) return 0;
  const eventIds = [...new Set(begun.map((row) => row.event_id))].slice(0, IDS_OF_A_JOB);
  await enqueue(
    tx,
    'webhooks',
    `replay-${first.event_id}-${begun.length}-${now.getTime()}`,
    { eventIds },
    now.getTime(),
  );
  return begun.length;
}

/**
 * Ends what is pending for an endpoint, {@link GIVEN_UP_AT_ONCE} of it: a backlog of any size is a matter of many short statements.
 * @returns how many ended; as many as that means that more may be left
 */
export async function giveUpPending(ctx: Ctx, tx: Tx, endpointId: string, failure: DeliveryFailure): Promise<number> {
  return tx.$executeRaw`
    update delivery d
      set status = 'failed', failure = ${failure}, ended_at = ${new Date(ctx.clock.now())}::timestamptz,
        next_attempt_at = null, lease_until = null
      from (
        select event_id from delivery
          where endpoint_id = ${endpointId} and next_attempt_at is not null and event_id = any(array(
            select event_id from delivery where endpoint_id = ${endpointId} and next_attempt_at is not null
              order by next_attempt_at, event_id limit ${GIVEN_UP_AT_ONCE}))
          order by event_id for no key update
      ) held
      where d.event_id = held.event_id and d.endpoint_id = ${endpointId} and d.status = 'pending'`;
}

/** An attempt that is over, and what becomes of its delivery. `dueMs` and `leaseUntilMs` are those under which it was taken. */
export type Attempted = DeliveryKey & {
  dueMs: number;
  leaseUntilMs: number;
  startedMs: number;
  latencyMs: number;
  endedMs: number;
  outcome: AttemptOutcome;
  fate: Fate;
};

/**
 * A failure counts only while the sender holds the lease. An acknowledgement also counts after the lease expired and another process sends the
 * same event: the receiver has it. After a replay, or once the delivery was given up, neither counts: the attempt is recorded and no more.
 * It is of the replay if it was taken after it, by the database's clock, which times both: the clock of the process that sends may differ.
 */
const RECORD = {
  name: 'webhooks-record',
  text: `
    with told as (
      select * from jsonb_to_recordset($1::jsonb) as t(event_id text, endpoint_id text, due timestamptz, lease timestamptz,
        started_at timestamptz, latency_ms int, status int, failure text, answer text,
        becomes text, given_up text, next_attempt_at timestamptz, ended_at timestamptz)
    ), held as materialized (
      select t.*, d.attempts + 1 as number, coalesce(d.replayed_at <= t.lease - $3::float8 * interval '1 millisecond', false) as is_replay,
          d.status = 'pending' and (d.lease_until = t.lease
            or (t.becomes = 'delivered' and d.lease_until is not null and d.next_attempt_at = t.due)) as counts
        from delivery d join told t using (event_id, endpoint_id)
        where not $2::boolean or not exists (
          select from delivery_attempt a
            where a.event_id = d.event_id and a.endpoint_id = d.endpoint_id and a.started_at = t.started_at)
        order by d.event_id, d.endpoint_id for no key update of d
    ), moved as (
      update delivery d
        set attempts = h.number,
          status = case when h.counts then h.becomes else d.status end,
          rung = case when h.counts then d.rung + 1 else d.rung end,
          next_attempt_at = case when h.counts then h.next_attempt_at else d.next_attempt_at end,
          lease_until = case when h.counts then null else d.lease_until end,
          failure = case when h.counts then h.given_up else d.failure end,
          ended_at = case when h.counts then h.ended_at else d.ended_at end
        from held h where d.event_id = h.event_id and d.endpoint_id = h.endpoint_id
    )
    insert into delivery_attempt (event_id, endpoint_id, number, started_at, latency_ms, status, failure, answer, is_replay)
      select event_id, endpoint_id, number, started_at, latency_ms, status, failure, answer, is_replay from held`,
};

/**
 * Notes attempts and moves their deliveries, all in one statement. A batch has at most one attempt of a delivery.
 * @param again the same batch may have been recorded before, and only the answer was lost: nothing is noted twice
 */
export async function recordAttempts(db: Db, attempts: readonly Attempted[], again: boolean): Promise<void> {
  const rows = attempts.map(
    ({ eventId, endpointId, dueMs, leaseUntilMs, startedMs, latencyMs, endedMs, outcome, fate }) => ({
      event_id: eventId,
      endpoint_id: endpointId,
      due: new Date(dueMs),
      lease: new Date(leaseUntilMs),
      started_at: new Date(startedMs),
      latency_ms: latencyMs,
      ...('status' in outcome ? { status: outcome.status, answer: keepable(outcome.answer) } : outcome),
      becomes: fate.status,
      given_up: fate.status === 'failed' ? fate.failure : undefined,
      next_attempt_at: fate.status === 'pending' ? new Date(fate.nextMs) : undefined,
      ended_at: fate.status === 'pending' ? undefined : new Date(endedMs),
    }),
  );
  await runPrepared(db, RECORD, [JSON.stringify(rows), again, LEASE_MS]);
}

/** PostgreSQL keeps neither NUL nor half of a pair. */
function keepable(text: string): string {
  return text.replaceAll('\0', '\u{fffd}').replace(/\p{Surrogate}/gu, '\u{fffd}');
}

/** How an endpoint did in a batch: `since` is the first failure after its latest success, and null when there was none. */
export type EndpointHealth = { endpointId: string; succeeded: boolean; sinceMs: number | null };

const RECORD_HEALTH = {
  name: 'webhooks-health',
  text: `
    with told as (
      select * from jsonb_to_recordset($1::jsonb) as t(endpoint_id text, succeeded boolean, since timestamptz)
    ), held as (
      select w.id, case when t.succeeded then t.since else coalesce(w.failing_since, t.since) end as since
        from webhook_endpoint w join told t on t.endpoint_id = w.id
        where w.failing_since is distinct from case when t.succeeded then t.since else coalesce(w.failing_since, t.since) end
        order by w.id for no key update of w
    ), changed as (
      update webhook_endpoint w set failing_since = h.since from held h where w.id = h.id
    )
    select w.id from webhook_endpoint w join told t on t.endpoint_id = w.id
      where w.status = 'enabled' and not t.succeeded and t.since is not null and w.failing_since <= $2`,
};

/** Records since when endpoints fail. @returns those without a successful attempt since `limitMs`, now included */
export async function recordHealth(db: Db, healths: readonly EndpointHealth[], limitMs: number): Promise<string[]> {
  const rows = healths.map(({ endpointId, succeeded, sinceMs }) => ({
    endpoint_id: endpointId,
    succeeded,
    since: sinceMs === null ? null : new Date(sinceMs),
  }));
  const { rows: overdue } = await runPrepared<{ id: string }>(db, RECORD_HEALTH, [
    JSON.stringify(rows),
    new Date(limitMs),
  ]);
  return overdue.map((row) => row.id);
}
