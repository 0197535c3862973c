/** What Telegram Login gives back: the person's fields, signed with the SHA-256 of the bot's token. */
import { createHash, createHmac } from 'node:crypto';
import type { Person } from '../../stack/people.ts';

/** The key with which answers for a bot are signed and checked; hex. */
export function telegramLoginKey(botToken: string): string {
  return createHash('sha256').update(botToken).digest('hex');
}

/** @param atMs Unix milliseconds. @returns base64url of JSON, as it stands behind `tgAuthResult=` */
export function signedAnswer(botToken: string, { name, telegram }: Person, atMs: number): string {
  const fields: Record<string, string | number> = {
    id: telegram.id,
    first_name: name.charAt(0).toUpperCase() + name.slice(1),
    username: telegram.username,
    auth_date: Math.floor(atMs / 1_000),
  };
  const text = Object.keys(fields)
    .sort()
    .map((field) => `${field}=${fields[field]}`)
    .join('\n');
  const hash = createHmac('sha256', Buffer.from(telegramLoginKey(botToken), 'hex'))
    .update(text)
    .digest('hex');
  return Buffer.from(JSON.stringify({ ...fields, hash })).toString('base64url');
}
