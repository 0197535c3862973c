// Who is calling: the signed-in browser behind the session cookie.
import type { Request, Response } from 'express';
import type { Ctx } from '../context.ts';
import { AppError } from '../domain/errors.ts';
import { SESSION_TTL_MS } from '../domain/session.ts';
import { findSession, type Session } from '../services/accounts/sessions.ts';
import { clearCookie, readCookie, setCookie } from './cookies.ts';

export type SessionWithHandle = Session & { handle: NonNullable<Session['handle']> };

const SESSION = 'session';

/** What the rest of the request takes for its session: the handle is the workspace that it acts for. */
export function noteSession(response: Response, session: Session): void {
  response.locals[SESSION] = session;
}

/** The account that a page was made for: `@handle`, or without one the address that signed in. Browsers send the cookie of the latest sign-in. */
const ACCOUNT_HEADER = 'ampersat-account';

/** The session that a call is made for, or null. @throws AppError `account_changed` */
export async function readSession(ctx: Ctx, request: Request, response: Response): Promise<Session | null> {
  const known = response.locals[SESSION] as Session | undefined;
  if (known) return known;
  const session = await readAnySession(ctx, request, response);
  const meant = request.headers[ACCOUNT_HEADER];
  const own = session && [session.address, ...(session.handle ? [`@${session.handle.slug}`] : [])];
  if (own && meant !== undefined && !own.includes(String(meant))) throw new AppError('account_changed');
  return session;
}

/** The session, or null, of any account; an invalid cookie is cleared, a valid one is extended by 30 days. */
export async function readAnySession(ctx: Ctx, request: Request, response: Response): Promise<Session | null> {
  const token = readCookie(request, 'service-session');
  if (token === undefined) return null;
  const found = await findSession(ctx, token);
  if (!found) {
    clearCookie(ctx, response, 'service-session');
    return null;
  }
  if (found.renewed) giveSession(ctx, response, token);
  return found.session;
}

export function giveSession(ctx: Ctx, response: Response, token: string): void {
  setCookie(ctx, response, 'service-session', token, { maxAgeMs: SESSION_TTL_MS });
}

/** @throws AppError `session_required`, `account_changed` */
export async function requireSession(ctx: Ctx, request: Request, response: Response): Promise<Session> {
  const session = await readSession(ctx, request, response);
  if (!session) throw new AppError('session_required');
  return session;
}

/** @throws AppError `session_required`, `account_changed`, `handle_required` */
export async function requireHandle(ctx: Ctx, request: Request, response: Response): Promise<SessionWithHandle> {
  const session = await requireSession(ctx, request, response);
  if (!session.handle) throw new AppError('handle_required');
  return session as SessionWithHandle;
}
