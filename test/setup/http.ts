// A call by Node's HTTP client: it takes a third of the CPU time of `fetch`, and the tests of a run make a hundred thousand.
import { Agent, request } from 'node:http';

export type Reply = { status: number; headers: Headers; text: string };
export type Sending = { method?: string; headers?: Record<string, string>; body?: string | Uint8Array };

const agent = new Agent({ keepAlive: true });

/** It follows no redirect. @throws Error of the connection */
export function call(url: string, { method = 'GET', headers = {}, body }: Sending = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    // Of a DELETE, Node sends the body without its length.
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const sent = request(url, { method, agent, headers: { accept: '*/*', ...headers, ...length } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const given = new Headers();
        for (let at = 0; at < response.rawHeaders.length; at += 2)
          given.append(response.rawHeaders[at] ?? '', response.rawHeaders[at + 1] ?? '');
        resolve({ status: response.statusCode ?? 0, headers: given, text: Buffer.concat(chunks).toString() });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** What a person does at a local platform: JSON there and back. @throws Error with what the platform answered */
export async function callJson<T>(url: string, body?: object, method = body ? 'POST' : 'GET'): Promise<T> {
  const headers: Record<string, string> = body ? { 'content-type': 'application/json' } : {};
  const { status, text } = await call(url, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  if (status < 200 || status > 299) throw new Error(`${new URL(url).pathname}: ${status} ${text}`);
  return JSON.parse(text) as T;
}
