// The audit log: who changed what in a workspace. An entry is written in the transaction of its change, once for each, and never with a secret.
import { type Actor, actorIn } from '../acting.ts';
import { type Ctx, newId } from '../context.ts';
import type { Json, Tx } from '../db.ts';
import type { AuditAction, AuditKind } from '../domain/audit.ts';
import { idsIn } from './period.ts';

export type Change = {
  workspaceId: string;
  /** Left out for what has no mode. */
  livemode?: boolean | undefined;
  action: AuditAction;
  object: { kind: AuditKind; id: string };
  /** Of what changed, before and after: plain values, no secret. Equal ones say that nothing changed. */
  before?: Facts | undefined;
  after?: Facts | undefined;
  /** What the entry names beside the difference, such as whose membership it is. */
  about?: Facts | undefined;
  /** For what repeats without changing anything more: the same text is written once. */
  once?: string | undefined;
  /** Another actor than the one of the request: what the service does by itself in between is not the member's. */
  by?: Actor | undefined;
};
export type Facts = Record<string, string | number | boolean | null | string[]>;

/** Writes what differs between before and after; nothing, where nothing does. */
export async function record(ctx: Ctx, tx: Tx, change: Change): Promise<void> {
  const { workspaceId, livemode, action, object, about, once, by = actorIn(workspaceId) } = change;
  const differing = differenceOf(change);
  if (differing === null) return;
  const { before } = differing;
  const after = about ? { ...about, ...differing.after } : differing.after;
  await tx.auditEntry.createMany({
    data: [
      {
        id: newId(ctx, 'aud'),
        handleId: workspaceId,
        livemode: livemode ?? null,
        actorKind: by.kind,
        actorId: by.id,
        actorName: by.name,
        action,
        objectKind: object.kind,
        objectId: object.id,
        ...(before && { before: before as Json }),
        ...(after && { after: after as Json }),
        once: once === undefined ? null : `${action}:${object.id}:${by.id}:${once}`,
      },
    ],
    skipDuplicates: true,
  });
}

/** Null for a change from something to the same. */
function differenceOf({ before, after }: Pick<Change, 'before' | 'after'>): { before?: Facts; after?: Facts } | null {
  if (!before || !after) return { ...(before && { before }), ...(after && { after }) };
  const names = Object.keys({ ...before, ...after }).filter((name) => !isSame(before[name], after[name]));
  if (names.length === 0) return null;
  const pick = (facts: Facts) => Object.fromEntries(names.map((name) => [name, facts[name] ?? null]));
  return { before: pick(before), after: pick(after) };
}

/** The order of a list, such as of event types, is no difference. */
function isSame(one: Facts[string] | undefined, other: Facts[string] | undefined): boolean {
  const plain = (value: Facts[string] | undefined) =>
    JSON.stringify(Array.isArray(value) ? [...value].sort() : (value ?? null));
  return plain(one) === plain(other);
}

const KEPT_MS = 366 * 86_400_000;
const DROP_BATCH = 5_000;

/** Deletes what is older than a year. */
export async function dropOldEntries(ctx: Ctx): Promise<void> {
  const { behind } = idsIn('aud', { before: ctx.clock.now() - KEPT_MS });
  for (let count = DROP_BATCH; count === DROP_BATCH && !ctx.shutdown.closing(); )
    count = await ctx.db.$executeRaw`
      delete from audit_entry where id in (
        select id from audit_entry where id < ${behind} order by id limit ${DROP_BATCH})`;
}
