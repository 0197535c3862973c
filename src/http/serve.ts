// Listening: one place for the port, its errors and the orderly end.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Ctx } from '../context.ts';
import { StartError } from '../domain/errors.ts';
import { type AppOptions, createApp } from './app.ts';

const FINISH_WITHIN_MS = 3_000;
/** Longer than proxies keep theirs, a minute as a rule: a request that meets the closing of an idle connection gets no answer. */
const IDLE_MS = 75_000;

/** @returns the port that was bound. @throws StartError when it is taken */
export async function serve(ctx: Ctx, options: AppOptions = {}): Promise<number> {
  const server = createServer(createApp(ctx, options));
  server.keepAliveTimeout = IDLE_MS;
  const { HOST, PORT } = ctx.env;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const taken = cause.code === 'EADDRINUSE';
      reject(
        taken
          ? new StartError(`Port ${PORT} is in use. Stop the other program or choose another port.`, { cause })
          : cause,
      );
    });
    server.listen(PORT, HOST, resolve);
  });
  ctx.shutdown.onClose('http', () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeIdleConnections();
    // Requests in progress get a moment to finish; idle connections do not.
    const force = setTimeout(() => server.closeAllConnections(), FINISH_WITHIN_MS);
    return closed.finally(() => clearTimeout(force));
  });
  return (server.address() as AddressInfo).port;
}
