/**
 * A local server that speaks X API v2, so that a real client runs against it unchanged. Beside it stands a small surface to act as a person,
 * for the playground and the tests. Loopback only.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type Fault, takeFault } from '../telegram/faults.ts';
import * as calls from './calls.ts';
import { countCall, type Meter, RATE_LIMITS } from './meter.ts';
import { exchange, issueTokens, seedTokens, userOfToken } from './oauth.ts';
import { postAsUser, readAsUser, readDirectly, rememberUser, writeDirectly } from './people.ts';
import { closeStore, dayOf, openStore, record, type Store } from './store.ts';
import { creditsDepleted, forbidden, invalid, notFound, type XBotAccount, XProblem, type XUser } from './wire.ts';

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);
const MAX_BODY_BYTES = 1024 * 1024;
const KEEP_ALIVE_MS = 75_000;

type Route = { name: string; method: string; pattern: RegExp; call: (call: calls.Call) => calls.Answer };
const ROUTES: Route[] = [
  { name: 'me', method: 'GET', pattern: /^\/2\/users\/me$/, call: calls.me },
  {
    name: 'userByUsername',
    method: 'GET',
    pattern: /^\/2\/users\/by\/username\/(?<username>[^/]+)$/,
    call: calls.userByUsername,
  },
  { name: 'mentions', method: 'GET', pattern: /^\/2\/users\/(?<id>[^/]+)\/mentions$/, call: calls.mentions },
  { name: 'user', method: 'GET', pattern: /^\/2\/users\/(?<id>[^/]+)$/, call: calls.user },
  { name: 'createPost', method: 'POST', pattern: /^\/2\/tweets$/, call: calls.createTweet },
  { name: 'deletePost', method: 'DELETE', pattern: /^\/2\/tweets\/(?<id>[^/]+)$/, call: calls.deleteTweet },
  {
    name: 'sendDm',
    method: 'POST',
    pattern: /^\/2\/dm_conversations\/with\/(?<id>\d+)\/messages$/,
    call: calls.sendDirectMessage,
  },
  { name: 'dmEvents', method: 'GET', pattern: /^\/2\/dm_events$/, call: calls.directMessages },
];

export type XOptions = {
  /** 0 or none: any free port. */
  port?: number;
  host?: string;
  /** Where everything is kept; without it nothing outlives the server. */
  dataFile?: string;
  bots: XBotAccount[];
  /** Who has an account from the beginning; everybody else has one from their first post. */
  people?: XUser[];
  /** Origins of web pages that may use the surface for people. */
  allowedOrigins?: string[];
  /** Milliseconds since 1970. */
  clock?: () => number;
  /** Calls a user in 15 minutes, where they differ from X's own. */
  rateLimits?: Record<string, number>;
};

export type RunningX = { url: string; port: number; close(): Promise<void> };
type Hub = { bots: XBotAccount[]; store: Store; meter: Meter; faults: Fault[] };

/** Starts the server; with a data file it goes on where the last one was, even after a kill. */
export async function startXServer(options: XOptions): Promise<RunningX> {
  const {
    port = 0,
    host = '127.0.0.1',
    bots,
    people = [],
    allowedOrigins = [],
    clock = Date.now,
    rateLimits = {},
  } = options;
  const store = openStore(options.dataFile, clock);
  for (const { id, username, name } of [...bots, ...people]) rememberUser(store, { id, username, name });
  seedTokens(store, bots);
  const meter: Meter = {
    store,
    limits: { ...RATE_LIMITS, ...rateLimits },
    windows: new Map(),
    paid: { day: '', ids: new Set() },
    credits: null,
  };
  const hub: Hub = { bots, store, meter, faults: [] };
  const server = createServer((request, response) => {
    serve(hub, allowedOrigins, request, response).catch((error: unknown) => answerError(response, error));
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  }).catch((error: NodeJS.ErrnoException) => {
    closeStore(store);
    if (error.code !== 'EADDRINUSE') throw error;
    throw new Error(`The local X cannot start: port ${port} is taken by another program. Free it or choose another.`);
  });
  const taken = (server.address() as AddressInfo).port;
  return {
    url: `http://${host}:${taken}`,
    port: taken,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      closeStore(store);
    },
  };
}

async function serve(hub: Hub, origins: string[], request: IncomingMessage, response: ServerResponse): Promise<void> {
  requireOwnOrigin(origins, request, response);
  const url = new URL(request.url ?? '/', 'http://local');
  if (request.method === 'OPTIONS') {
    response.writeHead(204, {
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-allow-headers': 'content-type',
    });
    response.end();
    return;
  }
  if (url.pathname.startsWith('/_user/')) return servePerson(hub, url, request, response);
  if (url.pathname === '/2/oauth2/token' && request.method === 'POST') return serveToken(hub, request, response);
  return serveCall(hub, url, request, response);
}

/** A page of another origin, or a name that only points here, must not act for the people of this machine. */
function requireOwnOrigin(origins: string[], request: IncomingMessage, response: ServerResponse): void {
  const { host = '', origin } = request.headers;
  if (!LOOPBACK.has(host.replace(/:\d+$/, ''))) throw forbidden('The Host is not this machine');
  if (origin !== undefined && origins.includes(origin)) {
    response.setHeader('access-control-allow-origin', origin);
    response.setHeader('vary', 'origin');
    return;
  }
  if (origin !== undefined || request.headers['sec-fetch-site'] === 'cross-site')
    throw forbidden('The Origin is not allowed');
}

async function serveToken(hub: Hub, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readBody(request);
  const work = () => ({
    status: 200,
    body: exchange(hub.store, hub.bots, body, request.headers.authorization),
    headers: {},
  });
  await answerWithFaults(hub, 'token', response, work);
}

async function serveCall(hub: Hub, url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const route = ROUTES.find(({ method, pattern }) => method === request.method && pattern.test(url.pathname));
  const params = route?.pattern.exec(url.pathname)?.groups ?? {};
  const user = userOfToken(hub.store, request.headers.authorization);
  if (!route) throw notFound();
  const body = request.method === 'POST' ? await readBody(request) : {};
  await answerWithFaults(hub, route.name, response, () => {
    const headers = countCall(hub.meter, user, route.name);
    try {
      const call = { store: hub.store, meter: hub.meter, me: user, params, query: url.searchParams, body };
      return { ...route.call(call), headers };
    } catch (error) {
      throw error instanceof Error ? Object.assign(error, { headers }) : error;
    }
  });
}

type Done = { status: number; body: object; headers: Record<string, string> };

async function answerWithFaults(hub: Hub, name: string, response: ServerResponse, work: () => Done): Promise<void> {
  const fault = takeFault(hub.faults, name);
  if (!fault) return send(response, work());
  const done = fault.accept ? work() : undefined;
  await sleep(fault.delayMs);
  if (fault.status === 0) return void response.socket?.destroy();
  if (fault.status === 200) return send(response, done ?? work());
  throw faultProblem(fault, hub.store.nowMs());
}

function faultProblem({ status, retryAfter, description }: Fault, nowMs: number): XProblem {
  if (status === 402) return creditsDepleted();
  if (status === 403 && description === 'SpendCapReached')
    return new XProblem(403, {
      title: 'SpendCapReached',
      detail: 'Your enrolled account has reached its billing cycle spend cap.',
      type: 'https://api.x.com/2/problems/credits',
    });
  const problem = new XProblem(status, {
    title: `Error ${status}`,
    type: 'about:blank',
    detail: description ?? `Error ${status}`,
  });
  if (status !== 429) return problem;
  const reset = String(Math.ceil(nowMs / 1_000) + (retryAfter ?? 900));
  const headers = { 'x-rate-limit-limit': '100', 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': reset };
  return Object.assign(problem, { headers });
}

const faultInput = z.object({
  method: z.string().min(1),
  status: z.number().int().min(0).max(599),
  retry_after: z.number().int().positive().optional(),
  times: z.number().int().positive().default(1),
  accept: z.boolean().default(false),
  delay_ms: z.number().int().nonnegative().default(0),
  description: z.string().optional(),
});
const creditsInput = z.object({ micros: z.number().int().nullable() });
const closedInput = z.object({ user_id: z.string(), closed: z.boolean().default(true) });

async function servePerson(hub: Hub, url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { store, meter } = hub;
  const bot = hub.bots[0]?.id ?? '';
  const ok = (body: object) => send(response, { status: 200, body, headers: {} });
  switch (`${request.method} ${url.pathname.slice('/_user/'.length)}`) {
    case 'POST posts':
      return ok(postAsUser(store, await readBody(request)));
    case 'GET posts':
      return ok(readAsUser(store, requireIds(url, 'conversation_id')));
    case 'POST dms':
      return ok(writeDirectly(store, bot, await readBody(request)));
    case 'GET dms':
      return ok(readDirectly(store, requireId(url, 'user_id'), bot));
    case 'POST closed': {
      const { user_id, closed } = closedInput.parse(await readBody(request));
      record(store, { type: 'closed', userId: user_id, closed });
      return ok({ ok: true });
    }
    case 'POST faults': {
      const { retry_after, delay_ms, ...fault } = faultInput.parse(await readBody(request));
      hub.faults.push({ ...fault, retryAfter: retry_after, delayMs: delay_ms });
      return ok({ ok: true });
    }
    case 'DELETE faults':
      hub.faults.length = 0;
      return ok({ ok: true });
    case 'POST credits':
      meter.credits = creditsInput.parse(await readBody(request)).micros;
      return ok({ ok: true });
    case 'POST tokens': {
      // The bot's owner authorizes the client again.
      const account = hub.bots[0];
      if (!account) throw notFound();
      return ok(issueTokens(store, account.id, account.clientId));
    }
    case 'GET meter': {
      const day = url.searchParams.get('day') ?? dayOf(store.nowMs());
      return ok(store.meter.get(day) ?? { micros: 0, requests: 0, calls: {} });
    }
    default:
      throw notFound();
  }
}

function requireIds(url: URL, name: string): string[] {
  const values = url.searchParams.getAll(name);
  if (values.length === 0 || values.some((value) => !/^\d{1,19}$/.test(value))) throw invalid(`${name} is an id`, name);
  return values;
}

function requireId(url: URL, name: string): string {
  const [value = ''] = requireIds(url, name);
  return value;
}

/** JSON, or a form: clients differ in how they ask for tokens. */
async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new XProblem(413, { title: 'Payload Too Large', type: 'about:blank' });
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  if ((request.headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded'))
    return Object.fromEntries(new URLSearchParams(text));
  try {
    const value: unknown = JSON.parse(text || '{}');
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Refused below, with whatever else is not an object.
  }
  throw invalid('Requests with bodies must have content-type of application/json.');
}

function answerError(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) return;
  const problem = toProblem(error);
  const headers = (error as { headers?: Record<string, string> }).headers ?? {};
  send(response, { status: problem.status, body: problem.body, headers }, 'application/problem+json');
}

function toProblem(error: unknown): XProblem {
  if (error instanceof XProblem) return error;
  if (error instanceof z.ZodError) return invalid(z.prettifyError(error));
  return new XProblem(500, { title: 'Internal Server Error', type: 'about:blank', detail: 'Internal Server Error' });
}

function send(response: ServerResponse, { status, body, headers }: Done, type = 'application/json'): void {
  if (response.destroyed) return;
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': `${type}; charset=utf-8`,
    'content-length': Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
}
