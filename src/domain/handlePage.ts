// The public page of a handle, `/@alice`: what it may hold, and where it is.
import { HANDLE_PATTERN } from './handles.ts';

export const LINE_LENGTH = 160;
export const MOST_AMOUNTS = 4;
/** Of messages that a page shows. */
export const MOST_SHOWN = 20;

export type HandlePageFile = 'page' | 'poster' | 'card';
/** `slug` is null for what can be no handle; `path` is where the page is. */
export type HandlePageAddress = { slug: string | null; file: HandlePageFile; path: string };

const FILES: Record<string, HandlePageFile> = { '': 'page', '/poster': 'poster', '/card.png': 'card' };
const AFTER: Record<HandlePageFile, string> = { page: '', poster: '/poster', card: '/card.png' };

export function handlePagePath(slug: string, file: HandlePageFile = 'page'): string {
  return `/@${slug}${AFTER[file]}`;
}

/**
 * What a path of the address bar means. Capitals and an encoded @ are how people and apps write the same address; a look-alike is another handle.
 * @returns null for a path that belongs to no handle's page
 */
export function readHandlePagePath(path: string): HandlePageAddress | null {
  const [, typed, after = ''] = /^\/(?:@|%40)([^/]*)(\/poster|\/card\.png)?\/?$/i.exec(path) ?? [];
  const file = FILES[after.toLowerCase()];
  if (typed === undefined || file === undefined) return null;
  const slug = typed.toLowerCase();
  return HANDLE_PATTERN.test(slug) ? { slug, file, path: handlePagePath(slug, file) } : { slug: null, file, path };
}
