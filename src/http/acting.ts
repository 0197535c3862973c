// For which workspace a call acts: the one that it names, if its account belongs to that team in a role that may; else the account's own.
import type { Request, RequestHandler } from 'express';
import { actAs } from '../acting.ts';
import type { Ctx } from '../context.ts';
import { AppError } from '../domain/errors.ts';
import { can, type Door, doorOf, refusalWords } from '../domain/team.ts';
import { handleOfSlug } from '../services/accounts/sessions.ts';
import { roleIn } from '../services/workspaces/members.ts';
import { noteSession, readSession, type SessionWithHandle } from './session.ts';

/** Named in the query, as links to files and streams of events have no headers. */
const NAME = 'workspace';
const READS = new Set(['GET', 'HEAD']);

/**
 * @throws AppError `role_required` for another team's workspace, and for a role that may not; `parameter_unknown` where there is no workspace to act
 * for
 */
export function actForWorkspace(ctx: Ctx): RequestHandler {
  return async (request, response, next) => {
    const url = request.originalUrl;
    const named = takeName(request);
    const door = doorOf(request.method, url);
    if (door === null) {
      if (named !== null) throw new AppError('parameter_unknown', `Unknown parameter: ${NAME}.`, { param: NAME });
      return next();
    }
    const session = await readSession(ctx, request, response);
    // The route says what is missing.
    if (!session?.handle) return next();
    const own = session as SessionWithHandle;
    const workspace = named === null || named === own.handle.slug ? own.handle : await admitTo(ctx, own, named, door);
    noteSession(response, { ...own, handle: workspace });
    const { id, slug } = own.handle;
    const isOther = workspace.id !== id;
    const actor = { kind: 'member' as const, id, name: `@${slug}` };
    const needs = isOther && !READS.has(request.method) ? door : null;
    actAs({ workspaceId: workspace.id, actor, needs }, next);
  };
}

/** Takes the name out of the query, which is the route's own. @throws AppError `parameter_invalid` for two */
function takeName(request: Request): string | null {
  const [path = '', query] = request.url.split('?');
  if (query === undefined) return null;
  const search = new URLSearchParams(query);
  const names = search.getAll(NAME);
  if (names.length === 0) return null;
  if (names.length > 1) throw new AppError('parameter_invalid', `Name one ${NAME}.`, { param: NAME });
  search.delete(NAME);
  const rest = search.toString();
  request.url = rest === '' ? path : `${path}?${rest}`;
  return names[0] ?? null;
}

/** The same words for a workspace that there is not, and for one whose team the account is not in. */
async function admitTo(ctx: Ctx, { handle }: SessionWithHandle, name: string, door: Door) {
  const workspace = await handleOfSlug(ctx, name);
  const role = workspace && (await roleIn(ctx.db, workspace.id, handle.id));
  if (!workspace || !role)
    throw new AppError('role_required', 'You’re not a member of this workspace. Switch to another one.');
  if (!can(role, door)) throw new AppError('role_required', refusalWords(door));
  return workspace;
}
