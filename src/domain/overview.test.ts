import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, dayOf, startOfDay } from './days.ts';
import {
  changeOf,
  conversionOf,
  isPeriodFault,
  LONGEST_PERIOD,
  type OverviewPeriod,
  overviewPeriod,
} from './overview.ts';

const BERLIN = 'Europe/Berlin';
const HOUR = 3_600_000;
const at = (text: string) => Date.parse(text);

function periodAt(now: string, wanted: Partial<Parameters<typeof overviewPeriod>[0]>): OverviewPeriod {
  const period = overviewPeriod({ period: 'custom', tz: BERLIN, ...wanted }, at(now));
  if (isPeriodFault(period)) throw new Error(`${period.param} ${period.words}`);
  return period;
}

describe('periods', () => {
  test.each([
    ['today', '2026-11-29', 'hour', 24],
    ['7d', '2026-11-23', 'day', 7],
    ['30d', '2026-10-31', 'day', 30],
    ['12m', '2025-12-01', 'month', 12],
  ] as const)('%s begins on %s and has %s parts', (period, from, step, parts) => {
    const found = periodAt('2026-11-29T12:00:00Z', { period });
    expect(found).toMatchObject({ from, to: '2026-11-29', step, start: startOfDay(from, BERLIN) });
    expect(found.parts).toHaveLength(parts);
  });

  test('a day is the zone’s own, not UTC’s', () => {
    expect(periodAt('2026-11-29T23:30:00Z', { period: 'today' }).from).toBe('2026-11-30');
    expect(periodAt('2026-11-29T23:30:00Z', { period: 'today', tz: 'America/New_York' }).from).toBe('2026-11-29');
  });

  test('12 months cross the end of a leap year', () => {
    expect(periodAt('2028-02-29T12:00:00Z', { period: '12m' }).from).toBe('2027-03-01');
    expect(periodAt('2029-01-31T12:00:00Z', { period: '12m' }).parts).toHaveLength(12);
  });

  test('a day on which clocks change has 23 or 25 hours', () => {
    expect(periodAt('2026-03-30T12:00:00Z', { from: '2026-03-29', to: '2026-03-29' }).parts).toHaveLength(23);
    expect(periodAt('2026-10-26T12:00:00Z', { from: '2026-10-25', to: '2026-10-25' }).parts).toHaveLength(25);
  });

  test('what is not over is compared with as much of the period before', () => {
    const { start, before } = periodAt('2026-11-29T12:00:00Z', { period: '7d' });
    expect(new Date(start).toISOString()).toBe('2026-11-22T23:00:00.000Z');
    expect(new Date(before.start).toISOString()).toBe('2026-11-15T23:00:00.000Z');
    expect(new Date(before.end).toISOString()).toBe('2026-11-22T12:00:00.000Z');
  });

  test('what is over is compared with the whole period before', () => {
    const { start, before } = periodAt('2026-11-29T12:00:00Z', { from: '2026-11-01', to: '2026-11-10' });
    expect(before).toEqual({ start: startOfDay('2026-10-22', BERLIN), end: start });
  });

  test('a custom period of more than 92 days has months, the first from its first day', () => {
    const { step, parts } = periodAt('2026-11-29T12:00:00Z', { from: '2026-01-15', to: '2026-06-30' });
    expect(step).toBe('month');
    expect(parts.map((part) => dayOf(part, BERLIN))).toEqual([
      '2026-01-15',
      '2026-02-01',
      '2026-03-01',
      '2026-04-01',
      '2026-05-01',
      '2026-06-01',
    ]);
  });
});

describe('days that make no period', () => {
  test.each([
    [{ from: '0026-11-01', to: '2026-11-02' }, 'from', /since 2020/],
    [{ from: '2026-11-01', to: '0026-11-02' }, 'to', /before the first day/],
    [{ from: '2026-11-30', to: '2026-12-02' }, 'from', /future/],
    [{ from: '2026-11-01', to: '2062-11-02' }, 'to', /future/],
    [{ from: '2026-11-10', to: '2026-11-09' }, 'to', /before the first day/],
    [{ from: '2025-01-01', to: '2026-11-09' }, 'to', /at most 365 days after/],
    [{ from: '2026-11-10' }, 'to', /required/],
    [{ to: '2026-11-10' }, 'from', /required/],
  ])('%j: %s', (days, param, words) => {
    expect(overviewPeriod({ period: 'custom', tz: BERLIN, ...days }, at('2026-11-29T12:00:00Z'))).toEqual({
      param,
      words: expect.stringMatching(words),
    });
  });

  test('366 days are the most', () => {
    const custom = (to: string) =>
      overviewPeriod({ period: 'custom', tz: BERLIN, from: '2025-01-01', to }, at('2026-11-29T12:00:00Z'));
    expect(isPeriodFault(custom(addDays('2025-01-01', LONGEST_PERIOD - 1)))).toBe(false);
    expect(isPeriodFault(custom(addDays('2025-01-01', LONGEST_PERIOD)))).toBe(true);
  });
});

const zones = fc.constantFrom('UTC', BERLIN, 'America/New_York', 'Pacific/Apia', 'Asia/Kathmandu', 'America/Sao_Paulo');
const custom = fc
  .record({
    tz: zones,
    now: fc.integer({ min: at('2023-01-01T00:00:00Z'), max: at('2030-01-01T00:00:00Z') }),
    ago: fc.nat(400),
    length: fc.integer({ min: 1, max: LONGEST_PERIOD }),
  })
  .map(({ tz, now, ago, length }) => {
    const to = addDays(dayOf(now, tz), -ago);
    return { tz, now, from: addDays(to, 1 - length), to };
  });

test('parts rise, begin with the period and end within it; the period before ends no later than it begins', () => {
  fc.assert(
    fc.property(custom, ({ now, ...days }) => {
      const period = overviewPeriod({ period: 'custom', ...days }, now);
      if (isPeriodFault(period)) throw new Error(period.words);
      const { start, end, parts, before } = period;
      expect(parts[0]).toBe(start);
      for (const [index, part] of parts.entries()) {
        expect(part).toBeLessThan(parts[index + 1] ?? end);
        if (period.step === 'hour') expect((part - start) % HOUR).toBe(0);
      }
      expect(before.start).toBeLessThan(before.end);
      expect(before.end).toBeLessThanOrEqual(start);
      // What has passed of both is equally long, but for an hour by which clocks changed.
      const passed = Math.min(now, end) - start;
      expect(Math.abs(before.end - before.start - passed)).toBeLessThanOrEqual(25 * HOUR);
    }),
  );
});

test.each([
  [{ opened: 0, paid: 0 }, null],
  [{ opened: 3, paid: 0 }, 0],
  [{ opened: 3, paid: 2 }, 6_666],
  [{ opened: 3, paid: 3 }, 10_000],
])('conversion of %j: %s', (orders, expected) => {
  expect(conversionOf(orders)).toBe(expected);
});

test.each([
  [0n, 5n, null],
  [100n, 150n, 500],
  [100n, 50n, -500],
  [100n, 100n, 0],
  [-100n, 100n, 2_000],
  [3n, 4n, 333],
  [3n, 2n, -333],
  [2_000n, 2_001n, 1],
  [2_000n, 1_999n, -1],
  [1n, 10n ** 30n, Number.MAX_SAFE_INTEGER],
  [1n, -(10n ** 30n), -Number.MAX_SAFE_INTEGER],
])('from %s to %s: %s tenths of a percent', (before, now, expected) => {
  expect(changeOf(before, now)).toBe(expected);
});
