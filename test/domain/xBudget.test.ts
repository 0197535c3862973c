// The budget of a day at X as a table of its states, and what holds for all figures.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type BudgetDay,
  budgetState,
  LEAST_PAGE,
  MENTION_COST,
  mayCall,
  pageSize,
  readCost,
  untilMidnight,
  utcDay,
  X_PRICES,
} from '../../src/domain/xBudget.ts';

const TEN = 10_000_000n;
const day = (part: Partial<BudgetDay> = {}): BudgetDay => ({
  budget: TEN,
  spent: 0n,
  reserved: 0n,
  halted: null,
  probe: null,
  probeUntil: 0,
  ...part,
});

describe('the state', () => {
  test.each([
    ['nothing spent', {}, 'closed'],
    ['just under 80 %', { spent: 7_999_999n }, 'closed'],
    ['80 %', { spent: 8_000_000n }, 'warm'],
    ['just under 95 %', { spent: 9_499_999n }, 'warm'],
    ['95 %', { spent: 9_500_000n }, 'open'],
    ['a halt by credits', { halted: 'credits' }, 'open'],
    ['a halt outlives nothing but the day', { halted: 'budget', spent: 0n }, 'open'],
    ['after a halted day', { probe: 'wanted' }, 'half_open'],
    ['while that poll is under way', { probe: 'under_way', probeUntil: 5 }, 'half_open'],
    ['what is only set aside does not count', { reserved: 9_900_000n }, 'closed'],
  ] as [string, Partial<BudgetDay>, string][])('%s', (_name, part, state) => {
    expect(budgetState(day(part))).toBe(state);
  });
});

describe('what may be called', () => {
  test.each([
    ['a receipt while all is well', {}, 'owed', true],
    ['a receipt while reading is halted', { spent: 9_600_000n, halted: 'budget' }, 'owed', true],
    ['no receipt beyond the budget', { spent: 9_990_000n }, 'owed', false],
    ['a courtesy while all is well', {}, 'courtesy', true],
    ['no courtesy when it is warm', { spent: 8_000_000n }, 'courtesy', false],
    ['no courtesy that would make it warm', { spent: 7_990_000n }, 'courtesy', false],
    ['no courtesy when half open', { probe: 'wanted' }, 'courtesy', false],
  ] as [string, Partial<BudgetDay>, 'owed' | 'courtesy', boolean][])('%s', (_name, part, purpose, may) => {
    expect(mayCall(day(part), purpose, X_PRICES.createPost)).toBe(may);
  });
});

describe('a page of mentions', () => {
  test.each([
    ['whole while all is well', {}, 0, { kind: 'read', size: 100 }],
    ['smaller when answers are owed', {}, 600, { kind: 'read', size: 16 }],
    ['halts when the rest is owed', {}, 630, { kind: 'halt' }],
    ['halts at 95 %', { spent: 9_500_000n }, 0, { kind: 'halt' }],
    ['halts where not even the smallest page fits', { spent: 9_400_000n }, 0, { kind: 'halt' }],
    ['waits for calls under way', { spent: 5_000_000n, reserved: 4_450_000n }, 0, { kind: 'wait' }],
    ['one goes first after a halted day', { probe: 'wanted' }, 0, { kind: 'read', size: 100 }],
    ['and the others wait for it', { probe: 'under_way', probeUntil: 1_001 }, 0, { kind: 'wait' }],
    ['unless it never ended', { probe: 'under_way', probeUntil: 1_000 }, 0, { kind: 'read', size: 100 }],
  ] as [string, Partial<BudgetDay>, number, object][])('%s', (_name, part, owed, answer) => {
    expect(pageSize(day(part), owed, 1_000)).toEqual(answer);
  });
});

const figures = fc.record({
  budget: fc.bigInt({ min: 500_000n, max: 1_000_000_000n }),
  spent: fc.bigInt({ min: 0n, max: 1_100_000_000n }),
  reserved: fc.bigInt({ min: 0n, max: 100_000_000n }),
  owed: fc.nat(50_000),
});

test('whatever is read can be answered, and so can all that is owed, within 95 % of the budget', () => {
  fc.assert(
    fc.property(figures, ({ budget, spent, reserved, owed }) => {
      const answer = pageSize(day({ budget, spent, reserved }), owed, 0);
      if (answer.kind !== 'read') return;
      const worst = readCost(answer.size, answer.size) + BigInt(answer.size + owed) * X_PRICES.createPost;
      expect((spent + reserved + worst) * 100n).toBeLessThanOrEqual(budget * 95n);
      expect(answer.size).toBeGreaterThanOrEqual(LEAST_PAGE);
    }),
  );
});

test('a halt is never for what calls under way hold: they may give it back', () => {
  fc.assert(
    fc.property(figures, ({ budget, spent, reserved, owed }) => {
      const answer = pageSize(day({ budget, spent, reserved }), owed, 0);
      const free = pageSize(day({ budget, spent }), owed, 0);
      expect(answer.kind === 'halt').toBe(free.kind === 'halt');
    }),
  );
});

test('no call goes beyond the budget, and spending more never allows more', () => {
  fc.assert(
    fc.property(figures, fc.bigInt({ min: 0n, max: 300_000n }), ({ budget, spent, reserved }, worst) => {
      for (const purpose of ['owed', 'courtesy'] as const) {
        const now = day({ budget, spent, reserved });
        if (mayCall(now, purpose, worst)) expect(spent + reserved + worst).toBeLessThanOrEqual(budget);
        else expect(mayCall({ ...now, spent: spent + 1n }, purpose, worst)).toBe(false);
      }
    }),
  );
});

test('two hundred mentions of a window, with their answers, fit into ten dollars', () => {
  expect(200n * MENTION_COST * 100n).toBeLessThan(TEN * 80n);
});

test('a day ends at midnight in UTC', () => {
  const now = Date.UTC(2026, 10, 22, 23, 59, 59, 500);
  expect(utcDay(now)).toBe('2026-11-22');
  expect(untilMidnight(now)).toBe(500);
  expect(utcDay(now + 500)).toBe('2026-11-23');
});
