// What every platform's adapter turns its updates into: one message or one pressed button, the same for all.
import type { CommandInput } from './command.ts';

/** Where a reply goes: a chat of one bot on one platform. */
export type ChatAddress = { platform: string; botId: string; chatId: string };

/** The chat with one person alone. Telegram gives it the person's own id; elsewhere ids of chats and of people look alike, so it is marked. */
export function directChatId(platform: string, userId: string): string {
  return platform === 'telegram' ? userId : `user:${userId}`;
}

/** Whose direct chat that is: the way back from {@link directChatId}. */
export function directChatUser(chatId: string): string {
  return chatId.replace(/^user:/, '');
}

/**
 * Where a summons to a chat without the bot is answered: the query itself is the address, because such an answer is given once and the chat
 * cannot be written to otherwise.
 */
export function guestChatId(queryId: string): string {
  return `guest:${queryId}`;
}

/** The query behind a {@link guestChatId}; null for every other chat. */
export function guestQueryOf(chatId: string): string | null {
  return /^guest:(.+)$/.exec(chatId)?.[1] ?? null;
}

/** The chat for an answer that only the sender may read. */
export function privateChatId(message: ChatMessage): string {
  if (message.privateChatId !== undefined) return message.privateChatId;
  return message.chatKind === 'dm' ? message.chatId : directChatId(message.platform, message.sender.id);
}

/** The community that a chat belongs to, where its admins may set rules: its id, and the channel with the one above it. */
export type ChatServer = { id: string; channelIds: string[] };

export type ChatMessage = ChatAddress & {
  messageId: string;
  /** Unix milliseconds at which the platform took the message. */
  sentAt: number;
  chatKind: 'group' | 'dm' | 'public';
  /** The id of the message that this one answers, in the same chat. */
  answers?: string;
  /** Set where the platform can answer one person in the middle of a chat (a Discord interaction); otherwise the direct chat is meant. */
  privateChatId?: string;
  server?: ChatServer;
  sender: { id: string; username: string | null };
  /** Set when nothing was typed: the sender reacted to another author's message, which `messageId` names. */
  byReaction?: true;
  input: CommandInput;
};

export type ChatButton = ChatAddress & {
  messageId: string;
  userId: string;
  username: string | null;
  /** The opaque token that the button carries. */
  token: string;
  /** What the platform wants back to stop its spinner. */
  callbackId: string;
};
