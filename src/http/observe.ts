// What is logged of every request: method, route template, status and duration. Never the path, which may contain an id or a secret.
import type { Request, RequestHandler } from 'express';
import type { Ctx } from '../context.ts';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** Asked every few seconds by machines: too much for a log. */
const QUIET = new Set(['/healthz', '/readyz', '/metrics']);

export function observeRequests(ctx: Ctx): RequestHandler {
  return (request, response, next) => {
    const started = performance.now();
    response.once('close', () => {
      const method = METHODS.has(request.method) ? request.method : 'OTHER';
      const route = templateOf(request);
      const status = response.writableFinished ? response.statusCode : 499;
      const ms = performance.now() - started;
      ctx.metrics.observeRequest({ method, route, status, ms });
      const line = { request: response.getHeader('Request-Id'), method, route, status, ms: Math.round(ms) };
      ctx.log[QUIET.has(route) ? 'debug' : 'info'](line, 'request');
    });
    next();
  };
}

/** The route as it is written in our code. */
function templateOf(request: Request): string {
  if (request.originalUrl.startsWith('/operations/queues')) return '/operations/queues/*';
  const path: unknown = request.route?.path;
  if (typeof path === 'string') return path;
  return request.originalUrl.startsWith('/assets/') ? '/assets/*' : 'none';
}
