/** What people do at the local Telegram: write, edit, press buttons. The playground and the tests act through this. */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { markEntities } from './entities.ts';
import { enterGuestChat, guestChatKey, summon } from './guests.ts';
import { type Hub, nowSeconds, quoted, saveMessage, tell } from './hub.ts';
import { botState, type ChatState, chatKey, record } from './store.ts';
import { pushUpdate } from './updates.ts';
import { type BotAccount, badRequest, type Chat, type Message, type User } from './wire.ts';

const MAX_TEXT = 4_096;
const MAX_CAPTION = 1_024;
const GROUP_TITLE = 'Ampersat friends';

const id = z.number().int();
const person = z.object({
  id: id.positive(),
  username: z.string().optional(),
  first_name: z.string().min(1).optional(),
  is_bot: z.boolean().optional(),
  language_code: z.string().optional(),
});
const entity = z.looseObject({ type: z.string(), offset: id.nonnegative(), length: id.positive() });

const messageInput = z.object({
  chat_id: id,
  from: person,
  text: z.string().optional(),
  entities: z.array(entity).optional(),
  /** A photo or a video with the text below it. */
  media: z.enum(['photo', 'video']).optional(),
  reply_to_message_id: id.optional(),
  /** True: forwarded from a hidden user; a person: forwarded from them. */
  forward: z.union([z.boolean(), person]).optional(),
  edit_message_id: id.optional(),
  chat_title: z.string().min(1).optional(),
  /** The bot is no member of this chat: it gets the message by a query that it may answer once. */
  guest: z.boolean().optional(),
  /** Which bot a private chat is with; the first when there is none named. */
  bot: z.string().optional(),
  /** Fields of a Message to add as they are, such as `via_bot`, `sender_chat` or a service message's own. */
  extra: z.record(z.string(), z.unknown()).optional(),
});
const callbackInput = z.object({
  message_id: id,
  chat_id: id,
  from: person,
  data: z.string(),
  bot: z.string().optional(),
});

const reactionInput = z.object({
  message_id: id,
  chat_id: id,
  from: person,
  /** What stands there afterwards, instead of what the person had put there before. */
  emoji: z.array(z.string().min(1)),
  bot: z.string().optional(),
});

type Person = z.infer<typeof person>;

/** Writes or edits a message as a person. Returns its id and that of the update (null when the bot wants no such kind). */
export function writeAsUser(hub: Hub, body: unknown): { message_id: number; update_id: number | null } {
  const input = messageInput.parse(body);
  const bot = chooseBot(hub, input.bot);
  const from = rememberUser(hub, input.from);
  const room = input.guest
    ? enterGuestChat(hub, bot, input.chat_id, from, input.chat_title ?? GROUP_TITLE)
    : enterChat(hub, bot, input.chat_id, from, input.chat_title);
  if (input.edit_message_id !== undefined) return editAsUser(hub, bot, room, from, input.edit_message_id, input);
  const message: Message = {
    message_id: room.nextMessageId,
    from,
    chat: room.chat,
    date: nowSeconds(hub),
    ...forwardOf(hub, input.forward),
    ...replyOf(room, input.reply_to_message_id),
    ...contentOf(input),
    ...input.extra,
  };
  if (input.guest) {
    const summons = summon(hub, bot, message);
    saveMessage(hub, bot.id, message, guestChatKey(bot.id, input.chat_id));
    const update = pushUpdate(hub.delivery, bot.id, { guest_message: summons });
    return { message_id: message.message_id, update_id: update ?? null };
  }
  saveMessage(hub, bot.id, message);
  return { message_id: message.message_id, update_id: announce(hub, bot, message, 'message') };
}

/**
 * Presses a button as a person, or pretends to: clients can send any data, also such as no button has. The bot's answer
 * comes as an event.
 */
export function pressAsUser(hub: Hub, body: unknown): { callback_query_id: string; update_id: number | null } {
  const input = callbackInput.parse(body);
  const bot = chooseBot(hub, input.bot);
  requireOwnChat(input.chat_id, input.from.id);
  const from = rememberUser(hub, input.from);
  const room = hub.store.chats.get(chatKey(bot.id, input.chat_id));
  const message = room?.messages.get(input.message_id);
  if (!room || !message) throw badRequest('message not found');
  const author = hub.bots.find((one) => one.id === message.from?.id) ?? bot;
  const queryId = BigInt(`0x${randomBytes(8).toString('hex')}`).toString();
  record(hub.store, { type: 'callback', id: queryId, botId: author.id, atMs: hub.store.nowMs() });
  const update_id = pushUpdate(hub.delivery, author.id, {
    callback_query: { id: queryId, from, message, chat_instance: String(Math.abs(input.chat_id)), data: input.data },
  });
  return { callback_query_id: queryId, update_id: update_id ?? null };
}

/** Puts a person's reactions under a message, or takes them away. */
export function reactAsUser(hub: Hub, body: unknown): { update_id: number | null } {
  const input = reactionInput.parse(body);
  const bot = chooseBot(hub, input.bot);
  requireOwnChat(input.chat_id, input.from.id);
  const user = rememberUser(hub, input.from);
  const key = chatKey(bot.id, input.chat_id);
  const room = hub.store.chats.get(key);
  const { message_id } = input;
  if (!room?.messages.has(message_id)) throw badRequest('message not found');
  const old_reaction = hub.store.userReactions.get(`${key}/${message_id}`)?.get(user.id) ?? [];
  const new_reaction = input.emoji.map((emoji) => ({ type: 'emoji', emoji }));
  record(hub.store, { type: 'user_reaction', key, messageId: message_id, userId: user.id, reaction: new_reaction });
  const reaction = reactionsUnder(hub, key, message_id);
  tell(hub, { type: 'reaction', chat_id: input.chat_id, message_id, reaction });
  const change = { chat: room.chat, message_id, user, date: nowSeconds(hub), old_reaction, new_reaction };
  return { update_id: pushUpdate(hub.delivery, bot.id, { message_reaction: change }) ?? null };
}

/** The bot's and everybody's. */
function reactionsUnder(hub: Hub, key: string, messageId: number): unknown[] {
  const { reactions, userReactions } = hub.store;
  const place = `${key}/${messageId}`;
  return [...(reactions.get(place) ?? []), ...[...(userReactions.get(place)?.values() ?? [])].flat()];
}

/** Everything in a chat as people see it: in order, with edits applied. */
export function readAsUser(hub: Hub, chatId: number, botName?: string, isGuest = false): Record<string, unknown>[] {
  const key = (isGuest ? guestChatKey : chatKey)(chooseBot(hub, botName).id, chatId);
  const room = hub.store.chats.get(key);
  return [...(room?.messages.values() ?? [])].map((message) => ({
    ...message,
    edited: message.edit_date !== undefined,
    reactions: reactionsUnder(hub, key, message.message_id),
  }));
}

function chooseBot(hub: Hub, username: string | undefined): BotAccount {
  const bot = username === undefined ? hub.bots[0] : hub.bots.find((one) => one.username === username);
  if (!bot) throw badRequest('there is no such bot');
  return bot;
}

/** Telegram shows people as they are now, so the newest name wins. */
function rememberUser(hub: Hub, { id, username, first_name, is_bot = false, language_code }: Person): User {
  const user: User = {
    id,
    is_bot,
    first_name: first_name ?? username ?? `User ${id}`,
    ...(username ? { username } : {}),
    ...(language_code ? { language_code } : {}),
  };
  if (JSON.stringify(hub.store.users.get(id)) !== JSON.stringify(user)) record(hub.store, { type: 'user', user });
  return user;
}

/** The chat that a person writes in; comes into being with its first message. */
function enterChat(hub: Hub, bot: BotAccount, chatId: number, from: User, title?: string): ChatState {
  const { store } = hub;
  const key = chatKey(bot.id, chatId);
  requireOwnChat(chatId, from.id);
  const known = store.chats.get(key);
  const chat: Chat =
    chatId > 0
      ? {
          id: chatId,
          type: 'private',
          first_name: from.first_name,
          ...(from.username ? { username: from.username } : {}),
        }
      : { id: chatId, type: 'supergroup', title: title ?? known?.chat.title ?? GROUP_TITLE };
  if (JSON.stringify(known?.chat) !== JSON.stringify(chat)) record(store, { type: 'chat', key, chat });
  const room = store.chats.get(key)!;
  if (!room.members.has(from.id)) record(store, { type: 'member', key, userId: from.id });
  if (chatId > 0 && !botState(store, bot.id).startedBy.has(from.id)) {
    record(store, { type: 'started', botId: bot.id, userId: from.id });
  }
  return room;
}

function requireOwnChat(chatId: number, userId: number): void {
  if (chatId < 0 || chatId === userId) return;
  throw badRequest('chat_id is the id of the person (a private chat) or negative (a group)');
}

function editAsUser(
  hub: Hub,
  bot: BotAccount,
  room: ChatState,
  from: User,
  messageId: number,
  input: z.infer<typeof messageInput>,
): { message_id: number; update_id: number | null } {
  const before = room.messages.get(messageId);
  if (!before) throw badRequest('message to edit not found');
  if (before.from?.id !== from.id) throw badRequest("message can't be edited");
  const { entities: _, ...rest } = before;
  const message: Message = { ...rest, ...contentOf(input), ...input.extra, edit_date: nowSeconds(hub) };
  saveMessage(hub, bot.id, message);
  return { message_id: messageId, update_id: announce(hub, bot, message, 'edited_message') };
}

/** Tells every bot that is there: one in a private chat, all in a group. */
function announce(hub: Hub, bot: BotAccount, message: Message, kind: 'message' | 'edited_message'): number | null {
  const listeners = message.chat.type === 'private' ? [bot] : hub.bots;
  const ids = listeners.map((one) => pushUpdate(hub.delivery, one.id, { [kind]: message }));
  return ids[listeners.indexOf(bot)] ?? null;
}

function contentOf({ text: given, entities, media, extra }: z.infer<typeof messageInput>): Partial<Message> {
  // A caller who counted offsets counted them in the text as it is; otherwise blanks around it go, as in a real client.
  const text = entities ? given : given?.trim();
  if (!text) {
    if (extra || media) return { ...mediaOf(media) };
    throw badRequest('message text is empty');
  }
  if (text.length > (media ? MAX_CAPTION : MAX_TEXT)) throw badRequest('message is too long');
  const marked = markEntities(text, entities);
  const some = marked.length > 0;
  if (media) return { ...mediaOf(media), caption: text, ...(some ? { caption_entities: marked } : {}) };
  return { text, ...(some ? { entities: marked } : {}) };
}

function mediaOf(media: 'photo' | 'video' | undefined): Partial<Message> {
  const file = { file_id: 'local', file_unique_id: 'local', width: 90, height: 90 };
  if (media === 'photo') return { photo: [file] };
  return media === 'video' ? { video: { ...file, duration: 1 } } : {};
}

function replyOf(room: ChatState, id: number | undefined): Pick<Message, 'reply_to_message'> {
  if (id === undefined) return {};
  const message = room.messages.get(id);
  if (!message) throw badRequest('message to be replied not found');
  return { reply_to_message: quoted(message) };
}

function forwardOf(hub: Hub, forward: boolean | Person | undefined): Pick<Message, 'forward_origin'> {
  if (!forward) return {};
  const date = nowSeconds(hub);
  if (forward === true) return { forward_origin: { type: 'hidden_user', date, sender_user_name: 'Someone' } };
  return { forward_origin: { type: 'user', date, sender_user: rememberUser(hub, forward) } };
}
