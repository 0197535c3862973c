import { expect, it } from 'vitest';
import { type LineItem, lineTotal, readLineItems } from './lineItems.ts';

const usdc = { symbol: 'USDC', decimals: 6, written: 6 };
const eth = { symbol: 'ETH', decimals: 18, written: 18 };
const item = (amount: string, quantity = 1, name = 'Tea'): LineItem => ({ name, quantity, amount });

it('adds up without a rounding', () => {
  const given = [item('0.1', 3), item('0.000001', 1), item('0', 2, 'A gift')];
  expect(readLineItems(given, 300_001n, usdc)).toEqual({
    items: [item('0.10', 3), item('0.000001'), item('0.00', 2, 'A gift')],
  });
  // Twice what a double holds exactly.
  expect(readLineItems([item('9007.199254740993', 2)], 18_014_398_509_481_986_000_000n, eth)).toHaveProperty('items');
  // BNB Smart Chain’s USDC has 18 decimals, of which people write six.
  expect(readLineItems([item('12.5', 2)], 25n * 10n ** 18n, { ...usdc, decimals: 18 })).toEqual({
    items: [item('12.50', 2)],
  });
});

it('says both sums when they differ, by as little as a unit', () => {
  expect(readLineItems([item('12.50', 2)], 25_000_001n, usdc)).toEqual({
    problem: 'line_items add up to 25.00 USDC, but the amount is 25.000001 USDC.',
    param: 'line_items',
  });
});

it.each([
  [item('1', 0), 'line_items[0][quantity]'],
  [item('1', 1.5), 'line_items[0][quantity]'],
  [item('1', -1), 'line_items[0][quantity]'],
  [item('1', Number.NaN), 'line_items[0][quantity]'],
  [item('1', 10_001), 'line_items[0][quantity]'],
  [item('-1'), 'line_items[0][amount]'],
  [item('1e3'), 'line_items[0][amount]'],
  [item('0.0000001'), 'line_items[0][amount]'],
  [item('1', 1, ' '), 'line_items[0][name]'],
  [item('1', 1, 'a\nb'), 'line_items[0][name]'],
  [item('1', 1, 'a\u202Eb'), 'line_items[0][name]'],
  [item('1', 1, 'x'.repeat(121)), 'line_items[0][name]'],
])('refuses %j at %s', (given, param) => {
  expect(readLineItems([given], 1_000_000n, usdc)).toEqual({ problem: expect.stringContaining(param), param });
});

it('takes 50 items, and no more', () => {
  const many = (count: number) => readLineItems(Array(count).fill(item('1')), BigInt(count) * 1_000_000n, usdc);
  expect(many(50)).toHaveProperty('items');
  expect(many(51)).toHaveProperty('problem');
});

it('has a total a line', () => {
  expect(lineTotal(item('0.10', 3))).toBe('0.30');
  expect(lineTotal(item('0.000001', 10_000))).toBe('0.01');
});
