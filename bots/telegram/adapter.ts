// The Telegram adapter: grammY's client, how we show and change messages, and where updates come in.
import type { Update } from '@grammyjs/types';
import { Bot, GrammyError, HttpError } from 'grammy';
import type { Ctx } from '../../src/context.ts';
import { type ChatAddress, guestQueryOf } from '../../src/domain/chat.ts';
import { StartError } from '../../src/domain/errors.ts';
import { LANGUAGES } from '../../src/domain/language.ts';
import type { Adapter, Rendered, SendOutcome } from '../adapter.ts';
import { say } from '../render/say.ts';
import { listen, POLL_SECONDS, poll } from './source.ts';
import { storeSurely } from './store.ts';
import { createWhispers, readWhisperId } from './whisper.ts';

const CALL_TIMEOUT_MS = 10_000;
/** Telegram has no idempotency key: a message that is sent again after a slow answer exists twice, and is searched (`adopt`). */
const SEND_TIMEOUT_MS = 30_000;
/** Above the long poll, so that a connection that died silently is noticed. */
const CLIENT_SECONDS = POLL_SECONDS + 15;

/** The commands that Telegram offers while a person types, where each of them works. */
const MONEY = ['tip', 'send', 'split', 'order'] as const;
const OWN = [
  'me',
  'balance',
  'deposit',
  'withdraw',
  'history',
  'limits',
  'subscriptions',
  'pause',
  'connect',
  'disconnect',
  'help',
] as const;
export const MENUS = {
  all_private_chats: [...MONEY, 'plan', 'react', ...OWN],
  all_group_chats: [...MONEY, 'leaderboard', ...OWN],
} as const;

/** One of the few emoji that a bot may react with. */
const NOT_UNDERSTOOD = { type: 'emoji', emoji: '🤔' } as const;

export type Telegram = Adapter & { start(): Promise<void> };

/**
 * Logs in and prepares the adapter.
 * @param onStored called after something new lies in the inbox
 * @throws StartError when Telegram refuses the token
 */
export async function createTelegram(ctx: Ctx, token: string, onStored: () => void): Promise<Telegram> {
  const bot = new Bot(token, { client: { apiRoot: ctx.env.TELEGRAM_API_ROOT, timeoutSeconds: CLIENT_SECONDS } });
  try {
    await bot.init();
  } catch (cause) {
    if (cause instanceof GrammyError && (cause.error_code === 401 || cause.error_code === 404)) {
      throw new StartError('Telegram refuses TELEGRAM_BOT_TOKEN. Copy the token of your bot from @BotFather again.', {
        cause,
      });
    }
    throw cause;
  }
  const whispers = createWhispers(ctx, bot);
  const { id, username } = bot.botInfo;
  const botId = String(id);
  const store = async (updates: Update[]): Promise<void> => {
    if (await storeSurely(ctx, updates, { id: botId, username })) onStored();
  };
  // For webhook mode; a failure makes Telegram repeat the update.
  bot.use(({ update }) => store([update]));
  await setMenus(bot).catch((err: unknown) => ctx.log.warn({ err }, 'the command menu could not be set'));

  return {
    platform: 'telegram',
    botId,
    botUsername: username,
    send: (to, message, replyTo) =>
      outcome(async () => {
        const query = guestQueryOf(to.chatId);
        if (query !== null) return answerGuest(bot, query, message);
        const isWhisper = message.onlyFor !== undefined && Number(to.chatId) < 0;
        if (isWhisper) {
          const whisper = { receiverId: Number(message.onlyFor), text: message.text, content: content(message) };
          const said = await whispers.send(to, { ...whisper, replyTo: ordinary(replyTo) }, timeout(SEND_TIMEOUT_MS));
          if (said !== null) return said;
        }
        const answered = ordinary(replyTo);
        const reply = answered ? { message_id: Number(answered), allow_sending_without_reply: true } : undefined;
        const sent = await bot.api.sendMessage(
          Number(to.chatId),
          message.text,
          { ...content(message), ...(reply ? { reply_parameters: reply } : {}) },
          timeout(SEND_TIMEOUT_MS),
        );
        return String(sent.message_id);
      }),
    edit: async (to, messageId, message) => {
      if (guestQueryOf(to.chatId) !== null) return editGuest(bot, messageId, message);
      const whisper = readWhisperId(messageId);
      if (whisper) return editWhisper(bot, to, whisper, messageId, message);
      return outcome(async () => {
        await bot.api.editMessageText(Number(to.chatId), Number(messageId), message.text, content(message), timeout());
        return messageId;
      });
    },
    // Only what the bot itself wrote can be edited, so this changes no other message; deleting could.
    adopt: (to, messageId, message, replyTo) =>
      outcome(async () => {
        const edited = await bot.api.editMessageText(
          Number(to.chatId),
          Number(messageId),
          message.text,
          content(message),
          timeout(),
        );
        const answered = edited === true ? undefined : edited.reply_to_message?.message_id;
        if (answered !== undefined && String(answered) !== replyTo) throw new NotOurs();
        return messageId;
      }),
    react: (to, messageId) =>
      outcome(async () => {
        await bot.api.setMessageReaction(Number(to.chatId), Number(messageId), [NOT_UNDERSTOOD], {}, timeout());
        return messageId;
      }),
    acknowledge: async (callbackId, text) => {
      await bot.api
        .answerCallbackQuery(callbackId, { text }, timeout())
        .catch((err: unknown) => ctx.log.debug({ err }, 'a button press could not be acknowledged'));
    },
    directChatUrl: (command) => `https://t.me/${username}?start=${command ?? 'hi'}`,
    connectButton: (label) => ({ label, url: `https://t.me/${username}?start=connect` }),
    currentUsername: async (userId) => {
      try {
        const chat = await bot.api.getChat(Number(userId), timeout());
        return chat.username ?? null;
      } catch (error) {
        if (error instanceof GrammyError && error.error_code === 400) return null;
        throw error;
      }
    },
    start: () => (ctx.env.TELEGRAM_WEBHOOK_URL ? listen(ctx, bot) : poll(ctx, bot, store)),
  };
}

/** What one person alone wrote in a group has no number that an answer could name. */
function ordinary(messageId: string | null): string | null {
  return messageId === '0' ? null : messageId;
}

function editWhisper(
  bot: Bot,
  { chatId }: ChatAddress,
  { receiverId, ephemeralId }: { receiverId: number; ephemeralId: number },
  messageId: string,
  message: Rendered,
): Promise<SendOutcome> {
  return outcome(async () => {
    const { api } = bot;
    const words = [message.text, content(message), timeout()] as const;
    await api.editEphemeralMessageText(Number(chatId), receiverId, ephemeralId, ...words);
    return messageId;
  });
}

/** A summons is answered once; what comes of it later is shown by editing that answer. @returns the id by which it is edited */
async function answerGuest(bot: Bot, query: string, message: Rendered): Promise<string> {
  const { entities, reply_markup, link_preview_options } = content(message);
  const result = {
    type: 'article' as const,
    id: 'answer',
    title: 'Ampersat',
    input_message_content: { message_text: message.text, entities, link_preview_options },
    reply_markup,
  };
  const sent = await bot.api.answerGuestQuery(query, result, timeout(SEND_TIMEOUT_MS));
  return sent.inline_message_id;
}

/** An answer that is gone is not given a second time. */
async function editGuest(bot: Bot, messageId: string, message: Rendered): Promise<SendOutcome> {
  const edited = await outcome(async () => {
    await bot.api.editMessageTextInline(messageId, message.text, content(message), timeout());
    return messageId;
  });
  return edited.kind === 'gone' ? { kind: 'refused', reason: 'the answer to the summons is gone' } : edited;
}

const SCOPES = ['all_private_chats', 'all_group_chats'] as const;

/** English by default, and each other language where a person's Telegram speaks it. */
async function setMenus(bot: Bot): Promise<void> {
  for (const type of SCOPES) {
    for (const language of LANGUAGES) {
      const commands = MENUS[type].map((command) => ({ command, description: say(language, `menu-${command}`) }));
      await bot.api.setMyCommands(commands, {
        scope: { type },
        ...(language === 'en' ? {} : { language_code: language }),
      });
    }
  }
}

// grammY's types want the ponyfill's signal; Node's own is the same at run time.
function timeout(ms = CALL_TIMEOUT_MS): never {
  return AbortSignal.timeout(ms) as never;
}

function content(message: Rendered) {
  const entities = message.links.map(({ offset, length, url }) => ({
    type: 'text_link' as const,
    offset,
    length,
    url: withDot(url),
  }));
  const folded = message.folded ? [{ type: 'expandable_blockquote' as const, ...message.folded }] : [];
  const inline_keyboard = message.buttons.map((row) =>
    row.map((button) =>
      'token' in button
        ? { text: button.label, callback_data: button.token }
        : { text: button.label, url: withDot(button.url) },
    ),
  );
  return {
    entities: [...folded, ...entities],
    reply_markup: { inline_keyboard },
    link_preview_options: { is_disabled: true },
  };
}

/** Telegram takes no link to `localhost`, which has no dot; pages that are opened at the address send on to the name. */
function withDot(url: string): string {
  return url.replace(/^http:\/\/localhost(?=[:/]|$)/, 'http://127.0.0.1');
}

/** A message of the bot that answers something else. */
class NotOurs extends Error {}

/** The connection was never made. */
const UNREACHED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

/** Turns the client's errors into what the outbox does next. */
async function outcome(call: () => Promise<string>): Promise<SendOutcome> {
  try {
    return { kind: 'sent', messageId: await call() };
  } catch (error) {
    if (error instanceof GrammyError) return refusal(error);
    if (error instanceof NotOurs) return { kind: 'gone' };
    if (error instanceof HttpError) {
      const isUntaken = UNREACHED.has((error.error as { code?: string }).code ?? '');
      return { kind: 'later', reason: 'Telegram did not answer', isUntaken };
    }
    return { kind: 'later', reason: 'the call to Telegram was cut off' };
  }
}

function refusal(error: GrammyError): SendOutcome {
  const { error_code: status, description, parameters } = error;
  if (/message is not modified/i.test(description)) return { kind: 'sent', messageId: '' };
  if (/message to edit not found|message can't be edited/i.test(description)) return { kind: 'gone' };
  if (status === 429)
    return { kind: 'later', reason: description, retryAfterMs: (parameters.retry_after ?? 5) * 1_000 };
  if (status >= 500) return { kind: 'later', reason: description };
  return { kind: 'refused', reason: description };
}
