// Who acts, and for which workspace: known to all that a request runs, so that each transaction can look whether it still may.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Tx } from './db.ts';
import { AppError } from './domain/errors.ts';
import { can, type Door, isRole, refusalWords } from './domain/team.ts';

export type Actor =
  | { kind: 'member'; id: string; name: string }
  | { kind: 'api_key'; id: string; name: string }
  | { kind: 'service'; id: null; name: string };

export type Acting = {
  workspaceId: string;
  actor: Actor;
  /** What a member needs in every transaction; null for the workspace's own account, for keys, and for what only reads. */
  needs: Door | null;
};

export const SERVICE: Actor = { kind: 'service', id: null, name: 'Ampersat' };

const acting = new AsyncLocalStorage<Acting>();

/** @param how within which `run` and all that it awaits acts */
export function actAs<T>(how: Acting, run: () => T): T {
  return acting.run(how, run);
}

/** Who acts in a workspace now: the service, where no request of it does. */
export function actorIn(workspaceId: string): Actor {
  const now = acting.getStore();
  return now?.workspaceId === workspaceId ? now.actor : SERVICE;
}

/** Whether what runs now has to prove its right in a transaction. */
export const needsRight = () => acting.getStore()?.needs != null;

const teamLock = (workspaceId: string) => `team:${workspaceId}`;

/**
 * The first statements of every transaction of a member's request: a removal waits until those that began before it have ended, and those that begin
 * after it see it. One lock of the workspace, shared by what members write, alone for what changes the team.
 * @throws AppError `role_required` once the member may no longer
 */
export async function holdRight(tx: Tx): Promise<void> {
  const now = acting.getStore();
  if (!now?.needs || now.actor.kind !== 'member') return;
  const { workspaceId, actor, needs } = now;
  if (needs === 'members') await lockTeam(tx, workspaceId);
  else await tx.$executeRaw`select pg_advisory_xact_lock_shared(hashtextextended(${teamLock(workspaceId)}, 0))`;
  if (actor.id === workspaceId) return;
  const [row] = await tx.$queryRaw<{ role: string }[]>`
    select role from member where handle_id = ${workspaceId} and account_id = ${actor.id}`;
  if (!row || !isRole(row.role) || !can(row.role, needs)) throw new AppError('role_required', refusalWords(needs));
}

/** One change of a workspace's team after the other, and none beside what a member writes. */
export async function lockTeam(tx: Tx, workspaceId: string): Promise<void> {
  await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${teamLock(workspaceId)}, 0))`;
}
