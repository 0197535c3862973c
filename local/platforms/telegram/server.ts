/**
 * A local server that speaks the wire format of Telegram's Bot API, so that a real client runs against it unchanged.
 * Beside it stands a small surface to act as a person, for the playground and the tests. Loopback only.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import {
  answerPreflight,
  foreignCall,
  listenOn,
  type RunningServer,
  sendJson,
  streamEvents,
} from '../platformServer.ts';
import * as account from './account.ts';
import { type Fault, faultAnswer, takeFault } from './faults.ts';
import { answerGuestQuery } from './guests.ts';
import type { Hub } from './hub.ts';
import * as methods from './methods.ts';
import { pressAsUser, reactAsUser, readAsUser, writeAsUser } from './people.ts';
import { readJson, readParams } from './request.ts';
import { closeStore, openStore } from './store.ts';
import { startWebhook } from './updates.ts';
import { editEphemeralMessageText, makeAdmin } from './whispers.ts';
import { type BotAccount, BotApiError, badRequest } from './wire.ts';

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
  editephemeralmessagetext: editEphemeralMessageText,
  editmessagereplymarkup: methods.editMessageReplyMarkup,
  deletemessage: methods.deleteMessage,
  setmessagereaction: methods.setMessageReaction,
  sendchataction: methods.sendChatAction,
  answercallbackquery: methods.answerCallbackQuery,
  answerguestquery: answerGuestQuery,
};

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
    whispers: [],
    admins: new Set(),
  };
  let running: RunningServer;
  try {
    running = await listenOn({ name: 'Telegram', host, port }, (request, response) => {
      serve(hub, allowedOrigins, request, response).catch((error: unknown) => answerError(response, error));
    });
  } catch (error) {
    closeStore(store);
    throw error;
  }
  for (const { id } of bots) startWebhook(hub.delivery, id);
  return {
    url: running.url,
    port: running.port,
    async close() {
      for (const { abort } of hub.delivery.webhooks.values()) abort.abort();
      await running.close();
      closeStore(store);
    },
  };
}

async function serve(hub: Hub, origins: string[], request: IncomingMessage, response: ServerResponse): Promise<void> {
  const foreign = foreignCall(origins, request, response);
  if (foreign) throw new BotApiError(403, `Forbidden: ${foreign}`);
  const url = new URL(request.url ?? '/', 'http://local');
  if (answerPreflight(request, response)) return;
  const call = /^\/bot([^/]+)\/([^/]+)$/.exec(url.pathname);
  if (call) return serveBot(hub, decodeURIComponent(call[1]!), call[2]!, url, request, response);
  if (url.pathname.startsWith('/_user/')) return servePerson(hub, url, request, response);
  throw new BotApiError(404, 'Not Found');
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
    // A caller that hung up meanwhile gets nothing done: what takes effect all the same is `accept`.
    const isStill = await sleep(fault.delayMs, true, { signal: gone.signal }).catch(() => false);
    if (!isStill) return;
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
    case 'POST reactions':
      return sendJson(response, 200, reactAsUser(hub, await readJson(request)));
    case 'GET messages': {
      const chatId = Number(url.searchParams.get('chat_id') ?? Number.NaN);
      if (!Number.isSafeInteger(chatId)) throw badRequest('chat_id is a whole number');
      const isGuest = url.searchParams.get('guest') === 'true';
      return sendJson(response, 200, readAsUser(hub, chatId, url.searchParams.get('bot') ?? undefined, isGuest));
    }
    case 'POST admins':
      return sendJson(response, 200, makeAdmin(hub, await readJson(request)));
    case 'GET whispers':
      return sendJson(response, 200, hub.whispers);
    case 'POST faults': {
      const { retry_after, delay_ms, ...fault } = faultInput.parse(await readJson(request));
      hub.faults.push({ ...fault, retryAfter: retry_after, delayMs: delay_ms });
      return sendJson(response, 200, { ok: true });
    }
    case 'DELETE faults':
      hub.faults.length = 0;
      return sendJson(response, 200, { ok: true });
    case 'GET events':
      return streamEvents(hub.listeners, response);
    default:
      throw new BotApiError(404, 'Not Found');
  }
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
