// What a tip by reaction needs of Discord: the authors of messages in a server, and added emoji; pure.
import type { APIMessage, GatewayMessageReactionAddDispatchData } from 'discord.js';
import { discordReactionKey } from '../../src/domain/messageKey.ts';
import type { GroupMessage, Reaction } from '../../src/services/chat/reactions.ts';
import { seen } from './message.ts';

/** A message of a server, as the one whom a reaction to it would tip. */
export function writtenIn({ id, channel_id, author, webhook_id, timestamp }: APIMessage): GroupMessage {
  const isPayable = !author.bot && !author.system && webhook_id === undefined;
  return { chatId: channel_id, messageId: id, authorId: author.id, isPayable, at: Date.parse(timestamp) };
}

/**
 * A reaction of a person in a server, or null. An emoji of a server's own is none that could be set.
 * @param channelIds the channel and the one above it
 * @param now Unix milliseconds: Discord's event has no time
 */
export function addedReaction(
  { guild_id, channel_id, message_id, member, emoji }: GatewayMessageReactionAddDispatchData,
  appId: string,
  channelIds: string[],
  now: number,
): Reaction | null {
  const user = member?.user;
  if (!guild_id || !user || user.bot || emoji.id !== null || !emoji.name) return null;
  return {
    ...{ platform: 'discord', botId: appId, chatId: channel_id, messageId: message_id },
    key: discordReactionKey(appId, channel_id, user.id, message_id),
    user: seen(user),
    emojis: [emoji.name],
    server: { id: guild_id, channelIds },
    at: now,
  };
}
