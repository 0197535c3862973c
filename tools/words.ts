// Words that the field does not use, and the check for them: `npx tsx tools/words.ts [folder…]` lists them in public text, or in the named folders.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../src/root.ts';

/** Parts of a regular expression, where a space is any gap, also a line break within a comment; and what to write instead. */
const WORDS: readonly (readonly [words: string, instead: string])[] = [
  ['whoever', 'the payer, the caller, anyone who'],
  ['somebody|anybody', 'a user, a recipient, anyone'],
  ['nobody', 'no one; or name what does not happen'],
  ['anew', 'again'],
  ['(?:is|are|was|were|be|been|being) (?:(?:not|never|also|only|then) )?told', 'is notified, is shown, gets'],
  ['(?:is|are|was|were|be|been|being) (?:(?:not|never|also|only|then) )?asked', 'requests, is polled, is queried'],
  ['taken in', 'ingested, indexed'],
  ['taken back', 'reverted, refunded, revoked'],
  ['stretch(?:es)?', 'block range'],
  ['rungs?|ladders?', 'attempt, retry schedule'],
  ['purses?', 'balance'],
  ['outbids?', 'replaces, bumps the fee'],
  ['told of|tells of|hears? of|heard of', 'receives, is notified'],
  ['what became of', 'the outcome'],
  ['of now', 'current'],
  ['goes well|go well|went well', 'succeeds'],
  ['stands here', 'is'],
  ['for good', 'permanently'],
  ['any more', 'no longer'],
  ['if you like', '(optional)'],
  ['some moments', 'a moment'],
];

/** Files and folders that have none of the words: public text, and code whose comments are rewritten. */
const PUBLIC = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'docs', 'sdk', 'cli', 'web', 'local/playground/web'],
  ...['src', 'bots', 'signer', 'local/chains', 'local/tour', 'local/platforms', 'prisma/schema.prisma'],
];
const NOT_PUBLIC = [
  // Written from contracts and their tests, whose comments are part of what is deployed.
  ...['docs/abi', 'docs/gas.md'],
  // Words that people type.
  ...['src/domain/command/typos.ts', 'src/domain/command/noteWords.ts', 'src/domain/command/corpus'],
  // SQL that names the column `rung`.
  ...['src/services/webhooks/deliveryTransitions.ts', 'src/services/webhooks/dueDeliveries.ts'],
  // Not rewritten yet.
  ...['src/chain/logs', 'src/chain/rpc/blockRanges.ts', 'src/services/indexer', 'src/services/transitions.ts'],
  ...['feed', 'indexing', 'transitions'].map((name) => `src/services/escrow/${name}.ts`),
  ...['alertChecks', 'health', 'metrics', 'overview'].map((name) => `src/services/operations/${name}.ts`),
  'src/services/orders/indexing',
];
/** Counted only, until they are rewritten. */
export const REST = ['src', 'workers', 'local', 'test', 'tools', 'bench'];

/** Tests quote what people type. */
const IS_TEXT = /(?<!\.test)\.(?:md|ts|tsx|mjs|json|css|html|prisma)$/;
const BUILT = /(?:^|\/)(?:node_modules|dist|generated)\//;
const GAP = String.raw`\s+(?:(?:\*|\/{2,}|#|>|--)\s+)?`;

type Found = { path: string; line: number; word: string; instead: string };

/** @param path the file's, from the root: some files are public in part */
export function findWords(path: string, text: string): Found[] {
  const shown = publicPart(path, text);
  const found = WORDS.flatMap(([words, instead]) => {
    // A hyphen makes it a part of a name: a key of a text, a class of a style.
    const pattern = new RegExp(`(?<![\\w-])(?:${words.replaceAll(' ', GAP)})(?![\\w-])`, 'gi');
    return [...shown.matchAll(pattern)].map(({ 0: match, index }) => ({
      path,
      line: shown.slice(0, index).split('\n').length,
      word: match.replace(new RegExp(GAP, 'g'), ' '),
      instead,
    }));
  });
  return found.sort((a, b) => a.line - b.line);
}

/** The same lines, without what is not public. */
function publicPart(path: string, text: string): string {
  if (path === 'CHANGELOG.md') return text.split(/^(?=## )/m, 2).join('');
  if (path.endsWith('.prisma')) return text.replace(/^(?!\s*\/\/).*$/gm, '');
  return text;
}

export function publicWords(): Found[] {
  return wordsOf(filesOf(PUBLIC, NOT_PUBLIC));
}

/** How many are left in each place of the rest; a file counts in the first place that has it. */
export function restOfWords(): Record<string, number> {
  const seen = new Set(filesOf(PUBLIC, NOT_PUBLIC));
  const counts = REST.map((place) => {
    const paths = filesOf([place]).filter((path) => !seen.has(path));
    for (const path of paths) seen.add(path);
    return [place, wordsOf(paths).length] as const;
  });
  return Object.fromEntries(counts);
}

export const lineOf = ({ path, line, word, instead }: Found) => `${path}:${line}: ${word} → ${instead}`;

function wordsOf(paths: string[]): Found[] {
  return paths.flatMap((path) => findWords(path, readFileSync(join(ROOT, path), 'utf8')));
}

function filesOf(places: string[], without: string[] = []): string[] {
  const paths = places.flatMap((place) => {
    if (!statSync(join(ROOT, place)).isDirectory()) return [place];
    return readdirSync(join(ROOT, place), { recursive: true, encoding: 'utf8' }).map((path) => join(place, path));
  });
  const isLeftOut = (path: string) => without.some((one) => path === one || path.startsWith(`${one}/`));
  return [...new Set(paths)].filter((path) => IS_TEXT.test(path) && !BUILT.test(path) && !isLeftOut(path));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const places = process.argv.slice(2);
  for (const one of places.length > 0 ? wordsOf(filesOf(places)) : publicWords()) console.log(lineOf(one));
  if (places.length === 0) console.log('elsewhere', restOfWords());
}
