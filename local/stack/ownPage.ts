// The guard of everything local: only our own page, on this machine, may call it.
import type { RequestHandler } from 'express';

/** Refuses a foreign Host (DNS rebinding) and a foreign Origin (another web page). */
export function requireOwnPage(baseUrl: () => string): RequestHandler {
  return (request, response, next) => {
    const own = new URL(baseUrl());
    const { host, origin } = request.headers;
    const sameHost = host === own.host || host === `localhost:${own.port}`;
    const sameOrigin = origin === undefined || origin === own.origin || origin === `http://localhost:${own.port}`;
    if (sameHost && sameOrigin) return next();
    response.status(403).json({
      error: { type: 'permission_error', code: 'forbidden', message: 'The local stack answers its own page only.' },
    });
  };
}
