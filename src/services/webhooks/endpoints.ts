// Endpoints of a workspace: made with a secret that is shown once, changed, rolled, deleted, read. Host names are resolved outside of transactions.

import { createHash } from 'node:crypto';
import { actorIn } from '../../acting.ts';
import { type Ctx, newId } from '../../context.ts';
import type { Row, Tx } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import { API_VERSION } from '../../domain/events.ts';
import { isId } from '../../domain/ids.ts';
import {
  ALL_EVENTS,
  type DisabledReason,
  type EndpointStatus,
  MOST_ENDPOINTS,
  ROLL_HOURS,
  readEnabledEvents,
} from '../../domain/webhookEndpoint.ts';
import { type Facts, record } from '../audit.ts';
import { lockKey } from '../locks.ts';
import { readCursor, writeCursor } from '../pagination.ts';
import { readPlainText } from '../plainText.ts';
import { countWebhookUrl } from '../publicRateLimit.ts';
import type { WorkspaceReader } from '../workspaces/workspaces.ts';
import { giveUpPending } from './deliveryTransitions.ts';
import { checkUrl } from './egress/fetch.ts';
import { disableEndpoint, enableEndpoint } from './endpointTransitions.ts';
import { sealSecret } from './secrets.ts';
import { drawSecret } from './signatures.ts';

const HOUR_MS = 3_600_000;

/** Times are ISO 8601 in UTC. */
export type EndpointView = {
  id: string;
  object: 'webhook_endpoint';
  url: string;
  description: string | null;
  /** `["*"]` for all. */
  enabled_events: string[];
  api_version: string;
  status: Exclude<EndpointStatus, 'deleted'>;
  disabled_reason: DisabledReason | null;
  disabled_at: string | null;
  failing_since: string | null;
  livemode: boolean;
  /** Until when deliveries are signed with the secret of before a roll, too. */
  former_secret_until: string | null;
  created_at: string;
};
/** `secret` is shown with this answer and never again. */
export type NewEndpoint = { endpoint: EndpointView; secret: string };
export type EndpointWish = {
  url: string;
  enabled_events?: string[] | undefined;
  description?: string | null | undefined;
};
export type EndpointChange = {
  url?: string | undefined;
  enabled_events?: string[] | undefined;
  description?: string | null | undefined;
  disabled?: boolean | undefined;
};

/** A wish that was read, whose URL was looked at. */
export type ReadyEndpoint = { url: string; host: string; eventTypes: string[]; description: string | null };
export type ReadyChange = { [Field in keyof ReadyEndpoint]?: ReadyEndpoint[Field] } & { disabled?: boolean };

type Endpoint = Row<'WebhookEndpoint'>;

/**
 * Reads a wish and looks at where its URL leads. Asks name servers: never within a transaction.
 * @throws AppError `state_conflict` where no secret can be kept; `url_not_allowed`, `private_address`, `parameter_invalid`, `rate_limited`
 */
export async function readyEndpoint(
  ctx: Ctx,
  { workspaceId, livemode }: { workspaceId: string; livemode: boolean },
  wish: EndpointWish,
): Promise<ReadyEndpoint> {
  refuseWithoutKey(ctx);
  const description = readPlainText(wish.description, 'description');
  const eventTypes = typesOf(wish.enabled_events ?? [ALL_EVENTS]);
  await countWebhookUrl(ctx, workspaceId);
  return { ...(await checkUrl(ctx, wish.url, { livemode })), eventTypes, description };
}

/**
 * The same for a change of an endpoint that is there.
 * @throws AppError `resource_missing`, `url_not_allowed`, `private_address`, `parameter_invalid`, `rate_limited`
 */
export async function readyChange(
  ctx: Ctx,
  reader: WorkspaceReader,
  id: string,
  change: EndpointChange,
): Promise<ReadyChange> {
  const { livemode } = await ownEndpoint(ctx.db, reader, id);
  const { url, description, enabled_events: names, disabled } = change;
  if (url !== undefined) await countWebhookUrl(ctx, reader.workspaceId);
  return {
    ...(disabled === undefined ? {} : { disabled }),
    ...(description === undefined ? {} : { description: readPlainText(description, 'description') }),
    ...(names === undefined ? {} : { eventTypes: typesOf(names) }),
    ...(url === undefined ? {} : await checkUrl(ctx, url, { livemode })),
  };
}

/** @throws AppError `state_conflict` for one too many, and for a URL that the workspace has in this mode already */
export async function createEndpoint(
  ctx: Ctx,
  tx: Tx,
  { workspaceId, livemode }: { workspaceId: string; livemode: boolean },
  ready: ReadyEndpoint,
): Promise<NewEndpoint> {
  await lockEndpoints(tx, workspaceId);
  const there = await tx.webhookEndpoint.count({ where: { handleId: workspaceId, status: { not: 'deleted' } } });
  if (there >= MOST_ENDPOINTS)
    throw new AppError('state_conflict', `A workspace can have up to ${MOST_ENDPOINTS} endpoints. Delete one first.`);
  await refuseTwice(tx, { handleId: workspaceId, livemode, url: ready.url });
  const secret = drawSecret();
  const id = newId(ctx, 'whs');
  const row = await tx.webhookEndpoint.create({
    data: {
      ...ready,
      id,
      handleId: workspaceId,
      livemode,
      apiVersion: API_VERSION,
      status: 'enabled',
      secret: sealSecret(ctx, id, secret),
      secretById: await shownTo(tx, workspaceId),
      createdAt: new Date(ctx.clock.now()),
    },
  });
  await record(ctx, tx, { ...entryOf(row), action: 'webhook_endpoint.created', after: factsOf(row) });
  return { endpoint: viewEndpoint(ctx, row), secret };
}

/** The account that is shown the secret: a member, or the one who made the key that calls. Null for one of before, and for none. */
async function shownTo(tx: Tx, workspaceId: string): Promise<string | null> {
  const { kind, id } = actorIn(workspaceId);
  if (kind === 'member' || id === null) return id;
  return (await tx.apiKey.findUnique({ where: { id }, select: { madeById: true } }))?.madeById ?? null;
}

const entryOf = ({ handleId: workspaceId, livemode, id }: Endpoint) => ({
  workspaceId,
  livemode,
  object: { kind: 'webhook_endpoint' as const, id },
});

/** Queries of a URL may hold tokens: the entry says only that they differ. */
function factsOf({ url, description, eventTypes }: Endpoint): Facts {
  const { origin, pathname, search } = new URL(url);
  const query = search === '' ? null : createHash('sha256').update(search).digest('hex').slice(0, 8);
  return {
    url: `${origin}${pathname}`,
    ...(query !== null && { query_hash: query }),
    description,
    enabled_events: eventTypes.length === 0 ? [ALL_EVENTS] : eventTypes,
  };
}

/**
 * Pending deliveries go to the new URL, whose days of failing start again at zero. Disabling gives up pending deliveries.
 * @throws AppError `resource_missing`; `state_conflict` for a URL that another endpoint has
 */
export async function changeEndpoint(
  ctx: Ctx,
  tx: Tx,
  reader: WorkspaceReader,
  id: string,
  { disabled, ...ready }: ReadyChange,
): Promise<EndpointView> {
  await lockEndpoints(tx, reader.workspaceId);
  const row = await ownEndpoint(tx, reader, id);
  const moves = ready.url !== undefined && ready.url !== row.url;
  if (moves) await refuseTwice(tx, { ...row, url: ready.url as string });
  const changed = await tx.webhookEndpoint.update({
    where: { id },
    data: { ...ready, ...(moves ? { failingSince: null } : {}) },
  });
  await record(ctx, tx, {
    ...{ ...entryOf(row), action: 'webhook_endpoint.changed' },
    before: factsOf(row),
    after: factsOf(changed),
  });
  if (disabled === true && row.status === 'enabled') await disableEndpoint(ctx, tx, id, 'by_owner');
  if (disabled === false && row.status === 'disabled') await enableEndpoint(ctx, tx, id);
  return viewEndpoint(ctx, await tx.webhookEndpoint.findUniqueOrThrow({ where: { id } }));
}

/**
 * Draws a new secret. The previous one stays in force for the overlap; one that was still in force from an earlier roll is revoked.
 * @throws AppError `resource_missing`, `parameter_invalid`, `state_conflict` where no secret can be kept
 */
export async function rollEndpoint(
  ctx: Ctx,
  tx: Tx,
  reader: WorkspaceReader,
  id: string,
  { overlapHours = ROLL_HOURS.usual }: { overlapHours?: number | undefined } = {},
): Promise<NewEndpoint> {
  const { least, most } = ROLL_HOURS;
  if (!Number.isInteger(overlapHours) || overlapHours < least || overlapHours > most) {
    const words = `overlap_hours must be a whole number from ${least} to ${most}.`;
    throw new AppError('parameter_invalid', words, { param: 'overlap_hours' });
  }
  refuseWithoutKey(ctx);
  await lockEndpoints(tx, reader.workspaceId);
  const before = await ownEndpoint(tx, reader, id);
  const former = before.secret;
  const secret = drawSecret();
  const formerUntil = new Date(ctx.clock.now() + overlapHours * HOUR_MS);
  const row = await tx.webhookEndpoint.update({
    where: { id },
    data: {
      secret: sealSecret(ctx, id, secret),
      secretById: await shownTo(tx, before.handleId),
      ...(overlapHours === 0
        ? { formerSecret: null, formerUntil: null, formerById: null }
        : { formerSecret: former, formerUntil, formerById: before.secretById }),
    },
  });
  await record(ctx, tx, {
    ...{ ...entryOf(row), action: 'webhook_endpoint.secret_rolled' },
    after: { overlap_hours: overlapHours },
  });
  return { endpoint: viewEndpoint(ctx, row), secret };
}

export type DeletedEndpoint = { id: string; object: 'webhook_endpoint'; deleted: true };

/** Permanently: gives up pending deliveries and deletes the secrets. What was delivered stays with its events. @throws AppError `resource_missing` */
export async function deleteEndpoint(ctx: Ctx, tx: Tx, reader: WorkspaceReader, id: string): Promise<DeletedEndpoint> {
  await lockEndpoints(tx, reader.workspaceId);
  const row = await ownEndpoint(tx, reader, id);
  await record(ctx, tx, { ...entryOf(row), action: 'webhook_endpoint.deleted', before: factsOf(row) });
  await tx.webhookEndpoint.update({
    where: { id },
    data: { status: 'deleted', secret: '', formerSecret: null, formerUntil: null },
  });
  await giveUpPending(ctx, tx, id, 'endpoint_deleted');
  return { id, object: 'webhook_endpoint', deleted: true };
}

/** @throws AppError `resource_missing` */
export async function getEndpoint(ctx: Ctx, reader: WorkspaceReader, id: string): Promise<EndpointView> {
  return viewEndpoint(ctx, await ownEndpoint(ctx.db, reader, id));
}

/** The newest first. @throws AppError `parameter_invalid` for a cursor that is not ours */
export async function listEndpoints(
  ctx: Ctx,
  { workspaceId, livemode }: WorkspaceReader,
  { limit = MOST_ENDPOINTS, cursor }: { limit?: number; cursor?: string | undefined } = {},
): Promise<{ data: EndpointView[]; nextCursor: string | null }> {
  const rows = await ctx.db.webhookEndpoint.findMany({
    where: {
      handleId: workspaceId,
      status: { not: 'deleted' },
      ...(livemode === undefined ? {} : { livemode }),
      ...(cursor === undefined ? {} : { id: { lt: readCursor('whs', cursor) } }),
    },
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { data: page.map((row) => viewEndpoint(ctx, row)), nextCursor: last ? writeCursor(last.id) : null };
}

/**
 * The row, for its workspace only, in the reader's mode.
 * @param param which parameter named it, where it is not the address
 * @throws AppError `resource_missing`, for a deleted one too
 */
export async function ownEndpoint(
  tx: Tx,
  { workspaceId, livemode }: WorkspaceReader,
  id: string,
  param?: string,
): Promise<Endpoint> {
  const row = isId('whs', id) ? await tx.webhookEndpoint.findUnique({ where: { id } }) : null;
  const isOwn = row && row.handleId === workspaceId && (livemode ?? row.livemode) === row.livemode;
  if (!isOwn || row.status === 'deleted')
    throw new AppError('resource_missing', 'No such webhook endpoint.', param === undefined ? {} : { param });
  return row;
}

/** One change of a workspace's endpoints after the other. */
function lockEndpoints(tx: Tx, workspaceId: string): Promise<void> {
  return lockKey(tx, `webhook endpoints:${workspaceId}`);
}

async function refuseTwice(tx: Tx, { handleId, livemode, url }: Pick<Endpoint, 'handleId' | 'livemode' | 'url'>) {
  const twin = await tx.webhookEndpoint.findFirst({ where: { handleId, livemode, url, status: { not: 'deleted' } } });
  if (twin)
    throw new AppError('state_conflict', `An endpoint with this URL already exists: ${twin.id}.`, { param: 'url' });
}

function refuseWithoutKey(ctx: Ctx): void {
  if (!ctx.env.WEBHOOK_KEY)
    throw new AppError('state_conflict', 'Webhooks aren’t configured. The operator must set WEBHOOK_KEY.');
}

function typesOf(names: string[]): string[] {
  const read = readEnabledEvents(names);
  if ('problem' in read) throw new AppError('parameter_invalid', read.problem, { param: 'enabled_events' });
  return read.types;
}

function viewEndpoint(ctx: Ctx, row: Endpoint): EndpointView {
  const former = row.formerUntil && row.formerUntil.getTime() > ctx.clock.now() ? row.formerUntil : null;
  return {
    id: row.id,
    object: 'webhook_endpoint',
    url: row.url,
    description: row.description,
    enabled_events: row.eventTypes.length === 0 ? [ALL_EVENTS] : row.eventTypes,
    api_version: row.apiVersion,
    status: row.status as EndpointView['status'],
    disabled_reason: row.disabledReason as DisabledReason | null,
    disabled_at: row.disabledAt?.toISOString() ?? null,
    failing_since: row.failingSince?.toISOString() ?? null,
    livemode: row.livemode,
    former_secret_until: former?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
  };
}
