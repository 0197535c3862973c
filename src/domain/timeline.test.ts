// The order of what happened, with clocks that disagree.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Happening, inCausalOrder } from './timeline.ts';

const keysOf = (all: Happening[]) => all.map(({ key }) => key);

test('a block that is dated before what sent the payment comes after it, with its time', () => {
  const entries = [
    { key: 'paid', at: 1_000, after: ['submitted'] },
    { key: 'created', at: 1_500, after: [] },
    { key: 'submitted', at: 1_900, after: ['created'] },
  ];
  expect(inCausalOrder(entries).map(({ key, at }) => [key, at])).toEqual([
    ['created', 1_500],
    ['submitted', 1_900],
    ['paid', 1_900],
  ]);
});

test('causes that are missing, or that circle, do no harm', () => {
  const entries = [
    { key: 'a', at: 2, after: ['b', 'gone'] },
    { key: 'b', at: 1, after: ['a'] },
  ];
  expect(keysOf(inCausalOrder(entries)).sort()).toEqual(['a', 'b']);
});

/** Entries whose causes have lower numbers, with times that have nothing to do with it, in any order. */
const histories = fc
  .array(fc.record({ at: fc.integer({ min: 0, max: 50 }), causes: fc.array(fc.nat(30), { maxLength: 4 }) }), {
    maxLength: 30,
  })
  .map((list) =>
    list.map(({ at, causes }, number) => ({
      key: String(number),
      at,
      after: causes.filter((cause) => cause < number).map(String),
    })),
  )
  .chain((all) => fc.shuffledSubarray(all, { minLength: all.length }));

test('for any clocks: all of it, causes first, times that never fall and never lie early', () => {
  fc.assert(
    fc.property(histories, (entries) => {
      const sorted = inCausalOrder(entries);
      expect(keysOf(sorted).sort()).toEqual(keysOf(entries).sort());
      const places = new Map(sorted.map(({ key }, index) => [key, index]));
      for (const [index, { key, at, after }] of sorted.entries()) {
        for (const cause of after) expect(places.get(cause)).toBeLessThan(index);
        expect(at).toBeGreaterThanOrEqual(entries.find((one) => one.key === key)?.at ?? Number.NaN);
        if (index > 0) expect(at).toBeGreaterThanOrEqual(sorted[index - 1]?.at ?? Number.NaN);
      }
    }),
    { numRuns: 1_000 },
  );
});
