// One event, posted to a program on this machine as the service would post it: the same body, a new signature, no redirects, ten seconds.
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { InvalidArgumentError } from 'commander';
import type { AmpersatEvent } from '../../sdk/index.ts';
import { ANSWER_BYTES, ATTEMPT_TIMEOUT_MS } from '../domain/delivery.ts';
import { parsedUrl } from '../domain/parsedUrl.ts';
import { SECRET_PATTERN } from '../domain/webhookEndpoint.ts';
import { signatureHeaders } from '../services/webhooks/signatures.ts';

/** `status` is null where no answer came, and then `failure` says why. */
export type Forwarded = { status: number | null; latencyMs: number; failure: string | null };

export type Receiver = { url: URL; secret: string };

/** Any 2xx accepts it. */
export function wasAccepted({ status }: Forwarded): boolean {
  return status !== null && status >= 200 && status < 300;
}

const FAILURES: { [code: string]: string } = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  ENOTFOUND: 'host not found',
  EAI_AGAIN: 'host not found',
};

/** Reads a URL, also without its scheme or, on this machine, without its host: `localhost:3000/hooks`, `3000`. @throws InvalidArgumentError */
export function readUrl(text: string): URL {
  const written = /^\d+(\/|$)/.test(text) ? `localhost:${text}` : text;
  const full = written.includes('://') ? written : `http://${written}`;
  const url = parsedUrl(full);
  const isPlain = url?.username === '' && url.password === '' && url.port !== '0';
  if (isPlain && /^https?:$/.test(url.protocol)) return url;
  throw new InvalidArgumentError('Must be a URL or a port on this machine, such as localhost:3000/webhooks or 3000.');
}

/** @throws InvalidArgumentError */
export function readSecret(text: string): string {
  if (SECRET_PATTERN.test(text)) return text;
  throw new InvalidArgumentError(
    'Must be a signing secret: whsec_ and 44 characters, as `ampersat listen` and the dashboard show it.',
  );
}

/** Never throws: a failure is part of the outcome. @param signal ends it early */
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

/** @returns the status: it alone decides, so the rest is read only as far as the service would read it */
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
