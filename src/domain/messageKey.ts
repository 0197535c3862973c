// Message keys: the text that names one chat message for ever, and the 32 bytes that the bot router remembers.
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

const PART = /^-?[A-Za-z0-9_]{1,64}$/;

function join(parts: string[]): string {
  for (const part of parts) if (!PART.test(part)) throw new RangeError(`a message key part is malformed: ${part}`);
  return parts.join(':');
}

/** Key of a Telegram message: `tg:m:<bot>:<chat>:<message>`. */
export function telegramMessageKey(botId: string, chatId: string, messageId: string): string {
  return join(['tg', 'm', botId, chatId, messageId]);
}

/** Key of any other Telegram event, such as a pressed button: `tg:e:<bot>:<chat>:<user>:<update>`. */
export function telegramEventKey(botId: string, chatId: string, userId: string, updateId: string): string {
  return join(['tg', 'e', botId, chatId, userId, updateId]);
}

/** Key of a tip by reaction: `tg:e:<bot>:<chat>:<user>:r<message>`. One message is tipped once by one person, however often they react to it. */
export function telegramReactionKey(botId: string, chatId: string, userId: string, messageId: string): string {
  return join(['tg', 'e', botId, chatId, userId, `r${messageId}`]);
}

/** Key of a guest query: `tg:g:<bot>:<query>`. */
export function telegramGuestKey(botId: string, queryId: string): string {
  return join(['tg', 'g', botId, queryId]);
}

/** Key of a Discord message: `dc:m:<application>:<message>`. */
export function discordMessageKey(applicationId: string, messageId: string): string {
  return join(['dc', 'm', applicationId, messageId]);
}

/** Key of a Discord interaction, a command or a pressed button: `dc:i:<application>:<interaction>`. */
export function discordInteractionKey(applicationId: string, interactionId: string): string {
  return join(['dc', 'i', applicationId, interactionId]);
}

/** Key of a tip by reaction: `dc:e:<application>:<channel>:<user>:r<message>`. One message is tipped once by one person, as on Telegram. */
export function discordReactionKey(
  applicationId: string,
  channelId: string,
  userId: string,
  messageId: string,
): string {
  return join(['dc', 'e', applicationId, channelId, userId, `r${messageId}`]);
}

/** Key of a post on X: `x:<bot>:<first id of its edit history>`. */
export function xPostKey(botId: string, postId: string): string {
  return join(['x', botId, postId]);
}

/** Key of any other event on X, such as a typed answer or a direct message: `x:e:<bot>:<event>`. */
export function xEventKey(botId: string, eventId: string): string {
  return join(['x', 'e', botId, eventId]);
}

/**
 * The router's `messageKey` of one leg: keccak256 of `<epoch>:<key>:<leg>`. The epoch is part of what the chain remembers only: rows are
 * unique without it, so that raising it after a compromise pays no message again.
 */
export function legKey(epoch: number, messageKey: string, leg: number): `0x${string}` {
  return `0x${bytesToHex(keccak_256(utf8ToBytes(`${epoch}:${messageKey}:${leg}`)))}`;
}

/**
 * The same where keys are remembered by the hour of their message: 24 bytes of the key, then the time as 8 bytes, big-endian.
 * @param sentAt in milliseconds
 */
export function timedKey(key: `0x${string}`, sentAt: number): `0x${string}` {
  const seconds = BigInt(Math.floor(sentAt / 1_000));
  return `${key.slice(0, 50)}${seconds.toString(16).padStart(16, '0')}` as `0x${string}`;
}
