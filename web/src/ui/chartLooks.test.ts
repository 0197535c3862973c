// The lines of a chart can be told apart, however many there are, and all of them are below the top of its grid.
import { expect, it } from 'vitest';
import { axisTop, dashesOf, LOOKS, toneAt } from './chartLooks.ts';

it(`no two of ${LOOKS} lines look the same, and the first four are whole`, () => {
  const tones = Array.from({ length: LOOKS }, (_, index) => toneAt(index));
  const dashes = dashesOf(tones);
  expect(new Set(tones.map((tone, index) => `${tone} ${dashes[index]}`)).size).toBe(LOOKS);
  expect(LOOKS).toBeGreaterThan(4);
  expect(dashes.slice(0, 4)).toEqual([[], [], [], []]);
});

it('lines of one tone differ by their dashes, also beside others', () => {
  const [first, other, second] = dashesOf(['brick', 'accent', 'brick']);
  expect([first, other]).toEqual([[], []]);
  expect(second).not.toEqual([]);
});

it.each([
  [0, 0, 1],
  [5, 0, 6],
  [13, 0, 15],
  [100, 0, 150],
  [2_000, 0, 2_500],
  [0.3, 0, 0.4],
  [1, 1, 2],
  [3, 1, 4],
  [7, 1, 8],
])('an axis for up to %d, in steps of at least %d, ends at %d', (most, least, top) => {
  expect(axisTop(most, least)).toBeCloseTo(top, 10);
});
