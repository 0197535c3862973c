// The words behind /react and /leaderboard: a few exact forms, and nothing that could be read as one of them by half.
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { plainEmoji, readLeaderboardWish, readReactionWish } from './settingWords.ts';

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
