// The planner equals brute force, its packs are strictly cheaper, and what arrives adds up.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Candidate, type Due, givenFor, MOST_LEGS, planPayment, RATE_ONE, type Source } from './smartPayment.ts';

const USD = 10n ** 24n;
const MICRO = USD / 10n ** 6n;

/** In USDC, one for one, without fees. */
function source(over: Partial<Source> = {}): Source {
  return {
    balance: 100_000_000n,
    fixed: 0n,
    rate: RATE_ONE,
    value: MICRO,
    gas: 0n,
    least: 0n,
    most: 10n ** 30n,
    direct: false,
    confirmations: 1,
    etaS: 10,
    ...over,
  };
}
const due = (units: bigint): Due => ({ units, value: MICRO, leastLeg: 500_000n });
const kinds = (found: Candidate<Source>[]) => found.map(({ kind }) => kind);

describe('one source', () => {
  test('direct before bridged: it costs less', () => {
    const [own, far] = [source({ direct: true }), source({ fixed: 20_000n })];
    const found = planPayment(due(25_000_000n), [far, own]);
    expect(found.map(({ kind, cost }) => [kind, cost])).toEqual([
      ['direct', 0n],
      ['single', 20_000n * MICRO],
    ]);
  });

  test('what leaves the wallet is rounded up', () => {
    expect(givenFor({ fixed: 3n, rate: RATE_ONE + 1n }, 10n)).toBe(14n);
    expect(givenFor({ fixed: 0n, rate: RATE_ONE / 3n }, 2n)).toBe(1n);
  });

  test.each([
    ['a balance that does not cover the fee', { balance: 10n, fixed: 11n }],
    ['a balance one unit short', { balance: 24_999_999n }],
    ['less than the way takes', { least: 25_000_001n }],
    ['more than the way takes', { most: 24_999_999n }],
  ])('%s is no candidate', (_, over) => {
    expect(planPayment(due(25_000_000n), [source(over)])).toEqual([]);
  });

  test('equal costs: fewer confirmations first, then the quicker', () => {
    const [slow, quick, few] = [
      source({ confirmations: 3, etaS: 60 }),
      source({ confirmations: 3, etaS: 5 }),
      source({ confirmations: 1, etaS: 90 }),
    ];
    const found = planPayment(due(1_000_000n), [slow, quick, few]);
    expect(found.map(({ legs }) => legs[0]?.source)).toEqual([few, quick, slow]);
  });

  test.each([0n, -1n])('nothing is due: %d', (units) => {
    expect(planPayment(due(units), [source()])).toEqual([]);
  });
});

describe('a pack', () => {
  test('where no source suffices alone', () => {
    const parts = [source({ balance: 10_000_000n, direct: true }), source({ balance: 20_000_000n, fixed: 30_000n })];
    const [pack, ...others] = planPayment(due(25_000_000n), parts);
    expect([pack?.kind, others]).toEqual(['multi', []]);
    expect(pack?.legs.map(({ arrives, gives }) => [arrives, gives])).toEqual([
      [10_000_000n, 10_000_000n],
      [15_000_000n, 15_030_000n],
    ]);
  });

  test('where it is strictly cheaper, and not where it costs the same', () => {
    const dear = source({ rate: (RATE_ONE * 11n) / 10n });
    const cheap = source({ balance: 5_000_000n });
    expect(kinds(planPayment(due(10_000_000n), [dear, cheap]))).toEqual(['multi', 'single']);
    expect(kinds(planPayment(due(10_000_000n), [dear, { ...dear, balance: 5_500_000n }]))).toEqual(['single']);
  });

  test('of four legs at most', () => {
    const fifth = Array.from({ length: 5 }, () => source({ balance: 5_000_000n }));
    expect(planPayment(due(20_000_000n), fifth)[0]?.legs).toHaveLength(4);
    expect(planPayment(due(20_000_001n), fifth)).toEqual([]);
  });

  test('no leg below the least', () => {
    const [large, small] = [source({ balance: 10_000_000n }), source({ balance: 10_000_000n, fixed: 1n })];
    const [pack] = planPayment(due(10_200_000n), [large, small]);
    expect(pack?.legs.map(({ arrives }) => arrives)).toEqual([9_700_000n, 500_000n]);
  });

  test('of more sources than are searched, it still sums up', () => {
    const many = Array.from({ length: 60 }, (_, index) =>
      source({ balance: 6_000_000n, fixed: BigInt(index) * 1_000n }),
    );
    const [pack] = planPayment(due(20_000_000n), many);
    expect(pack?.legs.reduce((sum, { arrives }) => sum + arrives, 0n)).toBe(20_000_000n);
    expect(pack?.cost).toBe(6_000n * MICRO);
  });
});

/** Small numbers, so that every split can be tried. */
const SMALL = fc.record({
  balance: fc.bigInt({ min: 0n, max: 14n }),
  fixed: fc.bigInt({ min: 0n, max: 3n }),
  rate: fc.bigInt({ min: 1n, max: 40n }).map((tenths) => (RATE_ONE * tenths) / 20n),
  value: fc.bigInt({ min: 1n, max: 3n }),
  gas: fc.bigInt({ min: 0n, max: 4n }),
  least: fc.bigInt({ min: 0n, max: 4n }),
  most: fc.bigInt({ min: 1n, max: 12n }),
  direct: fc.boolean(),
  confirmations: fc.nat(2),
  etaS: fc.nat(2),
});
const CASE = fc.record({
  due: fc.record({
    units: fc.bigInt({ min: 1n, max: 10n }),
    value: fc.constant(2n),
    leastLeg: fc.bigInt({ min: 1n, max: 3n }),
  }),
  sources: fc.array(SMALL, { maxLength: 5 }),
});
const mostly = fc.record({
  due: fc.record({ units: fc.bigInt({ min: 4n, max: 8n }), value: fc.constant(2n), leastLeg: fc.constant(1n) }),
  sources: fc.array(SMALL, { minLength: 6, maxLength: 8 }),
});

type Split = { exact: bigint; amounts: bigint[] };

/** Every way to let exactly that arrive from at most four sources. */
function everySplit({ units, leastLeg }: Due, sources: readonly Source[]): Split[] {
  const found: Split[] = [];
  const walk = (index: number, rest: bigint, amounts: bigint[], legs: number) => {
    if (index === sources.length) {
      if (rest === 0n && legs > 1) found.push({ amounts, exact: exactCost(sources, amounts) });
      return;
    }
    const one = sources[index];
    if (!one) return;
    walk(index + 1, rest, [...amounts, 0n], legs);
    if (legs === MOST_LEGS) return;
    for (let arrives = leastLeg; arrives <= rest; arrives += 1n)
      if (arrives >= one.least && arrives <= one.most && givenFor(one, arrives) <= one.balance)
        walk(index + 1, rest - arrives, [...amounts, arrives], legs + 1);
  };
  walk(0, units, [], 0);
  return found;
}

/** Without rounding, times {@link RATE_ONE}. */
function exactCost(sources: readonly Source[], amounts: readonly bigint[]): bigint {
  return sources.reduce((sum, { fixed, rate, value, gas }, index) => {
    const arrives = amounts[index] ?? 0n;
    return arrives === 0n ? sum : sum + (fixed * value + gas) * RATE_ONE + arrives * rate * value;
  }, 0n);
}

function amountsOf(sources: readonly Source[], { legs }: Candidate<Source>): bigint[] {
  return sources.map((one) => legs.find(({ source: from }) => from === one)?.arrives ?? 0n);
}

function check({ due: wanted, sources }: { due: Due; sources: Source[] }): void {
  const found = planPayment(wanted, sources);
  const packs = found.filter(({ kind }) => kind === 'multi');
  const singles = found.filter(({ kind }) => kind !== 'multi');
  for (const { legs } of found) {
    expect(legs.reduce((sum, { arrives }) => sum + arrives, 0n)).toBe(wanted.units);
    for (const { source: from, arrives, gives } of legs) {
      expect(gives).toBe(givenFor(from, arrives));
      expect(gives <= from.balance && arrives <= from.most && arrives >= from.least).toBe(true);
      expect(legs.length === 1 || arrives >= wanted.leastLeg).toBe(true);
    }
  }
  const alone = sources.filter(
    (one) => wanted.units >= one.least && wanted.units <= one.most && givenFor(one, wanted.units) <= one.balance,
  );
  expect(new Set(singles.map(({ legs }) => legs[0]?.source))).toEqual(new Set(alone));
  for (const [index, { cost }] of found.entries())
    expect(index === 0 || cost >= (found[index - 1]?.cost ?? 0n)).toBe(true);
  const splits = everySplit(wanted, sources);
  const cheapestSingle = singles[0]?.cost;
  expect(packs.length).toBeLessThanOrEqual(1);
  const [pack] = packs;
  if (pack) {
    expect(cheapestSingle === undefined || pack.cost < cheapestSingle).toBe(true);
    // Of its own legs no split is cheaper.
    const used = amountsOf(sources, pack).map((amount) => amount > 0n);
    const same = splits.filter(({ amounts }) => amounts.every((amount, index) => amount > 0n === used[index]));
    const own = exactCost(sources, amountsOf(sources, pack));
    for (const { exact } of same) expect(exact >= own).toBe(true);
  } else if (cheapestSingle === undefined) expect(splits).toEqual([]);
  // No pack of other legs is cheaper in what leaves the wallet, but for the rounding of one unit a leg.
  const best = pack?.cost ?? cheapestSingle;
  const slack = sources.reduce((most, { value }) => (value > most ? value : most), 0n) * BigInt(MOST_LEGS);
  for (const { exact } of splits)
    if (best !== undefined) expect(exact / RATE_ONE - wanted.units * wanted.value + slack >= best).toBe(true);
}

test.each([
  ['small wallets', CASE, 17_000],
  ['up to eight sources', mostly, 3_000],
])('equals brute force: %s', (_, cases, numRuns) => {
  fc.assert(fc.property(cases, check), { numRuns });
});
