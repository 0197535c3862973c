// The audit log of a workspace as its members read it: newest first, by who, what and when, and as a file.
import type { Ctx } from '../../context.ts';
import type { Row } from '../../db.ts';
import type { AuditAction, AuditKind } from '../../domain/audit.ts';
import { csvLine } from '../../domain/csv.ts';
import { timeOfId } from '../../domain/ids.ts';
import type { Facts } from '../audit.ts';
import { readCursor, writeCursor } from '../pagination.ts';
import { idsIn, type Period } from '../period.ts';

export type AuditFilters = Period & {
  /** An account, a key, or "service". */
  actor?: string | undefined;
  kind?: AuditKind | undefined;
  /** One thing. */
  object?: string | undefined;
};

export type AuditView = {
  object: 'audit_entry';
  id: string;
  created_at: string;
  livemode: boolean | null;
  actor: { kind: 'member' | 'api_key' | 'service'; id: string | null; name: string };
  action: AuditAction;
  target: { kind: AuditKind; id: string };
  before: Facts | null;
  after: Facts | null;
};

/** @throws AppError `parameter_invalid` for a cursor that is not ours */
export async function listEntries(
  ctx: Ctx,
  workspaceId: string,
  { limit, cursor, ...filters }: AuditFilters & { limit: number; cursor?: string | undefined },
): Promise<{ data: AuditView[]; nextCursor: string | null }> {
  const below = cursor === undefined ? null : readCursor('aud', cursor);
  const rows = await ctx.db.auditEntry.findMany({
    where: { AND: [whereOf(workspaceId, filters), ...(below === null ? [] : [{ id: { lt: below } }])] },
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { data: page.map(viewOf), nextCursor: last ? writeCursor(last.id) : null };
}

function whereOf(handleId: string, { actor, kind, object, ...period }: AuditFilters) {
  const { first, behind } = idsIn('aud', period);
  return {
    handleId,
    ...(actor === undefined ? {} : actor === 'service' ? { actorKind: 'service' } : { actorId: actor }),
    ...(kind === undefined ? {} : { objectKind: kind }),
    ...(object === undefined ? {} : { objectId: object }),
    AND: [...(first === null ? [] : [{ id: { gte: first } }]), ...(behind === null ? [] : [{ id: { lt: behind } }])],
  };
}

function viewOf(row: Row<'AuditEntry'>): AuditView {
  return {
    object: 'audit_entry',
    id: row.id,
    created_at: new Date(timeOfId(row.id)).toISOString(),
    livemode: row.livemode,
    actor: { kind: row.actorKind as AuditView['actor']['kind'], id: row.actorId, name: row.actorName },
    action: row.action as AuditAction,
    target: { kind: row.objectKind as AuditKind, id: row.objectId },
    before: row.before as Facts | null,
    after: row.after as Facts | null,
  };
}

const HEAD = ['time', 'actor', 'actor_id', 'action', 'object', 'object_id', 'mode', 'before', 'after', 'id'];
const PAGE = 500;

/** As lines, the newest first, page by page. */
export async function* auditCsv(ctx: Ctx, workspaceId: string, filters: AuditFilters): AsyncGenerator<string> {
  yield csvLine(HEAD);
  for (let cursor: string | undefined; ; ) {
    const { data, nextCursor } = await listEntries(ctx, workspaceId, { ...filters, limit: PAGE, cursor });
    for (const { id, created_at, actor, action, target, livemode, before, after } of data) {
      const mode = livemode === null ? '' : livemode ? 'live' : 'test';
      const texts = [before, after].map((facts) => (facts === null ? '' : JSON.stringify(facts)));
      yield csvLine([created_at, actor.name, actor.id ?? '', action, target.kind, target.id, mode, ...texts, id]);
    }
    if (nextCursor === null) return;
    cursor = nextCursor;
  }
}
