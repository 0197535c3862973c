// The guard of everything local: only our own page, on this machine, may call it.
import type { RequestHandler } from 'express';

/** Refuses a foreign Host (DNS rebinding) and a foreign Origin (another web page). */
export function requireOwnPage(baseUrl: () => string): RequestHandler {
  return (request, response, next) => {
    const own = new URL(baseUrl());
    const { host, origin } = request.headers;
    const hosts = [own.host, `localhost:${own.port}`, `127.0.0.1:${own.port}`];
    const sameHost = hosts.includes(host ?? '');
    const sameOrigin = origin === undefined || hosts.some((one) => origin === `http://${one}`) || origin === own.origin;
    if (sameHost && sameOrigin) return next();
    response.status(403).json({
      error: { type: 'permission_error', code: 'forbidden', message: 'The local stack answers its own page only.' },
    });
  };
}
