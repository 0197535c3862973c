// What is said of a figure that was typed for an open-amount link.
import { describe, expect, it } from 'vitest';
import { amountProblem } from './amountProblem.ts';
import { words } from './words/en.ts';

const usdc = { currency: 'USDC', chain: 'base', min_amount: '2.00', max_amount: '500.00' };

describe('an amount for a link', () => {
  it.each(['2', '2.00', '2.000001', '499.999999', '500', '0012.50'])('takes %s', (typed) => {
    expect(amountProblem(words, typed, usdc)).toBeNull();
  });

  it.each([
    ['', 'Enter the amount you want to pay.'],
    ['0', 'Enter an amount, such as 12.50.'],
    ['-5', 'Enter an amount, such as 12.50.'],
    ['1e3', 'Enter an amount, such as 12.50.'],
    ['1 000', 'Enter an amount, such as 12.50.'],
    ['12.', 'Enter an amount, such as 12.50.'],
    ['five', 'Enter an amount, such as 12.50.'],
    ['2.0000001', 'Use at most 6 decimal places.'],
    ['1.999999', 'The minimum is 2.00 USDC.'],
    ['500.000001', 'The maximum is 500.00 USDC.'],
  ])('says of %s what is wrong', (typed, problem) => {
    expect(amountProblem(words, typed, usdc)).toBe(problem);
  });

  it('takes a native coin to its last digit, and no range where there is none', () => {
    const eth = { currency: 'ETH', chain: 'base', min_amount: null, max_amount: null };
    expect(amountProblem(words, '0.000000000000000001', eth)).toBeNull();
    expect(amountProblem(words, '0.0000000000000000001', eth)).not.toBeNull();
  });
});
