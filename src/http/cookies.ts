// Our cookies: opaque values that no script can read, sent over TLS only, except on this very machine.
import { parse } from 'cookie';
import type { CookieOptions, Request, Response } from 'express';
import type { Ctx } from '../context.ts';

/** `service-session` is a signed-in browser, `service-prelogin` one that is about to sign in, `service-operator` an operator's. */
export type CookieName = 'service-session' | 'service-prelogin' | 'service-operator';
const COOKIE_NAMES: readonly CookieName[] = ['service-session', 'service-prelogin', 'service-operator'];

export function readCookie(request: Request, name: CookieName): string | undefined {
  return parse(request.headers.cookie ?? '')[name];
}

/** Whether the browser sent something by itself that gives it rights here. */
export function carriesCookie(request: Request): boolean {
  const given = parse(request.headers.cookie ?? '');
  return COOKIE_NAMES.some((name) => given[name] !== undefined);
}

export function setCookie(
  ctx: Ctx,
  response: Response,
  name: CookieName,
  value: string,
  { maxAgeMs, sameSite = 'lax' }: { maxAgeMs: number; sameSite?: 'lax' | 'strict' },
): void {
  response.cookie(name, value, { ...attributes(ctx), sameSite, maxAge: maxAgeMs });
}

export function clearCookie(ctx: Ctx, response: Response, name: CookieName): void {
  response.clearCookie(name, attributes(ctx));
}

function attributes(ctx: Ctx): CookieOptions {
  const { protocol, hostname } = new URL(ctx.env.BASE_URL);
  const onThisMachine = protocol === 'http:' && (hostname === 'localhost' || hostname === '127.0.0.1');
  return { httpOnly: true, sameSite: 'lax', path: '/', secure: !onThisMachine };
}
