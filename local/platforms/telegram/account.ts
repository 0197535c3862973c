/** The Bot API methods about the bot itself, its updates and its chats. */
import { requireChat } from './hub.ts';
import type { Call } from './methods.ts';
import { botState, record } from './store.ts';
import { chooseUpdates, dropPending, pollUpdates, setWebhook } from './updates.ts';
import { type BotCommand, badRequest, type Update, type User, userOf } from './wire.ts';

/** A result with the sentence that Telegram puts beside it. */
export type Described = { result: unknown; description: string };

export function getMe({ bot }: Call): User & Record<string, unknown> {
  return {
    ...userOf(bot),
    can_join_groups: true,
    can_read_all_group_messages: true,
    supports_guest_queries: true,
    supports_inline_queries: false,
    can_connect_to_business: false,
    has_main_web_app: false,
  };
}

export function getUpdates({ hub, bot, params, gone }: Call): Promise<Update[]> {
  chooseUpdates(hub.store, bot.id, params['allowed_updates']);
  const poll = {
    offset: integer(params['offset'], 0),
    limit: integer(params['limit'], 100),
    timeout: integer(params['timeout'], 0),
  };
  return pollUpdates(hub.delivery, bot.id, poll, gone);
}

export function setWebhookMethod(call: Call): Described {
  const { hub, bot, params } = call;
  const url = String(params['url'] ?? '');
  if (url === '') return deleteWebhook(call);
  if (!isWebhookUrl(url)) throw badRequest('bad webhook: An HTTPS URL must be provided for webhook');
  const secret = params['secret_token'];
  if (secret !== undefined && !/^[\w-]{1,256}$/.test(String(secret))) {
    throw badRequest('secret token contains unallowed characters');
  }
  chooseUpdates(hub.store, bot.id, params['allowed_updates']);
  if (params['drop_pending_updates'] === true) dropPending(hub.store, bot.id);
  const webhook = {
    url,
    maxConnections: integer(params['max_connections'], 40),
    ...(secret === undefined ? {} : { secretToken: String(secret) }),
  };
  const same = JSON.stringify(botState(hub.store, bot.id).webhook) === JSON.stringify(webhook);
  if (same) return { result: true, description: 'Webhook is already set' };
  setWebhook(hub.delivery, bot.id, webhook);
  return { result: true, description: 'Webhook was set' };
}

export function deleteWebhook({ hub, bot, params }: Call): Described {
  if (params['drop_pending_updates'] === true) dropPending(hub.store, bot.id);
  const wasSet = botState(hub.store, bot.id).webhook !== null;
  if (wasSet) setWebhook(hub.delivery, bot.id, null);
  return { result: true, description: wasSet ? 'Webhook was deleted' : 'Webhook is already deleted' };
}

export function getWebhookInfo({ hub, bot }: Call): Record<string, unknown> {
  const { webhook, pending, allowedUpdates } = botState(hub.store, bot.id);
  const lastError = hub.delivery.webhooks.get(bot.id)?.lastError;
  return {
    url: webhook?.url ?? '',
    has_custom_certificate: false,
    pending_update_count: pending.length,
    ...(webhook ? { max_connections: webhook.maxConnections } : {}),
    ...(lastError ? { last_error_date: lastError.date, last_error_message: lastError.message } : {}),
    ...(allowedUpdates ? { allowed_updates: allowedUpdates } : {}),
  };
}

export function setMyCommands({ hub, bot, params }: Call): true {
  const commands = params['commands'];
  if (!Array.isArray(commands)) throw badRequest("can't parse commands: expected an Array of BotCommand");
  if (commands.length > 100) throw badRequest('BOT_COMMANDS_TOO_MUCH');
  const read = commands.map(readCommand);
  record(hub.store, { type: 'commands', botId: bot.id, scope: scopeOf(params), commands: read });
  return true;
}

export function getMyCommands({ hub, bot, params }: Call): BotCommand[] {
  return botState(hub.store, bot.id).commands.get(scopeOf(params)) ?? [];
}

export function deleteMyCommands({ hub, bot, params }: Call): true {
  record(hub.store, { type: 'commands', botId: bot.id, scope: scopeOf(params), commands: null });
  return true;
}

export function getChat({ hub, bot, params }: Call): Record<string, unknown> {
  const { chat } = requireChat(hub, bot, params['chat_id']);
  return {
    ...chat,
    ...(chat.username ? { active_usernames: [chat.username] } : {}),
    accent_color_id: Math.abs(chat.id) % 7,
    max_reaction_count: 11,
    accepted_gift_types: {
      unlimited_gifts: true,
      limited_gifts: true,
      unique_gifts: true,
      premium_subscription: true,
      gifts_from_channels: true,
    },
  };
}

export function getChatMember({ hub, bot, params }: Call): Record<string, unknown> {
  const { members, chat } = requireChat(hub, bot, params['chat_id']);
  const id = integer(params['user_id'], 0);
  const itself = id === bot.id ? userOf(bot) : undefined;
  const user = itself ?? hub.store.users.get(id);
  if (!user) throw badRequest('user not found');
  const isMember = itself !== undefined || members.has(id) || chat.id === id;
  return { status: isMember ? 'member' : 'left', user };
}

/** Telegram takes https only; here a bot on this very machine may listen on plain http. */
function isWebhookUrl(text: string): boolean {
  try {
    const { protocol, hostname } = new URL(text);
    return protocol === 'https:' || (protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname));
  } catch {
    return false;
  }
}

function readCommand(value: unknown): BotCommand {
  const { command, description } = (value ?? {}) as Partial<BotCommand>;
  if (typeof command !== 'string' || !/^\/?[a-z0-9_]{1,32}$/.test(command)) throw badRequest('BOT_COMMAND_INVALID');
  if (typeof description !== 'string' || description === '' || description.length > 256) {
    throw badRequest('BOT_COMMAND_DESCRIPTION_INVALID');
  }
  return { command: command.replace('/', ''), description };
}

function scopeOf(params: Call['params']): string {
  return JSON.stringify([params['scope'] ?? { type: 'default' }, params['language_code'] ?? '']);
}

function integer(value: unknown, otherwise: number): number {
  const number = Number(value ?? otherwise);
  return Number.isInteger(number) ? number : otherwise;
}
