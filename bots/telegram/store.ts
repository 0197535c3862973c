// What of an update is kept, and that it is kept before Telegram may forget it.
import { setTimeout as sleep } from 'node:timers/promises';
import type { MaybeInaccessibleMessage, Message, Update, User } from '@grammyjs/types';
import type { Ctx } from '../../src/context.ts';
import { guestChatId } from '../../src/domain/chat.ts';
import { parseCommand } from '../../src/domain/command.ts';
import { telegramEventKey, telegramGuestKey, telegramMessageKey } from '../../src/domain/messageKey.ts';
import { isUnstorable, type News } from '../../src/services/chat/inbox.ts';
import { recordGroupNews } from '../../src/services/chat/reactions.ts';
import { seenUser, toCommandInput } from './message.ts';
import { addedReactions, groupMessages } from './reaction.ts';
import { whisperId } from './whisper.ts';

const STORE_RETRY_MS = 1_000;
/** What our buttons carry; a client can send anything else. */
const BUTTON_TOKEN = /^[\w-]{1,64}$/;
/** What fits into a message key: a query of another form is not worked on. */
const GUEST_QUERY = /^-?\w{1,64}$/;

type Me = { id: string; username: string };

/** Stores updates, however long the database is away: until then Telegram keeps them. @returns whether there is new work for the bot */
export async function storeSurely(ctx: Ctx, updates: Update[], me: Me): Promise<boolean> {
  for (;;) {
    try {
      return (await storeUpdates(ctx, updates, me)) > 0;
    } catch (err) {
      if (ctx.shutdown.closing()) throw err;
      const first = updates[0]?.update_id;
      if (isUnstorable(err)) {
        if (updates.length > 1) return storeOneByOne(ctx, updates, me);
        ctx.log.error({ err, update: first }, 'an update has data that cannot be stored; it is dropped');
        return false;
      }
      ctx.log.error(
        { err, update: first, updates: updates.length },
        'updates could not be stored; they are tried again, and nothing behind them is fetched',
      );
      await sleep(STORE_RETRY_MS);
    }
  }
}

/** What cannot be stored takes nothing with it. */
async function storeOneByOne(ctx: Ctx, updates: Update[], me: Me): Promise<boolean> {
  let isNew = false;
  for (const update of updates) isNew = (await storeSurely(ctx, [update], me)) || isNew;
  return isNew;
}

/** Stores what of these updates may concern us, all or nothing. @returns how many of them are new work for the bot */
export async function storeUpdates(ctx: Ctx, updates: Update[], me: Me): Promise<number> {
  const news = updates.flatMap((update) => readUpdate(update, me, ctx.clock.now()) ?? []);
  const reactions = addedReactions(updates, me.id);
  if (news.length + reactions.length === 0) return 0;
  return (await recordGroupNews(ctx, 'telegram', { news, messages: groupMessages(updates), reactions })).size;
}

/** What is kept of an update, or null for nothing. @param now Unix milliseconds */
function readUpdate(update: Update, me: Me, now: number): News | null {
  if (update.callback_query) {
    const { id: callbackId, from, data, message } = update.callback_query;
    if (!data || !message || !BUTTON_TOKEN.test(data)) return null;
    const chatId = String(message.chat.id);
    const button = {
      platform: 'telegram',
      botId: me.id,
      chatId,
      messageId: messageIdOf(message, from),
      userId: String(from.id),
      username: from.username ?? null,
      token: data,
      callbackId,
    };
    const key = telegramEventKey(me.id, chatId, button.userId, String(update.update_id));
    return { seen: [seenUser(from)], seenAt: now, entry: { key, content: { kind: 'button', button } } };
  }
  const message = update.message ?? update.guest_message;
  if (!message?.from) return null;
  const input = toCommandInput(message, me);
  const command = parseCommand(input);
  const seen = usersIn(message).map(seenUser);
  const sentAt = message.date * 1_000;
  if (command.kind === 'none') return { seen, seenAt: sentAt, entry: null };
  const query = message.guest_query_id;
  // Without its query a summons cannot be answered, and its chat is none of ours.
  if (update.guest_message ? !GUEST_QUERY.test(query ?? '') : query !== undefined)
    return { seen, seenAt: sentAt, entry: null };
  const chatId = query === undefined ? String(message.chat.id) : guestChatId(query);
  const messageId = String(message.message_id);
  const chatMessage = {
    platform: 'telegram',
    botId: me.id,
    chatId,
    messageId,
    sentAt,
    chatKind: input.ctx.chat,
    sender: { id: String(message.from.id), username: message.from.username ?? null },
    ...(query === undefined && message.reply_to_message
      ? { answers: String(message.reply_to_message.message_id) }
      : {}),
    input,
  };
  const key = query === undefined ? keyOf(message, chatId, update, me) : telegramGuestKey(me.id, query);
  return { seen, seenAt: sentAt, entry: { key, content: { kind: 'message', message: chatMessage, command } } };
}

/** What one person alone sees has the number 0, as all of its kind: there the update is what names it. */
function keyOf({ message_id: id, from }: Message, chatId: string, { update_id: update }: Update, me: Me): string {
  if (id !== 0) return telegramMessageKey(me.id, chatId, String(id));
  return telegramEventKey(me.id, chatId, String(from?.id), String(update));
}

/** The message under which a button was pressed, as the outbox knows it. */
function messageIdOf(message: MaybeInaccessibleMessage, reader: User): string {
  const id = 'ephemeral_message_id' in message ? message.ephemeral_message_id : undefined;
  return id === undefined ? String(message.message_id) : whisperId(reader.id, id);
}

function usersIn(message: Message): User[] {
  const mentioned = [...(message.entities ?? []), ...(message.caption_entities ?? [])].flatMap((entity) =>
    entity.type === 'text_mention' ? [entity.user] : [],
  );
  const replied = message.reply_to_message?.from;
  return [message.from, replied, ...mentioned, ...(message.new_chat_members ?? [])].filter(
    (user) => user !== undefined,
  );
}
