// Places are shared out within every cap, to whoever can use them, in turn, and nobody starves.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allotSlots, MOST } from './deliverySlots.ts';

type One = Parameters<typeof allotSlots>[0][number];
const hungry = (id: string, more: Partial<One> = {}): One => ({
  id,
  host: id,
  isFailing: false,
  isSlow: false,
  underWay: 0,
  isHungry: true,
  ...more,
});
const plenty = () => Number.POSITIVE_INFINITY;

test.each([
  { who: 'one endpoint', list: [hungry('a')], given: { a: 10 } },
  { who: 'one that fails', list: [hungry('a', { isFailing: true })], given: { a: 4 } },
  { who: 'one that is slow', list: [hungry('a', { isSlow: true })], given: { a: 10 } },
  { who: 'one that has some under way', list: [hungry('a', { underWay: 7 })], given: { a: 3 } },
  {
    who: 'one that began to fail with many under way',
    list: [hungry('a', { underWay: 9, isFailing: true })],
    given: {},
  },
  { who: 'one with nothing due', list: [hungry('a', { isHungry: false })], given: {} },
  {
    who: 'four of one host',
    list: ['a', 'b', 'c', 'd'].map((id) => hungry(id, { host: 'same' })),
    given: { a: 8, b: 8, c: 8, d: 8 },
  },
  {
    who: 'two of a host at which another has nearly all',
    list: [
      hungry('a', { host: 'h' }),
      hungry('b', { host: 'h' }),
      hungry('c', { host: 'h', underWay: 29, isHungry: false }),
    ],
    given: { a: 2, b: 1 },
  },
])('$who', ({ list, given }) => {
  expect(Object.fromEntries(allotSlots(list, plenty))).toEqual(given);
});

test('a host that was sent to too fast waits, and the others do not', () => {
  const tokens = (host: string) => (host === 'a' ? 2.9 : host === 'b' ? 0.99 : 100);
  expect(Object.fromEntries(allotSlots([hungry('a'), hungry('b'), hungry('c')], tokens))).toEqual({ a: 2, c: 10 });
});

const contenders = fc
  .array(
    fc.record({
      host: fc.constantFrom('h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'own'),
      isFailing: fc.boolean(),
      isSlow: fc.boolean(),
      underWay: fc.integer({ min: 0, max: 10 }),
      isHungry: fc.boolean(),
    }),
    { maxLength: 120 },
  )
  .map((list) => list.map((one, i) => ({ ...one, id: `e${i}`, host: one.host === 'own' ? `own${i}` : one.host })));

const isLong = (one: One) => one.isFailing || one.isSlow;

/** What is under way and given, summed by what a cap counts. */
function loads(list: readonly One[], given: ReadonlyMap<string, number>) {
  const after = list.map((one) => ({ ...one, now: one.underWay + (given.get(one.id) ?? 0) }));
  const sum = (some: typeof after) => some.reduce((all, one) => all + one.now, 0);
  const ofHost = (host: string) => sum(after.filter((one) => one.host === host));
  return { after, total: sum(after), long: sum(after.filter(isLong)), ofHost };
}

test('no cap is exceeded by what is given, and what could be given is given', () => {
  fc.assert(
    fc.property(contenders, fc.integer({ min: 0, max: 40 }), (list, allowance) => {
      const given = allotSlots(list, () => allowance);
      const { after, total, long, ofHost } = loads(list, given);
      const spent = (host: string) =>
        list.reduce((all, one) => all + (one.host === host ? (given.get(one.id) ?? 0) : 0), 0);
      for (const one of after) {
        const most = one.isFailing ? MOST.failingEndpoint : MOST.endpoint;
        const got = given.get(one.id) ?? 0;
        const isFull = {
          endpoint: one.now >= most,
          host: ofHost(one.host) >= MOST.host || spent(one.host) >= allowance,
          total: total >= MOST.total,
          long: isLong(one) && long >= MOST.long,
        };
        if (got > 0) {
          expect(one.isHungry).toBe(true);
          expect(one.now).toBeLessThanOrEqual(most);
          expect(ofHost(one.host)).toBeLessThanOrEqual(MOST.host);
          expect(spent(one.host)).toBeLessThanOrEqual(allowance);
          if (isLong(one)) expect(long).toBeLessThanOrEqual(MOST.long);
        }
        if (one.isHungry) expect(Object.values(isFull)).toContain(true);
      }
      if (given.size > 0) expect(total).toBeLessThanOrEqual(MOST.total);
    }),
    { numRuns: 300 },
  );
});

test('endpoints that fail or are slow never have more than half, however many they are', () => {
  const long = Array.from({ length: 200 }, (_, i) => hungry(`f${i}`, i % 2 ? { isFailing: true } : { isSlow: true }));
  const healthy = Array.from({ length: 40 }, (_, i) => hungry(`h${i}`));
  const given = allotSlots([...long, ...healthy], plenty);
  expect(loads(long, given).total).toBe(256);
  expect(loads(healthy, given).total).toBe(256);
});

test('in turn: of two that may have the same, none has more than one more than the other', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), (count) => {
      const given = allotSlots(
        Array.from({ length: count }, (_, i) => hungry(`e${i}`)),
        plenty,
      );
      const shares = Array.from({ length: count }, (_, i) => given.get(`e${i}`) ?? 0);
      expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
    }),
  );
});
