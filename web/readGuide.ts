// Reads the markdown of a guide into the blocks that the pages show. Code blocks that follow each other directly in different languages are one
// example in several languages. What follows an HTML comment is for readers of the repository only.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { lexer, type Token, type Tokens } from 'marked';
import { type Block, type Guide, type Inline, plainText } from './src/docs/guide.ts';
import type { Language } from './src/docs/languages.ts';
import { DOCS } from './src/docs/places.ts';

/** The language of a code block by the first word behind its fence. */
const LANGUAGES: Record<string, Language> = { sh: 'curl', js: 'node', ts: 'node', python: 'python', php: 'php' };

const TITLES: Record<string, string> = { json: 'JSON', text: 'Output' };

type Source = {
  markdown: string;
  /** Of the file, and of those passed to `fileOf`, from `root`. */
  path: string;
  root: string;
  /** The address of another file of the repository in the pages. */
  fileOf(path: string): string;
};
type Context = Source & { ids: Set<string> };

/** @throws Error for what the pages do not show */
export function readGuide(source: Source): Guide {
  const tokens = lexer(source.markdown).filter(({ type }) => type !== 'space');
  const end = tokens.findIndex(({ type }) => type === 'html');
  const [first, ...rest] = end === -1 ? tokens : tokens.slice(0, end);
  if (first?.type !== 'heading') throw new Error(`${source.path} has to begin with its title.`);
  return { title: (first as Tokens.Heading).text, blocks: blocksOf(rest, { ...source, ids: new Set() }) };
}

function blocksOf(tokens: Token[], context: Context): Block[] {
  const blocks: Block[] = [];
  for (const token of tokens.filter(({ type }) => type !== 'space')) {
    const [block, last] = [blockOf(token, context), blocks.at(-1)];
    const isNext =
      last?.kind === 'examples' &&
      block.kind === 'examples' &&
      !last.examples.some(({ language }) => language === block.examples[0]?.language);
    if (isNext) last.examples.push(...block.examples);
    else blocks.push(block);
  }
  return blocks;
}

function blockOf(token: Token, context: Context): Block {
  switch (token.type) {
    case 'heading': {
      const { depth, tokens } = token as Tokens.Heading;
      const children = inlinesOf(tokens, context);
      return { kind: 'heading', level: depth, id: idOf(plainText(children), context), children };
    }
    case 'paragraph':
    case 'text': {
      const { tokens = [] } = token as Tokens.Paragraph;
      const [only] = tokens;
      if (tokens.length === 1 && only?.type === 'image') return imageOf(only as Tokens.Image, context);
      return { kind: 'paragraph', children: inlinesOf(tokens, context) };
    }
    case 'list': {
      const { ordered, items } = token as Tokens.List;
      return { kind: 'list', ordered, items: items.map(({ tokens }) => blocksOf(tokens, context)) };
    }
    case 'table': {
      const { header, rows } = token as Tokens.Table;
      const cells = (row: Tokens.TableCell[]) => row.map(({ tokens }) => inlinesOf(tokens, context));
      return { kind: 'table', head: cells(header), rows: rows.map(cells) };
    }
    case 'code': {
      const { lang = '', text } = token as Tokens.Code;
      const language = LANGUAGES[lang.split(' ')[0] ?? ''];
      return language
        ? { kind: 'examples', examples: [{ language, text }] }
        : { kind: 'code', text, title: TITLES[lang] ?? 'Example' };
    }
    default:
      throw new Error(`${context.path}: the pages do not show “${token.raw}”.`);
  }
}

function inlinesOf(tokens: Token[], context: Context): Inline[] {
  return tokens.flatMap((token): Inline[] => {
    const inner = () => inlinesOf((token as Tokens.Link).tokens ?? [], context);
    switch (token.type) {
      case 'text':
      case 'escape':
        return [token.text];
      case 'codespan':
        return [{ kind: 'code', text: token.text }];
      case 'strong':
      case 'em':
        return [{ kind: token.type, children: inner() }];
      case 'link':
        return [{ kind: 'link', href: addressOf(token.href, context), children: inner() }];
      default:
        throw new Error(`${context.path}: the pages do not show “${token.raw}”.`);
    }
  });
}

function imageOf({ href, text }: Tokens.Image, context: Context): Block {
  const file = join(dirname(context.path), href);
  // Of a PNG: its first chunk begins with width and height, which keep its place on the page until it is loaded.
  const bytes = readFileSync(join(context.root, file));
  return {
    kind: 'image',
    src: context.fileOf(file),
    alt: text,
    width: bytes.readUInt32BE(16),
    height: bytes.readUInt32BE(20),
  };
}

/** A service as the repository links to it: the one that `npm start` runs. In the pages it is the service whose pages they are. */
const HERE = 'http://127.0.0.1:8080';

/** Where a link leads in the pages: guides are pages, other files of the repository become files of the pages. */
function addressOf(href: string, { path, fileOf }: Context): string {
  if (href.startsWith(`${HERE}/`)) return href.slice(HERE.length);
  if (/^(https?:|#)/.test(href)) return href;
  const [file = '', anchor] = href.split('#');
  const target = join(dirname(path), file);
  const page = DOCS.find(({ source }) => source === target);
  if (!page) return fileOf(target);
  return anchor ? `${page.href}#${anchor}` : page.href;
}

/** As the repository's pages name headings: links lead to the same place in both. */
function idOf(text: string, { ids }: Context): string {
  const plain = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
  let id = plain;
  for (let count = 1; ids.has(id); count++) id = `${plain}-${count}`;
  ids.add(id);
  return id;
}
