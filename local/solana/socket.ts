// The WebSocket side of the local Solana node: subscriptions, their notifications, and heartbeats.
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import { foreignCall } from '../platforms/platformServer.ts';
import { toJson } from './json.ts';
import type { Ledger } from './ledger.ts';
import { errorAnswer } from './rpc.ts';
import { invalidParams, invalidRequest, methodNotFound, parseError, RpcError } from './rpcErrors.ts';
import { isSubscriptionKind, openSubscriptions, type Subscriptions } from './subscriptions.ts';

const HEARTBEAT_MS = 30_000;
const MOST_BYTES = 64 * 1_024;
/** One connection cannot make every block slow. */
const MOST_SUBSCRIPTIONS = 1_000;

const input = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.string(),
  params: z.array(z.unknown()).nullish(),
});

export type Sockets = { serve(server: Server): void; close(): Promise<void> };

export function openSockets(ledger: Ledger, origins: string[]): Sockets {
  const subscriptions = openSubscriptions(ledger);
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MOST_BYTES });
  const silent = new WeakSet<WebSocket>();
  sockets.on('connection', (socket) => {
    socket.on('pong', () => silent.delete(socket));
    serveSocket(subscriptions, socket);
  });
  const heartbeat = setInterval(() => {
    for (const socket of sockets.clients) {
      if (silent.has(socket)) socket.terminate();
      silent.add(socket);
      socket.ping();
    }
  }, HEARTBEAT_MS);
  heartbeat.unref();
  return {
    serve(server) {
      server.on('upgrade', (request: IncomingMessage, connection: Duplex, head: Buffer) => {
        if (foreignCall(origins, request)) return void connection.end('HTTP/1.1 403 Forbidden\r\n\r\n');
        sockets.handleUpgrade(request, connection, head, (socket) => sockets.emit('connection', socket, request));
      });
    },
    async close() {
      clearInterval(heartbeat);
      subscriptions.close();
      for (const socket of sockets.clients) socket.terminate();
      await new Promise<void>((resolve) => sockets.close(() => resolve()));
    },
  };
}

function serveSocket(subscriptions: Subscriptions, socket: WebSocket): void {
  const own = new Set<number>();
  const send = (message: object) => {
    if (socket.readyState === socket.OPEN) socket.send(toJson(message));
  };
  // A message that is too long closes the connection; that is all there is to do.
  socket.on('error', () => {});
  socket.on('close', () => {
    for (const id of own) subscriptions.remove(id);
  });
  socket.on('message', (data) => {
    const call = readCall(String(data));
    if (call instanceof RpcError) return send(errorAnswer(null, call));
    const { id, method, params } = call;
    // Clients keep connections open with notifications.
    if (id === undefined) return;
    try {
      const { result, started } = answer(subscriptions, own, method, params ?? [], send);
      send({ jsonrpc: '2.0', result, id });
      started?.();
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      send(errorAnswer(id, error));
    }
  });
}

function answer(
  subscriptions: Subscriptions,
  own: Set<number>,
  method: string,
  params: unknown[],
  send: (message: object) => void,
): { result: number | boolean; started?: () => void } {
  const [, kind = '', what] = /^([a-z]+)(Subscribe|Unsubscribe)$/.exec(method) ?? [];
  if (!isSubscriptionKind(kind)) throw methodNotFound();
  if (what === 'Unsubscribe') {
    const id = params[0] as number;
    if (!own.delete(id)) throw invalidParams('Invalid subscription id.');
    subscriptions.remove(id);
    return { result: true };
  }
  if (own.size >= MOST_SUBSCRIPTIONS) throw new RpcError(-32600, 'Too many subscriptions');
  const { id, started } = subscriptions.add(kind, params, send);
  own.add(id);
  return { result: id, started };
}

function readCall(text: string): z.infer<typeof input> | RpcError {
  try {
    const parsed = input.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : invalidRequest();
  } catch {
    return parseError();
  }
}
