// The requests of a workspace as its dashboard and its keys read them: newest first, and one with its bodies.
import { type Actor, actorIn } from '../../acting.ts';
import type { Ctx } from '../../context.ts';
import type { Row } from '../../db.ts';
import type { KeyMode } from '../../domain/apiKey.ts';
import { AppError } from '../../domain/errors.ts';
import { isId, timeOfId } from '../../domain/ids.ts';
import { LOG_KEPT_DAYS, type StatusClass } from '../../domain/requestLog.ts';
import { can } from '../../domain/team.ts';
import { readCursor, writeCursor } from '../pagination.ts';
import { idsOf, type Period } from '../period.ts';
import { roleIn } from './members.ts';
import type { WorkspaceReader } from './workspaces.ts';

const DAY_MS = 86_400_000;

export type RequestFilters = Period & {
  method?: string | undefined;
  /** `4xx`, or a status. */
  status?: StatusClass | number | undefined;
  key?: string | undefined;
  code?: string | undefined;
  route?: string | undefined;
  /** One request. */
  request?: string | undefined;
  limit: number;
  cursor?: string | undefined;
};

/** `key` is null where the key is no longer known; `route` is null for an address that is none of the API’s. */
export type RequestView = {
  object: 'request_log';
  id: string;
  livemode: boolean;
  method: string;
  route: string | null;
  path: string;
  status: number;
  error_code: string | null;
  idempotency_key: string | null;
  duration_ms: number;
  created_at: string;
  key: { id: string; label: string; mode: KeyMode; last4: string } | null;
};
/** JSON of a body, without secrets; null where there was none that could be read. */
export type LoggedBodyView = { text: string; is_cut: boolean } | null;
export type RequestDetail = RequestView & { request_body: LoggedBodyView; response_body: LoggedBodyView };

/** @throws AppError `parameter_invalid` for a cursor that is not ours */
export async function listRequests(
  ctx: Ctx,
  { workspaceId, livemode }: WorkspaceReader,
  filters: RequestFilters,
): Promise<{ data: RequestView[]; nextCursor: string | null }> {
  const { method, status, key, code, route, request, limit, cursor } = filters;
  const { first, behind } = idsOf('req', { ...filters, from: Math.max(filters.from ?? 0, oldestOf(ctx)) });
  const below = cursor === undefined ? null : readCursor('req', cursor);
  const rows = await ctx.db.requestLog.findMany({
    where: {
      handleId: workspaceId,
      ...(livemode === undefined ? {} : { livemode }),
      ...(method === undefined ? {} : { method }),
      ...(status === undefined ? {} : { status: statusesOf(status) }),
      ...(key === undefined ? {} : { keyId: key }),
      ...(code === undefined ? {} : { errorCode: code }),
      ...(route === undefined ? {} : { route }),
      AND: [
        ...(first === null ? [] : [{ id: { gte: first } }]),
        ...(behind === null ? [] : [{ id: { lt: behind } }]),
        ...(below === null ? [] : [{ id: { lt: below } }]),
        ...(request === undefined ? [] : [{ id: request }]),
      ],
    },
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  const shown = rows.slice(0, limit);
  const keys = await keysOf(ctx, workspaceId, shown);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return { data: shown.map((row) => viewOf(row, keys)), nextCursor: last ? writeCursor(last.id) : null };
}

/**
 * An error under /v1 names its request and no workspace: a member whose tab acts for another one gets the name of that which has it, and no one else does.
 * @throws AppError `resource_missing`; `state_conflict` for one of another workspace of the member's
 */
export async function getRequest(
  ctx: Ctx,
  { workspaceId, livemode }: WorkspaceReader,
  id: string,
): Promise<RequestDetail> {
  const row = isId('req', id) ? await ctx.db.requestLog.findUnique({ where: { id } }) : null;
  if (!row || timeOfId(row.id) < oldestOf(ctx)) throw missing();
  if (row.handleId !== workspaceId) throw await refusalOf(ctx, actorIn(workspaceId), row.handleId);
  if ((livemode ?? row.livemode) !== row.livemode) throw missing();
  const [keys, bodies] = await Promise.all([
    keysOf(ctx, workspaceId, [row]),
    ctx.db.requestLogBody.findUnique({ where: { id } }),
  ]);
  return {
    ...viewOf(row, keys),
    request_body: bodyOf(bodies?.requestBody, bodies?.requestCut),
    response_body: bodyOf(bodies?.responseBody, bodies?.responseCut),
  };
}

const missing = () => new AppError('resource_missing', 'No such request in the API log.');

async function refusalOf(ctx: Ctx, { kind, id }: Actor, workspaceId: string): Promise<AppError> {
  const role = kind === 'member' ? await roleIn(ctx.db, workspaceId, id) : null;
  if (role === null || !can(role, 'read')) return missing();
  const { slug } = await ctx.db.handle.findUniqueOrThrow({ where: { id: workspaceId }, select: { slug: true } });
  const words = `This request is in the API log of @${slug}. Switch to that workspace to see it.`;
  return new AppError('state_conflict', words);
}

/** What housekeeping has not deleted yet is not shown. */
const oldestOf = ({ clock }: Ctx) => clock.now() - LOG_KEPT_DAYS * DAY_MS;

function statusesOf(status: StatusClass | number): number | { gte: number; lt: number } {
  if (typeof status === 'number') return status;
  const hundred = Number(status[0]) * 100;
  return { gte: hundred, lt: hundred + 100 };
}

type Keys = Map<string, RequestView['key']>;

async function keysOf(ctx: Ctx, handleId: string, rows: readonly { keyId: string }[]): Promise<Keys> {
  const ids = [...new Set(rows.map(({ keyId }) => keyId))];
  const keys = await ctx.db.apiKey.findMany({
    where: { id: { in: ids }, handleId },
    select: { id: true, label: true, mode: true, last4: true },
  });
  return new Map(keys.map((key) => [key.id, { ...key, mode: key.mode as KeyMode }]));
}

function viewOf(row: Row<'RequestLog'>, keys: Keys): RequestView {
  return {
    object: 'request_log',
    id: row.id,
    livemode: row.livemode,
    method: row.method,
    route: row.route || null,
    path: row.path,
    status: row.status,
    error_code: row.errorCode,
    idempotency_key: row.idempotencyKey,
    duration_ms: row.durationMs,
    created_at: new Date(timeOfId(row.id)).toISOString(),
    key: keys.get(row.keyId) ?? null,
  };
}

function bodyOf(text: string | null = null, isCut = false): LoggedBodyView {
  return text === null ? null : { text, is_cut: isCut };
}
