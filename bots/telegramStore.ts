// What of an update is kept, and that it is kept before Telegram may forget it.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Message, Update, User } from '@grammyjs/types';
import type { Ctx } from '../src/context.ts';
import { parseCommand } from '../src/domain/command.ts';
import { telegramEventKey, telegramMessageKey } from '../src/domain/messageKey.ts';
import { noteSeen, type SeenUser } from '../src/services/connections.ts';
import { recordInbox } from '../src/services/inbox.ts';
import { toCommandInput } from './telegramMessage.ts';

const STORE_RETRY_MS = 1_000;
/** What our buttons carry; a client can send anything else. */
const BUTTON_TOKEN = /^[\w-]{1,64}$/;

/** Stores an update, however long the database is away: until then Telegram keeps it. */
export async function storeSurely(ctx: Ctx, update: Update, me: { id: string; username: string }): Promise<boolean> {
  for (;;) {
    try {
      return await storeUpdate(ctx, update, me);
    } catch (err) {
      if (ctx.shutdown.closing()) throw err;
      if (isUnstorable(err)) {
        ctx.log.error({ err, update: update.update_id }, 'an update has data that cannot be stored; it is dropped');
        return false;
      }
      ctx.log.error(
        { err, update: update.update_id },
        'an update could not be stored; it is tried again, and nothing behind it is fetched',
      );
      await sleep(STORE_RETRY_MS);
    }
  }
}

/** A data error of PostgreSQL (SQLSTATE class 22) is the same at every try: it must not hold up everybody behind it. */
function isUnstorable(error: unknown): boolean {
  return /\b22[0-9A-Z]{3}\b/.test(
    `${(error as { code?: string }).code} ${String((error as { message?: string }).message)}`,
  );
}

/** Stores what of an update may concern us. @returns whether it was new and of interest */
export async function storeUpdate(ctx: Ctx, update: Update, me: { id: string; username: string }): Promise<boolean> {
  if (update.callback_query) {
    const { id: callbackId, from, data, message } = update.callback_query;
    if (!data || !message || !BUTTON_TOKEN.test(data)) return false;
    const chatId = String(message.chat.id);
    const button = {
      platform: 'telegram',
      botId: me.id,
      chatId,
      messageId: String(message.message_id),
      userId: String(from.id),
      username: from.username ?? null,
      token: data,
      callbackId,
    };
    const key = telegramEventKey(me.id, chatId, button.userId, String(update.update_id));
    return recordInbox(ctx, key, 'telegram', { kind: 'button', button }, [seenUser(from)], ctx.clock.now());
  }
  const message = update.message;
  if (!message?.from) return false;
  const input = toCommandInput(message, me);
  const command = parseCommand(input);
  const seen = usersIn(message).map(seenUser);
  const sentAt = message.date * 1_000;
  if (command.kind === 'none') {
    await ctx.db.$transaction((tx) => noteSeen(tx, 'telegram', seen, sentAt));
    return false;
  }
  const chatId = String(message.chat.id);
  const messageId = String(message.message_id);
  const key = telegramMessageKey(me.id, chatId, messageId);
  const chatMessage = {
    platform: 'telegram',
    botId: me.id,
    chatId,
    messageId,
    sentAt,
    chatKind: input.ctx.chat,
    sender: { id: String(message.from.id), username: message.from.username ?? null },
    input,
  };
  return recordInbox(ctx, key, 'telegram', { kind: 'message', message: chatMessage, command }, seen, sentAt);
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

function seenUser(user: User): SeenUser {
  return { id: String(user.id), username: user.username ?? null, isBot: user.is_bot };
}
