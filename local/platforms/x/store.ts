/**
 * What the local X remembers: people, posts, direct messages, tokens and what was charged. Every change is one line of a journal that is
 * written before it is published, so that a killed server goes on where it was.
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
import type { XUser } from './wire.ts';

const POSTS_KEPT = 20_000;
const DIRECT_MESSAGES_KEPT = 5_000;
const COMPACT_AFTER_LINES = 50_000;
/** The moment from which X's ids count. */
const SNOWFLAKE_EPOCH_MS = 1_288_834_974_657n;

export type Post = {
  id: string;
  authorId: string;
  /** As typed, with the leading mentions that X adds to a reply, without HTML escapes. */
  text: string;
  atMs: number;
  conversationId: string;
  /** Code points of `text` before what its author typed. */
  visibleFrom: number;
  replyTo?: string;
  replyToUser?: string;
  /** From the first to this one. */
  history: string[];
  quotes?: string;
  reposts?: string;
  /** How many pictures hang on it. */
  pictures?: number;
};
export type DirectMessage = { id: string; conversationId: string; senderId: string; text: string; atMs: number };
export type Token = { value: string; kind: 'access' | 'refresh'; userId: string; clientId: string; expiresMs: number };

type Change =
  | { type: 'user'; user: XUser }
  | { type: 'post'; post: Post }
  | { type: 'delete'; id: string }
  | { type: 'dm'; message: DirectMessage }
  | { type: 'closed'; userId: string; closed: boolean }
  | { type: 'token'; token: Token }
  | { type: 'revoked'; value: string }
  | { type: 'charge'; day: string; call: string; micros: number };

export type DayMeter = { micros: number; requests: number; calls: Record<string, { count: number; micros: number }> };

export type Store = {
  users: Map<string, XUser>;
  posts: Map<string, Post>;
  directMessages: DirectMessage[];
  /** People whom the bot may not write to directly. */
  closedTo: Set<string>;
  tokens: Map<string, Token>;
  /** Refresh tokens that were used or withdrawn: they open nothing again. */
  revoked: Set<string>;
  meter: Map<string, DayMeter>;
  nowMs: () => number;
  lastId: bigint;
  journal: { file: string; handle: number; lines: number } | null;
};

export function openStore(dataFile: string | undefined, nowMs: () => number): Store {
  const store: Store = {
    users: new Map(),
    posts: new Map(),
    directMessages: [],
    closedTo: new Set(),
    tokens: new Map(),
    revoked: new Set(),
    meter: new Map(),
    nowMs,
    lastId: 0n,
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

/** Writes a change down and makes it. It outlives a kill of this process from the moment this returns. */
export function record(store: Store, change: Change): void {
  if (store.journal) {
    writeSync(store.journal.handle, `${JSON.stringify(change)}\n`);
    store.journal.lines += 1;
  }
  apply(store, change);
  if (store.journal && store.journal.lines > COMPACT_AFTER_LINES) compact(store, store.journal.file);
}

/** A new id that carries the time, as X's do, and is above every earlier one. */
export function nextId(store: Store): string {
  const byTime = (BigInt(Math.floor(store.nowMs())) - SNOWFLAKE_EPOCH_MS) << 22n;
  store.lastId = byTime > store.lastId ? byTime : store.lastId + 1n;
  return String(store.lastId);
}

export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function apply(store: Store, change: Change): void {
  switch (change.type) {
    case 'user':
      store.users.set(change.user.id, change.user);
      return;
    case 'post':
      store.posts.set(change.post.id, change.post);
      remember(store, change.post.id);
      dropOldest(store.posts, POSTS_KEPT);
      return;
    case 'delete':
      store.posts.delete(change.id);
      return;
    case 'dm':
      store.directMessages.push(change.message);
      remember(store, change.message.id);
      if (store.directMessages.length > DIRECT_MESSAGES_KEPT) store.directMessages.shift();
      return;
    case 'closed':
      if (change.closed) store.closedTo.add(change.userId);
      else store.closedTo.delete(change.userId);
      return;
    case 'token':
      store.tokens.set(change.token.value, change.token);
      return;
    case 'revoked':
      store.tokens.delete(change.value);
      store.revoked.add(change.value);
      return;
    case 'charge': {
      const day = store.meter.get(change.day) ?? { micros: 0, requests: 0, calls: {} };
      const call = day.calls[change.call] ?? { count: 0, micros: 0 };
      day.calls[change.call] = { count: call.count + 1, micros: call.micros + change.micros };
      store.meter.set(change.day, { ...day, micros: day.micros + change.micros, requests: day.requests + 1 });
    }
  }
}

function remember(store: Store, id: string): void {
  if (BigInt(id) > store.lastId) store.lastId = BigInt(id);
}

function dropOldest(posts: Map<string, Post>, kept: number): void {
  for (const id of posts.keys()) {
    if (posts.size <= kept) return;
    posts.delete(id);
  }
}

/** The shortest journal that leads to this state. Charges become their sums. */
function* summarise(store: Store): Generator<Change> {
  for (const user of store.users.values()) yield { type: 'user', user };
  for (const post of store.posts.values()) yield { type: 'post', post };
  for (const message of store.directMessages) yield { type: 'dm', message };
  for (const userId of store.closedTo) yield { type: 'closed', userId, closed: true };
  for (const token of store.tokens.values()) yield { type: 'token', token };
  for (const value of store.revoked) yield { type: 'revoked', value };
  for (const [day, { calls }] of store.meter) {
    for (const [call, { micros }] of Object.entries(calls)) yield { type: 'charge', day, call, micros };
  }
}

function compact(store: Store, file: string): void {
  const lines = [...summarise(store)].map((change) => `${JSON.stringify(change)}\n`);
  writeFileSync(`${file}.draft`, lines.join(''), { mode: 0o600 });
  if (store.journal) closeSync(store.journal.handle);
  renameSync(`${file}.draft`, file);
  store.journal = { file, handle: openSync(file, 'a', 0o600), lines: 0 };
}

/** A kill in the middle of a write leaves half a line at the end; that change was not published. */
function parseLine(line: string): Change | undefined {
  try {
    return JSON.parse(line) as Change;
  } catch {
    return undefined;
  }
}
