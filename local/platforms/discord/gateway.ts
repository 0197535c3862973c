/**
 * The gateway: hello, heartbeats with their answers, identify and ready, events with sequence numbers, resume with replay, invalid sessions. A
 * session keeps its events, so that a client that was away takes up where it was.
 */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type {
  GatewayGuildCreateDispatchData,
  GatewayInteractionCreateDispatchData,
  GatewayMessageCreateDispatchData,
  GatewayMessageDeleteDispatchData,
  GatewayMessageReactionAddDispatchData,
  GatewayMessageReactionRemoveDispatchData,
  GatewayMessageUpdateDispatchData,
  GatewayReadyDispatchData,
} from 'discord.js';
import { acceptSocket, type Socket } from './socket.ts';

const OP = { dispatch: 0, heartbeat: 1, identify: 2, resume: 6, reconnect: 7, invalid: 9, hello: 10, ack: 11 };
const CLOSE = { decode: 4002, notAuthenticated: 4003, authenticationFailed: 4004, alreadyAuthenticated: 4005 };
/** Events that a session can be given again. */
const KEPT_EVENTS = 2_000;
/** How long a session outlives its connection. */
const SESSION_LIFE_MS = 5 * 60_000;

type Packet = { op: number; t: string; s: number; d: unknown };
type Session = {
  id: string;
  intents: number;
  sequence: number;
  events: Packet[];
  connection: Connection | null;
  lostAtMs: number;
};
type Connection = { socket: Socket; session: Session | null; heardSequence: number };

export type Gateway = {
  token: string;
  nowMs: () => number;
  heartbeatMs: number;
  /** What a client receives when it has identified itself: the ready event, then the server where people meet. */
  welcome: (sessionId: string) => { ready: GatewayReadyDispatchData; created: GatewayGuildCreateDispatchData };
  sessions: Map<string, Session>;
  connections: Set<Connection>;
  /** No connection is taken before this time. */
  closedUntilMs: number;
  /** Heartbeats stay without an answer: the line looks alive and is dead. */
  silent: boolean;
};

export function createGateway(options: Pick<Gateway, 'token' | 'nowMs' | 'heartbeatMs' | 'welcome'>): Gateway {
  return { ...options, sessions: new Map(), connections: new Set(), closedUntilMs: 0, silent: false };
}

/** Takes an upgrade request, or turns it away while the gateway is ordered to be gone. */
export function connectClient(gateway: Gateway, request: IncomingMessage, stream: Duplex): void {
  if (gateway.nowMs() < gateway.closedUntilMs) {
    stream.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n');
    return;
  }
  const connection: Connection = { socket: null as never, session: null, heardSequence: 0 };
  const socket = acceptSocket(request, stream, {
    onText: (text) => hear(gateway, connection, text),
    onClose: () => lose(gateway, connection),
  });
  if (!socket) return;
  connection.socket = socket;
  gateway.connections.add(connection);
  say(connection, { op: OP.hello, d: { heartbeat_interval: gateway.heartbeatMs }, s: null, t: null });
}

function say(connection: Connection, packet: object): void {
  connection.socket.send(JSON.stringify(packet));
}

function lose(gateway: Gateway, connection: Connection): void {
  gateway.connections.delete(connection);
  const { session } = connection;
  if (session?.connection !== connection) return;
  session.connection = null;
  session.lostAtMs = gateway.nowMs();
}

function hear(gateway: Gateway, connection: Connection, text: string): void {
  const packet = parse(text);
  switch (packet?.op) {
    case undefined:
      connection.socket.close(CLOSE.decode, 'Error while decoding payload.');
      return;
    case OP.heartbeat:
      connection.heardSequence = Number(packet?.d ?? 0);
      if (!gateway.silent) say(connection, { op: OP.ack, d: null, s: null, t: null });
      return;
    case OP.identify:
      identify(gateway, connection, packet?.d as Identify);
      return;
    case OP.resume:
      resume(gateway, connection, packet?.d as Resume);
      return;
    default:
      if (!connection.session) connection.socket.close(CLOSE.notAuthenticated, 'Not authenticated.');
  }
}

function isOwn(gateway: Gateway, connection: Connection, token: string | undefined): boolean {
  if (token === gateway.token) return true;
  connection.socket.close(CLOSE.authenticationFailed, 'Authentication failed.');
  return false;
}

type Identify = { token?: string; intents?: number };
type Resume = { token?: string; session_id?: string; seq?: number };

function identify(gateway: Gateway, connection: Connection, { token, intents = 0 }: Identify): void {
  if (connection.session) {
    connection.socket.close(CLOSE.alreadyAuthenticated, 'Already authenticated.');
    return;
  }
  if (!isOwn(gateway, connection, token)) return;
  const session: Session = {
    id: randomBytes(16).toString('hex'),
    intents,
    sequence: 0,
    events: [],
    connection,
    lostAtMs: 0,
  };
  forgetOld(gateway);
  gateway.sessions.set(session.id, session);
  connection.session = session;
  const { ready, created } = gateway.welcome(session.id);
  sendEvent(session, 'READY', ready);
  sendEvent(session, 'GUILD_CREATE', created);
}

/** Gives again what came after `seq`, or says that the session is over. */
function resume(gateway: Gateway, connection: Connection, { token, session_id = '', seq = 0 }: Resume): void {
  if (!isOwn(gateway, connection, token)) return;
  forgetOld(gateway);
  const session = gateway.sessions.get(session_id);
  const first = session?.events[0]?.s ?? 0;
  if (!session || seq > session.sequence || first > seq + 1) {
    say(connection, { op: OP.invalid, d: false, s: null, t: null });
    return;
  }
  session.connection?.socket.close(4_000, 'Resumed elsewhere.');
  session.connection = connection;
  connection.session = session;
  for (const packet of session.events) if (packet.s > seq) say(connection, packet);
  sendEvent(session, 'RESUMED', { _trace: [] });
}

function forgetOld(gateway: Gateway): void {
  for (const session of gateway.sessions.values()) {
    const over = session.connection === null && gateway.nowMs() - session.lostAtMs > SESSION_LIFE_MS;
    if (over) gateway.sessions.delete(session.id);
  }
}

function sendEvent(session: Session, type: string, data: unknown): void {
  session.sequence += 1;
  const packet = { op: OP.dispatch, t: type, s: session.sequence, d: data };
  session.events.push(packet);
  if (session.events.length > KEPT_EVENTS) session.events.shift();
  if (session.connection) say(session.connection, packet);
}

/** What clients receive, in the shapes that the client's own types give. */
type Events = {
  MESSAGE_CREATE: GatewayMessageCreateDispatchData;
  MESSAGE_UPDATE: GatewayMessageUpdateDispatchData;
  MESSAGE_DELETE: GatewayMessageDeleteDispatchData;
  MESSAGE_REACTION_ADD: GatewayMessageReactionAddDispatchData;
  MESSAGE_REACTION_REMOVE: GatewayMessageReactionRemoveDispatchData;
  INTERACTION_CREATE: GatewayInteractionCreateDispatchData;
};

/** Tells every session that asked for this kind. @param seenWith makes the data from what the session may see */
export function dispatch<T extends keyof Events>(
  gateway: Gateway,
  type: T,
  intent: number,
  seenWith: (intents: number) => Events[T],
): void {
  for (const session of gateway.sessions.values()) {
    if (intent === 0 || (session.intents & intent) !== 0) sendEvent(session, type, seenWith(session.intents));
  }
}

export type Control = {
  /** Cuts every connection; with `for_ms` none is taken for that long, by the server's clock. */
  drop?: boolean | undefined;
  for_ms?: number | undefined;
  /** Every session is over: what came meanwhile is not given again. */
  invalidate?: boolean | undefined;
  /** Makes clients connect again. */
  reconnect?: boolean | undefined;
  silent?: boolean | undefined;
  /** Sends that many of the last events again, as new ones. */
  repeat?: number | undefined;
  /** Waits until every connected client has said that it has everything. */
  sync?: boolean | undefined;
};

export async function controlGateway(gateway: Gateway, control: Control): Promise<void> {
  if (control.drop === false) gateway.closedUntilMs = 0;
  if (control.drop) gateway.closedUntilMs = control.for_ms === undefined ? 0 : gateway.nowMs() + control.for_ms;
  if (control.silent !== undefined) gateway.silent = control.silent;
  if (control.invalidate) gateway.sessions.clear();
  if (control.drop || control.invalidate) for (const { socket } of [...gateway.connections]) socket.cut();
  if (control.reconnect)
    for (const one of gateway.connections) say(one, { op: OP.reconnect, d: null, s: null, t: null });
  if (control.repeat) {
    for (const session of gateway.sessions.values())
      for (const { t, d } of session.events.filter(isNews).slice(-control.repeat)) sendEvent(session, t, d);
  }
  if (control.sync) await Promise.all([...gateway.sessions.values()].map((session) => synced(session)));
}

/** What opens or resumes a session belongs to one connection, and is never given again. */
function isNews({ t }: Packet): boolean {
  return t !== 'READY' && t !== 'RESUMED';
}

const SYNC_WITHIN_MS = 20_000;

/** Asks for a heartbeat until one says that the client has heard everything. */
async function synced(session: Session): Promise<void> {
  const started = Date.now();
  for (;;) {
    const { connection, sequence } = session;
    if (!connection) return;
    say(connection, { op: OP.heartbeat, d: null, s: null, t: null });
    await new Promise((resolve) => setTimeout(resolve, 2));
    if (connection.heardSequence >= sequence) return;
    if (Date.now() - started > SYNC_WITHIN_MS) throw new Error('a client of the gateway does not keep up');
  }
}

function parse(text: string): { op: number; d: unknown } | null {
  try {
    const packet = JSON.parse(text) as { op?: unknown; d?: unknown };
    return typeof packet?.op === 'number' ? { op: packet.op, d: packet.d } : null;
  } catch {
    return null;
  }
}
