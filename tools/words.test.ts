// Text and comments have none of the words that tools/words.ts lists.
import { expect, test } from 'vitest';
import { bannedWords, findWords, lineOf } from './words.ts';

const found = (path: string, text: string) => findWords(path, text).map(({ line, word }) => `${line}: ${word}`);

test('text and comments have none of them', () => {
  expect(bannedWords().map(lineOf)).toEqual([]);
});

test('an inserted word is found by its line, in any case and form', () => {
  expect(findWords('docs/orders.md', 'An order.\n\nWhoever pays it.\n')).toEqual([
    { path: 'docs/orders.md', line: 3, word: 'Whoever', instead: 'the payer, the caller, anyone who' },
  ]);
  expect(found('README.md', 'The chat is not told. Each rung of a ladder.')).toEqual([
    '1: is not told',
    '1: rung',
    '1: ladder',
  ]);
});

test('a word that a line break parts is found, within a comment too', () => {
  expect(found('sdk/a.ts', '/**\n * It does not run any\n * more.\n */\n// failed for\n// good')).toEqual([
    '2: any more',
    '5: for good',
  ]);
});

test('names and other words are left alone', () => {
  expect(
    found('web/src/a.tsx', "<p className='items-stretch'>{say('leaderboard-nobody')}</p> wrung, told, anymore"),
  ).toEqual([]);
});

test('of some files a part is checked', () => {
  expect(found('CHANGELOG.md', '# Changelog\n\n## 2\n- anew\n\n## 1\n- anew\n')).toEqual(['4: anew']);
  expect(found('prisma/schema.prisma', '/// The rung.\nmodel D {\n  rung Int\n}\n')).toEqual(['1: rung']);
});
