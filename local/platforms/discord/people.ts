/** What people do at the local Discord: write, edit, use commands, press buttons, fill in forms, react. The playground and the tests act so. */
import { randomBytes } from 'node:crypto';
import {
  type APIApplicationCommandOption,
  type APIBaseInteraction,
  type APIInteraction,
  type InteractionType,
  Locale,
} from 'discord.js';
import { z } from 'zod';
import { dispatch } from './gateway.ts';
import { channelOf, type Hub, rememberUser, type Shown, saveMessage, shown } from './hub.ts';
import { announce, asReply, blankMessage, INTENT, keep, MEMBER, requireMessage, withContent } from './messages.ts';
import { type InteractionState, messagesIn, nextId, put, type Room } from './store.ts';
import {
  badForm,
  COMMAND,
  INTERACTION,
  type Kept,
  type Message,
  notFound,
  plainUser,
  type User,
  unknownChannel,
  unknownInteraction,
  unknownMessage,
} from './wire.ts';

const MAX_TYPED = 4_000;
/** The channel id that stands for one's own direct chat with the bot. */
const OWN_CHAT = '@me';
const MEMBER_PERMISSIONS = '2222085186636353';
const OWNER_PERMISSIONS = '9007199254740991';

const snowflake = z.string().regex(/^\d{1,20}$/);
const person = z.object({ id: snowflake, username: z.string().min(1), bot: z.boolean().optional() });
const channelId = z.union([snowflake, z.literal(OWN_CHAT)]);

/** The language that the person chose in their client. */
const locale = z.string().default('en-US');

const messageInput = z.object({
  channel_id: channelId,
  author: person,
  content: z.string().min(1).max(MAX_TYPED),
  message_reference: z.object({ message_id: snowflake }).optional(),
  edit_message_id: snowflake.optional(),
  /** Fields of a message to add as they are, such as `webhook_id` or the `message_snapshots` of a forward. */
  extra: z.record(z.string(), z.unknown()).optional(),
});
const interactionInput = z.object({
  name: z.string(),
  options: z.array(z.object({ name: z.string(), value: z.union([z.string(), z.number(), z.boolean()]) })).default([]),
  user: person,
  channel_id: channelId,
  /** The message (or user) that a context menu was opened on. */
  target_id: snowflake.optional(),
  /** How the bot came there: it is a member of the server, or the person brought it along. */
  installed: z.enum(['guild', 'user']).default('guild'),
  /** What the person may do in the server, instead of what a member may. */
  permissions: z.string().optional(),
  locale,
});
const componentInput = z.union([
  z.object({
    message_id: snowflake,
    channel_id: channelId,
    user: person,
    custom_id: z.string().min(1).max(100),
    locale,
  }),
  z.object({ interaction_id: snowflake, user: person, values: z.record(z.string(), z.string()), locale }),
]);
const reactionInput = z.object({
  message_id: snowflake,
  channel_id: channelId,
  user: person,
  emoji: z.string().min(1),
  remove: z.boolean().default(false),
});

export type Written = { message_id: string; channel_id: string };

/** Writes or edits a message as a person. */
export function writeAsUser(hub: Hub, body: unknown): Written {
  const input = messageInput.parse(body);
  const author = rememberUser(hub, input.author);
  const room = enterRoom(hub, input.channel_id, author.id);
  if (input.edit_message_id !== undefined) return editAsUser(hub, room, author, input.edit_message_id, input.content);
  let message = withContent(hub, blankMessage(hub, room.id, author), input.content, true);
  if (input.message_reference)
    message = asReply(hub, message, requireMessage(hub, room.id, input.message_reference.message_id), true);
  message = { ...message, ...input.extra };
  keep(hub, { message, visibleTo: null, atMs: hub.store.nowMs() });
  return { message_id: message.id, channel_id: room.id };
}

function editAsUser(hub: Hub, room: Room, author: User, messageId: string, text: string): Written {
  const kept = requireMessage(hub, room.id, messageId);
  if (kept.message.author.id !== author.id) throw badForm('this message is another user’s');
  const message: Message = {
    ...withContent(hub, kept.message, text, true),
    edited_timestamp: new Date(hub.store.nowMs()).toISOString(),
  };
  saveMessage(hub, { ...kept, message });
  announce(hub, 'MESSAGE_UPDATE', message);
  return { message_id: messageId, channel_id: room.id };
}

/** Uses a slash command, or a context menu on a message. The bot receives it, and has three seconds to answer. */
export function interactAsUser(hub: Hub, body: unknown): { interaction_id: string; channel_id: string } {
  const input = interactionInput.parse(body);
  const user = rememberUser(hub, input.user);
  const room = enterRoom(hub, input.channel_id, user.id, input.installed === 'user');
  const type = input.target_id === undefined ? COMMAND.slash : COMMAND.message;
  const command = [...hub.store.commands.values()].find((one) => one.name === input.name && one.type === type);
  if (!command) throw notFound();
  const known = (command.options ?? []) as APIApplicationCommandOption[];
  const options = input.options.map(({ name, value }) => {
    const found = known.find((option) => option.name === name);
    if (!found) throw badForm(`/${command.name} has no option ${name}`);
    return { name, type: found.type as number, value };
  });
  for (const { name, required } of known as { name: string; required?: boolean }[])
    if (required && !options.some((option) => option.name === name)) throw badForm(`the option ${name} is required`);
  const data = {
    id: command.id,
    name: command.name,
    type,
    ...(room.guildId ? { guild_id: room.guildId } : {}),
    ...(options.length > 0 ? { options } : {}),
    ...resolve(hub, room, options, input.target_id),
  };
  return begin(hub, room, user, INTERACTION.command, data, input);
}

/** What Discord adds about the people, channels and messages that options name. */
function resolve(hub: Hub, room: Room, options: { type: number; value: unknown }[], targetId: string | undefined) {
  const valuesOf = (type: number) => options.flatMap((one) => (one.type === type ? String(one.value) : []));
  const users = Object.fromEntries(
    valuesOf(6).map((id) => [
      id,
      hub.store.users.get(id) ?? rememberUser(hub, { id, username: `user${id.slice(-4)}` }),
    ]),
  );
  const members = Object.fromEntries(
    Object.keys(users).map((id) => [id, { ...MEMBER, permissions: MEMBER_PERMISSIONS }]),
  );
  const channels = Object.fromEntries(
    valuesOf(7).flatMap((id) => {
      const found = hub.store.rooms.get(id);
      return found ? [[id, { id, name: found.name, type: 0, permissions: MEMBER_PERMISSIONS }]] : [];
    }),
  );
  if (targetId !== undefined) {
    const { message } = requireMessage(hub, room.id, targetId);
    return { target_id: targetId, resolved: { messages: { [targetId]: message } } };
  }
  const resolved = {
    ...(Object.keys(users).length > 0 ? { users, ...(room.guildId ? { members } : {}) } : {}),
    ...(Object.keys(channels).length > 0 ? { channels } : {}),
  };
  return Object.keys(resolved).length > 0 ? { resolved } : {};
}

/** Presses a button, or sends in a form that the bot opened. */
export function componentAsUser(hub: Hub, body: unknown): { interaction_id: string; channel_id: string } {
  const input = componentInput.parse(body);
  const user = rememberUser(hub, input.user);
  if ('custom_id' in input) {
    const room = enterRoom(hub, input.channel_id, user.id, true);
    const kept = requireMessage(hub, room.id, input.message_id);
    if (kept.visibleTo !== null && kept.visibleTo !== user.id) throw unknownMessage();
    const data = { custom_id: input.custom_id, component_type: 2, id: 2 };
    return begin(hub, room, user, INTERACTION.component, data, { locale: input.locale }, kept.message);
  }
  const opened = hub.store.interactions.get(input.interaction_id);
  if (opened?.answer !== 'modal' || opened.userId !== user.id) throw unknownInteraction();
  const room = enterRoom(hub, opened.channelId, user.id, true);
  const form = opened.modal as { custom_id: string; components: Record<string, unknown>[] };
  const components = form.components.map((row) => filled(row, input.values));
  return begin(
    hub,
    room,
    user,
    INTERACTION.modal,
    { custom_id: form.custom_id, components },
    { ...opened, openedBy: opened.id, locale: input.locale },
  );
}

/** A row of a form as it comes back: what was typed, by the names of its fields. */
function filled(row: Record<string, unknown>, values: Record<string, string>): Record<string, unknown> {
  const field = (one: Record<string, unknown>) => {
    const id = String(one['custom_id']);
    return { type: one['type'], id: 2, custom_id: id, value: values[id] ?? '' };
  };
  if (row['component']) return { type: row['type'], id: 1, component: field(row['component'] as never) };
  return { type: row['type'], id: 1, components: ((row['components'] ?? []) as never[]).map(field) };
}

type Circumstances = { installed?: 'guild' | 'user'; permissions?: string | undefined; openedBy?: string };

function begin(
  hub: Hub,
  room: Room,
  user: User,
  type: number,
  data: object,
  { installed = 'guild', permissions, openedBy, locale }: Circumstances & { locale: string },
  message?: Message,
): { interaction_id: string; channel_id: string } {
  const id = nextId(hub.store);
  const token = randomBytes(96).toString('base64url');
  const state: InteractionState = {
    id,
    token,
    type,
    channelId: room.id,
    userId: user.id,
    installed,
    createdMs: hub.store.nowMs(),
    answer: null,
    ephemeral: false,
    originalId: null,
    messageId: message?.id ?? null,
    modal: null,
    ...(openedBy === undefined ? {} : { openedBy }),
  };
  put(hub.store, 'interaction', id, state);
  const owner = user.id === hub.guild.ownerId;
  const rights = permissions ?? (owner ? OWNER_PERMISSIONS : MEMBER_PERMISSIONS);
  const payload: APIBaseInteraction<InteractionType, object> = {
    id,
    application_id: hub.bot.id,
    type,
    token,
    version: 1,
    data,
    channel_id: room.id,
    channel: channelOf(hub, room),
    ...(room.guildId
      ? {
          guild_id: room.guildId,
          guild: { id: room.guildId, locale: Locale.EnglishUS, features: [] },
          guild_locale: Locale.EnglishUS,
          member: { ...MEMBER, user, permissions: rights },
        }
      : { user }),
    ...(message ? { message } : {}),
    locale: locale as Locale,
    app_permissions: MEMBER_PERMISSIONS,
    entitlements: [],
    authorizing_integration_owners:
      installed === 'user' ? { 1: user.id } : { 0: room.guildId ?? '0', ...(room.userId ? { 1: user.id } : {}) },
    context: room.guildId ? 0 : room.userId ? 1 : 2,
    attachment_size_limit: 10_485_760,
  };
  // Which of its kinds it is follows from what was registered and used, so only what all kinds have is checked when this is compiled.
  dispatch(hub.gateway, 'INTERACTION_CREATE', 0, () => payload as APIInteraction);
  return { interaction_id: id, channel_id: room.id };
}

/** The outcome of an interaction: its answer, and the form that it opened. */
export function readInteraction(hub: Hub, id: string): Record<string, unknown> {
  const found = hub.store.interactions.get(id);
  if (!found) throw unknownInteraction();
  const late = found.answer === null && hub.store.nowMs() - found.createdMs > 3_000;
  return { id, answer: late ? 'failed' : found.answer, modal: found.modal, message_id: found.originalId };
}

export function reactAsUser(hub: Hub, body: unknown): { ok: true } {
  const input = reactionInput.parse(body);
  const user = rememberUser(hub, input.user);
  const room = enterRoom(hub, input.channel_id, user.id);
  react(hub, requireMessage(hub, room.id, input.message_id), user.id, input.emoji, !input.remove);
  return { ok: true };
}

/** Adds or takes away one reaction, and tells the bot. */
export function react(hub: Hub, kept: Kept, userId: string, emoji: string, added: boolean): void {
  const { message } = kept;
  const isMe = userId === hub.bot.id;
  const others = (message.reactions ?? []).filter((one) => one.emoji.name !== emoji);
  const before = (message.reactions ?? []).find((one) => one.emoji.name === emoji);
  const count = Math.max(0, (before?.count ?? 0) + (added ? 1 : -1));
  const one = {
    emoji: { id: null, name: emoji },
    count,
    count_details: { normal: count, burst: 0 },
    me: isMe ? added : (before?.me ?? false),
    me_burst: false,
    burst_colors: [],
  };
  saveMessage(hub, { ...kept, message: { ...message, reactions: count > 0 ? [...others, one] : others } });
  const room = hub.store.rooms.get(message.channel_id);
  const data = {
    user_id: userId,
    channel_id: message.channel_id,
    message_id: message.id,
    emoji: { id: null, name: emoji },
    burst: false,
    type: 0,
    ...(added ? { message_author_id: message.author.id } : {}),
    ...(room?.guildId ? { guild_id: room.guildId, ...(added ? memberPart(hub, userId) : {}) } : {}),
  };
  const intent = room?.guildId ? INTENT.guildReactions : INTENT.directReactions;
  dispatch(hub.gateway, added ? 'MESSAGE_REACTION_ADD' : 'MESSAGE_REACTION_REMOVE', intent, () => data);
}

function memberPart(hub: Hub, userId: string) {
  const user = hub.store.users.get(userId) ?? plainUser(userId, `user${userId.slice(-4)}`);
  return { member: { ...MEMBER, user } };
}

/** Everything in a channel as people see it: in order, with edits applied. */
export function readAsUser(hub: Hub, channel: string, userId: string | null): Shown[] {
  if (channel === OWN_CHAT && userId === null) throw badForm('whose direct chat? Name the user');
  const id = channel === OWN_CHAT ? [...hub.store.rooms.values()].find((one) => one.userId === userId)?.id : channel;
  return id === undefined ? [] : messagesIn(hub.store, id).map(shown);
}

/** The direct chat of a person with the bot; comes into being when one of them opens it. */
export function directRoom(hub: Hub, userId: string): Room {
  const known = [...hub.store.rooms.values()].find((one) => one.userId === userId);
  if (known) return known;
  const room: Room = { id: nextId(hub.store), guildId: null, userId, name: '' };
  put(hub.store, 'room', room.id, room);
  return room;
}

/** @param anywhere also where the bot is no member, as when people bring it along */
function enterRoom(hub: Hub, id: string, userId: string, anywhere = false): Room {
  if (id === OWN_CHAT) return directRoom(hub, userId);
  const room = hub.store.rooms.get(id);
  if (room && (room.userId === null || room.userId === userId)) return room;
  if (room || !anywhere) throw unknownChannel();
  const foreign: Room = { id, guildId: null, userId: null, name: 'Somewhere else' };
  put(hub.store, 'room', id, foreign);
  return foreign;
}
