// Due deliveries: which endpoints have any, and claiming some under a lease, so that no other process sends them meanwhile.
import type { Ctx } from '../../context.ts';
import { type Db, type Row, runPrepared } from '../../db.ts';
import { LEASE_MS } from '../../domain/delivery.ts';
import { movedTime } from '../leaseTime.ts';
import type { Grant } from './concurrency.ts';

export type DueEndpoint = { id: string; host: string; status: string; failing_since: Date | null };

/** A delivery that is ours to send until its lease is over, with all that the sending needs. */
export type Claimed = {
  event: Row<'Event'>;
  endpoint: Pick<Row<'WebhookEndpoint'>, 'id' | 'url' | 'livemode' | 'secret' | 'formerSecret' | 'formerUntil'>;
  attempt: number;
  isTest: boolean;
  dueMs: number;
  leaseUntilMs: number;
  /** Endpoints that have not taken the event yet. */
  pending: number;
};

/** From endpoint to endpoint through the index: however much waits for one of them, it costs one step. */
const LIST_DUE = {
  name: 'webhooks-due',
  text: `
    with recursive waiting as (
      (select endpoint_id, next_attempt_at from delivery where next_attempt_at is not null
        order by endpoint_id, next_attempt_at limit 1)
      union all
      select n.endpoint_id, n.next_attempt_at from waiting
        cross join lateral (
          select endpoint_id, next_attempt_at from delivery
            where next_attempt_at is not null and endpoint_id > waiting.endpoint_id
            order by endpoint_id, next_attempt_at limit 1
        ) n
    )
    select due.*, later.next
      from (select min(next_attempt_at) as next from waiting where next_attempt_at > $1) later
      left join (
        select w.id, w.host, w.status, w.failing_since
          from waiting join webhook_endpoint w on w.id = waiting.endpoint_id
          where waiting.next_attempt_at <= $1 or w.status <> 'enabled'
      ) due on true`,
};

type DueRow = { [Name in keyof DueEndpoint]: DueEndpoint[Name] | null } & { next: Date | null };

/**
 * The endpoints that have something due, also if it is being sent right now; and those that are not enabled and have anything left.
 * `nextMs` is when something becomes due at another one.
 */
export async function listDue(db: Db, dueMs: number): Promise<{ due: DueEndpoint[]; nextMs: number | null }> {
  const { rows } = await runPrepared<DueRow>(db, LIST_DUE, [new Date(dueMs)]);
  const due = rows.flatMap(({ next: _, ...row }) => (row.id === null ? [] : [row as DueEndpoint]));
  return { due, nextMs: rows[0]?.next?.getTime() ?? null };
}

/**
 * However large the tables are, and whatever the planner knows of them, each row costs a few steps: what is taken is written by its place, and the rest
 * is looked up row by row. The lease need not reach the disk at once: if it is lost, the delivery is sent again.
 */
const CLAIM = {
  name: 'webhooks-claim',
  text: `
    with unsynced as (
      select set_config('synchronous_commit', 'off', true)
    ), granted as (
      select g.endpoint_id, g.slots from jsonb_to_recordset($1::jsonb) as g(endpoint_id text, slots int)
        cross join lateral (select from webhook_endpoint where id = g.endpoint_id and status = 'enabled' offset 0) w
    ), taken as materialized (
      select d.place from granted g
        cross join lateral (
          select ctid as place from delivery
            where endpoint_id = g.endpoint_id and next_attempt_at <= $2 and (lease_until is null or lease_until <= coalesce($3::timestamptz, statement_timestamp()))
            order by next_attempt_at, event_id limit g.slots
            for no key update skip locked
        ) d
    ), leased as (
      update delivery set lease_until = coalesce($3::timestamptz, statement_timestamp()) + $4::float8 * interval '1 millisecond'
        where ctid = any(array(select place from taken))
        returning event_id, endpoint_id, rung, is_test, next_attempt_at, lease_until
    )
    select d.rung, d.is_test as delivery_is_test, d.next_attempt_at, d.lease_until,
        e.id, e.handle_id, e.livemode, e.type, e.api_version, e.resource_id, e.unique_key, e.object, e.previous, e.request_id,
        e.idempotency_key, e.is_test, e.created_at,
        w.id as endpoint_id, w.url, w.livemode as endpoint_livemode, w.secret, w.former_secret, w.former_until,
        (select count(*)::int from delivery p where p.event_id = d.event_id and p.status = 'pending') as pending
      from unsynced cross join leased d
        cross join lateral (select * from event where id = d.event_id offset 0) e
        cross join lateral (select * from webhook_endpoint where id = d.endpoint_id offset 0) w
      order by d.next_attempt_at, d.event_id`,
};

type ClaimRow = {
  rung: number;
  delivery_is_test: boolean;
  next_attempt_at: Date;
  lease_until: Date;
  id: string;
  handle_id: string;
  livemode: boolean;
  type: string;
  api_version: string;
  resource_id: string;
  unique_key: string;
  object: Row<'Event'>['object'];
  previous: Row<'Event'>['previous'];
  request_id: string | null;
  idempotency_key: string | null;
  is_test: boolean;
  created_at: Date;
  endpoint_id: string;
  url: string;
  endpoint_livemode: boolean;
  secret: string;
  former_secret: string | null;
  former_until: Date | null;
  pending: number;
};

/**
 * Takes what is due, oldest first: at most as many for each endpoint as it was granted. What another process is taking is passed over.
 * @param dueMs only what was due by then
 */
export async function claimDeliveries(
  { db, clock }: Pick<Ctx, 'db' | 'clock'>,
  grants: Grant[],
  dueMs: number,
): Promise<Claimed[]> {
  const granted = grants.map(({ endpointId, slots }) => ({ endpoint_id: endpointId, slots }));
  const values = [JSON.stringify(granted), new Date(dueMs), movedTime({ clock }), LEASE_MS];
  const { rows } = await runPrepared<ClaimRow>(db, CLAIM, values);
  return rows.map((row) => ({
    event: {
      id: row.id,
      handleId: row.handle_id,
      livemode: row.livemode,
      type: row.type,
      apiVersion: row.api_version,
      resourceId: row.resource_id,
      uniqueKey: row.unique_key,
      object: row.object,
      previous: row.previous,
      requestId: row.request_id,
      idempotencyKey: row.idempotency_key,
      isTest: row.is_test,
      createdAt: row.created_at,
    },
    endpoint: {
      id: row.endpoint_id,
      url: row.url,
      livemode: row.endpoint_livemode,
      secret: row.secret,
      formerSecret: row.former_secret,
      formerUntil: row.former_until,
    },
    attempt: row.rung,
    isTest: row.delivery_is_test,
    dueMs: row.next_attempt_at.getTime(),
    leaseUntilMs: row.lease_until.getTime(),
    pending: row.pending,
  }));
}
