// A person at the local Telegram server: types, presses, reads, and waits for what the bot says.
import type { LocalFile } from '../stack/localFile.ts';

export type ShownMessage = {
  message_id: number;
  date: number;
  from: { id: number; username?: string };
  text: string;
  reply_to_message?: { message_id: number };
  reply_markup?: { inline_keyboard: { text: string; callback_data?: string; url?: string }[][] };
};
/** Where the local Telegram server is, and which bot is meant. */
export type ChatServer = { platforms: { telegram: Pick<LocalFile['platforms']['telegram'], 'url' | 'bot'> } };
export type TelegramUser = { id: number; username: string };

const CALL_MS = 30_000;

async function call<T>(local: ChatServer, path: string, body?: object): Promise<T> {
  const response = await fetch(`${local.platforms.telegram.url}/_user/${path}`, {
    ...(body ? { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
    signal: AbortSignal.timeout(CALL_MS),
  });
  if (!response.ok) throw new Error(`the local Telegram server answered ${response.status} to ${path}`);
  return (await response.json()) as T;
}

export function typeMessage(local: ChatServer, from: TelegramUser, chatId: number, text: string, replyTo?: number) {
  const reply = replyTo === undefined ? {} : { reply_to_message_id: replyTo };
  return call<{ message_id: number; update_id: number }>(local, 'messages', { chat_id: chatId, from, text, ...reply });
}

export function pressButton(local: LocalFile, from: TelegramUser, chatId: number, messageId: number, data: string) {
  return call<object>(local, 'callbacks', { message_id: messageId, chat_id: chatId, from, data });
}

export async function readChat(local: LocalFile, chatId: number): Promise<ShownMessage[]> {
  return call<ShownMessage[]>(local, `messages?chat_id=${chatId}`);
}

const LOOK_MS = 20;

/** Waits until the bot's answer to a message fits. @throws Error with what was there instead */
export async function waitForAnswer(
  local: LocalFile,
  chatId: number,
  fits: (message: ShownMessage) => boolean,
  withinMs = 20_000,
): Promise<ShownMessage> {
  const bot = local.platforms.telegram.bot.id;
  // Counted in the pauses: on a busy machine each look takes longer, and so does the answer.
  for (let pausedMs = 0; ; pausedMs += LOOK_MS) {
    const said = (await readChat(local, chatId)).filter((message) => message.from.id === bot);
    const found = said.findLast(fits);
    if (found) return found;
    if (pausedMs > withinMs)
      throw new Error(`no such answer in ${withinMs / 1000} s; the last one was: ${said.at(-1)?.text ?? 'none'}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** The bot's answer to one message. */
export function answerTo(messageId: number): (message: ShownMessage) => boolean {
  return (message) => message.reply_to_message?.message_id === messageId;
}
