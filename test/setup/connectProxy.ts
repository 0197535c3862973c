// A real CONNECT proxy on 127.0.0.1. It records its requests and leads every connection to one local port, so that a test can call
// addresses of the internet without a packet leaving.
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

export type ConnectProxy = Awaited<ReturnType<typeof startConnectProxy>>;

/** @param toPort where every connection goes; 0 refuses all of them with a 502 */
export async function startConnectProxy(toPort: number) {
  const asked: { target: string; authorization: string | undefined }[] = [];
  const sockets = new Set<Socket>();
  const server = createServer();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('connect', (request: IncomingMessage, client: Socket) => {
    asked.push({ target: request.url ?? '', authorization: request.headers['proxy-authorization'] });
    client.on('error', () => client.destroy());
    if (toPort === 0) {
      client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
      return;
    }
    const target = connect(toPort, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.pipe(client);
      client.pipe(target);
    });
    target.on('error', () => client.destroy());
    client.on('close', () => target.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async close(): Promise<void> {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
