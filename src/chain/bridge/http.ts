// Calls of the bridges' APIs: within a time limit, with answers of a known shape and of a bounded size.
import type { z } from 'zod';
import { AppError } from '../../domain/errors.ts';

const MOST_BYTES = 1_048_576;

/** How a bridge said no: its API's own code, where it has one. `busy` for its rate limit. */
export class BridgeRefusal extends Error {
  override name = 'BridgeRefusal';
  readonly code: string;
  readonly isBusy: boolean;

  constructor(code: string, message: string, isBusy: boolean) {
    super(message);
    this.code = code;
    this.isBusy = isBusy;
  }
}

export type BridgeCall = {
  url: URL;
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: unknown;
  withinMs: number;
  signal?: AbortSignal | undefined;
};

/**
 * @throws BridgeRefusal for an answer of the 4xx
 * @throws AppError `provider_unavailable` for everything else that is no answer
 */
export async function callBridge<T>(name: string, answer: z.ZodType<T>, call: BridgeCall): Promise<T> {
  const { url, method = 'GET', headers = {}, body, withinMs, signal } = call;
  const limit = AbortSignal.timeout(withinMs);
  try {
    const response = await fetch(url, {
      method,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: signal ? AbortSignal.any([limit, signal]) : limit,
    });
    const text = await readText(response);
    if (response.ok) return answer.parse(JSON.parse(text));
    if (response.status < 500) throw refusalOf(response.status, text);
    throw new Error(`it answered ${response.status}`);
  } catch (cause) {
    if (cause instanceof BridgeRefusal) throw cause;
    throw new AppError('provider_unavailable', `${name} does not answer`, { cause });
  }
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += (chunk as Uint8Array).length;
    if (size > MOST_BYTES) throw new Error('the answer is too large');
    chunks.push(chunk as Uint8Array);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function refusalOf(status: number, text: string): BridgeRefusal {
  const { code, message } = wordsOf(text);
  return new BridgeRefusal(code, message, status === 429);
}

/** Both write `message` and a code under one of these names. */
function wordsOf(text: string): { code: string; message: string } {
  try {
    const body = JSON.parse(text) as Record<string, unknown>;
    const word = (...names: string[]) => names.map((name) => body[name]).find((value) => typeof value === 'string');
    return { code: String(word('errorCode', 'code', 'type') ?? ''), message: String(word('message', 'error') ?? '') };
  } catch {
    return { code: '', message: '' };
  }
}
