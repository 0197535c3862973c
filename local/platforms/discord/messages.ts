/** Messages: how they are made, changed and handed out. What a bot may read of one depends on what it asked the gateway for. */
import type { APIActionRowComponent, APIComponentInMessageActionRow } from 'discord.js';
import { z } from 'zod';
import { dispatch } from './gateway.ts';
import { dropMessage, type Hub, saveMessage } from './hub.ts';
import { findMessage, messagesIn, nextId, type Room } from './store.ts';
import {
  badForm,
  botUser,
  emptyMessage,
  FLAG,
  foreignAuthor,
  type Kept,
  MESSAGE,
  type Message,
  missingAccess,
  noFlags,
  type User,
  unknownChannel,
  unknownMessage,
} from './wire.ts';

const MAX_CONTENT = 2_000;
const MAX_ROWS = 5;
export const INTENT = {
  guildMessages: 1 << 9,
  guildReactions: 1 << 10,
  directMessages: 1 << 12,
  directReactions: 1 << 13,
};
const MESSAGE_CONTENT_INTENT = 1 << 15;
/** What the server knows of each of its members. */
export const MEMBER = {
  roles: [],
  joined_at: '2026-01-01T00:00:00.000Z',
  deaf: false,
  mute: false,
  flags: 0,
  nick: null,
};
const NONCE_LIFE_MS = 5 * 60_000;

const button = z.looseObject({
  type: z.literal(2),
  style: z.number().int().min(1).max(6),
  label: z.string().max(80).optional(),
  custom_id: z.string().min(1).max(100).optional(),
  url: z.string().max(512).optional(),
});
const components = z
  .array(z.looseObject({ type: z.literal(1), components: z.array(button).min(1).max(5) }))
  .max(MAX_ROWS);
const content = z.string().max(MAX_CONTENT).nullable();

/** What a bot may write: the parts of Discord's request that this server understands. */
export const bodySchema = z.looseObject({
  content: content.optional(),
  flags: z.number().int().nullable().optional(),
  components: components.nullable().optional(),
  allowed_mentions: z
    .looseObject({ parse: z.array(z.string()).optional() })
    .nullable()
    .optional(),
  nonce: z
    .union([z.string().max(25), z.number().int()])
    .nullable()
    .optional(),
  enforce_nonce: z.boolean().nullable().optional(),
  message_reference: z
    .looseObject({ message_id: z.string(), fail_if_not_exists: z.boolean().nullable().optional() })
    .nullable()
    .optional(),
});
export type Body = z.infer<typeof bodySchema>;

export function readBody(value: unknown): Body {
  const parsed = bodySchema.safeParse(value ?? {});
  if (!parsed.success) throw badForm(z.prettifyError(parsed.error));
  for (const row of parsed.data.components ?? []) row.components.forEach(requireButton);
  return parsed.data;
}

function requireButton({ style, custom_id, url }: z.infer<typeof button>): void {
  const isLink = style === 5;
  if (isLink ? url === undefined || custom_id !== undefined : custom_id === undefined || url !== undefined)
    throw badForm('a button has either a custom_id or, as a link, a url');
  if (url !== undefined && !/^(https?|discord):\/\/./.test(url))
    throw badForm('the url of a button is not well formed');
}

type Row = APIActionRowComponent<APIComponentInMessageActionRow>;

/** The rows of a message as Discord keeps them: what came without a number has one, in order. */
export function numbered(rows: Body['components']): Row[] {
  let last = 0;
  const number = <T extends object>(part: T) => {
    last += 1;
    return { id: last, ...part };
  };
  return (rows ?? []).map((row) => ({ ...number(row), components: row.components.map(number) })) as Row[];
}

export function requireRoom(hub: Hub, channelId: string): Room {
  const room = hub.store.rooms.get(channelId);
  if (!room) throw unknownChannel();
  return room;
}

/** A channel that the bot itself may use: one of the server, or a direct chat with it. */
export function requireOwnRoom(hub: Hub, channelId: string): Room {
  const room = requireRoom(hub, channelId);
  if (room.guildId === null && room.userId === null) throw missingAccess();
  return room;
}

export function requireMessage(hub: Hub, channelId: string, messageId: string): Kept {
  const kept = findMessage(hub.store, channelId, messageId);
  if (!kept) throw unknownMessage();
  return kept;
}

/** The users named in a text, as far as they are known here. */
function mentionsIn(hub: Hub, text: string): User[] {
  const ids = new Set([...text.matchAll(/<@!?(\d{1,20})>/g)].map((match) => match[1] ?? ''));
  return [...ids].flatMap((id) => (id === hub.bot.id ? botUser(hub.bot) : (hub.store.users.get(id) ?? [])));
}

export function blankMessage(hub: Hub, channelId: string, author: User): Message {
  return {
    id: nextId(hub.store),
    channel_id: channelId,
    author,
    content: '',
    timestamp: new Date(hub.store.nowMs()).toISOString(),
    edited_timestamp: null,
    tts: false,
    mention_everyone: false,
    mentions: [],
    mention_roles: [],
    attachments: [],
    embeds: [],
    components: [],
    pinned: false,
    type: MESSAGE.plain,
    flags: noFlags(),
  };
}

/** A message with its text and its mentions. @param pings whether a mention counts: a bot may switch that off */
export function withContent(hub: Hub, message: Message, text: string, pings: boolean): Message {
  const roles = [...text.matchAll(/<@&(\d{1,20})>/g)].map((match) => match[1] ?? '');
  return {
    ...message,
    content: text,
    mentions: pings ? mentionsIn(hub, text) : [],
    mention_roles: pings ? [...new Set(roles)] : [],
    mention_everyone: pings && /@(everyone|here)\b/.test(text),
  };
}

/** A reply shows what it answers, without what that answers in turn; the author who is answered is pinged. */
export function asReply(hub: Hub, message: Message, answered: Kept, pings: boolean): Message {
  const { referenced_message: _, ...rest } = answered.message;
  const { author } = answered.message;
  const isNamed = message.mentions.some(({ id }) => id === author.id);
  const guildId = hub.store.rooms.get(message.channel_id)?.guildId;
  return {
    ...message,
    type: MESSAGE.reply,
    message_reference: {
      type: 0,
      channel_id: message.channel_id,
      message_id: answered.message.id,
      ...(guildId ? { guild_id: guildId } : {}),
    },
    referenced_message: rest,
    mentions: pings && !isNamed ? [...message.mentions, author] : message.mentions,
  };
}

/** The bot writes in a channel. The same nonce within a few minutes is the same message. */
export function createMessage(hub: Hub, channelId: string, value: unknown): Message {
  const body = readBody(value);
  requireOwnRoom(hub, channelId);
  if (!body.content) throw emptyMessage();
  const nonce = body.nonce === null || body.nonce === undefined ? undefined : String(body.nonce);
  if (nonce !== undefined && body.enforce_nonce) {
    const since = hub.store.nowMs() - NONCE_LIFE_MS;
    const known = messagesIn(hub.store, channelId).find((one) => one.nonce === nonce && one.atMs > since);
    if (known) return known.message;
  }
  const pings = body.allowed_mentions?.parse?.length !== 0;
  let message = withContent(hub, blankMessage(hub, channelId, botUser(hub.bot)), body.content, pings);
  message = { ...message, components: numbered(body.components), flags: body.flags ?? 0 };
  const answered = body.message_reference && findMessage(hub.store, channelId, body.message_reference.message_id);
  if (body.message_reference && !answered && body.message_reference.fail_if_not_exists !== false)
    throw badForm('Unknown message');
  if (answered) message = asReply(hub, message, answered, pings);
  keep(hub, { message, visibleTo: null, ...(nonce === undefined ? {} : { nonce }), atMs: hub.store.nowMs() });
  return nonce === undefined ? message : { ...message, nonce };
}

/** Stores a new message and tells the bot, unless one person alone sees it. */
export function keep(hub: Hub, kept: Kept): void {
  saveMessage(hub, kept);
  if (kept.visibleTo === null) announce(hub, 'MESSAGE_CREATE', kept.message);
}

export function editMessage(hub: Hub, kept: Kept, value: unknown): Message {
  if (kept.message.author.id !== hub.bot.id) throw foreignAuthor();
  const message = changed(hub, kept.message, readBody(value));
  saveMessage(hub, { ...kept, message });
  if (kept.visibleTo === null) announce(hub, 'MESSAGE_UPDATE', message);
  return message;
}

/** The message with what a request changes; what the bot thinks aloud about is ready then. */
export function changed(hub: Hub, before: Message, body: Body): Message {
  const text = body.content === undefined ? before.content : (body.content ?? '');
  if (text === '') throw emptyMessage();
  const wasLoading = ((before.flags ?? 0) & FLAG.loading) !== 0;
  return {
    ...withContent(hub, before, text, false),
    ...(body.components === undefined ? {} : { components: numbered(body.components) }),
    flags: ((before.flags ?? 0) & ~FLAG.loading) | ((body.flags ?? 0) & ~FLAG.ephemeral),
    edited_timestamp: wasLoading ? null : new Date(hub.store.nowMs()).toISOString(),
  };
}

export function removeMessage(hub: Hub, kept: Kept): void {
  dropMessage(hub, kept);
  if (kept.visibleTo !== null) return;
  const { id, channel_id } = kept.message;
  const guildId = hub.store.rooms.get(channel_id)?.guildId;
  const intent = guildId ? INTENT.guildMessages : INTENT.directMessages;
  const data = { id, channel_id, ...(guildId ? { guild_id: guildId } : {}) };
  dispatch(hub.gateway, 'MESSAGE_DELETE', intent, () => data);
}

/** Up to `limit` messages after, before, or at the end; the newest first, as Discord lists them. */
export function listMessages(hub: Hub, channelId: string, query: URLSearchParams): Message[] {
  requireOwnRoom(hub, channelId);
  const limit = Math.min(Math.max(Number(query.get('limit') ?? 50), 1), 100);
  const all = messagesIn(hub.store, channelId).filter(({ visibleTo }) => visibleTo === null);
  const [after, before] = [query.get('after'), query.get('before')];
  const within = all.filter(
    ({ message: { id } }) =>
      (after === null || BigInt(id) > BigInt(after)) && (before === null || BigInt(id) < BigInt(before)),
  );
  const page = after === null ? within.slice(-limit) : within.slice(0, limit);
  // Without the right to read everything a bot reads what concerns it, here as at the gateway.
  return page.map(({ message }) => readable(hub, message, 0)).reverse();
}

export function announce(hub: Hub, type: 'MESSAGE_CREATE' | 'MESSAGE_UPDATE', message: Message): void {
  const room = hub.store.rooms.get(message.channel_id);
  const inGuild = room?.guildId ? { guild_id: room.guildId, member: MEMBER } : {};
  const intent = room?.guildId ? INTENT.guildMessages : INTENT.directMessages;
  dispatch(hub.gateway, type, intent, (intents) => ({ ...readable(hub, message, intents), ...inGuild }));
}

/** Without the intent for it a bot is given the text of what it wrote, of what names it, and of its direct chats. */
function readable(hub: Hub, message: Message, intents: number): Message {
  const isItsOwn = message.author.id === hub.bot.id || message.mentions.some(({ id }) => id === hub.bot.id);
  const isDirect = hub.store.rooms.get(message.channel_id)?.userId != null;
  if (isItsOwn || isDirect || (intents & MESSAGE_CONTENT_INTENT) !== 0) return message;
  return { ...message, content: '', components: [], embeds: [], attachments: [] };
}
