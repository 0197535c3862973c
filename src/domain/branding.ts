// The face of a shop: its name, where its buyers get help, and how its pages are coloured. It stands beside the handle that is paid, never instead of it.
import { readNote } from './note.ts';
import { parsedUrl } from './parsedUrl.ts';

export const BRAND_NAME_LENGTH = 60;
const SUPPORT_LENGTH = 200;

/** What buyers see. `logo_url` is a path of ours; `support` an e-mail address or an https URL. */
export type Branding = {
  name: string | null;
  logo_url: string | null;
  accent: { light: string; dark: string } | null;
  support: string | null;
};

export type BrandNameProblem = 'too_long' | 'not_plain' | 'has_at' | 'piled_marks';

/** @returns the name without blanks around it, null for none, or why it is refused */
export function readBrandName(text: string): { name: string | null } | { problem: BrandNameProblem } {
  const read = readNote(text.normalize('NFC').replaceAll(/[^\S\n]+/g, ' '), BRAND_NAME_LENGTH);
  if ('problem' in read) return read;
  if (read.note?.includes('\n')) return { problem: 'not_plain' };
  // A handle is the one thing that is verified: a name must not look like one.
  if (read.note?.normalize('NFKC').includes('@')) return { problem: 'has_at' };
  if (/\p{M}{4}/u.test(text.normalize('NFD'))) return { problem: 'piled_marks' };
  return { name: read.note };
}

/** No character that means something in a `mailto:` link. */
const EMAIL = /^[A-Za-z0-9._+-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,24}$/;

/** @returns an e-mail address or an https URL as browsers write it, null for none, or `invalid` */
export function readSupport(text: string): { support: string | null } | 'invalid' {
  const given = text.trim();
  if (given === '') return { support: null };
  if (given.length > SUPPORT_LENGTH || 'problem' in readNote(given, SUPPORT_LENGTH) || /\s/.test(given))
    return 'invalid';
  const email = given.replace(/^mailto:/i, '');
  if (EMAIL.test(email)) return { support: email };
  const url = parsedUrl(given);
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return 'invalid';
  return url.href.length > SUPPORT_LENGTH || !url.hostname.includes('.') ? 'invalid' : { support: url.href };
}

/** Where a support address of {@link readSupport} leads. */
export function supportHref(support: string): string {
  return support.startsWith('https://') ? support : `mailto:${support}`;
}

/** A support address as people read it. */
export function supportLabel(support: string): string {
  return support.startsWith('https://') ? support.slice('https://'.length).replace(/\/$/, '') : support;
}
