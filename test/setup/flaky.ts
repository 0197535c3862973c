// A server in front of the service that fails as real ones do, in the order in which a test says so; then it passes everything on.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * `drop-before`: the connection dies and the service heard nothing; `drop-after`: the service has done it, and its answer is lost;
 * `cut`: half of the answer; `hang`: none; else an answer of its own.
 */
export type Fault =
  | 'drop-before'
  | 'drop-after'
  | 'cut'
  | 'hang'
  | { status: number; headers?: Record<string, string>; body?: string };

export type Heard = { method: string; url: string; headers: IncomingMessage['headers']; body: string };
export type FlakyServer = Awaited<ReturnType<typeof startFlaky>>;

export async function startFlaky(target: string) {
  const faults: Fault[] = [];
  const heard: Heard[] = [];
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const { method = '', url = '', headers } = request;
    heard.push({ method, url, headers, body });
    const fault = faults.shift();
    if (fault === 'hang') return;
    if (fault === 'drop-before') return void request.socket.destroy();
    if (typeof fault === 'object') {
      response.writeHead(fault.status, fault.headers).end(fault.body ?? '');
      return;
    }
    const { host: _, connection: __, 'content-length': ___, ...passed } = headers;
    const real = await fetch(target + url, {
      method,
      headers: passed as Record<string, string>,
      ...(body === '' ? {} : { body }),
    });
    const text = await real.text();
    if (fault === 'drop-after') return void request.socket.destroy();
    // What was packed is unpacked by now.
    const { 'transfer-encoding': ____, 'content-encoding': _____, ...answered } = Object.fromEntries(real.headers);
    response.writeHead(real.status, { ...answered, 'content-length': Buffer.byteLength(text) });
    if (fault === 'cut') {
      response.write(text.slice(0, text.length / 2), () => request.socket.destroy());
      return;
    }
    response.end(text);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    /** What the next calls meet, one after the other. */
    fail: (...next: Fault[]) => void faults.splice(0, faults.length, ...next),
    async stop(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
