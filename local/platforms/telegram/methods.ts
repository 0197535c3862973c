/** The Bot API methods about messages, with Telegram's own answers and error texts. */
import { readText } from './entities.ts';
import { requireInline } from './guests.ts';
import { type Hub, nowSeconds, quoted, requireChat, requireWritableChat, saveMessage, tell } from './hub.ts';
import { readMarkup } from './keyboard.ts';
import { type ChatState, chatKey, record } from './store.ts';
import { readReceiver, saveWhisper } from './whispers.ts';
import { type BotAccount, badRequest, type Entity, type Markup, type Message, userOf } from './wire.ts';

const DELETE_LIMIT_SECONDS = 48 * 60 * 60;
/** How long the press of a button may be answered. */
const CALLBACK_LIFETIME_MS = 15 * 60 * 1000;
const NOT_MODIFIED =
  'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message';
const ACTIONS = new Set([
  'typing',
  'upload_photo',
  'record_video',
  'upload_video',
  'record_voice',
  'upload_voice',
  'upload_document',
  'choose_sticker',
  'find_location',
  'record_video_note',
  'upload_video_note',
]);

export type Params = Record<string, unknown>;
export type Call = {
  hub: Hub;
  bot: BotAccount;
  params: Params;
  /** Aborts when the caller has hung up. */
  gone: AbortSignal;
};

export function sendMessage({ hub, bot, params }: Call): Message {
  const chat = requireWritableChat(hub, bot, params['chat_id']);
  const { text, entities } = readText(params);
  const markup = readMarkup(params['reply_markup']);
  const answered = readReply(params, chat);
  const receiver = readReceiver(hub, bot, params, chat);
  const message: Message = {
    message_id: chat.nextMessageId,
    from: userOf(bot),
    chat: chat.chat,
    date: nowSeconds(hub),
    ...(answered ? { reply_to_message: quoted(answered) } : {}),
    text,
    ...(entities.length > 0 ? { entities } : {}),
    ...preview(params),
    ...(markup ? { reply_markup: markup } : {}),
    ...(params['protect_content'] === true ? { has_protected_content: true } : {}),
  };
  if (receiver) return saveWhisper(hub, message, receiver);
  saveMessage(hub, bot.id, message);
  return message;
}

export function editMessageText(call: Call): Message | true {
  const { hub, bot, params } = call;
  const { text, entities } = readText(params);
  if (params['inline_message_id'] !== undefined) {
    const { key, message } = requireInline(call);
    const next = { text, entities, markup: readMarkup(params['reply_markup']) };
    saveEdit(hub, bot, message, next, preview(params), key);
    return true;
  }
  const message = requireOwn(hub, bot, params);
  return saveEdit(hub, bot, message, { text, entities, markup: readMarkup(params['reply_markup']) }, preview(params));
}

export function editMessageReplyMarkup({ hub, bot, params }: Call): Message {
  const message = requireOwn(hub, bot, params);
  const { text = '', entities = [] } = message;
  return saveEdit(hub, bot, message, { text, entities, markup: readMarkup(params['reply_markup']) }, {});
}

export function deleteMessage({ hub, bot, params }: Call): true {
  const chat = requireChat(hub, bot, params['chat_id']);
  const message = chat.messages.get(readMessageId(params));
  if (!message) throw badRequest('message to delete not found');
  const foreign = message.from?.id !== bot.id && chat.chat.type !== 'private';
  if (foreign || nowSeconds(hub) - message.date > DELETE_LIMIT_SECONDS) throw badRequest("message can't be deleted");
  const { message_id } = message;
  record(hub.store, { type: 'delete', key: chatKey(bot.id, chat.chat.id), messageId: message_id });
  tell(hub, { type: 'deleted_message', chat_id: chat.chat.id, message_id });
  return true;
}

export function setMessageReaction({ hub, bot, params }: Call): true {
  const chat = requireChat(hub, bot, params['chat_id']);
  const message = chat.messages.get(readMessageId(params));
  if (!message) throw badRequest('message to react not found');
  const reaction = params['reaction'] ?? [];
  if (!Array.isArray(reaction)) throw badRequest("can't parse reaction types JSON object");
  if (reaction.length > 1) throw badRequest('REACTIONS_TOO_MANY');
  if (reaction.some((one) => one?.type !== 'emoji' || typeof one.emoji !== 'string' || one.emoji === '')) {
    throw badRequest('REACTION_INVALID');
  }
  const { message_id } = message;
  record(hub.store, { type: 'reaction', key: chatKey(bot.id, chat.chat.id), messageId: message_id, reaction });
  tell(hub, { type: 'reaction', chat_id: chat.chat.id, message_id, reaction });
  return true;
}

export function sendChatAction({ hub, bot, params }: Call): true {
  requireWritableChat(hub, bot, params['chat_id']);
  if (!ACTIONS.has(String(params['action']))) throw badRequest('wrong parameter action in request');
  return true;
}

export function answerCallbackQuery({ hub, bot, params }: Call): true {
  const id = String(params['callback_query_id'] ?? '');
  const callback = hub.store.callbacks.get(id);
  const text = params['text'];
  if (!callback || callback.botId !== bot.id || hub.store.nowMs() - callback.atMs > CALLBACK_LIFETIME_MS) {
    throw badRequest('query is too old and response timeout expired or query ID is invalid');
  }
  if (typeof text === 'string' && text.length > 200) throw badRequest('MESSAGE_TOO_LONG');
  record(hub.store, { type: 'answered', id });
  tell(hub, {
    type: 'callback_answer',
    callback_query_id: id,
    ...(typeof text === 'string' ? { text } : {}),
    show_alert: params['show_alert'] === true,
  });
  return true;
}

function readReply(params: Params, chat: ChatState): Message | undefined {
  const reply = params['reply_parameters'] as
    | { message_id?: unknown; allow_sending_without_reply?: unknown }
    | undefined;
  const id = Number(reply?.message_id ?? params['reply_to_message_id'] ?? 0);
  if (id === 0) return undefined;
  const message = chat.messages.get(id);
  const optional = reply?.allow_sending_without_reply ?? params['allow_sending_without_reply'];
  if (!message && optional !== true) throw badRequest('message to be replied not found');
  return message;
}

function readMessageId(params: Params): number {
  const id = Number(params['message_id'] ?? 0);
  if (!Number.isInteger(id) || id === 0) throw badRequest('message identifier is not specified');
  return id;
}

function requireOwn(hub: Hub, bot: BotAccount, params: Params): Message {
  const id = readMessageId(params);
  const message = requireChat(hub, bot, params['chat_id']).messages.get(id);
  if (!message) throw badRequest('message to edit not found');
  if (message.from?.id !== bot.id) throw badRequest("message can't be edited");
  return message;
}

function saveEdit(
  hub: Hub,
  bot: BotAccount,
  message: Message,
  next: { text: string; entities: Entity[]; markup: Markup | undefined },
  more: Partial<Message>,
  key?: string,
): Message {
  const { entities: _, reply_markup: __, ...rest } = message;
  const before = [message.text, message.entities ?? [], message.reply_markup ?? null];
  const after = [next.text, next.entities, next.markup ?? null];
  if (JSON.stringify(before) === JSON.stringify(after)) throw badRequest(NOT_MODIFIED);
  const edited: Message = {
    ...rest,
    ...more,
    text: next.text,
    edit_date: nowSeconds(hub),
    ...(next.entities.length > 0 ? { entities: next.entities } : {}),
    ...(next.markup ? { reply_markup: next.markup } : {}),
  };
  saveMessage(hub, bot.id, edited, key);
  return edited;
}

function preview(params: Params): Partial<Message> {
  const options = params['link_preview_options'];
  return typeof options === 'object' && options !== null ? { link_preview_options: { ...options } } : {};
}
