// For whom a tab is, as it is typed and as the tab names it: a handle of Ampersat, or a name on a platform.

import { readEscrowSlug } from '../../../../src/domain/escrowSlug.ts';
import { handleProblem } from '../../../../src/domain/handles.ts';

export const PLATFORMS = ['ampersat', 'telegram', 'discord', 'x'] as const;
export type Platform = (typeof PLATFORMS)[number];

export const PLATFORM_NAMES: Record<Platform, string> = {
  ampersat: 'Ampersat',
  telegram: 'Telegram',
  discord: 'Discord',
  x: 'X',
};

/** `byId`: the name is the platform's own number of the account, which never changes hands. */
export type Recipient = { platform: Platform; name: string; byId: boolean };

const NAME_WORDS: Record<Exclude<Platform, 'ampersat'>, string> = {
  telegram: 'A Telegram name has 4 to 32 letters, digits and underscores.',
  discord: 'A Discord name has 2 to 32 letters, digits, dots and underscores.',
  x: 'A name on X has up to 15 letters, digits and underscores.',
};

/** Reads `alice`, `@alice`, `alice@ampersat`, `x:name` and `telegram:id:123`: what stands in a link. */
export function readRecipient(slug: string): Recipient {
  const text = slug.trim();
  const [first = '', second = '', ...rest] = text.split(':');
  const platform = PLATFORMS.find((one) => one === first.toLowerCase());
  if (platform && platform !== 'ampersat' && second === 'id') return { platform, name: rest.join(':'), byId: true };
  if (platform && second) return { platform, name: cleanName([second, ...rest].join(':')), byId: false };
  return { platform: 'ampersat', name: cleanName(text), byId: false };
}

/** Case never tells two names apart; people write an @ before a handle, and our domain behind it. */
export function cleanName(typed: string): string {
  return typed
    .trim()
    .toLowerCase()
    .replace(/^@/, '')
    .replace(/@ampersat$/, '');
}

/** The name that goes into the tab. */
export function slugOf({ platform, name, byId }: Recipient): string {
  if (byId) return `${platform}:id:${name}`;
  return platform === 'ampersat' ? cleanName(name) : `${platform}:${cleanName(name)}`;
}

/** As people read it: `@alice`, `@name on X`, `the Telegram account 123`. */
export function labelOf({ platform, name, byId }: Recipient): string {
  if (byId) return `the ${PLATFORM_NAMES[platform]} account ${name}`;
  const at = `@${cleanName(name)}`;
  return platform === 'ampersat' ? at : `${at} on ${PLATFORM_NAMES[platform]}`;
}

/** A name can change hands on a platform; a handle and an account’s number cannot. */
export function isChangeable({ platform, byId }: Recipient): boolean {
  return platform !== 'ampersat' && !byId;
}

/** What is wrong with the typed recipient, in words; null if it is valid. */
export function recipientProblem(recipient: Recipient): string | null {
  const { platform, name, byId } = recipient;
  if (byId) return readEscrowSlug(slugOf(recipient)) ? null : 'This isn’t a valid account number.';
  if (platform !== 'ampersat') return readEscrowSlug(slugOf(recipient)) ? null : NAME_WORDS[platform];
  const problem = handleProblem(cleanName(name));
  return problem === 'reserved'
    ? 'This handle is reserved.'
    : problem && 'A handle has 3 to 30 letters, digits and underscores.';
}
