/**
 * A local server that speaks the wire formats of Discord's REST API and gateway, so that a real client runs against it unchanged.
 * Beside it stands a small surface to act as a person, for the playground and the tests. Loopback only.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GatewayGuildCreateDispatchData, GatewayReadyDispatchData } from 'discord.js';
import { z } from 'zod';
import {
  answerPreflight,
  foreignCall,
  listenOn,
  type RunningServer,
  readBody,
  sendJson,
  streamEvents,
} from '../platformServer.ts';
import { faultAnswer, takeFault } from './faults.ts';
import { connectClient, controlGateway, createGateway, type Gateway } from './gateway.ts';
import { type Guild, type Hub, rememberUser, textChannelOf } from './hub.ts';
import { MEMBER } from './messages.ts';
import { componentAsUser, interactAsUser, reactAsUser, readAsUser, readInteraction, writeAsUser } from './people.ts';
import { countCall, guildOf, ROUTES, type Route } from './rest.ts';
import { closeStore, openStore, put } from './store.ts';
import { type BotAccount, badForm, botUser, DiscordError, noFlags, notFound, unauthorized } from './wire.ts';

const MAX_BODY_BYTES = 1024 * 1024;
const HEARTBEAT_MS = 41_250;

export type DiscordOptions = {
  /** 0 or none: any free port. */
  port?: number;
  host?: string;
  /** Where everything is kept; without it nothing outlives the server. */
  dataFile?: string;
  bot: BotAccount;
  guild: Guild;
  channels: { id: string; name: string }[];
  /** Who is in the server from the beginning. */
  people?: { id: string; username: string }[];
  /** Origins of web pages that may use the surface for people. */
  allowedOrigins?: string[];
  /** Milliseconds since 1970. */
  clock?: () => number;
  heartbeatMs?: number;
};

export type RunningDiscord = { url: string; gatewayUrl: string; port: number; close(): Promise<void> };

/** Starts the server; with a data file it goes on where the last one was, even after a kill. Sessions of the gateway do not outlive it. */
export async function startDiscordServer(options: DiscordOptions): Promise<RunningDiscord> {
  const { port = 0, host = '127.0.0.1', bot, guild, allowedOrigins = [], clock = Date.now } = options;
  const store = openStore(options.dataFile, clock);
  for (const { id, name } of options.channels)
    if (!store.rooms.has(id)) put(store, 'room', id, { id, guildId: guild.id, userId: null, name });
  let origin = '';
  const hub: Hub = { bot, guild, store, gateway: null as never, faults: [], limits: new Map(), listeners: new Set() };
  for (const person of options.people ?? []) if (!store.users.has(person.id)) rememberUser(hub, person);
  hub.gateway = createGateway({
    token: bot.token,
    nowMs: clock,
    heartbeatMs: options.heartbeatMs ?? HEARTBEAT_MS,
    welcome: (sessionId) => welcome(hub, sessionId, origin.replace(/^http/, 'ws')),
  });
  let running: RunningServer;
  try {
    running = await listenOn({ name: 'Discord', host, port }, (request, response) => {
      serve(hub, allowedOrigins, origin, request, response).catch((error: unknown) => answerError(response, error));
    });
  } catch (error) {
    closeStore(store);
    throw error;
  }
  origin = running.url;
  running.server.on('upgrade', (request, stream) => {
    if (foreignCall([], request)) return void stream.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
    connectClient(hub.gateway, request, stream);
  });
  return {
    url: running.url,
    gatewayUrl: running.url.replace(/^http/, 'ws'),
    port: running.port,
    async close() {
      cutAll(hub.gateway);
      await running.close();
      closeStore(store);
    },
  };
}

function cutAll(gateway: Gateway): void {
  for (const { socket } of [...gateway.connections]) socket.cut();
}

function welcome(hub: Hub, sessionId: string, resumeUrl: string): ReturnType<Gateway['welcome']> {
  const { bot, guild } = hub;
  const channels = [...hub.store.rooms.values()].filter((room) => room.guildId === guild.id);
  const people = [...hub.store.users.values()];
  const ready: GatewayReadyDispatchData = {
    v: 10,
    user: botUser(bot),
    guilds: [{ id: guild.id, unavailable: true }],
    session_id: sessionId,
    resume_gateway_url: resumeUrl,
    shard: [0, 1],
    application: { id: bot.id, flags: noFlags(), flags_new: '0' },
  };
  const created: GatewayGuildCreateDispatchData = {
    ...guildOf(hub),
    joined_at: MEMBER.joined_at,
    large: false,
    unavailable: false,
    member_count: people.length + 1,
    voice_states: [],
    members: [{ ...MEMBER, user: botUser(bot) }],
    channels: channels.map((room) => textChannelOf(hub, room)),
    threads: [],
    presences: [],
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
  };
  return { ready, created };
}

async function serve(
  hub: Hub,
  origins: string[],
  origin: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const foreign = foreignCall(origins, request, response);
  if (foreign) throw new DiscordError(403, 0, `Forbidden: ${foreign}`);
  const url = new URL(request.url ?? '/', 'http://local');
  if (answerPreflight(request, response)) return;
  if (url.pathname.startsWith('/_user/')) return servePerson(hub, url, request, response);
  for (const route of ROUTES) {
    const match = route.method === request.method ? route.pattern.exec(url.pathname) : null;
    if (match) return serveBot(hub, origin, route, match.slice(1), url, request, response);
  }
  throw notFound();
}

async function serveBot(
  hub: Hub,
  origin: string,
  route: Route,
  path: string[],
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!route.isOpen && request.headers.authorization !== `Bot ${hub.bot.token}`) throw unauthorized();
  const body = await readJson(request);
  const { headers, waitMs } = countCall(hub, route, path);
  const run = () => route.run({ hub, path, query: url.searchParams, body, origin });
  if (waitMs > 0) {
    const wait = { method: '', status: 429, times: 1, accept: false, delayMs: 0, retryAfter: waitMs / 1_000 };
    const limited = faultAnswer(wait);
    return sendJson(response, 429, limited.body, { ...headers, ...limited.headers });
  }
  const fault = takeFault(hub.faults, route.operation);
  if (fault) {
    const done = fault.accept ? { result: run() } : undefined;
    await sleep(fault.delayMs);
    if (fault.status === 0) return void response.socket?.destroy();
    if (fault.status !== 200) {
      const refused = faultAnswer(fault);
      return sendJson(response, fault.status, refused.body, refused.headers);
    }
    if (done) return sendResult(response, done.result, headers);
  }
  sendResult(response, run(), headers);
}

function sendResult(response: ServerResponse, result: unknown, headers: Record<string, string>): void {
  if (result !== undefined) sendJson(response, 200, result, headers);
  else response.writeHead(204, headers).end();
}

const faultInput = z.object({
  method: z.string().min(1),
  status: z.number().int().min(0).max(599),
  retry_after: z.number().positive().optional(),
  times: z.number().int().positive().default(1),
  accept: z.boolean().default(false),
  delay_ms: z.number().int().nonnegative().default(0),
  code: z.number().int().optional(),
  message: z.string().optional(),
});
const gatewayInput = z.object({
  drop: z.boolean().optional(),
  for_ms: z.number().int().positive().optional(),
  invalidate: z.boolean().optional(),
  reconnect: z.boolean().optional(),
  silent: z.boolean().optional(),
  repeat: z.number().int().positive().optional(),
  sync: z.boolean().optional(),
});

async function servePerson(hub: Hub, url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const query = (name: string) => url.searchParams.get(name);
  switch (`${request.method} ${url.pathname.slice('/_user/'.length)}`) {
    case 'POST messages':
      return sendJson(response, 200, writeAsUser(hub, await readJson(request)));
    case 'GET messages':
      return sendJson(response, 200, readAsUser(hub, query('channel_id') ?? '', query('user')));
    case 'POST interactions':
      return sendJson(response, 200, interactAsUser(hub, await readJson(request)));
    case 'GET interactions':
      return sendJson(response, 200, readInteraction(hub, query('id') ?? ''));
    case 'POST components':
      return sendJson(response, 200, componentAsUser(hub, await readJson(request)));
    case 'POST reactions':
      return sendJson(response, 200, reactAsUser(hub, await readJson(request)));
    case 'GET commands':
      return sendJson(response, 200, [...hub.store.commands.values()]);
    case 'POST gateway':
      await controlGateway(hub.gateway, gatewayInput.parse(await readJson(request)));
      return sendJson(response, 200, { ok: true });
    case 'GET gateway': {
      const sessions = [...hub.gateway.sessions.values()];
      const seen = sessions.map(({ id, sequence, connection }) => ({ id, sequence, connected: connection !== null }));
      return sendJson(response, 200, seen);
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
      return streamEvents(hub.listeners, response);
    default:
      throw notFound();
  }
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const body = await readBody(request, MAX_BODY_BYTES);
  if (!body) throw new DiscordError(413, 40_005, 'Request entity too large');
  if (body.length === 0) return undefined;
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new DiscordError(400, 50_109, 'The request body contains invalid JSON.');
  }
}

function answerError(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) return;
  const { status, code, message } = toDiscordError(error);
  sendJson(response, status, { message, code });
}

function toDiscordError(error: unknown): DiscordError {
  if (error instanceof DiscordError) return error;
  if (error instanceof z.ZodError) return badForm(z.prettifyError(error));
  return new DiscordError(500, 0, '500: Internal Server Error');
}
