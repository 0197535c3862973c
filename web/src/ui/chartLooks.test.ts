// The lines of a chart can be told apart, however many there are.
import { expect, it } from 'vitest';
import { dashesOf, LOOKS, toneAt } from './chartLooks.ts';

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
