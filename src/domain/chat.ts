// What every platform's adapter turns its updates into: one message or one pressed button, the same for all.
import type { CommandInput } from './command.ts';

/** Where a reply goes: a chat of one bot on one platform. */
export type ChatAddress = { platform: string; botId: string; chatId: string };

export type ChatMessage = ChatAddress & {
  messageId: string;
  /** Unix milliseconds at which the platform took the message. */
  sentAt: number;
  chatKind: 'group' | 'dm' | 'public';
  sender: { id: string; username: string | null };
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
