/** One running local Telegram: its state, its bots, who listens, and which calls are to fail. */
import type { Fault } from './faults.ts';
import { type ChatState, chatKey, record, type Store } from './store.ts';
import type { Delivery } from './updates.ts';
import { type BotAccount, badRequest, forbidden, type Message } from './wire.ts';

/** What the playground sees happen. */
export type HubEvent =
  | { type: 'message' | 'edited_message'; chat_id: number; message: Message }
  | { type: 'deleted_message'; chat_id: number; message_id: number }
  | { type: 'reaction'; chat_id: number; message_id: number; reaction: unknown[] }
  | { type: 'callback_answer'; callback_query_id: string; text?: string; show_alert: boolean };

export type Hub = {
  bots: BotAccount[];
  store: Store;
  delivery: Delivery;
  faults: Fault[];
  listeners: Set<(event: HubEvent) => void>;
  /** Messages that one person alone sees, the groups whose administrators bots are (`<bot>:<chat>`). They end with the process. */
  whispers: Message[];
  admins: Set<string>;
};

export function tell(hub: Hub, event: HubEvent): void {
  for (const listener of hub.listeners) listener(event);
}

export function nowSeconds(hub: Hub): number {
  return Math.floor(hub.store.nowMs() / 1000);
}

/** Stores a new or changed message and shows it. */
export function saveMessage(hub: Hub, botId: number, message: Message, key = chatKey(botId, message.chat.id)): void {
  const chatId = message.chat.id;
  record(hub.store, { type: 'message', key, message });
  const type = message.edit_date === undefined ? 'message' : 'edited_message';
  tell(hub, { type, chat_id: chatId, message });
}

/** A message as it stands in an answer to it: without what it answers itself. */
export function quoted(message: Message): Message {
  const { reply_to_message: _, ...rest } = message;
  return rest;
}

/** The chat that a bot names. Throws Telegram's error when it does not know it. */
export function requireChat(hub: Hub, bot: BotAccount, value: unknown): ChatState {
  const chat = hub.store.chats.get(chatKey(bot.id, readChatId(value)));
  if (!chat) throw badRequest('chat not found');
  return chat;
}

/** The chat that a bot may write to: a group that exists, or a person who has written to the bot before. */
export function requireWritableChat(hub: Hub, bot: BotAccount, value: unknown): ChatState {
  const chatId = readChatId(value);
  if (hub.bots.some(({ id }) => id === chatId)) throw forbidden("bot can't send messages to bots");
  const known = chatId > 0 && hub.store.users.has(chatId);
  if (known && !hub.store.bots.get(bot.id)?.startedBy.has(chatId)) {
    throw forbidden("bot can't initiate conversation with a user");
  }
  return requireChat(hub, bot, chatId);
}

function readChatId(value: unknown): number {
  if (value === undefined || value === null || value === '') throw badRequest('chat_id is empty');
  const id = typeof value === 'number' ? value : /^-?\d+$/.test(String(value)) ? Number(value) : 0;
  // Chats of this server have no public names.
  if (!Number.isSafeInteger(id) || id === 0) throw badRequest('chat not found');
  return id;
}
