// Events as they are read: one by its id, and the list of a workspace, both in the envelope in which they are sent.
import type { Ctx } from '../../context.ts';
import { type Row, sqlList, sqlPart, type Tx } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import { type EventEnvelope, type EventType, typesOfFilter } from '../../domain/events.ts';
import { isId } from '../../domain/ids.ts';
import { envelopeOf } from '../events.ts';
import { readCursor, writeCursor } from '../pagination.ts';
import { idsIn, type Period, within } from '../period.ts';
import type { WorkspaceReader } from '../workspaces/workspaces.ts';

/** Failed permanently, or failed before and due again. */
export const DELIVERY_TROUBLES = ['retrying', 'failed'] as const;
export type DeliveryTrouble = (typeof DELIVERY_TROUBLES)[number];

export type EventFilters = {
  /** One type, or a group of them: `order.*`. */
  type?: string | undefined;
  /** The id of what it happened to. */
  resource?: string | undefined;
  /** Of which a delivery stands so; tests of endpoints do not count. */
  delivery?: DeliveryTrouble | undefined;
  created?: Period | undefined;
  limit: number;
  cursor?: string | undefined;
};

/** Above every id. */
const TOP = `evt_${'z'.repeat(27)}`;

/**
 * The newest first. Events that only try an endpoint are in no list.
 * @throws AppError `parameter_invalid` for a type that there is not, or a cursor that is not ours
 */
export async function listEvents(
  ctx: Ctx,
  reader: WorkspaceReader,
  { type, resource, delivery, created, limit, cursor }: EventFilters,
): Promise<{ data: EventEnvelope[]; nextCursor: string | null }> {
  const types = type === undefined ? undefined : readTypes(type);
  const below = cursor === undefined ? TOP : readCursor('evt', cursor);
  const ids = await newestIds(ctx, reader, { types, resource, delivery, created, below, count: limit + 1 });
  const page = ids.slice(0, limit);
  const last = ids.length > limit ? page.at(-1) : undefined;
  return { data: await readEnvelopes(ctx.db, page), nextCursor: last ? writeCursor(last) : null };
}

/** Tests of endpoints are read too, by their id and in either mode. @throws AppError `resource_missing` */
export async function getEvent(ctx: Ctx, reader: WorkspaceReader, id: string, tx: Tx = ctx.db): Promise<EventEnvelope> {
  const [event] = await readEnvelopes(tx, [(await ownEvent(tx, reader, id)).id]);
  if (!event) throw new Error('every row has its envelope');
  return event;
}

/**
 * The row, for its workspace only, in the reader's mode; a test is of neither and read in both.
 * @param param which parameter named it, where it is not the address
 * @throws AppError `resource_missing`
 */
export async function ownEvent(
  tx: Tx,
  { workspaceId, livemode }: WorkspaceReader,
  id: string,
  param?: string,
): Promise<Row<'Event'>> {
  const row = isId('evt', id) ? await tx.event.findUnique({ where: { id } }) : null;
  const isInMode = row?.isTest || (livemode ?? row?.livemode) === row?.livemode;
  if (row && row.handleId === workspaceId && isInMode) return row;
  throw new AppError('resource_missing', 'No such event.', param === undefined ? {} : { param });
}

/** Many at once, in the order of their ids as given; with how many endpoints have not taken each yet. */
export async function readEnvelopes(tx: Tx, ids: string[]): Promise<EventEnvelope[]> {
  if (ids.length === 0) return [];
  const rows = await tx.event.findMany({ where: { id: { in: ids } } });
  const open = { eventId: { in: ids }, status: 'pending' };
  const waiting = await tx.delivery.groupBy({ by: ['eventId'], where: open, _count: true });
  const pending = new Map(waiting.map(({ eventId, _count }) => [eventId, _count]));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    return row ? envelopeOf(row, pending.get(id) ?? 0) : [];
  });
}

/** @throws AppError `parameter_invalid` */
function readTypes(filter: string): EventType[] {
  const types = typesOfFilter(filter);
  if (types) return types;
  throw new AppError(
    'parameter_invalid',
    'Unknown event type. Use a type such as order.completed, or a group such as order.*.',
    {
      param: 'type',
    },
  );
}

type Wanted = {
  types: EventType[] | undefined;
  resource: string | undefined;
  delivery: DeliveryTrouble | undefined;
  created: Period | undefined;
  below: string;
  count: number;
};

/** Of each mode and type the newest, from their own places in the index: what is rare is found as fast as what is not. */
async function newestIds(
  ctx: Ctx,
  reader: WorkspaceReader,
  { types, resource, delivery, created = {}, below, count }: Wanted,
): Promise<string[]> {
  const { first, behind } = idsIn('evt', created);
  const when = within(created);
  const range = [
    sqlPart`id < ${behind !== null && behind < below ? behind : below}`,
    ...(first === null ? [] : [sqlPart`id >= ${first}`]),
    ...(when.gte === undefined ? [] : [sqlPart`created_at >= ${when.gte}`]),
    ...(when.lt === undefined ? [] : [sqlPart`created_at < ${when.lt}`]),
    ...(delivery === undefined ? [] : [inTrouble(reader, delivery)]),
  ];
  const modes = reader.livemode === undefined ? [false, true] : [reader.livemode];
  const rows = await ctx.db.$queryRaw<{ id: string }[]>`
    select newest.id
    from unnest(${modes}::boolean[]) as mode cross join ${types ? sqlPart`unnest(${types}::text[])` : sqlPart`(values (null))`} as kinds (kind)
      cross join lateral (
        select id from event
        where handle_id = ${reader.workspaceId} and livemode = mode and not is_test and ${sqlList(range, ' and ')}
          ${types ? sqlPart`and type = kind` : sqlPart``} ${resource === undefined ? sqlPart`` : sqlPart`and resource_id = ${resource}`}
        order by id desc limit ${count}
      ) as newest
    order by newest.id desc limit ${count}`;
  return rows.map(({ id }) => id);
}

/** By the indexes of endpoints that hold what failed and what is due: they are small however many events there are. */
function inTrouble({ workspaceId }: WorkspaceReader, delivery: DeliveryTrouble) {
  const stands =
    delivery === 'failed'
      ? sqlPart`d.status = 'failed' and not d.is_test`
      : sqlPart`d.next_attempt_at is not null and d.attempts > 0`;
  return sqlPart`id in (
    select d.event_id from webhook_endpoint w join delivery d on d.endpoint_id = w.id where w.handle_id = ${workspaceId} and ${stands})`;
}
