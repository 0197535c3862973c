/** Messages in a group that one person alone sees. A bot may send them where it is an administrator; elsewhere only to answer one of their kind. */
import { z } from 'zod';
import { readText } from './entities.ts';
import { type Hub, requireChat } from './hub.ts';
import { readMarkup } from './keyboard.ts';
import type { Call, Params } from './methods.ts';
import type { ChatState } from './store.ts';
import { type BotAccount, badRequest, type Message, type User } from './wire.ts';

const FIRST_ID = 29_000_001;

const adminInput = z.object({ bot_id: z.number().int(), chat_id: z.number().int().negative(), is_admin: z.boolean() });

/** Makes a bot an administrator of a group, or none. */
export function makeAdmin(hub: Hub, body: unknown): { ok: true } {
  const { bot_id, chat_id, is_admin } = adminInput.parse(body);
  hub.admins[is_admin ? 'add' : 'delete'](`${bot_id}:${chat_id}`);
  return { ok: true };
}

/** Who alone is to see a message; undefined when everybody is. */
export function readReceiver(
  hub: Hub,
  bot: BotAccount,
  params: Params,
  { chat, members }: ChatState,
): User | undefined {
  const given = params['ephemeral_message_parameters'] as { receiver_user_id?: unknown } | undefined;
  if (given === undefined) return undefined;
  const receiver = hub.store.users.get(Number(given.receiver_user_id));
  if (chat.type !== 'supergroup') throw badRequest('ephemeral messages are not supported in the chat');
  if (!receiver || receiver.is_bot || !members.has(receiver.id)) throw badRequest('USER_NOT_PARTICIPANT');
  if (!hub.admins.has(`${bot.id}:${chat.id}`)) throw badRequest('MESSAGE_NOT_COMMAND');
  return receiver;
}

export function saveWhisper(hub: Hub, message: Message, receiver: User): Message {
  const ephemeral_message_id = FIRST_ID + hub.whispers.length;
  const whisper = { ...message, message_id: 0, receiver_user: receiver, ephemeral_message_id };
  hub.whispers.push(whisper);
  return whisper;
}

export function editEphemeralMessageText({ hub, bot, params }: Call): true {
  const { chat } = requireChat(hub, bot, params['chat_id']);
  const { text, entities } = readText(params);
  const [id, reader] = [Number(params['ephemeral_message_id']), Number(params['receiver_user_id'])];
  const index = hub.whispers.findIndex((one) => one.ephemeral_message_id === id && one.chat.id === chat.id);
  const before = hub.whispers[index];
  if (!before || before.receiver_user?.id !== reader) throw badRequest('message to edit not found');
  const { entities: _, reply_markup: __, ...rest } = before;
  const markup = readMarkup(params['reply_markup']);
  hub.whispers[index] = {
    ...rest,
    text,
    ...(entities.length > 0 ? { entities } : {}),
    ...(markup ? { reply_markup: markup } : {}),
  };
  return true;
}
