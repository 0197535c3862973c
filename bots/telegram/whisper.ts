// Messages in a group that one person alone sees ("ephemeral" at Telegram). A group may refuse them; then the whole group sees the reply.
import { type Bot, GrammyError } from 'grammy';
import type { Ctx } from '../../src/context.ts';
import type { ChatAddress } from '../../src/domain/chat.ts';

/** Telegram lets a bot whisper where it is an administrator, and shows no way to ask: a refusal holds for this long. */
const REFUSED_MS = 3_600_000;
const MOST_CHATS = 10_000;

type Content = Omit<Parameters<Bot['api']['sendMessage']>[2] & object, 'ephemeral_message_parameters'>;
export type Whisper = { receiverId: number; text: string; content: Content; replyTo: string | null };

export type Whispers = {
  /** @returns how the outbox knows the message, or null where Telegram takes none: then nothing was sent */
  send(to: ChatAddress, whisper: Whisper, signal: never): Promise<string | null>;
};

export function createWhispers(ctx: Ctx, bot: Bot): Whispers {
  /** By chat, until when none is tried. */
  const refused = new Map<string, number>();
  return {
    async send({ chatId }, { receiverId, text, content, replyTo }, signal) {
      if ((refused.get(chatId) ?? 0) > ctx.clock.now()) return null;
      const reply = replyTo === null ? {} : { reply_parameters: { message_id: Number(replyTo) } };
      try {
        const more = { ...content, ...reply, ephemeral_message_parameters: { receiver_user_id: receiverId } };
        const sent = await bot.api.sendMessage(Number(chatId), text, more, signal);
        // An older server has no such messages and has sent it to the whole group.
        const { ephemeral_message_id: id } = sent;
        return id === undefined ? String(sent.message_id) : whisperId(receiverId, id);
      } catch (error) {
        if (!(error instanceof GrammyError) || error.error_code !== 400) throw error;
        if (/message to be replied not found/i.test(error.description)) return null;
        refused.delete(chatId);
        refused.set(chatId, ctx.clock.now() + REFUSED_MS);
        for (const oldest of refused.keys()) {
          if (refused.size <= MOST_CHATS) break;
          refused.delete(oldest);
        }
        return null;
      }
    },
  };
}

/** How the outbox and a pressed button name such a message: its own number is 0, and its other one counts for its reader. */
export function whisperId(receiverId: number, ephemeralId: number): string {
  return `whisper:${receiverId}:${ephemeralId}`;
}

export function readWhisperId(messageId: string): { receiverId: number; ephemeralId: number } | null {
  const match = /^whisper:(\d+):(\d+)$/.exec(messageId);
  return match ? { receiverId: Number(match[1]), ephemeralId: Number(match[2]) } : null;
}
