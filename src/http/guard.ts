// What holds for every call under /api: nothing is cached, and a write comes from our own pages and is JSON, or a picture where one is uploaded.
import type { Request, RequestHandler } from 'express';
import type { Ctx } from '../context.ts';
import { AppError } from '../domain/errors.ts';
import { carriesCookie } from './cookies.ts';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** @throws AppError `origin_not_allowed` for a write from elsewhere, `media_type_unsupported` for a write that is not JSON */
export function guardApi(ctx: Ctx): RequestHandler {
  return (request, response, next) => {
    response.setHeader('Cache-Control', 'no-store');
    if (READS.has(request.method)) return next();
    if (!isOwnOrigin(request, originsOf(ctx, request.path))) throw new AppError('origin_not_allowed');
    if (!isJson(request) && !isPicture(request)) throw new AppError('media_type_unsupported');
    next();
  };
}

/** The same for pages that are not ours but stand at our address. @throws AppError `origin_not_allowed` */
export function refuseForeignWrites(ctx: Ctx): RequestHandler {
  return (request, _response, next) => {
    const isRead = READS.has(request.method);
    if (!isRead && !isOwnOrigin(request, [new URL(ctx.env.BASE_URL).origin])) throw new AppError('origin_not_allowed');
    next();
  };
}

/** Checkout pages may stand at an address of their own; they call nothing but the checkout, which needs no session. */
function originsOf(ctx: Ctx, path: string): string[] {
  const { BASE_URL, CHECKOUT_BASE } = ctx.env;
  const own = [new URL(BASE_URL).origin];
  const isCheckout = path === '/checkout' || path.startsWith('/checkout/');
  return CHECKOUT_BASE && isCheckout ? [...own, new URL(CHECKOUT_BASE).origin] : own;
}

/**
 * Browsers name the page that a write comes from; a request that does not, and brings a cookie all the same, is not believed.
 * Programs, which bring their secret in a header, need no origin.
 */
function isOwnOrigin(request: Request, own: string[]): boolean {
  const { origin } = request.headers;
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  return origin === undefined ? !carriesCookie(request) : own.includes(origin);
}

/** A form, which another site's page could send, is never JSON. Only a DELETE may come without a body. */
function isJson(request: Request): boolean {
  const type = request.headers['content-type'];
  if (type === undefined) return request.method === 'DELETE' && !hasBody(request);
  return /^application\/json\s*(;|$)/i.test(type);
}

/** Neither is a picture: a browser asks before it sends one from another site. */
function isPicture(request: Request): boolean {
  const type = request.headers['content-type'];
  return (
    request.method === 'PUT' && request.path.startsWith('/pictures/') && /^image\/(png|jpeg|webp)$/.test(type ?? '')
  );
}

function hasBody(request: Request): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
}
