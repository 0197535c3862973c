/** Free TCP ports on the loopback interface, and whether one is taken. */
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

const HOST = '127.0.0.1';

/**
 * Where `freePort` looks: below the range from which systems take the ports of outgoing connections and of listeners
 * on port 0 (from 32768 on Linux, from 49152 elsewhere), so that neither takes one between its choice and its use; and
 * below the ports of databases, to which webhooks do not go.
 */
export const FREE_PORTS = { first: 16_000, last: 26_999 } as const;
/** How many ports a process asks for before it comes to those of the process that was started next. */
const PORTS_PER_PROCESS = 16;

let asked = 0;

/** Binds and releases `port` and returns its number; rejects with EADDRINUSE when it is taken. */
function tryPort(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.unref();
    server.once('error', reject);
    server.listen({ port, host: HOST, exclusive: true }, () => server.close(() => resolve(port)));
  });
}

/**
 * Claims `port` for this process until it ends, by the UDP socket of the same number, which the system lets one process
 * have and takes back from a dead one. Without it two processes could get the same port before either listens, and
 * one that looks whether a port is free would hold it just when the program that it was given to begins to listen.
 * @returns whether it is ours now
 */
function claimPort(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const claim = createSocket('udp4');
    claim.unref();
    claim.once('error', () => {
      claim.close();
      resolve(false);
    });
    claim.bind({ port, address: HOST, exclusive: true }, () => resolve(true));
  });
}

/**
 * A port that no process listens on and that neither this process nor another one that runs has been given. Processes
 * look in places of their own, by their ids, so that they seldom meet. Programs that do not ask here can still come
 * in between: a caller that can bind port 0 itself should do that.
 * @throws Error when nothing in the range is free.
 */
export async function freePort(): Promise<number> {
  const span = FREE_PORTS.last - FREE_PORTS.first + 1;
  for (let tries = 0; tries < span; tries++) {
    const port = FREE_PORTS.first + ((process.pid * PORTS_PER_PROCESS + asked++) % span);
    if ((await claimPort(port)) && (await isPortFree(port))) return port;
  }
  throw new Error(`No port between ${FREE_PORTS.first} and ${FREE_PORTS.last} is free on ${HOST}.`);
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
