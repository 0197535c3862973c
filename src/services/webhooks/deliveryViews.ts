// Deliveries as they are shown, with their attempts: of an endpoint, an event or a workspace, the newest event first.
// A workspace has few endpoints, so its list is put together from theirs, and each is read from its own index.
import type { Ctx } from '../../context.ts';
import { sqlPart } from '../../db.ts';
import {
  type AttemptFailure,
  type DeliveryFailure,
  type DeliveryStatus,
  type ShownFailure,
  shownFailure,
} from '../../domain/delivery.ts';
import { deliveryId, readDeliveryId } from '../../domain/deliveryId.ts';
import { AppError } from '../../domain/errors.ts';
import type { EventType } from '../../domain/events.ts';
import type { WorkspaceReader } from '../workspaces/workspaces.ts';
import type { DeliveryKey } from './deliveryTransitions.ts';
import { ownEndpoint } from './endpoints.ts';
import { ownEvent } from './eventViews.ts';

/** Times are ISO 8601 in UTC. */
export type DeliveryView = {
  /** `dlv_` and the characters of the two ids. */
  id: string;
  object: 'webhook_delivery';
  event: string;
  event_type: EventType;
  /** What the event is about: the id of an order or an escrow. */
  resource: string;
  endpoint: string;
  status: DeliveryStatus;
  failure: DeliveryFailure | null;
  attempt_count: number;
  /** When it is sent next; null once it is over. */
  next_attempt_at: string | null;
  is_test: boolean;
  created_at: string;
  ended_at: string | null;
  /** The newest first, at most {@link MOST_SHOWN}. */
  attempts: AttemptView[];
};
export type AttemptView = {
  number: number;
  started_at: string;
  latency_ms: number;
  /** HTTP; null when no answer came. */
  status: number | null;
  failure: ShownFailure | null;
  /** The first 2 KB of the answer. */
  answer: string | null;
  /** Of a delivery that was replayed. */
  is_replay: boolean;
};
export type DeliveryFilters = {
  endpoint?: string | undefined;
  event?: string | undefined;
  status?: DeliveryStatus | undefined;
  /** Only those with an attempt from then on, or that failed from then on. */
  activeFrom?: number | undefined;
  limit: number;
  cursor?: string | undefined;
};

const MOST_SHOWN = 20;

type DeliveryRow = {
  event_id: string;
  endpoint_id: string;
  type: EventType;
  resource_id: string;
  status: DeliveryStatus;
  failure: DeliveryFailure | null;
  attempts: number;
  next_attempt_at: Date | null;
  is_test: boolean;
  created_at: Date;
  ended_at: Date | null;
};
type AttemptRow = {
  event_id: string;
  endpoint_id: string;
  number: number;
  started_at: Date;
  latency_ms: number;
  status: number | null;
  failure: AttemptFailure | null;
  answer: string | null;
  is_replay: boolean;
};

/**
 * Those of deleted endpoints are found by their event only.
 * @throws AppError `resource_missing` for an endpoint or event that the reader has not; `parameter_invalid` for a cursor that is not ours
 */
export async function listDeliveries(
  ctx: Ctx,
  reader: WorkspaceReader,
  { endpoint, event, status, activeFrom, limit, cursor }: DeliveryFilters,
): Promise<{ data: DeliveryView[]; nextCursor: string | null }> {
  const below = cursor === undefined ? null : belowOf(cursor);
  if (endpoint !== undefined) await ownEndpoint(ctx.db, reader, endpoint, 'endpoint');
  if (event !== undefined) await ownEvent(ctx.db, reader, event, 'event');
  const active = activeFrom === undefined ? null : new Date(activeFrom);
  const wanted = { endpoint, status, active, below, count: limit + 1 };
  const rows =
    event === undefined ? await readByEndpoint(ctx, reader, wanted) : await readByEvent(ctx, reader, event, wanted);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { data: await viewDeliveries(ctx, page), nextCursor: last ? deliveryId(keyOf(last)) : null };
}

type Wanted = {
  endpoint: string | undefined;
  status: DeliveryStatus | undefined;
  active: Date | null;
  below: DeliveryKey | null;
  count: number;
};

const COLUMNS = sqlPart`d.event_id, d.endpoint_id, d.status, d.failure, d.attempts, d.next_attempt_at, d.is_test, d.created_at, d.ended_at`;

function readByEndpoint(
  ctx: Ctx,
  reader: WorkspaceReader,
  { endpoint, status, active, below, count }: Wanted,
): Promise<DeliveryRow[]> {
  return ctx.db.$queryRaw<DeliveryRow[]>`
    select p.*, e.type, e.resource_id
    from (
      select d.*
      from webhook_endpoint w cross join lateral (
        select ${COLUMNS} from delivery d where ${ofEndpoint(status, below, active)} limit ${count}
      ) d
      where w.handle_id = ${reader.workspaceId} and w.status <> 'deleted' ${modeIn(reader)}
        ${endpoint === undefined ? sqlPart`` : sqlPart`and w.id = ${endpoint}`}
      order by d.event_id desc, d.endpoint_id desc limit ${count}
    ) p join event e on e.id = p.event_id
    order by p.event_id desc, p.endpoint_id desc`;
}

function readByEvent(
  ctx: Ctx,
  reader: WorkspaceReader,
  event: string,
  { endpoint, status, active, below, count }: Wanted,
): Promise<DeliveryRow[]> {
  return ctx.db.$queryRaw<DeliveryRow[]>`
    select ${COLUMNS}, e.type, e.resource_id
    from delivery d join webhook_endpoint w on w.id = d.endpoint_id join event e on e.id = d.event_id
    where d.event_id = ${event} and w.handle_id = ${reader.workspaceId} ${modeIn(reader)} ${belowIn(below)} ${activeIn(active)}
      ${endpoint === undefined ? sqlPart`` : sqlPart`and w.id = ${endpoint}`}
      ${status === undefined ? sqlPart`` : STANDS[status]}
    order by d.endpoint_id desc limit ${count}`;
}

/** Tests of endpoints are not listed as failed. What failed has an index that knows it by these very words. */
const STANDS: Record<DeliveryStatus, ReturnType<typeof sqlPart>> = {
  pending: sqlPart`and d.status = 'pending'`,
  delivered: sqlPart`and d.status = 'delivered'`,
  failed: sqlPart`and d.status = 'failed' and not d.is_test`,
};

function modeIn({ livemode }: WorkspaceReader) {
  return livemode === undefined ? sqlPart`` : sqlPart`and w.livemode = ${livemode}`;
}

/** Above every id. */
const TOP = `evt_${'z'.repeat(27)}`;

/**
 * The deliveries of endpoint `w`, the newest event first. Written as a range of (endpoint, event), which only the indexes by endpoint are sorted by:
 * by the primary key PostgreSQL would scan the rows of all endpoints. What is pending is sorted, because its index is by due time.
 */
function ofEndpoint(status: DeliveryStatus | undefined, below: DeliveryKey | null, active: Date | null) {
  if (status === 'pending')
    return sqlPart`d.endpoint_id = w.id and d.next_attempt_at is not null ${belowIn(below)} ${activeIn(active)} order by (d.event_id || '') desc`;
  const ended = status === undefined ? sqlPart`` : STANDS[status];
  return sqlPart`(d.endpoint_id, d.event_id) > (w.id, '') and (d.endpoint_id, d.event_id) <= (w.id, ${below?.eventId ?? TOP}) ${belowIn(below)} ${ended} ${activeIn(active)}
    order by d.endpoint_id desc, d.event_id desc`;
}

/** Those that were attempted since, or failed without an attempt, by the two indexes that know of it; written so that nothing else is scanned. */
function activeIn(active: Date | null) {
  if (!active) return sqlPart``;
  return sqlPart`and d.event_id in (
    select a.event_id from delivery_attempt a where a.endpoint_id = w.id and a.started_at >= ${active}::timestamptz
    union all
    select f.event_id from delivery f where f.endpoint_id = w.id and f.status = 'failed' and not f.is_test and f.ended_at >= ${active}::timestamptz)`;
}

/** Of the event at which the page before ended, what is below the endpoint. */
function belowIn(below: DeliveryKey | null) {
  if (!below) return sqlPart``;
  const { eventId, endpointId } = below;
  return sqlPart`and d.event_id <= ${eventId} and (d.event_id < ${eventId} or d.endpoint_id < ${endpointId})`;
}

/** The place in a list is the delivery that ended the page before. @throws AppError `parameter_invalid` */
function belowOf(cursor: string): DeliveryKey {
  const key = readDeliveryId(cursor);
  if (!key)
    throw new AppError('parameter_invalid', 'Invalid cursor. Pass the next_cursor of the previous page.', {
      param: 'cursor',
    });
  return key;
}

/** In their order. */
async function viewDeliveries(ctx: Ctx, rows: DeliveryRow[]): Promise<DeliveryView[]> {
  const attempts = await readAttempts(ctx, rows);
  return rows.map((row) => ({
    id: deliveryId(keyOf(row)),
    object: 'webhook_delivery',
    event: row.event_id,
    event_type: row.type,
    resource: row.resource_id,
    endpoint: row.endpoint_id,
    status: row.status,
    failure: row.failure,
    attempt_count: row.attempts,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    is_test: row.is_test,
    created_at: row.created_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
    attempts: attempts.get(deliveryId(keyOf(row))) ?? [],
  }));
}

async function readAttempts(ctx: Ctx, rows: DeliveryRow[]): Promise<Map<string, AttemptView[]>> {
  const found = new Map<string, AttemptView[]>();
  if (rows.length === 0) return found;
  const [events, endpoints] = [rows.map((row) => row.event_id), rows.map((row) => row.endpoint_id)];
  const attempts = await ctx.db.$queryRaw<AttemptRow[]>`
    select a.* from unnest(${events}::text[], ${endpoints}::text[]) d(event_id, endpoint_id) cross join lateral (
      select event_id, endpoint_id, number, started_at, latency_ms, status, failure, answer, is_replay from delivery_attempt
      where event_id = d.event_id and endpoint_id = d.endpoint_id order by number desc limit ${MOST_SHOWN}
    ) a`;
  for (const { started_at, ...row } of attempts) {
    const { number, latency_ms, status, failure, answer, is_replay } = row;
    const id = deliveryId(keyOf(row));
    const told = { status, failure: shownFailure(failure), answer, is_replay };
    const view = { number, started_at: started_at.toISOString(), latency_ms, ...told };
    found.set(id, [...(found.get(id) ?? []), view]);
  }
  for (const views of found.values()) views.sort((a, b) => b.number - a.number);
  return found;
}

function keyOf(row: { event_id: string; endpoint_id: string }): DeliveryKey {
  return { eventId: row.event_id, endpointId: row.endpoint_id };
}

/** `retrying` are those pending that have failed before; `pending` the others. */
export type DeliveryCounts = Record<DeliveryStatus | 'retrying', number>;

/** How many deliveries of each event are where. */
export async function countDeliveries(ctx: Ctx, eventIds: string[]): Promise<Map<string, DeliveryCounts>> {
  const found = new Map(eventIds.map((id) => [id, { pending: 0, retrying: 0, delivered: 0, failed: 0 }]));
  const rows = await ctx.db.$queryRaw<{ event_id: string; state: keyof DeliveryCounts; count: number }[]>`
    select event_id, case when status = 'pending' and attempts > 0 then 'retrying' else status end as state, count(*)::int as count
    from delivery where event_id = any(${eventIds}) group by 1, 2`;
  for (const { event_id, state, count } of rows) {
    const counts = found.get(event_id);
    if (counts) counts[state] = count;
  }
  return found;
}
