/** Free TCP ports on the loopback interface, and whether one is taken. */
import { createServer } from 'node:net';

const HOST = '127.0.0.1';

/** Binds and releases `port` (0 = any) and returns its number; rejects with EADDRINUSE when somebody holds it. */
function tryPort(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.unref();
    server.once('error', reject);
    server.listen({ port, host: HOST, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : port));
    });
  });
}

/**
 * A port that nobody listens on now. Somebody may take it before it is used, so a caller that can bind port 0 itself
 * should do that, and one that cannot (a child process that needs a number) should try again when binding fails.
 */
export function freePort(): Promise<number> {
  return tryPort(0);
}

/** Whether a program can listen on 127.0.0.1:`port` at this moment. */
export async function isPortFree(port: number): Promise<boolean> {
  try {
    await tryPort(port);
    return true;
  } catch {
    return false;
  }
}
