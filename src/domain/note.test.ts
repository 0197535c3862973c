// What a note may hold, and what is left of it.
import { expect, test } from 'vitest';
import { readNote, withoutPiles } from './note.ts';

test.each([
  ['accents', 'Cr\u0065\u0301me br\u00fbl\u00e9e', 'Cr\u0065\u0301me br\u00fbl\u00e9e'],
  ['three marks on a letter', `o${'\u0323\u0302\u0301'}k`, `o${'\u0323\u0302\u0301'}k`],
  ['no fourth one', `o${'\u0323\u0302\u0301\u0301'}k`, `o${'\u0323\u0302\u0301'}k`],
  [
    'no pile on any letter',
    `a${'\u0301'.repeat(90)}b${'\u0302'.repeat(90)}`,
    `a${'\u0301'.repeat(3)}b${'\u0302'.repeat(3)}`,
  ],
  ['nor on nothing', '\u0301'.repeat(90), '\u0301'.repeat(3)],
])('%s', (_name, given, kept) => {
  expect(withoutPiles(given)).toBe(kept);
});

test('a merchant’s note is kept as it was given', () => {
  const piled = `a${'\u0301'.repeat(90)}`;
  expect(readNote(piled)).toEqual({ note: piled });
  expect(readNote('a'.repeat(281))).toEqual({ problem: 'too_long' });
});
