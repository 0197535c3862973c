// What every local platform server does the same way: who may call it, how bodies are read and written, where it listens, how it ends.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);
/** Longer than a client rests between two calls: one that writes just when its idle connection is closed gets no answer. */
const KEEP_ALIVE_MS = 75_000;
const HEARTBEAT_MS = 15_000;

/**
 * Why a call is refused, or null: a page of another origin, or a name that only points here, must not act for the people of this machine.
 * An allowed page gets the header that lets it read the answer.
 */
export function foreignCall(origins: string[], request: IncomingMessage, response?: ServerResponse): string | null {
  const { host = '', origin } = request.headers;
  if (!LOOPBACK.has(host.replace(/:\d+$/, ''))) return 'the Host is not this machine';
  if (origin !== undefined && origins.includes(origin)) {
    response?.setHeader('access-control-allow-origin', origin);
    response?.setHeader('vary', 'origin');
    return null;
  }
  const crossSite = request.headers['sec-fetch-site'] === 'cross-site';
  return origin !== undefined || crossSite ? 'the Origin is not allowed' : null;
}

/** Answers the question that a browser asks before a call with a JSON body. @returns whether it was one */
export function answerPreflight(
  request: IncomingMessage,
  response: ServerResponse,
  headers: readonly string[] = ['content-type'],
): boolean {
  if (request.method !== 'OPTIONS') return false;
  response.writeHead(204, {
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-allow-headers': headers.join(', '),
  });
  response.end();
  return true;
}

/** The whole body, or null when it is larger than allowed. */
export async function readBody(request: IncomingMessage, mostBytes: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > mostBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  if (response.destroyed) return;
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
}

/** Server-sent events: one for each thing that people can see change. */
export function streamEvents<Event extends { type: string }>(
  listeners: Set<(event: Event) => void>,
  response: ServerResponse,
): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.write(': listening\n\n');
  const listener = (event: Event) => {
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  };
  const heartbeat = setInterval(() => response.write(': still here\n\n'), HEARTBEAT_MS);
  listeners.add(listener);
  response.once('close', () => {
    clearInterval(heartbeat);
    listeners.delete(listener);
  });
}

export type RunningServer = { server: Server; port: number; url: string; close(): Promise<void> };

/** Listens on a port of this machine, 0 for any. @throws Error with a sentence for the user who started it */
export async function listenOn(
  { name, host, port }: { name: string; host: string; port: number },
  serve: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<RunningServer> {
  const server = createServer(serve);
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new Error(
      `The local ${name} cannot start: port ${port} is taken by another program. Free it or choose another.`,
    );
  });
  const taken = (server.address() as AddressInfo).port;
  return {
    server,
    port: taken,
    url: `http://${host}:${taken}`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}
