// The words behind /react and /leaderboard: a few exact forms, and nothing that could be read as one of them by half.
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { plainEmoji, readLeaderboardWish, readPlanWish, readReactionWish } from './settingWords.ts';

const set = (emoji: string, micros: number) => ({ kind: 'set', emoji, micros: BigInt(micros) });

describe('/react', () => {
  it.each([
    ['/react', { kind: 'show' }],
    ['react', { kind: 'show' }],
    ['/react OFF', { kind: 'off' }],
    ['/react 👍 1', set('👍', 1_000_000)],
    ['@ampersat_bot /React@ampersat_bot 🔥 2.50', set('🔥', 2_500_000)],
    ['/react 🔥 $2', set('🔥', 2_000_000)],
    ['/react 🔥 2 USDC', set('🔥', 2_000_000)],
    ['/react 👍🏽 1', set('👍', 1_000_000)],
    ['/react ❤️ 0.000001', set('❤', 1)],
  ])('%s', (text, wish) => {
    expect(readReactionWish(text)).toEqual(wish);
  });

  it.each([
    '/react 👍',
    '/react 1 👍',
    '/react 👍 1,5',
    '/react 👍 1,000',
    '/react 👍 -5',
    '/react 👍 1e3',
    '/react 👍 0.0000001',
    '/react 👍 12345',
    '/react 👍 5 eth',
    '/react 👍 $5 usdc',
    '/react 👍 5 no',
    '/react 👍 5 10',
    '/react 👍🔥 5',
    '/react 👍 🔥 5',
    '/react thumbs 5',
    '/react 5 5',
    '/react 👍 5 /react 🔥 5',
    '/react off 👍',
    '/react 👍 ５',
  ])('%s changes nothing', (text) => {
    expect(readReactionWish(text)).toEqual({ kind: 'unclear' });
  });

  test('never reads an amount that was not typed as one plain figure', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('👍', '5', '1.5', 'no', 'off', '$2', 'usd', '/react', '0'), { maxLength: 4 }),
        (words) => {
          const wish = readReactionWish(['/react', ...words].join(' '));
          if (wish.kind !== 'set') return;
          expect(words[0]).toBe('👍');
          expect(Number(words[1]?.replace('$', '')) * 1_000_000).toBe(Number(wish.micros));
          expect(words.slice(2)).toEqual(words[2] === 'usd' ? ['usd'] : []);
        },
      ),
    );
  });
});

describe('/leaderboard', () => {
  it.each([
    ['/leaderboard', 'show'],
    ['leaderboard', 'show'],
    ['/leaderboard ON', 'on'],
    ['/leaderboard@ampersat_bot off', 'off'],
    ['/leaderboard on please', 'unclear'],
    ['/leaderboard yes', 'unclear'],
    ['/leaderboard off /leaderboard on', 'unclear'],
  ])('%s', (text, wish) => {
    expect(readLeaderboardWish(text)).toBe(wish);
  });
});

test('an emoji is one, without the marks of its looks', () => {
  expect(['👍', '👍🏿', '❤️', '👨‍💻'].map(plainEmoji)).toEqual(['👍', '👍', '❤', '👨‍💻']);
  expect(['', 'a', '1', '👍👍', 'a👍', '5️⃣'].map(plainEmoji)).toEqual([null, null, null, null, null, null]);
});

describe('/plan', () => {
  const DAY_S = 86_400;
  it.each([
    ['/plan', {}],
    ['/plan Supporters', { name: 'Supporters' }],
    ['/plan Supporters 5 monthly', { name: 'Supporters', amount: '5', period: 30 * DAY_S }],
    [
      '/plan@ampersat_bot The Gold Tier $12.50 per month',
      { name: 'The Gold Tier', amount: '12.50', period: 30 * DAY_S },
    ],
    ['/plan Kaffee 2,50 USDC pro Woche', { name: 'Kaffee', amount: '2.50', period: 7 * DAY_S }],
    ['/plan Club 99/year', { name: 'Club', amount: '99', period: 365 * DAY_S }],
    ['/plan 5', { amount: '5' }],
    ['/plan daily', { period: DAY_S }],
    // A figure that is none stays in the name, where the form shows it.
    ['/plan Club -5', { name: 'Club -5' }],
    ['/plan one /plan two', {}],
    [`/plan ${'x'.repeat(200)}`, { name: 'x'.repeat(80) }],
  ])('%s', (text, wish) => {
    expect(readPlanWish(text)).toEqual(wish);
  });

  test('whatever is typed is a form that can be opened', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (words) => {
        const { name, amount, period } = readPlanWish(`/plan ${words}`);
        expect(name === undefined || Array.from(name).length <= 80).toBe(true);
        expect(amount === undefined || /^\d{1,7}(\.\d{1,6})?$/.test(amount)).toBe(true);
        expect(period === undefined || period >= 3_600).toBe(true);
      }),
    );
  });
});
