// From a Telegram message to the platform-neutral input of the parser; pure.
import type { Chat, Message } from '@grammyjs/types';
import type { CommandInput } from '../src/domain/command.ts';

/** Authors that stand for a chat, a channel or Telegram itself: nobody that money could go to. */
const NOBODY = new Set([777000, 1087968824, 136817688]);

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

/** The author of the message that was answered, when that is a person's message: a new topic or a joined member is none. */
function replyAuthor(message: Message) {
  const replied = message.reply_to_message;
  if (!replied?.from || isService(replied)) return undefined;
  const standsForChat = replied.sender_chat !== undefined || isNobody(replied.from.id);
  return { id: String(replied.from.id), username: replied.from.username, is_bot: replied.from.is_bot || standsForChat };
}

export function isNobody(userId: number): boolean {
  return NOBODY.has(userId);
}

/** Service messages carry an event instead of content. */
export function isService(message: Message): boolean {
  return Object.keys(message).some((field) =>
    /^(new_chat_|left_chat_|delete_chat_|group_chat_|supergroup_chat_|channel_chat_|migrate_|pinned_message|forum_topic_|general_forum_|video_chat_|chat_background|boost_added|message_auto_delete)/.test(
      field,
    ),
  );
}
