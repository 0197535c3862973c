/** One running local Discord: its state, its bot, the server where people meet, who listens, and which calls are to fail. */
import type { APIDMChannel, APITextChannel } from 'discord.js';
import type { Fault } from './faults.ts';
import type { Gateway } from './gateway.ts';
import { put, type Room, type Store } from './store.ts';
import { type BotAccount, CHANNEL, type Kept, type Message, noFlags, plainUser, type User } from './wire.ts';

/** What the playground sees happen. */
export type HubEvent =
  | { type: 'message' | 'edited_message'; channel_id: string; message: Shown }
  | { type: 'deleted_message'; channel_id: string; message_id: string }
  | { type: 'interaction'; id: string; answer: string; modal?: unknown };

/** A message as people see it. */
export type Shown = Message & { edited: boolean; visible_to: string | null };

export type Guild = { id: string; name: string; ownerId: string };

export type Hub = {
  bot: BotAccount;
  guild: Guild;
  store: Store;
  gateway: Gateway;
  faults: Fault[];
  limits: Map<string, { count: number; resetsAt: number }>;
  listeners: Set<(event: HubEvent) => void>;
};

export function tell(hub: Hub, event: HubEvent): void {
  for (const listener of hub.listeners) listener(event);
}

export function shown({ message, visibleTo }: Kept): Shown {
  return { ...message, edited: message.edited_timestamp !== null, visible_to: visibleTo };
}

/** Stores a new or changed message and shows it. */
export function saveMessage(hub: Hub, kept: Kept): void {
  const { message } = kept;
  const isNew = !hub.store.messages.has(message.id);
  put(hub.store, 'message', message.id, kept);
  tell(hub, { type: isNew ? 'message' : 'edited_message', channel_id: message.channel_id, message: shown(kept) });
}

export function dropMessage(hub: Hub, { message }: Kept): void {
  put(hub.store, 'message', message.id, null);
  tell(hub, { type: 'deleted_message', channel_id: message.channel_id, message_id: message.id });
}

/** People are shown as they are now, so the newest name wins. */
export function rememberUser(hub: Hub, user: { id: string; username: string; bot?: boolean | undefined }): User {
  const full = plainUser(user.id, user.username, { bot: user.bot === true });
  if (JSON.stringify(hub.store.users.get(user.id)) !== JSON.stringify(full)) put(hub.store, 'user', user.id, full);
  return full;
}

/** A channel as a client receives it. */
export function channelOf(hub: Hub, room: Room): APIDMChannel | APITextChannel {
  if (room.userId === null) return textChannelOf(hub, room);
  const recipient = hub.store.users.get(room.userId);
  const recipients = recipient ? [recipient] : [];
  const [type, last_message_id] = [CHANNEL.dm, lastIn(hub, room)];
  return { id: room.id, type, name: null, last_message_id, flags: noFlags(), recipients };
}

export function textChannelOf(hub: Hub, room: Room): APITextChannel {
  return {
    id: room.id,
    type: CHANNEL.guildText,
    ...(room.guildId === null ? {} : { guild_id: room.guildId }),
    name: room.name,
    position: 0,
    permission_overwrites: [],
    nsfw: false,
    parent_id: null,
    topic: null,
    rate_limit_per_user: 0,
    last_message_id: lastIn(hub, room),
    flags: noFlags(),
  };
}

function lastIn(hub: Hub, room: Room): string | null {
  return [...(hub.store.order.get(room.id) ?? [])].at(-1) ?? null;
}
