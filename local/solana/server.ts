// The Solana chain of the local stack: one node, with JSON-RPC over HTTP and WebSocket, that passes slots, keeps its state, and has faults.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import {
  answerPreflight,
  foreignCall,
  listenOn,
  type RunningServer,
  readBody,
  sendJson,
} from '../platforms/platformServer.ts';
import { createFaults, type Faults, faultInput } from './faults.ts';
import { fillFaucet } from './genesis.ts';
import { toJson } from './json.ts';
import { type Ledger, type LedgerOptions, openBlockOf, timeOf } from './ledger.ts';
import { answerBody, describeCall, errorAnswer, type Node, readCalls } from './rpc.ts';
import { parseError } from './rpcErrors.ts';
import { advanceClock, catchUp, createLedger, stepSlots } from './slots.ts';
import { openSockets, type Sockets } from './socket.ts';
import { type KeptState, keepState, readState } from './state.ts';

const MOST_BYTES = 1_024 * 1_024;
/** web3.js and kit name themselves in a header. */
const HEADERS = ['content-type', 'solana-client'];

export type SolanaOptions = LedgerOptions & {
  host?: string;
  /** 0 for any. WebSocket clients connect to this port, or to the next one where that is free. */
  port?: number;
  /** Where accounts, history and the clock are kept across restarts. */
  stateFile?: string;
  /** Pages that may call the node. */
  origins?: string[];
  log?: (line: string) => void;
};

export type RunningSolana = {
  url: string;
  /** On the node's own port. */
  wsUrl: string;
  port: number;
  ledger: Ledger;
  faults: Faults;
  /** False when the chain continues from its state file. */
  created: boolean;
  /** Writes the state file now. */
  save(): Promise<void>;
  close(): Promise<void>;
};

export async function startSolana(options: SolanaOptions = {}): Promise<RunningSolana> {
  const { host = '127.0.0.1', port = 0, stateFile, origins = [], log = () => {} } = options;
  const known = stateFile ? readState(stateFile, options) : null;
  const ledger = known ?? createLedger(options);
  if (!known) fillFaucet(ledger);
  const faults = createFaults(ledger);
  const node: Node = { ledger, faults, log };
  const sockets = openSockets(ledger, origins);
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    serveHttp(node, origins, request, response).catch((error: unknown) => {
      log(`the local Solana chain: ${(error as Error).message}`);
      sendJson(response, 500, { message: 'the local Solana chain failed' });
    });
  };
  const server = await listenOn({ name: 'Solana chain', host, port }, serve);
  sockets.serve(server.server);
  const second = await listenBeside(server, { host, serve, sockets, log });
  const ticker = startTicker(node);
  const state: KeptState | null = stateFile ? keepState(stateFile, ledger, log) : null;
  return {
    url: server.url,
    wsUrl: server.url.replace(/^http/, 'ws'),
    port: server.port,
    ledger,
    faults,
    created: !known,
    save: async () => state?.save(),
    async close() {
      ticker.stop();
      await sockets.close();
      await Promise.all([server.close(), second?.close()]);
      await state?.close();
    },
  };
}

/** Clients that know only the node's port look for WebSockets on the next one. */
async function listenBeside(
  { port }: RunningServer,
  beside: {
    host: string;
    serve: (request: IncomingMessage, response: ServerResponse) => void;
    sockets: Sockets;
    log: (line: string) => void;
  },
): Promise<RunningServer | null> {
  const { host, serve, sockets, log } = beside;
  try {
    const server = await listenOn({ name: 'Solana chain', host, port: port + 1 }, serve);
    sockets.serve(server.server);
    return server;
  } catch {
    log(`the local Solana chain: port ${port + 1} is taken, so WebSocket clients have to be given port ${port}`);
    return null;
  }
}

/** Passes slots at the chain's pace, and slower while there is a fault for it. */
function startTicker({ ledger, faults }: Node): { stop(): void } {
  if (ledger.slotMs === 0) return { stop() {} };
  let timer: NodeJS.Timeout;
  const slotMs = () => faults.peek('slow_slots')?.ms ?? ledger.slotMs;
  const tick = () => {
    if (!faults.peek('slow_slots')) catchUp(ledger);
    else if (timeOf(ledger) - openBlockOf(ledger).timeMs >= slotMs()) {
      faults.take('slow_slots');
      stepSlots(ledger);
    }
    schedule();
  };
  const schedule = () => {
    const due = openBlockOf(ledger).timeMs + slotMs() - timeOf(ledger);
    timer = setTimeout(tick, Math.min(Math.max(1, due), ledger.slotMs));
  };
  schedule();
  return { stop: () => clearTimeout(timer) };
}

async function serveHttp(
  node: Node,
  origins: string[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const refusal = foreignCall(origins, request, response);
  if (refusal) return sendJson(response, 403, { message: refusal });
  if (answerPreflight(request, response, HEADERS)) return;
  const { pathname } = new URL(request.url ?? '/', 'http://local');
  if (pathname.startsWith('/_user/')) return serveUser(node, pathname, request, response);
  if (pathname === '/health' && request.method === 'GET') return void response.end('ok');
  if (request.method !== 'POST') return sendJson(response, 405, { message: 'send JSON-RPC calls with POST' });
  return serveRpc(node, request, response);
}

async function serveRpc(node: Node, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { faults } = node;
  const bytes = await readBody(request, MOST_BYTES);
  if (!bytes) return sendJson(response, 413, { message: 'the body is too large' });
  const body = readJson(bytes);
  if (body === undefined) return sendText(response, errorAnswer(null, parseError()));
  const calls = readCalls(body).map(describeCall);
  const take = (kind: Parameters<Faults['take']>[0]) => {
    const call = calls.find((one) => faults.peek(kind, one));
    return call ? faults.take(kind, call) : null;
  };
  if (take('away')) return void response.socket?.destroy();
  const limit = take('rate_limit');
  if (limit) {
    const error = { code: 429, message: 'Too many requests for a specific RPC call' };
    return sendJson(response, 429, { jsonrpc: '2.0', error, id: null }, { 'retry-after': String(limit.seconds) });
  }
  const slow = take('slow');
  if (slow) await sleep(slow.ms);
  const lost = take('lost_answer');
  const answer = answerBody(node, body);
  if (lost) return void response.socket?.destroy();
  if (answer === undefined) return void response.writeHead(204).end();
  sendText(response, answer);
}

function sendText(response: ServerResponse, answer: unknown): void {
  if (response.destroyed) return;
  const text = toJson(answer);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

function readJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

const clockInput = z.strictObject({
  advance_ms: z
    .number()
    .int()
    .min(0)
    .max(5 * 366 * 86_400_000),
});
const slotsInput = z.strictObject({ step: z.number().int().min(1).max(1_000_000_000) });

/** What people and tests do to the chain, and not through it. */
async function serveUser(
  node: Node,
  pathname: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { ledger, faults } = node;
  const body =
    request.method === 'POST' ? readJson((await readBody(request, MOST_BYTES)) ?? Buffer.alloc(0)) : undefined;
  const isPost = request.method === 'POST';
  const answer = () => {
    const { slot, height, timeMs } = openBlockOf(ledger);
    return sendJson(response, 200, { slot, block_height: height, time_ms: timeMs });
  };
  if (pathname === '/_user/faults') {
    if (request.method === 'DELETE') faults.clear();
    const parsed = isPost ? faultInput.safeParse(body) : null;
    if (parsed && !parsed.success) return sendJson(response, 400, { message: z.prettifyError(parsed.error) });
    if (parsed) faults.add(parsed.data);
    return sendJson(response, 200, { faults: faults.list() });
  }
  if (pathname === '/_user/clock' && isPost) {
    const parsed = clockInput.safeParse(body);
    if (!parsed.success) return sendJson(response, 400, { message: z.prettifyError(parsed.error) });
    advanceClock(ledger, parsed.data.advance_ms);
    return answer();
  }
  if (pathname === '/_user/slots' && isPost) {
    const parsed = slotsInput.safeParse(body);
    if (!parsed.success) return sendJson(response, 400, { message: z.prettifyError(parsed.error) });
    stepSlots(ledger, parsed.data.step);
    return answer();
  }
  sendJson(response, 404, { message: 'no such call' });
}
