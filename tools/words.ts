// Words that the field does not use, and the check for them: `npx tsx tools/words.ts [folder…]` lists them in everything checked, or in the named folders.
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

/** Files and folders that have none of the words. */
const CHECKED = [
  ...[
    'README.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    'docs',
    'sdk',
    'cli',
    'web',
    'src',
    'bots',
    'signer',
    'workers',
    'local',
  ],
  ...['test', 'tools', 'bench', 'prisma/schema.prisma'],
];
const NOT_CHECKED = [
  // Written from contracts and their tests, or part of what the hash of the contracts covers.
  ...['docs/abi', 'docs/gas.md', 'tools/contracts-gas.mjs', 'test/routers'],
  // Words that people type.
  ...['src/domain/command/typos.ts', 'src/domain/command/noteWords.ts', 'src/domain/command/corpus'],
  'test/setup/discordAnswers.ts',
  // SQL that names the column `rung`.
  ...['src/services/webhooks/deliveryTransitions.ts', 'src/services/webhooks/dueDeliveries.ts'],
  // A label that rows hold, an account of the system, the list itself.
  ...['src/services/escrow/indexing.ts', 'local/postgres/binaries.ts', 'tools/words.ts'],
];

/** Tests quote what people type. */
const IS_TEXT = /(?<!\.test)\.(?:md|ts|tsx|mjs|json|css|html|prisma)$/;
const BUILT = /(?:^|\/)(?:node_modules|dist|generated)\//;
const GAP = String.raw`\s+(?:(?:\*|\/{2,}|#|>|--)\s+)?`;

type Found = { path: string; line: number; word: string; instead: string };

/** @param path the file's, from the root: some files are checked in part */
export function findWords(path: string, text: string): Found[] {
  const checked = checkedPart(path, text);
  const found = WORDS.flatMap(([words, instead]) => {
    // A hyphen makes it a part of a name: a key of a text, a class of a style.
    const pattern = new RegExp(`(?<![\\w-])(?:${words.replaceAll(' ', GAP)})(?![\\w-])`, 'gi');
    return [...checked.matchAll(pattern)].map(({ 0: match, index }) => ({
      path,
      line: checked.slice(0, index).split('\n').length,
      word: match.replace(new RegExp(GAP, 'g'), ' '),
      instead,
    }));
  });
  return found.sort((a, b) => a.line - b.line);
}

/** The same lines, without what is not checked. */
function checkedPart(path: string, text: string): string {
  if (path === 'CHANGELOG.md') return text.split(/^(?=## )/m, 2).join('');
  if (path.endsWith('.prisma')) return text.replace(/^(?!\s*\/\/).*$/gm, '');
  return text;
}

export function bannedWords(): Found[] {
  return wordsOf(filesOf(CHECKED, NOT_CHECKED));
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
  for (const one of places.length > 0 ? wordsOf(filesOf(places)) : bannedWords()) console.log(lineOf(one));
}
