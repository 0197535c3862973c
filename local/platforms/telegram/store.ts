/**
 * What the local Telegram server remembers: people, chats, messages, and each bot's queue of updates. Every change is one
 * line of a journal that is written before it is published, so that a killed server goes on where it was.
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
import type { BotAccount, BotCommand, Chat, Message, Update, User } from './wire.ts';

const MESSAGES_PER_CHAT = 2_000;
const MAX_CALLBACKS = 10_000;
const MAX_GUESTS = 10_000;
const UPDATE_LIFETIME_MS = 24 * 60 * 60 * 1000;
/** Far more lines than the state has: time to write it down again. */
const COMPACT_AFTER_LINES = 50_000;
const FIRST_UPDATE_ID = 100_000_001;

export type Webhook = { url: string; secretToken?: string; maxConnections: number };
export type PendingUpdate = { update: Update; atMs: number };

export type BotState = {
  nextUpdateId: number;
  pending: PendingUpdate[];
  allowedUpdates: string[] | null;
  webhook: Webhook | null;
  startedBy: Set<number>;
  /** By scope and language. */
  commands: Map<string, BotCommand[]>;
};

export type ChatState = { chat: Chat; nextMessageId: number; messages: Map<number, Message>; members: Set<number> };
export type Callback = { botId: number; atMs: number };
/** A summons to a chat without the bot, and the one answer to it. */
export type GuestQuery = {
  botId: number;
  key: string;
  messageId: number;
  atMs: number;
  answer?: { inlineId: string; messageId: number };
};

type Change =
  | { type: 'user'; user: User }
  | { type: 'chat'; key: string; chat: Chat; nextMessageId?: number }
  | { type: 'member'; key: string; userId: number }
  | { type: 'message'; key: string; message: Message }
  | { type: 'delete'; key: string; messageId: number }
  | { type: 'reaction'; key: string; messageId: number; reaction: unknown[] }
  | { type: 'user_reaction'; key: string; messageId: number; userId: number; reaction: unknown[] }
  | { type: 'started'; botId: number; userId: number }
  | { type: 'update'; botId: number; update: Update; atMs: number }
  | { type: 'confirm'; botId: number; below: number }
  | { type: 'counter'; botId: number; nextUpdateId: number }
  | { type: 'allowed'; botId: number; types: string[] | null }
  | { type: 'webhook'; botId: number; webhook: Webhook | null }
  | { type: 'commands'; botId: number; scope: string; commands: BotCommand[] | null }
  | { type: 'callback'; id: string; botId: number; atMs: number }
  | { type: 'answered'; id: string }
  | { type: 'guest'; id: string; botId: number; key: string; messageId: number; atMs: number }
  | { type: 'guest_answer'; id: string; inlineId: string; messageId: number };

export type Store = {
  bots: Map<number, BotState>;
  users: Map<number, User>;
  chats: Map<string, ChatState>;
  callbacks: Map<string, Callback>;
  guests: Map<string, GuestQuery>;
  /** What people see beside the messages; not part of the wire format of a message. */
  reactions: Map<string, unknown[]>;
  /** By chat and message, then by person. */
  userReactions: Map<string, Map<number, unknown[]>>;
  nowMs: () => number;
  journal: { file: string; handle: number; lines: number } | null;
};

/** Reads the journal, or begins an empty state; without a file nothing outlives the process. */
export function openStore(bots: BotAccount[], dataFile: string | undefined, nowMs: () => number): Store {
  const store: Store = {
    bots: new Map(bots.map(({ id }) => [id, emptyBot()])),
    users: new Map(),
    chats: new Map(),
    callbacks: new Map(),
    guests: new Map(),
    reactions: new Map(),
    userReactions: new Map(),
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

/** Writes a change down and makes it. It outlives a kill of this process from the moment this returns. */
export function record(store: Store, change: Change): void {
  if (store.journal) {
    writeSync(store.journal.handle, `${JSON.stringify(change)}\n`);
    store.journal.lines += 1;
  }
  apply(store, change);
  if (store.journal && store.journal.lines > COMPACT_AFTER_LINES) compact(store, store.journal.file);
}

/** Private chats are one a bot and person; a group is the same for all bots. */
export function chatKey(botId: number, chatId: number): string {
  return chatId > 0 ? `${botId}:${chatId}` : String(chatId);
}

/** The state of a bot that the server was started with. */
export function botState(store: Store, botId: number): BotState {
  const bot = store.bots.get(botId);
  if (!bot) throw new Error(`no bot ${botId}`);
  return bot;
}

/** Deletes updates that were not fetched for a day, as Telegram does. */
export function dropOldUpdates(store: Store, botId: number): void {
  const oldest = store.nowMs() - UPDATE_LIFETIME_MS;
  const young = botState(store, botId).pending.find(({ atMs }) => atMs >= oldest);
  const below = young ? young.update.update_id : botState(store, botId).nextUpdateId;
  if (botState(store, botId).pending.some(({ atMs }) => atMs < oldest))
    record(store, { type: 'confirm', botId, below });
}

function emptyBot(): BotState {
  return {
    nextUpdateId: FIRST_UPDATE_ID,
    pending: [],
    allowedUpdates: null,
    webhook: null,
    startedBy: new Set(),
    commands: new Map(),
  };
}

function apply(store: Store, change: Change): void {
  switch (change.type) {
    case 'user':
      store.users.set(change.user.id, change.user);
      return;
    case 'callback':
      store.callbacks.set(change.id, { botId: change.botId, atMs: change.atMs });
      for (const id of store.callbacks.keys()) {
        if (store.callbacks.size <= MAX_CALLBACKS) break;
        store.callbacks.delete(id);
      }
      return;
    case 'answered':
      store.callbacks.delete(change.id);
      return;
    case 'guest': {
      const { id, botId, key, messageId, atMs } = change;
      store.guests.set(id, { botId, key, messageId, atMs });
      for (const old of store.guests.keys()) {
        if (store.guests.size <= MAX_GUESTS) break;
        store.guests.delete(old);
      }
      return;
    }
    case 'guest_answer': {
      const { id, inlineId, messageId } = change;
      const query = store.guests.get(id);
      if (query) query.answer = { inlineId, messageId };
      return;
    }
    case 'reaction':
      store.reactions.set(`${change.key}/${change.messageId}`, change.reaction);
      return;
    case 'user_reaction': {
      const place = `${change.key}/${change.messageId}`;
      const people = store.userReactions.get(place) ?? new Map<number, unknown[]>();
      store.userReactions.set(place, people.set(change.userId, change.reaction));
      return;
    }
    case 'chat':
    case 'member':
    case 'message':
    case 'delete':
      applyToChat(store, change);
      return;
    default: {
      // A journal may speak of a bot that this start was not given.
      const bot = store.bots.get(change.botId);
      if (bot) applyToBot(bot, change);
    }
  }
}

function applyToChat(store: Store, change: Extract<Change, { key: string }>): void {
  if (change.type === 'chat') {
    const known = store.chats.get(change.key);
    store.chats.set(change.key, {
      chat: change.chat,
      nextMessageId: change.nextMessageId ?? known?.nextMessageId ?? 1,
      messages: known?.messages ?? new Map(),
      members: known?.members ?? new Set(),
    });
    return;
  }
  const chat = store.chats.get(change.key);
  if (!chat) return;
  if (change.type === 'member') chat.members.add(change.userId);
  if (change.type === 'delete') chat.messages.delete(change.messageId);
  if (change.type !== 'message') return;
  const { message } = change;
  chat.messages.set(message.message_id, message);
  chat.nextMessageId = Math.max(chat.nextMessageId, message.message_id + 1);
  for (const id of chat.messages.keys()) {
    if (chat.messages.size <= MESSAGES_PER_CHAT) break;
    chat.messages.delete(id);
    store.reactions.delete(`${change.key}/${id}`);
    store.userReactions.delete(`${change.key}/${id}`);
  }
}

function applyToBot(bot: BotState, change: Extract<Change, { botId: number }>): void {
  switch (change.type) {
    case 'started':
      bot.startedBy.add(change.userId);
      return;
    case 'update':
      bot.pending.push({ update: change.update, atMs: change.atMs });
      bot.nextUpdateId = change.update.update_id + 1;
      return;
    case 'confirm':
      bot.pending = bot.pending.filter(({ update }) => update.update_id >= change.below);
      return;
    case 'counter':
      bot.nextUpdateId = change.nextUpdateId;
      return;
    case 'allowed':
      bot.allowedUpdates = change.types;
      return;
    case 'webhook':
      bot.webhook = change.webhook;
      return;
    case 'commands':
      if (change.commands) bot.commands.set(change.scope, change.commands);
      else bot.commands.delete(change.scope);
  }
}

/** The shortest journal that leads to this state. */
function* summarise(store: Store): Generator<Change> {
  for (const user of store.users.values()) yield { type: 'user', user };
  for (const [key, { chat, nextMessageId, messages, members }] of store.chats) {
    yield { type: 'chat', key, chat, nextMessageId };
    for (const userId of members) yield { type: 'member', key, userId };
    for (const message of messages.values()) yield { type: 'message', key, message };
  }
  for (const [place, reaction] of store.reactions) {
    const [key, id] = place.split('/') as [string, string];
    yield { type: 'reaction', key, messageId: Number(id), reaction };
  }
  for (const [place, people] of store.userReactions) {
    const [key, id] = place.split('/') as [string, string];
    for (const [userId, reaction] of people)
      yield { type: 'user_reaction', key, messageId: Number(id), userId, reaction };
  }
  for (const [id, { botId, atMs }] of store.callbacks) yield { type: 'callback', id, botId, atMs };
  for (const [id, { answer, ...query }] of store.guests) {
    yield { type: 'guest', id, ...query };
    if (answer) yield { type: 'guest_answer', id, ...answer };
  }
  for (const [botId, bot] of store.bots) {
    for (const { update, atMs } of bot.pending) yield { type: 'update', botId, update, atMs };
    yield { type: 'counter', botId, nextUpdateId: bot.nextUpdateId };
    yield { type: 'allowed', botId, types: bot.allowedUpdates };
    yield { type: 'webhook', botId, webhook: bot.webhook };
    for (const userId of bot.startedBy) yield { type: 'started', botId, userId };
    for (const [scope, commands] of bot.commands) yield { type: 'commands', botId, scope, commands };
  }
}

/** Replaces the journal in one step: a kill leaves the old one or the new one. */
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
