// One call of the API: headers, timeout, and retries that take effect once.
import { AmpersatConnectionError, AmpersatError } from './errors.ts';
import { API_VERSION, type ErrorBody } from './types.ts';

export type ClientOptions = {
  /** `sk_test_…` or `sk_live_…`, from the dashboard. Keep it on your server. */
  apiKey: string;
  /** URL of the service, such as https://pay.example. */
  baseUrl: string;
  /** A custom fetch. */
  fetch?: typeof globalThis.fetch;
  /** Timeout of each attempt. Defaults to 30,000. */
  timeoutMs?: number;
  /** Retries after the first attempt. Defaults to 2. */
  maxRetries?: number;
  /** Waits between two attempts, in milliseconds. Defaults to the platform’s timers. Must reject when the signal aborts. */
  wait?: (ms: number, signal?: AbortSignal) => Promise<void>;
};

export type CallOptions = {
  /** For POST: repeating a call with the same key within 24 hours takes effect once. Defaults to a random key. */
  idempotencyKey?: string;
  /** Aborts the call, which rejects with the signal’s reason. */
  signal?: AbortSignal;
  timeoutMs?: number;
  maxRetries?: number;
};

export type Request = { method: 'GET' | 'POST' | 'DELETE'; path: string; query?: object; body?: object };
export type Client = Required<ClientOptions>;

const SDK_VERSION = '0.1.0';
const FIRST_WAIT_MS = 500;
const MOST_WAIT_MS = 8_000;
/** With a longer Retry-After the call fails at once. */
const MOST_PATIENCE_MS = 60_000;

/** @throws TypeError for a malformed key or URL; the message never contains the key */
export function createClient(options: ClientOptions): Client {
  const { apiKey, baseUrl } = options;
  if (!/^[!-~]+$/.test(apiKey))
    throw new TypeError('apiKey must be an API key from the dashboard: sk_test_… or sk_live_…');
  if (!isWebUrl(baseUrl)) throw new TypeError('baseUrl must be the URL of the service, such as https://pay.example');
  return {
    apiKey,
    baseUrl: baseUrl.replace(/\/+$/, ''),
    fetch: options.fetch ?? globalThis.fetch,
    timeoutMs: options.timeoutMs ?? 30_000,
    maxRetries: options.maxRetries ?? 2,
    wait: options.wait ?? wait,
  };
}

/**
 * Calls the API and retries when there is no response, and on 408, 429, 5xx and retryable 409. A POST keeps its idempotency key, so it takes effect once.
 * @throws AmpersatError, AmpersatConnectionError, or the reason of `options.signal`
 */
export async function call<T>(client: Client, request: Request, options: CallOptions = {}): Promise<T> {
  const headers: Record<string, string> = request.body === undefined ? {} : { 'content-type': 'application/json' };
  if (request.method === 'POST') headers['idempotency-key'] = options.idempotencyKey ?? crypto.randomUUID();
  const maxRetries = options.maxRetries ?? client.maxRetries;
  for (let retries = 0; ; retries++) {
    try {
      return (await callOnce(client, request, headers, options)) as T;
    } catch (error) {
      options.signal?.throwIfAborted();
      const waitMs = patience(error, retries);
      if (waitMs === null || retries >= maxRetries) throw error;
      await client.wait(waitMs, options.signal);
    }
  }
}

/** @returns milliseconds until it may be tried again; null if that would not help, or takes too long */
export function patience(error: unknown, retries: number): number | null {
  const isConnection = error instanceof AmpersatConnectionError && error.code !== 'unreadable';
  if (!isConnection && !(error instanceof AmpersatError && error.isRetryable)) return null;
  const asked = error instanceof AmpersatError ? error.retryAfterMs : null;
  if (asked !== null) return asked <= MOST_PATIENCE_MS ? asked : null;
  // Exponential backoff with jitter.
  const whole = Math.min(MOST_WAIT_MS, FIRST_WAIT_MS * 2 ** retries);
  return whole / 2 + Math.random() * (whole / 2);
}

async function callOnce(
  client: Client,
  request: Request,
  headers: Record<string, string>,
  { signal, timeoutMs = client.timeoutMs }: CallOptions,
): Promise<unknown> {
  const limit = AbortSignal.timeout(timeoutMs);
  const either = signal ? AbortSignal.any([signal, limit]) : limit;
  let response: Response;
  let text: string;
  try {
    response = await send(client, request, headers, either);
    text = await response.text();
  } catch (cause) {
    throw lostConnection(client, cause, limit.aborted);
  }
  if (!response.ok) throw refusal(response, text);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AmpersatConnectionError('unreadable', `${client.baseUrl} returned a response that is not JSON.`, {
      cause,
    });
  }
}

export function send(
  client: Client,
  { method, path, query = {}, body }: Request,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<Response> {
  const url = new URL(client.baseUrl + path);
  for (const [name, value] of flat(query)) url.searchParams.append(name, value);
  return client.fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${client.apiKey}`,
      accept: 'application/json',
      'service-version': API_VERSION,
      'user-agent': `ampersat-sdk/${SDK_VERSION}`,
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    // Redirects are not followed: the key must not reach another host.
    redirect: 'manual',
    signal,
  });
}

/** Nested fields go in brackets: `{ created: { gte: 1 } }` as `created[gte]=1`. */
function flat(query: object, name = (key: string) => key): [string, string][] {
  return Object.entries(query).flatMap(([key, value]): [string, string][] => {
    if (value === undefined || value === null) return [];
    if (typeof value === 'object') return flat(value, (inner) => `${name(key)}[${inner}]`);
    return [[name(key), String(value)]];
  });
}

export function lostConnection(client: Client, cause: unknown, isLate: boolean): AmpersatConnectionError {
  return isLate
    ? new AmpersatConnectionError('timeout', `${client.baseUrl} did not respond in time.`, { cause })
    : new AmpersatConnectionError('network', `Could not connect to ${client.baseUrl}.`, { cause });
}

/** The error of a response outside 2xx. */
export function refusal({ status, headers }: Response, text: string): AmpersatError {
  const told = readEnvelope(text);
  const wish = headers.get('stripe-should-retry');
  const elsewhere = status >= 300 && status < 400 ? headers.get('location') : null;
  const unknown = elsewhere
    ? `It is elsewhere: ${elsewhere}. Check the baseUrl.`
    : `The answer has the status ${status}.`;
  return new AmpersatError(told?.message ?? unknown, {
    code: told?.code ?? 'answer_unexpected',
    status,
    type: told?.type ?? 'api_error',
    param: told?.param ?? null,
    requestId: told?.request_id ?? headers.get('request-id'),
    requestLogUrl: told?.request_log_url ?? null,
    docUrl: told?.doc_url ?? null,
    isRetryable: wish === null ? status === 408 || status === 429 || status >= 500 : wish === 'true',
    retryAfterMs: retryAfter(headers.get('retry-after')),
  });
}

function readEnvelope(text: string): ErrorBody['error'] | null {
  try {
    const { error } = JSON.parse(text) as Partial<ErrorBody>;
    return typeof error?.code === 'string' && typeof error.message === 'string' ? error : null;
  } catch {
    return null;
  }
}

/** @returns milliseconds from now; null if it cannot be parsed */
function retryAfter(header: string | null): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}

function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** `URL.canParse` of Node 20 refuses hosts beyond ASCII once it is optimised. */
function isWebUrl(text: string): boolean {
  try {
    return /^https?:$/.test(new URL(text).protocol);
  } catch {
    return false;
  }
}
