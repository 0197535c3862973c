// What is said of a figure that was typed for an open-amount link.
import { describe, expect, it } from 'vitest';
import { amountProblem } from '../../web/src/checkout/amountProblem.ts';

const usdc = { currency: 'USDC', chain: 'base', min_amount: '2.00', max_amount: '500.00' };

describe('an amount for a link', () => {
  it.each(['2', '2.00', '2.000001', '499.999999', '500', '0012.50'])('takes %s', (typed) => {
    expect(amountProblem(typed, usdc)).toBeNull();
  });

  it.each([
    ['', 'Type how much you want to pay.'],
    ['0', 'Type a figure such as 12.50.'],
    ['-5', 'Type a figure such as 12.50.'],
    ['1e3', 'Type a figure such as 12.50.'],
    ['1 000', 'Type a figure such as 12.50.'],
    ['12.', 'Type a figure such as 12.50.'],
    ['five', 'Type a figure such as 12.50.'],
    ['2.0000001', 'At most 6 digits after the point.'],
    ['1.999999', 'At least 2.00 USDC.'],
    ['500.000001', 'At most 500.00 USDC.'],
  ])('says of %s what is wrong', (typed, words) => {
    expect(amountProblem(typed, usdc)).toBe(words);
  });

  it('takes a native coin to its last digit, and no range where there is none', () => {
    const eth = { currency: 'ETH', chain: 'base', min_amount: null, max_amount: null };
    expect(amountProblem('0.000000000000000001', eth)).toBeNull();
    expect(amountProblem('0.0000000000000000001', eth)).not.toBeNull();
  });
});
