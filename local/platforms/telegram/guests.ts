/** Guest mode: a bot is summoned in a chat where it is no member, may answer that once, and may edit its answer. */
import { randomBytes } from 'node:crypto';
import { markEntities, readEntities } from './entities.ts';
import { type Hub, nowSeconds, quoted, saveMessage } from './hub.ts';
import { readMarkup } from './keyboard.ts';
import type { Call } from './methods.ts';
import { type ChatState, record } from './store.ts';
import { type BotAccount, badRequest, type Chat, type Message, type User, userOf } from './wire.ts';

/** How long a summons may be answered; Telegram names no figure. */
const QUERY_LIFETIME_MS = 60_000;
const MAX_TEXT = 4_096;
const TOO_OLD = 'query is too old and response timeout expired or query ID is invalid';

/** A chat without the bot: no method finds it by its id, also where a chat of the bot's own has the same. */
export function guestChatKey(botId: number, chatId: number): string {
  return `guest:${botId}:${chatId}`;
}

/** The chat that people write in without the bot; comes into being with its first message. */
export function enterGuestChat(hub: Hub, bot: BotAccount, chatId: number, from: User, title: string): ChatState {
  const key = guestChatKey(bot.id, chatId);
  const chat: Chat =
    chatId > 0
      ? { id: chatId, type: 'private', first_name: from.first_name }
      : { id: chatId, type: 'supergroup', title: hub.store.chats.get(key)?.chat.title ?? title };
  if (!hub.store.chats.has(key)) record(hub.store, { type: 'chat', key, chat });
  const room = hub.store.chats.get(key)!;
  if (!room.members.has(from.id)) record(hub.store, { type: 'member', key, userId: from.id });
  return room;
}

/** Gives a message a query by which the bot can answer it, once. */
export function summon(hub: Hub, bot: BotAccount, message: Message): Message {
  const id = BigInt(`0x${randomBytes(8).toString('hex')}`).toString();
  const key = guestChatKey(bot.id, message.chat.id);
  const { message_id: messageId } = message;
  record(hub.store, { type: 'guest', id, botId: bot.id, key, messageId, atMs: hub.store.nowMs() });
  return { ...message, guest_query_id: id };
}

export function answerGuestQuery({ hub, bot, params }: Call): { inline_message_id: string } {
  const id = String(params['guest_query_id'] ?? '');
  const query = hub.store.guests.get(id);
  const late = !query || hub.store.nowMs() - query.atMs > QUERY_LIFETIME_MS;
  if (late || query.botId !== bot.id || query.answer) throw badRequest(TOO_OLD);
  const { text, entities, preview } = readArticle(params['result']);
  const markup = readMarkup((params['result'] as { reply_markup?: unknown }).reply_markup);
  const room = hub.store.chats.get(query.key)!;
  const summons = room.messages.get(query.messageId);
  const message: Message = {
    message_id: room.nextMessageId,
    from: userOf(bot),
    chat: room.chat,
    date: nowSeconds(hub),
    ...(summons ? { guest_bot_caller_user: summons.from, reply_to_message: quoted(summons) } : {}),
    text,
    ...(entities.length > 0 ? { entities } : {}),
    ...preview,
    ...(markup ? { reply_markup: markup } : {}),
  };
  const inlineId = randomBytes(18).toString('base64url');
  record(hub.store, { type: 'guest_answer', id, inlineId, messageId: message.message_id });
  saveMessage(hub, bot.id, message, query.key);
  return { inline_message_id: inlineId };
}

/** The message behind an `inline_message_id`, and the chat that it stands in. */
export function requireInline({ hub, bot, params }: Call): { key: string; message: Message } {
  const inlineId = params['inline_message_id'];
  const query = [...hub.store.guests.values()].find(({ answer }) => answer?.inlineId === inlineId);
  const message = query && hub.store.chats.get(query.key)?.messages.get(query.answer?.messageId ?? 0);
  if (!query || !message || query.botId !== bot.id) throw badRequest('MESSAGE_ID_INVALID');
  return { key: query.key, message };
}

/** The one kind of result that this server takes: an article with a text. */
function readArticle(value: unknown) {
  const result = value as { type?: unknown; id?: unknown; title?: unknown; input_message_content?: unknown } | null;
  if (typeof result !== 'object' || result === null) throw badRequest("can't parse inline query result");
  const { type, id, title, input_message_content: content } = result;
  if (type !== 'article') throw badRequest(`inline query results of type ${String(type)} are not known here`);
  if (typeof id !== 'string' || id === '' || Buffer.byteLength(id) > 64) throw badRequest('RESULT_ID_INVALID');
  if (typeof title !== 'string' || title === '') throw badRequest('ARTICLE_TITLE_EMPTY');
  if (typeof content !== 'object' || content === null) throw badRequest('input message content is not specified');
  const { message_text: text, entities, link_preview_options: options } = content as Record<string, unknown>;
  if (typeof text !== 'string' || text.trim() === '') throw badRequest('message text is empty');
  if (text.length > MAX_TEXT) throw badRequest('message is too long');
  const preview = typeof options === 'object' && options !== null ? { link_preview_options: { ...options } } : {};
  return { text, entities: markEntities(text, readEntities(entities)), preview };
}
