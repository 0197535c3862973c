import { expect, test } from 'vitest';
import { readDuration } from './clockRoute.ts';

test.each([
  ['45s', 45_000],
  ['90m', 5_400_000],
  ['12h', 43_200_000],
  ['31d', 2_678_400_000],
  ['2w', 1_209_600_000],
])('%s', (text, ms) => expect(readDuration(text)).toBe(ms));

test.each(['', '0d', '-1d', '1.5d', '1 d', 'd', '1y', '1234567s'])('%j is no time', (text) =>
  expect(() => readDuration(text)).toThrow(expect.objectContaining({ code: 'parameter_invalid', param: 'advance' })),
);
