// What stays in view when a list is read again, whatever happened to it meanwhile.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { heldBack } from './heldRows.ts';

type Row = { id: string; is: string };
const rowsOf = (ids: string, is = 'old'): Row[] => [...ids].map((id) => ({ id, is }));
const read = (shown: string, rows: string, hasMore = true) => {
  const { shown: kept, held } = heldBack(rowsOf(shown), rowsOf(rows, 'new'), ({ id }) => id, hasMore);
  return { kept, held, ids: kept.map(({ id }) => id).join('') };
};

describe('a list that was read again', () => {
  test.each([
    ['nothing new', 'abc', 'abc', 'abc', 0],
    ['rows in front are held', 'abc', 'xyabc', 'abc', 2],
    ['rows that were pushed off its end stay', 'abc', 'xab', 'abc', 1],
    ['rows that were all pushed off stay', 'abc', 'xyz', 'abc', 3],
    ['a row that arrives between is held', 'abc', 'axbc', 'abc', 1],
    ['a row that no longer belongs to it goes', 'abc', 'ac', 'ac', 0],
    ['one goes and one comes', 'abc', 'xac', 'ac', 1],
    ['the next page is shown', 'abc', 'abcde', 'abcde', 0],
    ['the next page, and rows in front', 'abc', 'xabcde', 'abcde', 1],
    ['an empty list begins', '', 'ab', 'ab', 0],
  ])('%s', (_what, shown, rows, ids, held) => {
    expect(read(shown, rows)).toMatchObject({ ids, held });
  });

  test('of one page that became another one is shown', () =>
    expect(read('abc', 'xy', false)).toMatchObject({ ids: 'xy', held: 0 }));
  test('that became empty is empty', () => expect(read('abc', '', false)).toMatchObject({ ids: '', held: 0 }));
  test('shows known rows as they are now', () => {
    expect(read('ab', 'xab').kept.map(({ is }) => is)).toEqual(['new', 'new']);
  });

  test.each([
    ['nothing was pushed off', 'abc', 'xabc', true, false],
    ['the last one was pushed off', 'abc', 'xab', true, true],
    ['all were pushed off', 'abc', 'xyz', true, true],
    ['the next page has it', 'abc', 'xabcde', true, false],
    ['the list ends, so what is missing is gone', 'abc', 'xab', false, false],
    ['the page has other rows behind, so what is missing is gone', 'abc', 'xabde', true, false],
  ])('is stale while a row in view was not read again: %s', (_what, shown, rows, hasMore, isStale) => {
    const kept = heldBack(rowsOf(shown), rowsOf(rows, 'new'), ({ id }) => id, hasMore);
    expect(kept.isStale).toBe(isStale);
    expect(kept.shown.every(({ is }) => is === 'new')).toBe(!isStale);
  });

  test('never moves a row that stays, shows none twice, and loses none that is there', () => {
    const letters = fc.uniqueArray(fc.constantFrom(...'abcdefghij'), { maxLength: 8 });
    fc.assert(
      fc.property(letters, letters, fc.boolean(), (before, after, hasMore) => {
        const { ids, held } = read(before.join(''), after.join(''), hasMore);
        expect(new Set(ids).size).toBe(ids.length);
        const stayed = [...ids].filter((id) => before.includes(id));
        expect(stayed).toEqual(before.filter((id) => stayed.includes(id)));
        const inView = after.filter((id) => ids.includes(id)).length;
        expect(inView + held).toBe(after.length);
      }),
    );
  });
});
