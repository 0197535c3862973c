// From a Telegram message to the platform-neutral input of the parser; pure.
import type { Chat, Message, User } from '@grammyjs/types';
import type { CommandInput } from '../../src/domain/command.ts';
import { readDisplayName } from '../../src/domain/displayName.ts';
import type { SeenUser } from '../../src/services/accounts/connections.ts';

/** Authors that stand for a chat, a channel or Telegram itself: money cannot go to them. */
const IMPERSONAL = new Set([777000, 1087968824, 136817688]);

export function toCommandInput(message: Message, bot: { id: string; username: string }): CommandInput {
  const repliedTo = replyAuthor(message);
  const isGuest = message.guest_query_id !== undefined;
  return {
    platform: 'telegram',
    text: message.text ?? message.caption ?? '',
    entities: message.entities ?? message.caption_entities ?? [],
    ctx: {
      // Two people's own chat may be where a guest is summoned: what is said there is read by both.
      chat: isGuest ? 'group' : chatKind(message.chat),
      bot,
      sender: { id: String(message.from?.id), username: message.from?.username, is_bot: message.from?.is_bot ?? false },
      ...(repliedTo ? { reply_to: repliedTo } : {}),
      ...(message.forward_origin ? { forwarded: true } : {}),
      ...(message.via_bot ? { via_bot: true } : {}),
      ...(message.edit_date ? { edited: true } : {}),
      ...(isGuest ? { guest: true } : {}),
      ...(message.sender_chat ? { sender_chat: true } : {}),
      ...(message.from?.language_code ? { lang: message.from.language_code } : {}),
    },
  };
}

function chatKind(chat: Chat): 'group' | 'dm' | 'public' {
  if (chat.type === 'private') return 'dm';
  return chat.type === 'channel' ? 'public' : 'group';
}

/** The author of the answered message; none for a service message, such as a new topic or a joined member. */
function replyAuthor(message: Message) {
  const replied = message.reply_to_message;
  if (!replied || isService(replied)) return undefined;
  const { from, sender_chat } = replied;
  // A channel, or a group in whose name an administrator writes: the author is hidden.
  const standsForChat = sender_chat !== undefined || (from !== undefined && isImpersonal(from.id));
  const author = from ?? sender_chat;
  if (!author) return undefined;
  const isBot = from?.is_bot === true || standsForChat;
  const username = 'username' in author ? author.username : undefined;
  return { id: String(author.id), username, is_bot: isBot, ...(standsForChat ? { sender_chat: true } : {}) };
}

export function isImpersonal(userId: number): boolean {
  return IMPERSONAL.has(userId);
}

/** Service messages carry an event instead of content. */
export function isService(message: Message): boolean {
  return Object.keys(message).some((field) =>
    /^(new_chat_|left_chat_|delete_chat_|group_chat_|supergroup_chat_|channel_chat_|migrate_|pinned_message|forum_topic_|general_forum_|video_chat_|chat_background|boost_added|message_auto_delete)/.test(
      field,
    ),
  );
}

/** Who someone is, as far as Telegram says it. */
export function seenUser(user: User): SeenUser {
  return {
    id: String(user.id),
    username: user.username ?? null,
    displayName: readDisplayName(user.first_name, user.last_name),
    isBot: user.is_bot,
    language: user.language_code,
  };
}
