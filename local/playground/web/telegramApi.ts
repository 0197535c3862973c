// Client of the local Telegram server, as its users: messages and buttons.
import { callJson, type Person } from './localApi.ts';

export type ChatUser = { id: number; is_bot?: boolean; first_name?: string; username?: string };

export type Entity = { type: string; offset: number; length: number; url?: string };

export type InlineButton = { text: string; callback_data?: string; url?: string };

/** The fields of Telegram's message that a window shows. `date` is in seconds. */
export type ChatMessage = {
  message_id: number;
  chat: { id: number };
  from?: ChatUser;
  date: number;
  edit_date?: number;
  text?: string;
  entities?: Entity[];
  reply_to_message?: { message_id: number; text?: string; from?: ChatUser };
  reply_markup?: { inline_keyboard: InlineButton[][] };
};

export function fetchMessages(url: string, chatId: number): Promise<ChatMessage[]> {
  return callJson(`${url}/_user/messages?chat_id=${chatId}`);
}

/** Sends a message as a person. @returns its ID in the chat */
export async function typeMessage(
  url: string,
  { chatId, person, text, replyTo }: { chatId: number; person: Person; text: string; replyTo: number | null },
): Promise<number> {
  const { message_id } = await callJson<{ message_id: number }>(`${url}/_user/messages`, {
    chat_id: chatId,
    from: userOf(person),
    text,
    ...(replyTo === null ? {} : { reply_to_message_id: replyTo }),
  });
  return message_id;
}

/** Presses a button below a message as a person. */
export async function pressButton(
  url: string,
  { message, person, data }: { message: ChatMessage; person: Person; data: string },
): Promise<void> {
  await callJson(`${url}/_user/callbacks`, {
    message_id: message.message_id,
    chat_id: message.chat.id,
    from: userOf(person),
    data,
  });
}

function userOf({ name, telegram }: Person) {
  return {
    id: telegram.id,
    username: telegram.username,
    first_name: name.charAt(0).toUpperCase() + name.slice(1),
  };
}
