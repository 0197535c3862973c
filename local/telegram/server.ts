/**
 * A local server that speaks the wire format of Telegram's Bot API, so that a real client runs against it unchanged.
 * Beside it stands a small surface to act as a person, for the playground and the tests. Loopback only.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import * as account from './account.ts';
import { type Fault, faultAnswer, takeFault } from './faults.ts';
import type { Hub, HubEvent } from './hub.ts';
import * as methods from './methods.ts';
import { pressAsUser, readAsUser, writeAsUser } from './people.ts';
import { readJson, readParams } from './request.ts';
import { closeStore, openStore } from './store.ts';
import { startWebhook } from './updates.ts';
import { type BotAccount, BotApiError, badRequest } from './wire.ts';

const HEARTBEAT_MS = 15_000;
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

const METHODS: Record<string, (call: methods.Call) => unknown> = {
  getme: account.getMe,
  getupdates: account.getUpdates,
  setwebhook: account.setWebhookMethod,
  deletewebhook: account.deleteWebhook,
  getwebhookinfo: account.getWebhookInfo,
  setmycommands: account.setMyCommands,
  getmycommands: account.getMyCommands,
  deletemycommands: account.deleteMyCommands,
  getchat: account.getChat,
  getchatmember: account.getChatMember,
  sendmessage: methods.sendMessage,
  editmessagetext: methods.editMessageText,
  editmessagereplymarkup: methods.editMessageReplyMarkup,
  deletemessage: methods.deleteMessage,
  setmessagereaction: methods.setMessageReaction,
  sendchataction: methods.sendChatAction,
  answercallbackquery: methods.answerCallbackQuery,
};

const KEEP_ALIVE_MS = 75_000;

export type TelegramOptions = {
  /** 0 or none: any free port. */
  port?: number;
  host?: string;
  /** Where everything is kept; without it nothing outlives the server. */
  dataFile?: string;
  bots: BotAccount[];
  /** Origins of web pages that may use the surface for people. */
  allowedOrigins?: string[];
  /** Milliseconds since 1970. */
  clock?: () => number;
  /** Pause before a failed webhook delivery is repeated; doubles each time up to a minute. */
  webhookRetryMs?: number;
};

export type RunningTelegram = { url: string; port: number; close(): Promise<void> };

/** Starts the server; with a data file it goes on where the last one was, even after a kill. */
export async function startTelegramServer(options: TelegramOptions): Promise<RunningTelegram> {
  const { port = 0, host = '127.0.0.1', bots, allowedOrigins = [], clock = Date.now, webhookRetryMs = 1_000 } = options;
  const store = openStore(bots, options.dataFile, clock);
  const hub: Hub = {
    bots,
    store,
    delivery: {
      store,
      polls: new Map(),
      webhooks: new Map(),
      retryMs: webhookRetryMs,
      answer: (botId, { method, ...params }) => {
        const bot = bots.find(({ id }) => id === botId)!;
        return runMethod({ hub, bot, params, gone: new AbortController().signal }, String(method));
      },
    },
    faults: [],
    listeners: new Set(),
  };
  const server = createServer((request, response) => {
    serve(hub, allowedOrigins, request, response).catch((error: unknown) => answerError(response, error));
  });
  // Longer than a client rests between two calls: one that writes just when its idle connection is closed gets no answer.
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  }).catch((error: NodeJS.ErrnoException) => {
    closeStore(store);
    if (error.code !== 'EADDRINUSE') throw error;
    throw new Error(
      `The local Telegram cannot start: port ${port} is taken by another program. Free it or choose another.`,
    );
  });
  for (const { id } of bots) startWebhook(hub.delivery, id);
  const taken = (server.address() as AddressInfo).port;
  return {
    url: `http://${host}:${taken}`,
    port: taken,
    async close() {
      for (const { abort } of hub.delivery.webhooks.values()) abort.abort();
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
  const call = /^\/bot([^/]+)\/([^/]+)$/.exec(url.pathname);
  if (call) return serveBot(hub, decodeURIComponent(call[1]!), call[2]!, url, request, response);
  if (url.pathname.startsWith('/_user/')) return servePerson(hub, url, request, response);
  throw new BotApiError(404, 'Not Found');
}

/** A page of somebody else's, or a name that only points here, must not act for the people of this machine. */
function requireOwnOrigin(origins: string[], request: IncomingMessage, response: ServerResponse): void {
  const { host = '', origin } = request.headers;
  if (!LOOPBACK.has(host.replace(/:\d+$/, ''))) throw new BotApiError(403, 'Forbidden: the Host is not this machine');
  if (origin !== undefined && origins.includes(origin)) {
    response.setHeader('access-control-allow-origin', origin);
    response.setHeader('vary', 'origin');
    return;
  }
  const crossSite = request.headers['sec-fetch-site'] === 'cross-site';
  if (origin !== undefined || crossSite) throw new BotApiError(403, 'Forbidden: the Origin is not allowed');
}

async function serveBot(
  hub: Hub,
  token: string,
  method: string,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!/^\d+:[\w-]+$/.test(token)) throw new BotApiError(404, 'Not Found');
  const bot = hub.bots.find((one) => one.token === token);
  if (!bot) throw new BotApiError(401, 'Unauthorized');
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const params = await readParams(request, url.searchParams);
  const fault = takeFault(hub.faults, method);
  if (fault) {
    const done = fault.accept ? await runMethod({ hub, bot, params, gone: gone.signal }, method) : undefined;
    await sleep(fault.delayMs);
    if (fault.status !== 200) return sendFault(response, fault);
    if (done) return sendJson(response, 200, done);
  }
  sendJson(response, 200, await runMethod({ hub, bot, params, gone: gone.signal }, method));
}

function sendFault(response: ServerResponse, fault: Fault): void {
  if (fault.status === 0) response.socket?.destroy();
  else sendJson(response, fault.status, faultAnswer(fault));
}

async function runMethod(call: methods.Call, name: string): Promise<Record<string, unknown>> {
  const method = METHODS[name.toLowerCase()];
  if (!method) throw new BotApiError(404, 'Not Found: method not found');
  const result = await method(call);
  const described = typeof result === 'object' && result !== null && 'result' in result && 'description' in result;
  return described ? { ok: true, ...result } : { ok: true, result };
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

async function servePerson(hub: Hub, url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const route = `${request.method} ${url.pathname.slice('/_user/'.length)}`;
  switch (route) {
    case 'POST messages':
      return sendJson(response, 200, writeAsUser(hub, await readJson(request)));
    case 'POST callbacks':
      return sendJson(response, 200, pressAsUser(hub, await readJson(request)));
    case 'GET messages': {
      const chatId = Number(url.searchParams.get('chat_id') ?? Number.NaN);
      if (!Number.isSafeInteger(chatId)) throw badRequest('chat_id is a whole number');
      return sendJson(response, 200, readAsUser(hub, chatId, url.searchParams.get('bot') ?? undefined));
    }
    case 'POST faults': {
      const { retry_after, delay_ms, ...fault } = faultInput.parse(await readJson(request));
      hub.faults.push({ ...fault, retryAfter: retry_after, delayMs: delay_ms });
      return sendJson(response, 200, { ok: true });
    }
    case 'DELETE faults':
      hub.faults.length = 0;
      return sendJson(response, 200, { ok: true });
    case 'GET events':
      return streamEvents(hub, response);
    default:
      throw new BotApiError(404, 'Not Found');
  }
}

/** Server-sent events: one for each thing that people can see change. */
function streamEvents(hub: Hub, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.write(': listening\n\n');
  const listener = (event: HubEvent) => {
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  };
  const heartbeat = setInterval(() => response.write(': still here\n\n'), HEARTBEAT_MS);
  hub.listeners.add(listener);
  response.once('close', () => {
    clearInterval(heartbeat);
    hub.listeners.delete(listener);
  });
}

function answerError(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) return;
  const { status, message } = toBotApiError(error);
  sendJson(response, status, { ok: false, error_code: status, description: message });
}

function toBotApiError(error: unknown): BotApiError {
  if (error instanceof BotApiError) return error;
  if (error instanceof z.ZodError) return badRequest(z.prettifyError(error));
  return new BotApiError(500, 'Internal Server Error');
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  if (response.destroyed) return;
  const text = JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}
