// Replays: one event, or all that an endpoint has not received since a time, within caps that keep a workspace from flooding another one's host.

import { type Ctx, newId } from '../../context.ts';
import type { Row, Tx } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import type { EventEnvelope } from '../../domain/events.ts';
import { record } from '../audit.ts';
import { wakeDeliveries } from '../events.ts';
import { lockKey } from '../locks.ts';
import { hitMany, type Limit } from '../rateLimit.ts';
import type { WorkspaceReader } from '../workspaces/workspaces.ts';
import { type DeliveryKey, replayDeliveries } from './deliveryTransitions.ts';
import { ownEndpoint } from './endpoints.ts';
import { getEvent, ownEvent } from './eventViews.ts';

const HOUR_MS = 3_600_000;
/** Deliveries that are replayed: to one host by all workspaces, and by one workspace. */
const TO_HOST = { points: 1_000, windowMs: HOUR_MS };
const BY_WORKSPACE = { points: 10_000, windowMs: HOUR_MS };
/** Deliveries of one transaction. */
const PAGE = 500;

type Endpoint = Row<'WebhookEndpoint'>;

/**
 * Sends an event again: to the endpoint that is named, or to every enabled one that takes its type. One that is named may also be one that has had it
 * before. A test event goes to the endpoint that received it.
 * @returns the event as it is now
 * @throws AppError `resource_missing`, for an endpoint too; `state_conflict` when no enabled endpoint takes it; `rate_limited`
 */
export async function replayEvent(
  ctx: Ctx,
  reader: WorkspaceReader,
  id: string,
  { endpointId }: { endpointId?: string | undefined } = {},
): Promise<EventEnvelope> {
  const event = await ctx.db.$transaction((tx) => replayIn(ctx, tx, reader, id, { endpointId }));
  await wakeDeliveries(ctx);
  return event;
}

/** The same within a transaction, after which the caller wakes the deliveries. */
export async function replayIn(
  ctx: Ctx,
  tx: Tx,
  reader: WorkspaceReader,
  id: string,
  { endpointId }: { endpointId?: string | undefined } = {},
): Promise<EventEnvelope> {
  const event = await ownEvent(tx, reader, id);
  // A test says of itself that it is none of live mode, and may be of an endpoint that is.
  const livemode = event.isTest ? reader.livemode : event.livemode;
  if (endpointId !== undefined) await ownEndpoint(tx, { ...reader, livemode }, endpointId, 'endpoint');
  const takers = await takersOf(tx, { ...event, livemode }, endpointId);
  if (takers.length === 0) throw new AppError('state_conflict', noTaker(event, endpointId));
  const wanted = takers.map((endpoint) => ({ endpoint, eventId: event.id }));
  // Fewer than take it, where a cap leaves no room for some.
  const { allowed } = await replayWithin(ctx, tx, wanted);
  await record(ctx, tx, {
    ...{ workspaceId: event.handleId, livemode: event.livemode, action: 'event.resent' },
    object: { kind: 'event', id },
    after: { type: event.type, endpoints: allowed.map(({ endpointId }) => endpointId) },
  });
  return getEvent(ctx, reader, id, tx);
}

function noTaker({ type, isTest }: Row<'Event'>, named: string | undefined): string {
  if (isTest) return 'A test event can only be resent to its own endpoint, while that is enabled.';
  if (named === undefined)
    return `No enabled endpoint receives ${type}. Enable one, or add the type to its enabled_events.`;
  return `This endpoint is disabled or doesn’t receive ${type}. Enable it, or add the type to its enabled_events.`;
}

type Taken = Omit<Row<'Event'>, 'livemode'> & { livemode: boolean | undefined };

/** @param event in the mode of the endpoints that are looked for, or in none for both */
async function takersOf(tx: Tx, event: Taken, named: string | undefined): Promise<Endpoint[]> {
  const { handleId, livemode, type, isTest } = event;
  const takesType = { OR: [{ eventTypes: { isEmpty: true } }, { eventTypes: { has: type } }] };
  const hadIt = { deliveries: { some: { eventId: event.id } } };
  const takes = isTest ? [hadIt] : named === undefined ? [takesType] : [takesType, hadIt];
  return tx.webhookEndpoint.findMany({
    where: {
      handleId,
      status: 'enabled',
      ...(livemode === undefined ? {} : { livemode }),
      ...(named === undefined ? {} : { id: named }),
      OR: takes,
    },
    orderBy: { id: 'asc' },
  });
}

/**
 * Sends again what failed at an endpoint from a time on, but for tests, oldest events first, until the caps are reached: what is left is still failed, so
 * the same call goes on with it later.
 * @param sinceMs Unix milliseconds, of the end of a delivery
 * @returns how many deliveries
 * @throws AppError `resource_missing`; `state_conflict` for an endpoint that is not enabled; `rate_limited` when the caps leave room for none
 */
export async function replayFailedSince(
  ctx: Ctx,
  reader: WorkspaceReader,
  endpointId: string,
  sinceMs: number,
): Promise<number> {
  const endpoint = await ownEndpoint(ctx.db, reader, endpointId);
  if (endpoint.status !== 'enabled')
    throw new AppError('state_conflict', 'This endpoint is disabled. Enable it first.');
  let count = 0;
  for (let after = ''; ; ) {
    const { page, replayed } = await replayPage(ctx, endpoint, { sinceMs, after, begun: count > 0 });
    count += replayed;
    after = page.at(-1) ?? '';
    if (page.length < PAGE || replayed < page.length || ctx.shutdown.closing()) return count;
  }
}

async function failedPage(tx: Tx, { id }: Endpoint, sinceMs: number, after: string): Promise<string[]> {
  const rows = await tx.$queryRaw<{ event_id: string }[]>`
    select event_id from delivery
    where endpoint_id = ${id} and status = 'failed' and not is_test and event_id > ${after} and ended_at >= ${new Date(sinceMs)}::timestamptz
    order by event_id limit ${PAGE}`;
  return rows.map(({ event_id }) => event_id);
}

type Place = { sinceMs: number; after: string; begun: boolean };

/**
 * One page, read and begun while no other call does the same: asked for twice at once, each delivery is begun once.
 * @param place `begun`: some were replayed already, so a cap ends it and is no error
 */
async function replayPage(
  ctx: Ctx,
  endpoint: Endpoint,
  { sinceMs, after, begun }: Place,
): Promise<{ page: string[]; replayed: number }> {
  try {
    return await ctx.db.$transaction(async (tx) => {
      await lockKey(tx, `replay failed:${endpoint.id}`);
      const page = await failedPage(tx, endpoint, sinceMs, after);
      const wanted = page.map((eventId) => ({ endpoint, eventId }));
      const { count: replayed } = await replayWithin(ctx, tx, wanted);
      // One call is one entry, however many pages it takes.
      if (!begun && replayed > 0)
        await record(ctx, tx, {
          ...{ workspaceId: endpoint.handleId, livemode: endpoint.livemode, action: 'deliveries.resent' },
          object: { kind: 'webhook_endpoint', id: endpoint.id },
          after: { failed_since: new Date(sinceMs).toISOString() },
        });
      return { page, replayed };
    });
  } catch (error) {
    if (begun && error instanceof AppError && error.code === 'rate_limited') return { page: [], replayed: 0 };
    throw error;
  } finally {
    await wakeDeliveries(ctx);
  }
}

/** Begins as many as the caps have room for. @returns those, and how many were begun. @throws AppError `rate_limited` when that is none */
async function replayWithin(
  ctx: Ctx,
  tx: Tx,
  wanted: { endpoint: Endpoint; eventId: string }[],
): Promise<{ allowed: DeliveryKey[]; count: number }> {
  if (wanted.length === 0) return { allowed: [], count: 0 };
  const now = ctx.clock.now();
  // Each call is counted on its own: the same event may be replayed any number of times.
  const call = newId(ctx, 'req');
  const actions = wanted.map(({ endpoint, eventId }) => ({
    id: `${call}:${eventId}:${endpoint.id}`,
    limits: Object.values(capsOf(endpoint)),
  }));
  const answers = await hitMany(ctx, tx, actions, now);
  const allowed = wanted.flatMap(({ endpoint, eventId }, index): DeliveryKey[] =>
    answers[index]?.allowed ? [{ eventId, endpointId: endpoint.id }] : [],
  );
  const [refused] = answers.flatMap((answer) => (answer.allowed ? [] : [answer.retryAt]));
  if (allowed.length === 0 && refused !== undefined)
    throw new AppError('rate_limited', 'Replay limit for this hour reached. Try the rest later.', {
      retryAfterMs: refused - now,
    });
  return { allowed, count: await replayDeliveries(ctx, tx, allowed) };
}

/** What a replay to an endpoint counts against. */
export function capsOf({ host, handleId }: Pick<Endpoint, 'host' | 'handleId'>): { host: Limit; workspace: Limit } {
  return {
    host: { key: `replays:host:${host}`, window: TO_HOST },
    workspace: { key: `replays:handle:${handleId}`, window: BY_WORKSPACE },
  };
}
