// What a wallet has and needs, as the checkout shows it.
import { beforeAll, describe, expect, it } from 'vitest';
import { dollars, seconds, setLocale, shortAmount, typedAmount } from './format.ts';

describe('how long a step took', () => {
  it.each([
    ['en', 70, '0.07 s'],
    ['de', 70, '0,07 s'],
    ['es', 12_340, '12,3 s'],
    ['de', 180_000, '3 min'],
  ])('in %s: %i ms is %s', (locale, ms, text) => {
    setLocale(locale);
    expect(seconds(ms)).toBe(text);
  });
});

describe('an amount for people to read', () => {
  beforeAll(() => setLocale('en'));

  it.each([
    ['0.003412345678901234', '0.00341234', '0.00341235'],
    ['0.000000000000000001', '0.000000000000000001', '0.000000000000000001'],
    ['1.234567890123456789', '1.23456', '1.23457'],
    ['1234.567890123456789012', '1,234.56', '1,234.57'],
    ['12345678.901234567890123456', '12,345,678.90', '12,345,678.91'],
    ['999999.999', '999,999.99', '1,000,000.00'],
    ['0.004', '0.004', '0.004'],
    ['0', '0.00', '0.00'],
  ])('shortens %s ETH to six significant digits: what one has down, what one needs up', (amount, down, up) => {
    expect(shortAmount(amount, 'ETH')).toBe(down);
    expect(shortAmount(amount, 'ETH', 'up')).toBe(up);
  });

  it('leaves every digit of USDC', () => {
    expect(shortAmount('1234567.123456', 'USDC')).toBe('1,234,567.123456');
    expect(shortAmount('5', 'USDC', 'up')).toBe('5.00');
  });

  it('leaves what is no amount as it is', () => {
    expect(shortAmount('max', 'ETH')).toBe('max');
  });

  it.each([
    ['100.00', '$100'],
    ['1000', '$1,000'],
    ['2.5', '$2.50'],
    ['0.05', '$0.05'],
  ])('writes %s as dollars', (amount, shown) => {
    expect(dollars(amount)).toBe(shown);
  });
});

it.each([
  ['2,5', '2.5'],
  [' 12,50 ', '12.50'],
  ['1,234', '1,234'],
  ['1,234,567', '1,234,567'],
  ['7', '7'],
])('%j is typed as %j', (text, typed) => expect(typedAmount(text)).toBe(typed));
