// The Telegram adapter: grammY's client around our inbox. An update leaves Telegram's hands only after it is stored here.
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Message, Update, User } from '@grammyjs/types';
import { Bot, GrammyError, HttpError, webhookCallback } from 'grammy';
import type { Ctx } from '../src/context.ts';
import { parseCommand } from '../src/domain/command.ts';
import { StartError } from '../src/domain/errors.ts';
import { telegramEventKey, telegramMessageKey } from '../src/domain/messageKey.ts';
import { noteSeen, type SeenUser } from '../src/services/connections.ts';
import { recordInbox } from '../src/services/inbox.ts';
import type { Adapter, Rendered, SendOutcome } from './adapter.ts';
import { toCommandInput } from './telegramMessage.ts';

const CALL_TIMEOUT_MS = 10_000;
const POLL_SECONDS = 30;
/** Above the long poll, so that a connection that died silently is noticed. */
const CLIENT_SECONDS = 45;
const ALLOWED_UPDATES = ['message', 'callback_query'] as const;

/** The commands that Telegram offers while somebody types. */
const MENU = [
  { command: 'tip', description: 'Tip somebody: /tip @name 5' },
  { command: 'send', description: 'Send to a person or an address: /send @name 5' },
  { command: 'balance', description: 'What you have (answered in private)' },
  { command: 'history', description: 'Your last tips (answered in private)' },
  { command: 'limits', description: 'What you may spend (answered in private)' },
  { command: 'pause', description: 'Stop all spending at once' },
  { command: 'help', description: 'How it works' },
];

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
  const { id, username } = bot.botInfo;
  const botId = String(id);
  const store = async (update: Update): Promise<void> => {
    if (await storeSurely(ctx, update, { id: botId, username })) onStored();
  };
  // For webhook mode; a failure makes Telegram repeat the update.
  bot.use(({ update }) => store(update));
  await bot.api.setMyCommands(MENU).catch((err: unknown) => ctx.log.warn({ err }, 'the command menu could not be set'));

  return {
    platform: 'telegram',
    botId,
    botUsername: username,
    send: (to, message, replyTo) =>
      outcome(async () => {
        const reply = replyTo ? { message_id: Number(replyTo), allow_sending_without_reply: true } : undefined;
        const sent = await bot.api.sendMessage(
          Number(to.chatId),
          message.text,
          { ...content(message), ...(reply ? { reply_parameters: reply } : {}) },
          timeout(),
        );
        return String(sent.message_id);
      }),
    edit: (to, messageId, message) =>
      outcome(async () => {
        await bot.api.editMessageText(Number(to.chatId), Number(messageId), message.text, content(message), timeout());
        return messageId;
      }),
    acknowledge: async (callbackId, text) => {
      await bot.api
        .answerCallbackQuery(callbackId, { text }, timeout())
        .catch((err: unknown) => ctx.log.debug({ err }, 'a button press could not be acknowledged'));
    },
    directChatUrl: () => `https://t.me/${username}?start=hi`,
    start: () => (ctx.env.TELEGRAM_WEBHOOK_URL ? listen(ctx, bot) : poll(ctx, bot, store)),
  };
}

// grammY's types want the ponyfill's signal; Node's own is the same at run time.
function timeout(): never {
  return AbortSignal.timeout(CALL_TIMEOUT_MS) as never;
}

function content(message: Rendered) {
  const entities = message.links.map(({ offset, length, url }) => ({
    type: 'text_link' as const,
    offset,
    length,
    url,
  }));
  const inline_keyboard = message.buttons.map((row) =>
    row.map((button) =>
      'token' in button ? { text: button.label, callback_data: button.token } : { text: button.label, url: button.url },
    ),
  );
  return { entities, reply_markup: { inline_keyboard }, link_preview_options: { is_disabled: true } };
}

/** Turns the client's errors into what the outbox does next. */
async function outcome(call: () => Promise<string>): Promise<SendOutcome> {
  try {
    return { kind: 'sent', messageId: await call() };
  } catch (error) {
    if (error instanceof GrammyError) return refusal(error);
    if (error instanceof HttpError) return { kind: 'later', reason: 'Telegram did not answer' };
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

const STORE_RETRY_MS = 1_000;
/** What our buttons carry; a client can send anything else. */
const BUTTON_TOKEN = /^[\w-]{1,64}$/;

/** Stores an update, however long the database is away: until then Telegram keeps it. */
async function storeSurely(ctx: Ctx, update: Update, me: { id: string; username: string }): Promise<boolean> {
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

/**
 * Asks for updates one batch after the other and names the next offset only when everything before it is stored. Stopping confirms nothing:
 * what was fetched and not stored stays at Telegram and comes again. (grammY's own `stop` confirms the update that is under way.)
 */
async function poll(ctx: Ctx, bot: Bot, store: (update: Update) => Promise<void>): Promise<void> {
  await bot.api.deleteWebhook();
  const stopping = new AbortController();
  const done = run();
  ctx.shutdown.onClose('telegram polling', () => {
    stopping.abort();
    return done;
  });
  async function run(): Promise<void> {
    let offset: number | undefined;
    while (!ctx.shutdown.closing()) {
      try {
        const next = offset === undefined ? {} : { offset };
        const updates = await bot.api.getUpdates(
          { ...next, allowed_updates: [...ALLOWED_UPDATES], timeout: POLL_SECONDS, limit: 100 },
          stopping.signal as never,
        );
        for (const update of updates) {
          await store(update);
          offset = update.update_id + 1;
        }
      } catch (err) {
        if (ctx.shutdown.closing()) return;
        const conflict = err instanceof GrammyError && err.error_code === 409;
        ctx.log.error(
          { err },
          conflict ? 'another process polls this bot; stop it' : 'polling failed; it is tried again',
        );
        await pause(POLL_RETRY_MS, stopping.signal);
      }
    }
  }
}

const POLL_RETRY_MS = 2_000;

/** Waits, or less when the process closes. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal }).catch(() => {});
}

/** Webhook mode: Telegram calls us, proves itself with the secret token, and repeats what we did not answer with 200. */
async function listen(ctx: Ctx, bot: Bot): Promise<void> {
  const { TELEGRAM_WEBHOOK_URL: url, TELEGRAM_WEBHOOK_SECRET: secret, TELEGRAM_WEBHOOK_PORT: port, HOST } = ctx.env;
  if (!url || !secret) throw new StartError('TELEGRAM_WEBHOOK_URL and TELEGRAM_WEBHOOK_SECRET go together.');
  const handle = webhookCallback(bot, 'http', { secretToken: secret, timeoutMilliseconds: 20_000, onTimeout: 'throw' });
  const path = new URL(url).pathname;
  const server = createServer((request, response) => {
    const declared = Number(request.headers['content-length'] ?? 0);
    if (request.method !== 'POST' || request.url !== path) return void response.writeHead(404).end();
    if (declared > MAX_UPDATE_BYTES) return void response.writeHead(413).end();
    handle(request, response).catch((err: unknown) => {
      ctx.log.error({ err }, 'a webhook call failed; Telegram repeats it');
      if (!response.headersSent) response.writeHead(500).end();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(portProblem(cause, port)));
    server.listen(port, HOST, resolve);
  });
  ctx.shutdown.onClose('telegram webhook', () => new Promise((resolve) => server.close(resolve)));
  await bot.api.setWebhook(url, { secret_token: secret, allowed_updates: [...ALLOWED_UPDATES] });
}

const MAX_UPDATE_BYTES = 1_048_576;

function portProblem(cause: NodeJS.ErrnoException, port: number): Error {
  if (cause.code !== 'EADDRINUSE') return cause;
  return new StartError(`Port ${port} is in use. Stop the other program or set TELEGRAM_WEBHOOK_PORT.`, { cause });
}
