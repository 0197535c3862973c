/**
 * What the local Discord remembers: people, channels, messages, commands, interactions. Every change is one line of a journal that is written
 * before it is published, so that a killed server goes on where it was.
 */
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { APIApplicationCommand } from 'discord.js';
import { type Kept, type Message, snowflakeAfter, type User } from './wire.ts';

const MESSAGES_PER_CHANNEL = 2_000;
const MAX_INTERACTIONS = 10_000;
/** Far more lines than the state has: time to write it down again. */
const COMPACT_AFTER_LINES = 50_000;

/** A channel of the server, or the direct chat of one person with the bot. */
export type Room = { id: string; guildId: string | null; userId: string | null; name: string };

export type InteractionState = {
  id: string;
  token: string;
  type: number;
  channelId: string;
  userId: string;
  /** Whether the bot is a member of where it was used, or came with the person. */
  installed: 'guild' | 'user';
  createdMs: number;
  /** Null until the bot answered; `deferred` while people see it think. */
  answer: null | 'deferred' | 'message' | 'update' | 'modal';
  /** The first answer is for the person alone. */
  ephemeral: boolean;
  originalId: string | null;
  /** The message whose button was pressed, or whose menu was opened. */
  messageId: string | null;
  modal: unknown;
  /** Of a form that was sent in: the interaction that opened it. */
  openedBy?: string;
};

type Tables = {
  user: User;
  room: Room;
  message: Kept;
  command: APIApplicationCommand;
  interaction: InteractionState;
};
type Kind = keyof Tables;
const KINDS: Kind[] = ['user', 'room', 'message', 'command', 'interaction'];

export type Store = { [K in Kind as `${K}s`]: Map<string, Tables[K]> } & {
  /** Ids of the messages of each channel, in order. */
  order: Map<string, Set<string>>;
  /** The greatest id so far: what was given out before a restart stays below what comes after it. */
  lastId: bigint;
  nowMs: () => number;
  journal: { file: string; handle: number; lines: number } | null;
};

export function openStore(dataFile: string | undefined, nowMs: () => number): Store {
  const store: Store = {
    users: new Map(),
    rooms: new Map(),
    messages: new Map(),
    commands: new Map(),
    interactions: new Map(),
    order: new Map(),
    lastId: 0n,
    nowMs,
    journal: null,
  };
  if (dataFile === undefined) return store;
  mkdirSync(dirname(dataFile), { recursive: true });
  if (existsSync(dataFile)) {
    for (const line of readFileSync(dataFile, 'utf8').split('\n')) {
      const change = parseLine(line);
      if (change) apply(store, change);
    }
  }
  compact(store, dataFile);
  return store;
}

export function closeStore(store: Store): void {
  if (store.journal) closeSync(store.journal.handle);
  store.journal = null;
}

export function nextId(store: Store): string {
  store.lastId = snowflakeAfter(store.lastId, store.nowMs());
  return String(store.lastId);
}

type Change = { kind: Kind; key: string; value: unknown };

/** Writes a change down and makes it; null takes the entry away. It outlives a kill of this process from the moment this returns. */
export function put<K extends Kind>(store: Store, kind: K, key: string, value: Tables[K] | null): void {
  const change = { kind, key, value };
  if (store.journal) {
    writeSync(store.journal.handle, `${JSON.stringify(change)}\n`);
    store.journal.lines += 1;
  }
  apply(store, change);
  if (store.journal && store.journal.lines > COMPACT_AFTER_LINES) compact(store, store.journal.file);
}

/** The messages of a channel, oldest first. */
export function messagesIn(store: Store, channelId: string): Kept[] {
  return [...(store.order.get(channelId) ?? [])].flatMap((id) => store.messages.get(id) ?? []);
}

export function findMessage(store: Store, channelId: string, messageId: string): Kept | undefined {
  const kept = store.messages.get(messageId);
  return kept?.message.channel_id === channelId ? kept : undefined;
}

function tableOf(store: Store, kind: Kind): Map<string, unknown> {
  return store[`${kind}s`] as Map<string, unknown>;
}

function apply(store: Store, { kind, key, value }: Change): void {
  const table = tableOf(store, kind);
  const before = table.get(key);
  if (value === null) table.delete(key);
  else table.set(key, value);
  if ((kind === 'message' || kind === 'interaction') && BigInt(key) > store.lastId) store.lastId = BigInt(key);
  if (kind === 'message') orderMessage(store, key, ((value ?? before) as Kept | undefined)?.message, value !== null);
  if (kind === 'interaction' && table.size > MAX_INTERACTIONS) {
    for (const oldest of table.keys()) {
      table.delete(oldest);
      break;
    }
  }
}

function orderMessage(store: Store, id: string, message: Message | undefined, there: boolean): void {
  if (!message) return;
  const order = store.order.get(message.channel_id) ?? new Set();
  store.order.set(message.channel_id, order);
  if (there) order.add(id);
  else order.delete(id);
  for (const oldest of order) {
    if (order.size <= MESSAGES_PER_CHANNEL) break;
    order.delete(oldest);
    store.messages.delete(oldest);
  }
}

/** Replaces the journal in one step: a kill leaves the old one or the new one. */
function compact(store: Store, file: string): void {
  const lines = KINDS.flatMap((kind) =>
    [...tableOf(store, kind)].map(([key, value]) => `${JSON.stringify({ kind, key, value })}\n`),
  );
  writeFileSync(`${file}.draft`, lines.join(''), { mode: 0o600 });
  if (store.journal) closeSync(store.journal.handle);
  renameSync(`${file}.draft`, file);
  store.journal = { file, handle: openSync(file, 'a', 0o600), lines: 0 };
}

/** A kill in the middle of a write leaves half a line at the end; that change was not published. */
function parseLine(line: string): Change | undefined {
  try {
    const change = JSON.parse(line) as Change;
    return KINDS.includes(change.kind) ? change : undefined;
  } catch {
    return undefined;
  }
}
