// Whom an escrow names, as text: an Ampersat handle, a platform's own id of an account, or a username, which may change hands.
import { HANDLE_PATTERN } from './handles.ts';

export type EscrowSlug =
  | { kind: 'handle'; slug: string }
  | { kind: 'id'; slug: string; platform: string; id: string }
  | { kind: 'username'; slug: string; platform: string; name: string };

const PLATFORM_LABELS: Readonly<Record<string, string>> = { telegram: 'Telegram', discord: 'Discord', x: 'X' };

/** What each platform allows, in lower case. */
const USERNAMES: Readonly<Record<string, RegExp>> = {
  telegram: /^[a-z][a-z0-9_]{3,31}$/,
  discord: /^(?!.*\.\.)[a-z0-9_.]{2,32}$/,
  x: /^[a-z0-9_]{1,15}$/,
};
/** Written in one way only: the chain knows a slug by its hash. */
const ID = /^[1-9]\d{0,19}$/;

/** @param text `alice`, `x:name`, `telegram:id:123`; letters in any case. @returns null for text that is no slug */
export function readEscrowSlug(text: string): EscrowSlug | null {
  const slug = text.toLowerCase();
  if (HANDLE_PATTERN.test(slug)) return { kind: 'handle', slug };
  const [, platform = '', rest = ''] = /^([a-z]+):(.+)$/.exec(slug) ?? [];
  if (!Object.hasOwn(USERNAMES, platform)) return null;
  if (rest.startsWith('id:')) {
    const id = rest.slice(3);
    return ID.test(id) ? { kind: 'id', slug, platform, id } : null;
  }
  return USERNAMES[platform]?.test(rest) ? { kind: 'username', slug, platform, name: rest } : null;
}

/** The slug of a username, or null for one that its platform could not have given. */
export function usernameSlug(platform: string, username: string | null | undefined): string | null {
  const slug = username ? readEscrowSlug(`${platform}:${username}`) : null;
  return slug?.kind === 'username' ? slug.slug : null;
}

export function platformLabel(platform: string): string {
  return PLATFORM_LABELS[platform] ?? platform;
}

/** How people read it. @param name how an account that is named by its id is called, where that is known: `@carol`, `Carol` */
export function slugLabel(slug: EscrowSlug, name: string | null = null): string {
  if (slug.kind === 'handle') return `${slug.slug}@ampersat`;
  const label = slug.kind === 'username' ? `@${slug.name}` : (name ?? `user ${slug.id}`);
  return `${label} on ${platformLabel(slug.platform)}`;
}
