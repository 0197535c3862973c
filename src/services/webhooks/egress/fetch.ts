// Calls to addresses that merchants name. A URL is checked twice: when its endpoint is registered, and whenever a connection is opened.
import { Agent, type Dispatcher } from 'undici';
import type { Ctx } from '../../../context.ts';
import { ANSWER_BYTES, type AttemptFailure } from '../../../domain/delivery.ts';
import { AppError } from '../../../domain/errors.ts';
import { createAddressBook } from './resolve.ts';
import { createConnector, type SocketOptions, socketFailure, Unconnected } from './sockets.ts';
import { readWebhookUrl } from './url.ts';

export type PostRequest = { headers: Record<string, string>; body: string; timeoutMs: number; livemode: boolean };
/** `retryAfter` as the header has it; `answer` is the beginning of the body, at most ANSWER_BYTES of it. */
export type Answered = { status: number; retryAfter: string | null; answer: string };
export type PostResult = Answered | { failure: AttemptFailure };
export type SafeClient = {
  /** Never rejects. What a receiver answers counts from its status line on, also when its body breaks off or the time is over meanwhile. */
  post(url: string, request: PostRequest): Promise<PostResult>;
  /** Cuts what is under way. */
  close(): Promise<void>;
};

/** Of each origin. What comes on top waits within its time limit. */
const CONNECTIONS = 128;
/** Shorter than any receiver’s, so that none is closed at the moment in which it is used. */
const IDLE_MS = 1_500;
/** After that, a new connection is opened and the name is resolved again. */
const POSTS_A_CONNECTION = 1_000;
const HEADER_BYTES = 16_384;
const RETRY_AFTER_LENGTH = 100;

type SafeEnv = Pick<Ctx['env'], 'WEBHOOK_ALLOW_LOOPBACK' | 'WEBHOOK_DNS_SERVERS' | 'WEBHOOK_PROXY' | 'BASE_URL'>;

/**
 * Whether an endpoint may have this URL.
 * @returns the URL as it is kept, and the name and port that caps count by
 * @throws AppError `parameter_invalid` for what is no URL; `url_not_allowed` for a scheme or port that webhooks do not take, and for a name that could not
 * be looked up; `private_address` for one that leads to no public address
 */
export async function checkUrl(
  ctx: { env: SafeEnv },
  text: string,
  { livemode }: { livemode: boolean },
): Promise<{ url: string; host: string }> {
  const read = readWebhookUrl(text, { livemode, allowLoopback: ctx.env.WEBHOOK_ALLOW_LOOPBACK });
  if ('code' in read) throw new AppError(read.code, read.words, { param: 'url' });
  const addresses = await createAddressBook(ctx).addressesOf(read.hostname);
  if ('failure' in addresses) {
    const unasked = NOT_LOOKED_UP[addresses.failure];
    throw new AppError(unasked ? 'url_not_allowed' : 'private_address', unasked, { param: 'url' });
  }
  return { url: read.url.href, host: read.host };
}

const NOT_LOOKED_UP: Partial<Record<AttemptFailure, string>> = {
  timeout: 'The host name of url couldn’t be resolved in time. Try again shortly.',
  network: 'The host name of url couldn’t be resolved. Check it, or try again shortly.',
};

/** One for each process: it keeps connections open. */
export function createSafeClient(ctx: { env: SafeEnv }, options: SocketOptions = {}): SafeClient {
  const { WEBHOOK_ALLOW_LOOPBACK: allowLoopback, BASE_URL } = ctx.env;
  const agent = new Agent({
    connect: createConnector(ctx, options),
    connections: CONNECTIONS,
    pipelining: 1,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    maxRequestsPerClient: POSTS_A_CONNECTION,
    maxHeaderSize: HEADER_BYTES,
    // The limit of the whole call is kept below.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const usual = {
    'content-type': 'application/json',
    'user-agent': `Ampersat/1.0 (+${new URL('/docs', BASE_URL).href})`,
  };

  return {
    post(text, { headers, body, timeoutMs, livemode }) {
      const read = readWebhookUrl(text, { livemode, allowLoopback });
      if ('code' in read) return Promise.resolve({ failure: 'url_refused' });
      const { origin, pathname, search } = read.url;
      const call = {
        origin,
        path: pathname + search,
        method: 'POST',
        headers: { ...usual, ...headers },
        body,
      } as const;
      return new Promise((resolve) => void agent.dispatch(call, answerTo(timeoutMs, resolve)));
    },
    close: () => agent.destroy(),
  };
}

/** Takes an answer in until it ends, is long enough, or the time is over, whatever comes first. */
function answerTo(timeoutMs: number, resolve: (result: PostResult) => void): Dispatcher.DispatchHandler {
  let calling: Dispatcher.DispatchController | undefined;
  let answered: Omit<Answered, 'answer'> | undefined;
  let result: PostResult | undefined;
  const chunks: Buffer[] = [];
  let length = 0;
  const timer = setTimeout(() => end('timeout', { cut: true }), timeoutMs);

  function end(failure: AttemptFailure, { cut }: { cut: boolean }): void {
    if (result) return;
    clearTimeout(timer);
    const ended = answered ? { ...answered, answer: textOf(Buffer.concat(chunks)) } : { failure };
    result = ended;
    if (cut) calling?.abort(new Error('enough'));
    // The connection is free a turn later: who posts again at once then takes it, and opens no second one.
    queueMicrotask(() => setImmediate(resolve, ended));
  }

  return {
    onRequestStart(controller) {
      calling = controller;
      // It waited for a connection, and its time is over: it must not be sent after all.
      if (result) controller.abort(new Error('too late'));
    },
    onResponseStart(_controller, status, headers) {
      if (status < 200) return;
      const retryAfter = [headers['retry-after']].flat()[0]?.slice(0, RETRY_AFTER_LENGTH) ?? null;
      answered = { status, retryAfter };
    },
    onResponseData(_controller, chunk) {
      if (result) return;
      chunks.push(chunk.subarray(0, ANSWER_BYTES - length));
      length += chunk.length;
      if (length > ANSWER_BYTES) end('network', { cut: true });
    },
    onResponseEnd: () => end('network', { cut: false }),
    onResponseError: (_controller, err) =>
      end(err instanceof Unconnected ? err.failure : socketFailure(err), { cut: false }),
  };
}

/** A sign that was cut in the middle is left out, and PostgreSQL keeps no NUL. */
function textOf(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '\u{fffd}');
}
