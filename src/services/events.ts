// Events: written in the transaction of the change that they tell, with a delivery for every endpoint that takes them and one line that wakes the
// workers; and the envelope in which everybody reads them.
import { type Ctx, newId } from '../context.ts';
import { type Row, sqlRows, sqlText, type Tx } from '../db.ts';
import { API_VERSION, type EventEnvelope, type EventType } from '../domain/events.ts';

/** The request that made something happen, if one did. */
export type Cause = { requestId?: string | undefined; idempotencyKey?: string | undefined };

export type EventDraft = {
  /** The workspace that receives it. */
  handleId: string;
  livemode: boolean;
  type: EventType;
  resourceId: string;
  /** Each is published once, ever. */
  uniqueKey: string;
  /** Keyed by the resource's kind: `{order: {…}}`. */
  object: object;
  /** What was different before: the keys of the resource that changed. */
  previous?: object | undefined;
};

/**
 * The rest of a statement whose `told (id, handle_id, livemode, type, created_at)` has just inserted events: their deliveries, and the line in the
 * outbox where there is any. An endpoint that names no types takes all.
 */
export const DELIVERIES = `sent as (
    insert into delivery (event_id, endpoint_id, status, next_attempt_at, created_at)
    select t.id, e.id, 'pending', t.created_at, t.created_at
    from told t join webhook_endpoint e on e.handle_id = t.handle_id and e.livemode = t.livemode
    where e.status = 'enabled' and (cardinality(e.event_types) = 0 or t.type = any(e.event_types))
    returning event_id, created_at
  ), woken as (
    insert into outbox (queue, job_id, payload, created_at)
    select 'webhooks', 'webhooks-' || min(event_id) || '-' || count(distinct event_id),
      jsonb_build_object('eventIds', jsonb_agg(distinct event_id)), min(created_at)
    from sent having count(*) > 0
  )`;

/**
 * Writes events with their deliveries, all in one statement: the caller's transaction has all of it or nothing. A unique key that was published
 * before is left out. After the commit the caller flushes the queues, so that the first try is at once.
 * @returns how many deliveries there are
 */
export async function writeEvents(ctx: Ctx, tx: Tx, drafts: EventDraft[], cause: Cause = {}): Promise<number> {
  if (drafts.length === 0) return 0;
  // Of one moment, so that they are read in the order in which they are published only when sorted.
  const ids = drafts.map(() => newId(ctx, 'evt')).sort();
  const rows = drafts.map(({ handleId, livemode, type, resourceId, uniqueKey, object, previous }, index) => ({
    id: ids[index],
    handle_id: handleId,
    livemode,
    type,
    resource_id: resourceId,
    unique_key: uniqueKey,
    object,
    previous,
  }));
  const { requestId = null, idempotencyKey = null } = cause;
  // As one parameter: an outage ends with thousands of them at once.
  const [written] = await tx.$queryRaw<{ deliveries: number }[]>`
    with told as (
      insert into event (id, handle_id, livemode, type, api_version, resource_id, unique_key, object, previous, request_id, idempotency_key, created_at)
      select id, handle_id, livemode, type, ${API_VERSION}, resource_id, unique_key, object, previous, ${requestId}, ${idempotencyKey},
        ${new Date(ctx.clock.now())}::timestamptz
      from jsonb_to_recordset(${sqlRows(rows)}) as e(id text, handle_id text, livemode boolean, type text, resource_id text, unique_key text,
        object jsonb, previous jsonb)
      on conflict do nothing
      returning id, handle_id, livemode, type, created_at
    ), ${sqlText(DELIVERIES)}
    select count(*)::int as deliveries from sent`;
  return written?.deliveries ?? 0;
}

/** Once a change is committed: the first tries begin now. What goes wrong here undoes nothing, and the sweeper finds it in the outbox. */
export async function wakeDeliveries(ctx: Ctx): Promise<void> {
  try {
    await ctx.queues.flush(ctx.db);
  } catch (err) {
    ctx.log.warn({ err }, 'what was committed waits for the sweeper');
  }
}

/** @param pending endpoints that have not taken it yet */
export function envelopeOf(row: Row<'Event'>, pending: number): EventEnvelope {
  return {
    id: row.id,
    object: 'event',
    api_version: row.apiVersion,
    type: row.type as EventType,
    created: Math.floor(row.createdAt.getTime() / 1_000),
    created_at: row.createdAt.toISOString(),
    livemode: row.livemode,
    pending_webhooks: pending,
    request: { id: row.requestId, idempotency_key: row.idempotencyKey },
    data: {
      object: row.object as Record<string, unknown>,
      ...(row.previous === null ? {} : { previous_attributes: row.previous as Record<string, unknown> }),
    },
  };
}
