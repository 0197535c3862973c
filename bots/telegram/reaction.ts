// What a tip by reaction needs of Telegram's updates: the authors of messages in a group, and added emoji; pure.
import type { Chat, Message, MessageReactionUpdated, Update } from '@grammyjs/types';
import { telegramReactionKey } from '../../src/domain/messageKey.ts';
import type { GroupMessage, Reaction } from '../../src/services/chat/reactions.ts';
import { isImpersonal, isService, seenUser } from './message.ts';

/** The messages of groups among these updates. */
export function groupMessages(updates: Update[]): GroupMessage[] {
  return updates.flatMap(({ message }) => {
    if (!message?.from || !isGroup(message.chat) || message.guest_query_id !== undefined) return [];
    if (message.message_id === 0) return [];
    const { chat, message_id, from, date } = message;
    const ids = { chatId: String(chat.id), messageId: String(message_id), authorId: String(from.id) };
    return [{ ...ids, isPayable: isOfPerson(message), at: date * 1_000 }];
  });
}

/** The reactions that people added in groups. A group or a channel that reacts cannot pay. */
export function addedReactions(updates: Update[], botId: string): Reaction[] {
  return updates.flatMap(({ message_reaction: change }) => {
    if (!change?.user || change.user.is_bot || change.actor_chat || !isGroup(change.chat)) return [];
    const emojis = added(change);
    if (emojis.length === 0) return [];
    const { chat, message_id, user, date } = change;
    const [chatId, messageId, userId] = [String(chat.id), String(message_id), String(user.id)];
    const key = telegramReactionKey(botId, chatId, userId, messageId);
    return [{ key, platform: 'telegram', botId, chatId, messageId, user: seenUser(user), emojis, at: date * 1_000 }];
  });
}

function added({ old_reaction: before, new_reaction: after }: MessageReactionUpdated): string[] {
  const had = new Set(before.map((one) => (one.type === 'emoji' ? one.emoji : '')));
  return after.flatMap((one) => (one.type === 'emoji' && !had.has(one.emoji) ? [one.emoji] : []));
}

function isGroup({ type }: Chat): boolean {
  return type === 'group' || type === 'supergroup';
}

function isOfPerson(message: Message): boolean {
  const { from, sender_chat } = message;
  return from !== undefined && !from.is_bot && !sender_chat && !isImpersonal(from.id) && !isService(message);
}
