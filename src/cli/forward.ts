// One event, posted to a program on somebody's own machine as the service would post it: the same body, signed afresh, no redirects, ten seconds.
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { InvalidArgumentError } from 'commander';
import type { AmpersatEvent } from '../../sdk/index.ts';
import { ANSWER_BYTES, ATTEMPT_TIMEOUT_MS } from '../domain/delivery.ts';
import { SECRET_PATTERN } from '../domain/webhookEndpoint.ts';
import { signatureHeaders } from '../services/webhookSignature.ts';

/** `status` is null where no answer came, and then `failure` says why. */
export type Forwarded = { status: number | null; latencyMs: number; failure: string | null };

export type Receiver = { url: URL; secret: string };

/** Any 2xx takes it. */
export function wasTaken({ status }: Forwarded): boolean {
  return status !== null && status >= 200 && status < 300;
}

const FAILURES: { [code: string]: string } = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was cut',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'there is no such host',
};

/** @throws InvalidArgumentError for what no program of somebody's own can be reached at */
export function readUrl(text: string): URL {
  if (URL.canParse(text)) {
    const url = new URL(text);
    if (/^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return url;
  }
  throw new InvalidArgumentError('It must be an address of your program, such as http://127.0.0.1:4242/webhooks.');
}

/** @throws InvalidArgumentError */
export function readSecret(text: string): string {
  if (SECRET_PATTERN.test(text)) return text;
  throw new InvalidArgumentError(
    'A signing secret is whsec_ and 44 letters, as `ampersat listen` and the dashboard show it.',
  );
}

/** Never throws: whatever goes wrong is what becomes of the forward. @param signal ends it before its time */
export async function forwardEvent(
  { url, secret }: Receiver,
  event: AmpersatEvent,
  { signal, timeoutMs = ATTEMPT_TIMEOUT_MS }: { signal: AbortSignal; timeoutMs?: number },
): Promise<Forwarded> {
  const body = JSON.stringify(event);
  const timestampS = Math.floor(Date.now() / 1_000);
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': 'Ampersat/1.0 (ampersat listen)',
    'Content-Length': String(Buffer.byteLength(body)),
    ...signatureHeaders({ id: event.id, timestampS, body, secrets: [secret] }),
  };
  const began = performance.now();
  const timeout = AbortSignal.timeout(timeoutMs);
  const spent = () => Math.round(performance.now() - began);
  try {
    const status = await post(url, headers, body, AbortSignal.any([signal, timeout]));
    return { status, latencyMs: spent(), failure: null };
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    const failure = timeout.aborted ? `no answer within ${timeoutMs / 1_000} seconds` : (FAILURES[code] ?? message);
    return { status: null, latencyMs: spent(), failure };
  }
}

/** @returns the status: it alone decides, so the rest is only read as far as the service would read it */
function post(url: URL, headers: Record<string, string>, body: string, signal: AbortSignal): Promise<number> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers, signal, agent: false }, (answer) => {
      let read = 0;
      answer.on('data', (chunk: Buffer) => {
        read += chunk.length;
        if (read > ANSWER_BYTES) answer.destroy();
      });
      answer.on('error', () => {});
      resolve(answer.statusCode ?? 0);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
