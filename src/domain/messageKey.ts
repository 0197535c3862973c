// Message keys: the text that names one chat message for ever, and the 32 bytes that the bot router remembers.
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

const PART = /^-?[A-Za-z0-9_]{1,64}$/;

function join(parts: string[]): string {
  for (const part of parts) if (!PART.test(part)) throw new RangeError(`a message key part is malformed: ${part}`);
  return parts.join(':');
}

/** Key of a Telegram message: `<epoch>:tg:m:<bot>:<chat>:<message>`. */
export function telegramMessageKey(epoch: number, botId: string, chatId: string, messageId: string): string {
  return join([String(epoch), 'tg', 'm', botId, chatId, messageId]);
}

/** Key of any other Telegram event, such as a pressed button: `<epoch>:tg:e:<bot>:<chat>:<user>:<update>`. */
export function telegramEventKey(
  epoch: number,
  botId: string,
  chatId: string,
  userId: string,
  updateId: string,
): string {
  return join([String(epoch), 'tg', 'e', botId, chatId, userId, updateId]);
}

/** The router's `messageKey` of one leg: keccak256 of the key's text, `:` and the leg's number. */
export function legKey(messageKey: string, leg: number): `0x${string}` {
  return `0x${bytesToHex(keccak_256(utf8ToBytes(`${messageKey}:${leg}`)))}`;
}
