import { expect, test } from 'vitest';
import { addDays, dayOf } from '../../../../src/domain/days.ts';
import { dayFault, readWanted, ZONE } from './overviewApi.ts';
import { changeWords, shareWords } from './overviewWords.ts';

const NOW = Date.parse('2026-11-29T12:00:00Z');
const TODAY = dayOf(NOW, ZONE);

test.each([
  [null, null],
  [0, '0 %'],
  [125, '+12.5 %'],
  [-1_000, '−100 %'],
  [12_345, '+1,234.5 %'],
])('a change of %s tenths of a percent: %s', (change, words) => {
  expect(changeWords(change)).toBe(words);
});

test.each([
  [null, '–'],
  [0, '0 %'],
  [6_666, '66.7 %'],
  [10_000, '100 %'],
])('a share of %s hundredths of a percent: %s', (share, words) => {
  expect(shareWords(share)).toBe(words);
});

test.each([
  ['', { period: '30d', to: TODAY, from: addDays(TODAY, -29), currency: '' }],
  ['period=12m&currency=ETH', { period: '12m', currency: 'ETH' }],
  ['period=week', { period: '30d' }],
  ['period=custom&from=x&to=2026-02-30', { period: 'custom', from: addDays(TODAY, -29), to: TODAY }],
  ['period=custom&from=2026-11-01&to=2026-11-02', { period: 'custom', from: '2026-11-01', to: '2026-11-02' }],
])('the address bar ?%s', (query, wanted) => {
  expect(readWanted(new URLSearchParams(query), NOW)).toMatchObject(wanted);
});

test.each([
  ['2026-11-01', '2026-11-02', null],
  ['', '2026-11-02', 'from'],
  ['20261-11-01', '2026-11-02', 'from'],
  ['0002-11-01', '2026-11-02', 'from'],
  ['2026-02-30', '2026-11-02', 'from'],
  ['2026-11-01', '2', 'to'],
  ['2026-11-01', '9999-11-02', 'to'],
  ['2026-11-03', '2026-11-02', 'to'],
])('days from %j to %j: the fault is of %s', (from, to, param) => {
  const wanted = { ...readWanted(new URLSearchParams('period=custom'), NOW), from, to };
  expect(dayFault(wanted, NOW)?.param ?? null).toBe(param);
  // Other periods have no days of their own.
  expect(dayFault({ ...wanted, period: '7d' }, NOW)).toBeNull();
});
