/** How requests are read and answers are sent. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Fault } from './faults.ts';

const MAX_BODY_BYTES = 1024 * 1024;

export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new Refusal(413, 'Request Entity Too Large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

export function sendFault(response: ServerResponse, { status, body, retry_after }: Fault): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(retry_after === undefined ? {} : { 'retry-after': String(retry_after) }),
  });
  response.end(body ?? JSON.stringify({ message: `Error ${status}`, code: 0 }));
}

export function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { location, 'cache-control': 'no-store' });
  response.end();
}

export function sendPage(response: ServerResponse, status: number, html: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'same-origin',
    'content-security-policy':
      "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
  });
  response.end(html);
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  if (response.destroyed) return;
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
