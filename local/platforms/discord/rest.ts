/** Discord's REST API v10, as far as a bot needs it: each route with its rate limits in the headers. */
import {
  type APIApplication,
  type APIApplicationCommand,
  type APIGatewayBotInfo,
  type APIGuild,
  type APIUser,
  ApplicationWebhookEventStatus,
  Locale,
} from 'discord.js';
import { z } from 'zod';
import { channelOf, type Hub } from './hub.ts';
import { answerInteraction, deleteAnswer, editAnswer, followUp, readAnswer } from './interactions.ts';
import { createMessage, editMessage, listMessages, removeMessage, requireMessage, requireOwnRoom } from './messages.ts';
import { directRoom, react } from './people.ts';
import { put } from './store.ts';
import {
  badForm,
  botUser,
  closedToBots,
  DiscordError,
  missingAccess,
  noFlags,
  plainUser,
  unknownUser,
} from './wire.ts';

export type Call = { hub: Hub; path: string[]; query: URLSearchParams; body: unknown; origin: string };
export type Route = {
  operation: string;
  method: string;
  pattern: RegExp;
  /** Whether it needs no bot token: its own token stands in the path. */
  isOpen?: boolean;
  run(call: Call): unknown;
};

const at = (path: string) => new RegExp(`^/api/v10${path.replaceAll('*', '([^/]+)')}$`);
const part = (call: Call, index: number) => decodeURIComponent(call.path[index] ?? '');

export const ROUTES: Route[] = [
  { operation: 'get_my_user', method: 'GET', pattern: at('/users/@me'), run: ({ hub }) => self(hub) },
  {
    operation: 'get_my_application',
    method: 'GET',
    pattern: at('/applications/@me'),
    run: ({ hub }) => application(hub),
  },
  { operation: 'get_bot_gateway', method: 'GET', pattern: at('/gateway/bot'), run: gatewayInformation },
  {
    operation: 'list_application_commands',
    method: 'GET',
    pattern: at('/applications/*/commands'),
    run: ({ hub }) => [...hub.store.commands.values()],
  },
  {
    operation: 'bulk_set_application_commands',
    method: 'PUT',
    pattern: at('/applications/*/commands'),
    run: setCommands,
  },
  {
    operation: 'create_interaction_response',
    method: 'POST',
    pattern: at('/interactions/*/*/callback'),
    isOpen: true,
    run: (call) => answerInteraction(call.hub, part(call, 0), part(call, 1), call.body),
  },
  {
    operation: 'execute_webhook',
    method: 'POST',
    pattern: at('/webhooks/*/*'),
    isOpen: true,
    run: (call) => followUp(call.hub, part(call, 0), part(call, 1), call.body),
  },
  ...(['@original', '*'] as const).flatMap((message): Route[] => {
    const name = message === '*' ? 'webhook_message' : 'original_webhook_message';
    // Clients write the @ as it is or as %40.
    const pattern = at(`/webhooks/*/*/messages/${message.replace('@', '(?:@|%40)')}`);
    const idOf = (call: Call) => (message === '*' ? part(call, 2) : message);
    return [
      {
        operation: `get_${name}`,
        method: 'GET',
        pattern,
        isOpen: true,
        run: (call) => readAnswer(call.hub, part(call, 0), part(call, 1), idOf(call)),
      },
      {
        operation: `update_${name}`,
        method: 'PATCH',
        pattern,
        isOpen: true,
        run: (call) => editAnswer(call.hub, part(call, 0), part(call, 1), idOf(call), call.body),
      },
      {
        operation: `delete_${name}`,
        method: 'DELETE',
        pattern,
        isOpen: true,
        run: (call) => deleteAnswer(call.hub, part(call, 0), part(call, 1), idOf(call)),
      },
    ];
  }),
  { operation: 'create_dm', method: 'POST', pattern: at('/users/@me/channels'), run: openDirectChat },
  { operation: 'get_user', method: 'GET', pattern: at('/users/*'), run: (call) => user(call.hub, part(call, 0)) },
  { operation: 'get_guild', method: 'GET', pattern: at('/guilds/*'), run: (call) => guild(call.hub, part(call, 0)) },
  {
    operation: 'get_channel',
    method: 'GET',
    pattern: at('/channels/*'),
    run: (call) => channelOf(call.hub, requireOwnRoom(call.hub, part(call, 0))),
  },
  {
    operation: 'list_messages',
    method: 'GET',
    pattern: at('/channels/*/messages'),
    run: (call) => listMessages(call.hub, part(call, 0), call.query),
  },
  {
    operation: 'create_message',
    method: 'POST',
    pattern: at('/channels/*/messages'),
    run: (call) => createMessage(call.hub, part(call, 0), call.body),
  },
  {
    operation: 'get_message',
    method: 'GET',
    pattern: at('/channels/*/messages/*'),
    run: (call) => requireSeen(call).message,
  },
  {
    operation: 'update_message',
    method: 'PATCH',
    pattern: at('/channels/*/messages/*'),
    run: (call) => editMessage(call.hub, requireSeen(call), call.body),
  },
  {
    operation: 'delete_message',
    method: 'DELETE',
    pattern: at('/channels/*/messages/*'),
    run: (call) => removeMessage(call.hub, requireSeen(call)),
  },
  ...(['PUT', 'DELETE'] as const).map(
    (method): Route => ({
      operation: method === 'PUT' ? 'add_my_message_reaction' : 'delete_my_message_reaction',
      method,
      pattern: at('/channels/*/messages/*/reactions/*/@me'),
      run: (call) => react(call.hub, requireSeen(call), call.hub.bot.id, part(call, 2), method === 'PUT'),
    }),
  ),
];

/** What one person alone sees is not in the channel for others, the bot included. */
function requireSeen(call: Call) {
  requireOwnRoom(call.hub, part(call, 0));
  const kept = requireMessage(call.hub, part(call, 0), part(call, 1));
  if (kept.visibleTo !== null) throw new DiscordError(404, 10_008, 'Unknown Message');
  return kept;
}

function self(hub: Hub): APIUser {
  return { ...botUser(hub.bot), mfa_enabled: false, locale: 'en-US', verified: true, email: null };
}

/** Discord sends more of a bot's own application than the client's types know. */
function application(hub: Hub): APIApplication & Record<string, unknown> {
  const { id, username } = hub.bot;
  return {
    id,
    name: username,
    icon: null,
    description: '',
    summary: '',
    bot_public: true,
    bot_require_code_grant: false,
    type: null,
    flags: noFlags(),
    flags_new: '0',
    bot: botUser(hub.bot),
    owner: plainUser(hub.guild.ownerId, 'owner'),
    verify_key: '00'.repeat(32),
    redirect_uris: [],
    interactions_endpoint_url: null,
    role_connections_verification_url: null,
    event_webhooks_status: ApplicationWebhookEventStatus.Disabled,
    approximate_guild_count: 1,
    approximate_user_install_count: 0,
    approximate_user_authorization_count: 0,
    explicit_content_filter: 0,
    team: null,
    eligible_oauth2_scopes: [],
  };
}

function gatewayInformation({ origin }: Call): APIGatewayBotInfo {
  return {
    url: origin.replace(/^http/, 'ws'),
    shards: 1,
    session_start_limit: { total: 1_000, remaining: 1_000, reset_after: 86_400_000, max_concurrency: 1 },
  };
}

const description = z.string().min(1).max(100);
const LOCALE = /^[a-z]{2}(?:-(?:[A-Z]{2}|419))?$/;
const localized = <T extends z.ZodType>(text: T) => z.record(z.string().regex(LOCALE), text).nullish();
const option = z.looseObject({
  type: z.number().int(),
  name: z.string().regex(/^[\p{Ll}\p{N}_-]{1,32}$/u),
  description,
  description_localizations: localized(description),
});
const command = z.looseObject({
  name: z.string().min(1).max(32),
  type: z.number().int().min(1).max(3).default(1),
  name_localizations: localized(z.string().min(1).max(32)),
  description: z.string().max(100).default(''),
  description_localizations: localized(description),
  options: z.array(option).max(25).optional(),
});

/** Replaces all commands; those that stay the same keep their ids. */
function setCommands({ hub, body }: Call): APIApplicationCommand[] {
  const parsed = z
    .array(command)
    .max(130)
    .safeParse(body ?? []);
  if (!parsed.success) throw badForm(z.prettifyError(parsed.error));
  const before = [...hub.store.commands.values()];
  const next = parsed.data.map((one, index) => {
    const known = before.find(({ name, type }) => name === one.name && type === one.type);
    const id = known?.id ?? `${hub.bot.id.slice(0, -3)}${String(before.length + index + 1).padStart(3, '0')}`;
    return { ...one, id, application_id: hub.bot.id, version: id, default_member_permissions: permissions(one) };
  }) as unknown as APIApplicationCommand[];
  for (const { id } of before) put(hub.store, 'command', id, null);
  for (const one of next) put(hub.store, 'command', one.id, one);
  return next;
}

function permissions({ default_member_permissions: given }: Record<string, unknown>): string | null {
  return given === null || given === undefined ? null : String(given);
}

function openDirectChat({ hub, body }: Call) {
  const { recipient_id: id } = (body ?? {}) as { recipient_id?: unknown };
  if (typeof id !== 'string' || !hub.store.users.has(id)) throw unknownUser();
  if (hub.store.users.get(id)?.bot) throw closedToBots();
  return channelOf(hub, directRoom(hub, id));
}

function user(hub: Hub, id: string): APIUser {
  if (id === hub.bot.id) return botUser(hub.bot);
  const found = hub.store.users.get(id);
  if (!found) throw unknownUser();
  return found;
}

function guild(hub: Hub, id: string): APIGuild {
  if (id !== hub.guild.id) throw missingAccess();
  return guildOf(hub);
}

/** The one server where people meet. */
export function guildOf({ guild: { id, name, ownerId } }: Hub): APIGuild {
  return {
    id,
    name,
    icon: null,
    splash: null,
    discovery_splash: null,
    owner_id: ownerId,
    afk_channel_id: null,
    afk_timeout: 300,
    verification_level: 0,
    default_message_notifications: 0,
    explicit_content_filter: 0,
    roles: [
      {
        id,
        name: '@everyone',
        color: 0,
        colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
        hoist: false,
        position: 0,
        permissions: '0',
        managed: false,
        mentionable: false,
        flags: noFlags(),
      },
    ],
    emojis: [],
    stickers: [],
    features: [],
    mfa_level: 0,
    application_id: null,
    system_channel_id: null,
    system_channel_flags: noFlags(),
    rules_channel_id: null,
    vanity_url_code: null,
    description: null,
    banner: null,
    premium_tier: 0,
    preferred_locale: Locale.EnglishUS,
    public_updates_channel_id: null,
    nsfw_level: 0,
    premium_progress_bar_enabled: false,
    safety_alerts_channel_id: null,
    hub_type: null,
    incidents_data: null,
  };
}

const WINDOW_MS = 5_000;
const CALLS_PER_WINDOW = 500;

/** Counts a call. Routes of one channel or webhook share a bucket, as with Discord. @returns the headers, and the wait when it is too much */
export function countCall(hub: Hub, route: Route, path: string[]): { headers: Record<string, string>; waitMs: number } {
  const bucket = `${route.operation}:${path[0] ?? ''}`;
  const now = Date.now();
  const known = hub.limits.get(bucket);
  const entry = known && known.resetsAt > now ? known : { count: 0, resetsAt: now + WINDOW_MS };
  entry.count += 1;
  hub.limits.set(bucket, entry);
  if (hub.limits.size > 5_000) hub.limits.clear();
  const waitMs = entry.count > CALLS_PER_WINDOW ? entry.resetsAt - now : 0;
  const headers = {
    'x-ratelimit-limit': String(CALLS_PER_WINDOW),
    'x-ratelimit-remaining': String(Math.max(0, CALLS_PER_WINDOW - entry.count)),
    'x-ratelimit-reset': (entry.resetsAt / 1_000).toFixed(3),
    'x-ratelimit-reset-after': ((entry.resetsAt - now) / 1_000).toFixed(3),
    'x-ratelimit-bucket': bucketName(route.operation),
  };
  return { headers, waitMs };
}

function bucketName(operation: string): string {
  return Buffer.from(operation).toString('hex').padEnd(32, '0').slice(0, 32);
}
