// What webhooks are sent to in the bench: a process that answers 200 on several ports, each a host of its own, says nothing at all on /hang, and tells
// when it had what.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const PORTS = 20;

export type Receipt = { port: number; eventId: string; at: number };

let receipts: Receipt[] = [];

const servers = Array.from({ length: PORTS }, () => {
  const server = createServer((request, response) => {
    request.resume();
    request.once('end', () => {
      if (request.url === '/hang') return;
      const port = request.socket.localPort ?? 0;
      receipts.push({ port, eventId: String(request.headers['webhook-id']), at: Date.now() });
      response.end();
    });
  });
  server.keepAliveTimeout = 60_000;
  return server;
});
await Promise.all(
  servers.map((server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))),
);
process.send?.({ ready: 'receiver', ports: servers.map((server) => (server.address() as AddressInfo).port) });
// What it had since it was last asked.
process.on('message', () => {
  process.send?.({ receipts });
  receipts = [];
});
process.once('disconnect', () => process.exit(0));
