// The document that every page starts as: the built one, with the title, the files that its page needs, what it would ask for first, and what it looks
// like until its scripts run.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { PageRoute } from '../domain/pages.ts';
import { ROOT } from '../root.ts';

export const WEB = join(ROOT, 'web/dist');
/** The wallet's window, for the host that `WALLET_ORIGIN` names: an entry of its own. */
const WALLET_DOCUMENT = join(WEB, 'wallet.html');
/** The entry of all other pages. */
const ENTRY = 'index.html';
const DOCUMENT = join(WEB, ENTRY);
const MANIFEST = join(WEB, '.vite/manifest.json');
/** HTML by page, and by page and language where a page speaks several: drawn by web/firstFrames. */
const FRAMES = join(WEB, 'frames.json');
/** Where they were drawn: the service’s own address is put in its place. */
const DRAWN_ORIGIN = 'https://service.invalid';

/** Of Vite: a source file, what it became, and the sources that it cannot run without. */
type Manifest = Record<string, { file: string; imports?: string[]; isEntry?: boolean }>;
type Built = { madeMs: number; html: string; manifest: Manifest; frames: Record<string, string> };

/** What a document says besides its page. */
export type Head = {
  title: string;
  /** What people read where an address is shared; without it nothing is said. */
  description?: string;
  /** Whole, for those who share it. */
  url?: string;
  /** A picture of it, with its address whole, for those who share the page's. */
  image?: { url: string; width: number; height: number; alt: string };
  /** There is nothing of this ID: the page says so, with the status 404. */
  isMissing?: boolean;
  /** The title of an order is only for those who have its address. */
  isPrivate?: boolean;
  /** A page of a merchant’s own may open it in a window and hear from it. */
  isEmbeddable?: boolean;
  /** Where it is not English, with the source file of its words. */
  language?: { tag: string; source: string };
  /** The answer to a call that the page would make first, by the call's path under /api. */
  answer?: { path: string; at: number; body: unknown };
};

/** What all documents of a process share. `headHtml` stands in each, as it is. */
export type Site = { origin: string; headHtml: string };

let built: Built | null = null;

/** @returns null while the pages are not built */
function readBuilt(): Built | null {
  const madeMs = statSync(DOCUMENT, { throwIfNoEntry: false })?.mtimeMs;
  // The frames are what a build writes last.
  if (madeMs === undefined || !existsSync(FRAMES)) return null;
  if (built?.madeMs !== madeMs) {
    const manifest = JSON.parse(readFileSync(MANIFEST, 'utf8')) as Manifest;
    const frames = JSON.parse(readFileSync(FRAMES, 'utf8')) as Built['frames'];
    built = { madeMs, html: readFileSync(DOCUMENT, 'utf8'), manifest, frames };
  }
  return built;
}

/** The document of a page, or null while the pages are not built. */
export function documentOf({ page }: PageRoute, head: Head, { origin, headHtml }: Site): string | null {
  const found = readBuilt();
  if (!found) return null;
  const sources = [`src/${page}.tsx`, ...(head.language ? [head.language.source] : [])];
  const preloads = filesOf(found.manifest, sources).map(
    (file) => `<link rel="modulepreload" crossorigin href="/${file}">`,
  );
  const lines = [
    ...preloads,
    ...tagsOf(head),
    ...(headHtml ? [headHtml] : []),
    ...(head.answer ? [inlined(head.answer)] : []),
  ];
  return (
    found.html
      .replace('<html lang="en">', () => `<html lang="${head.language?.tag ?? 'en'}">`)
      .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeHtml(head.title)}</title>`)
      .replace('</head>', () => `  ${lines.join('\n    ')}\n  </head>`)
      // Inert, because nothing listens yet: a press would be lost.
      .replace('<div id="root"></div>', () => `<div id="root" inert>${frameOf(found, page, head, origin)}</div>`)
  );
}

/** The document of the wallet's window, which answers to pages of this origin alone. Null while the pages are not built. */
export function walletDocument(pagesOrigin: string): string | null {
  if (!existsSync(WALLET_DOCUMENT)) return null;
  const meta = `<meta name="pages-origin" content="${escapeHtml(pagesOrigin)}">`;
  return readFileSync(WALLET_DOCUMENT, 'utf8').replace('</head>', () => `  ${meta}\n  </head>`);
}

function frameOf({ frames }: Built, page: string, { language }: Head, origin: string): string {
  const frame = frames[language ? `${page}.${language.tag}` : page] ?? '';
  return frame.replaceAll(DRAWN_ORIGIN, () => escapeHtml(origin));
}

/** The files that a page needs besides the entry, which the document names itself. */
function filesOf(manifest: Manifest, sources: string[]): string[] {
  const wanted = new Set<string>();
  const visit = (key: string) => {
    if (wanted.has(key)) return;
    wanted.add(key);
    for (const next of manifest[key]?.imports ?? []) visit(next);
  };
  visit(ENTRY);
  for (const source of sources) visit(source);
  return [...wanted].flatMap((key) => (manifest[key]?.isEntry ? [] : (manifest[key]?.file ?? [])));
}

function tagsOf({ title, description, url, image, isPrivate }: Head): string[] {
  const name = title.replace(/ · Ampersat$/, '');
  return [
    ...(isPrivate ? ['<meta name="robots" content="noindex">'] : []),
    '<meta property="og:site_name" content="Ampersat">',
    '<meta property="og:type" content="website">',
    `<meta property="og:title" content="${escapeHtml(name)}">`,
    ...(description ? [`<meta property="og:description" content="${escapeHtml(description)}">`] : []),
    ...(url ? [`<meta property="og:url" content="${escapeHtml(url)}">`] : []),
    ...(image ? imageTags(image) : []),
    `<meta name="twitter:card" content="${image ? 'summary_large_image' : 'summary'}">`,
  ];
}

function imageTags({ url, width, height, alt }: NonNullable<Head['image']>): string[] {
  const tags = { image: url, 'image:width': width, 'image:height': height, 'image:alt': alt };
  return Object.entries(tags).map(
    ([name, value]) => `<meta property="og:${name}" content="${escapeHtml(String(value))}">`,
  );
}

/** Data, which the policy of scripts does not concern: nothing in it can end the element that it stands in. */
function inlined(answer: NonNullable<Head['answer']>): string {
  return `<script type="application/json" id="answer">${JSON.stringify(answer).replaceAll('<', '\\u003c')}</script>`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
