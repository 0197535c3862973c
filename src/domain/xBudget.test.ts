// The budget of a day at X as a table of its states, and what holds for all figures.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ANSWER_COST,
  authorShareOf,
  type BudgetDay,
  budgetForRoom,
  budgetState,
  endsByItself,
  givenBack,
  hasRoom,
  isWithinShare,
  LEAST_PAGE,
  MENTION_COST,
  mayCall,
  pageSize,
  readCost,
  retryPause,
  unreadCost,
  untilMidnight,
  utcDay,
  X_PRICES,
} from './xBudget.ts';

const TEN = 10_000_000n;
const day = (part: Partial<BudgetDay> = {}): BudgetDay => ({
  budget: TEN,
  spent: 0n,
  reserved: 0n,
  halted: null,
  haltedBudget: 0n,
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

describe('a halt', () => {
  const halted = (part: Partial<BudgetDay>) => day({ halted: 'budget', haltedBudget: TEN, spent: 9_480_000n, ...part });
  test.each([
    ['of the budget ends when it was raised', { budget: 11_000_000n }, 0, true],
    ['not when it is as it was', {}, 0, false],
    ['not when it is as it was, though room came back', { spent: 0n }, 0, false],
    ['not when it was raised too little', { budget: 10_010_000n }, 0, false],
    ['not while all that was raised is owed', { budget: 11_000_000n }, 70, false],
    ['of credits never ends by itself', { halted: 'credits', budget: 11_000_000n }, 0, false],
  ] as [string, Partial<BudgetDay>, number, boolean][])('%s', (_name, part, owed, ends) => {
    expect(endsByItself(halted(part), owed, 0)).toBe(ends);
  });

  test('has room with the budget that is named, and not with a cent less', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 100_000_000n }), fc.nat(2_000), (spent, owed) => {
        const named = budgetForRoom({ spent }, owed);
        expect(named % 10_000n).toBe(0n);
        expect(hasRoom(halted({ spent, budget: named }), owed, 0)).toBe(true);
        expect(hasRoom(halted({ spent, budget: named - 20_000n }), owed, 0)).toBe(false);
      }),
    );
  });
});

test('all failed looks of an outage are booked as the largest of them, and then as what the page really was', () => {
  const pages = fc.array(fc.bigInt({ min: 1n, max: 1_500_000n }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(pages, fc.bigInt({ min: 0n, max: 1_500_000n }), (worsts, real) => {
      let booked = 0n;
      for (const worst of worsts) booked += unreadCost(booked, worst);
      expect(booked).toBe(worsts.reduce((most, one) => (one > most ? one : most)));
      expect(booked - givenBack(booked, real)).toBe(booked < real ? booked : real);
    }),
  );
});

test('the pause after failures doubles to a minute, and chance only shortens it', () => {
  expect([1, 2, 3, 4, 5, 6, 60].map((failures) => retryPause(failures, 0))).toEqual([
    5_000, 10_000, 20_000, 40_000, 60_000, 60_000, 60_000,
  ]);
  expect(retryPause(3, 1)).toBe(10_000);
});

test('an author’s posts that are worked on, with their answers, never pass 5 % of the day', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 900_000n, max: 100_000_000n }),
      fc.array(fc.boolean(), { maxLength: 300 }),
      (budget, reads) => {
        let used = 0n;
        let owed = 0;
        for (const withUser of reads) {
          used += readCost(1, withUser ? 1 : 0);
          if (!isWithinShare(budget, used, owed)) continue;
          owed += 1;
          expect(used + BigInt(owed - 1) * X_PRICES.createPost + ANSWER_COST).toBeLessThanOrEqual(
            authorShareOf(budget),
          );
          expect(authorShareOf(budget) * 20n).toBeLessThanOrEqual(budget);
        }
      },
    ),
  );
});

test('the smallest budget still serves one command of an author', () => {
  expect(isWithinShare(500_000n, readCost(1, 1), 0)).toBe(true);
  expect(isWithinShare(500_000n, readCost(2, 2), 1)).toBe(false);
});
