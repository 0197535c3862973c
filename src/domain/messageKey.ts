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

/**
 * The router's `messageKey` of one leg: keccak256 of `<epoch>:<key>:<leg>`. The epoch is part of what the chain remembers only: rows are
 * unique without it, so that raising it after a compromise pays no message anew.
 */
export function legKey(epoch: number, messageKey: string, leg: number): `0x${string}` {
  return `0x${bytesToHex(keccak_256(utf8ToBytes(`${epoch}:${messageKey}:${leg}`)))}`;
}
