import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { divideHalfUp, formatSigned, formatUnits, parseUnits, scaleUnits, unitsForUsd, usdForUnits } from './money.ts';

describe('amounts', () => {
  test.each([
    [25_000_000n, 6, '25.00'],
    [5_000n, 6, '0.005'],
    [0n, 6, '0.00'],
    [1n, 18, '0.000000000000000001'],
    [1_500_000_000_000_000_000n, 18, '1.50'],
    [123_456_789n, 6, '123.456789'],
  ])('%d units with %d decimals read %s', (units, decimals, text) => {
    expect(formatUnits(units, decimals)).toBe(text);
  });

  test('below zero have their sign, and zero has none', () => {
    expect([-50_000n, 0n, 50_000n].map((units) => formatSigned(units, 6))).toEqual(['-0.05', '0.00', '0.05']);
  });

  test.each(['', '.', '1.', '.5', '-1', '+1', '1e3', '1,000', ' 1', '1 ', '0x10', '1.1234567', '１'])(
    'refuses %j',
    (text) => {
      expect(parseUnits(text, 6)).toBeNull();
    },
  );

  test('what is shown reads back as the same units', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.integer({ min: 0, max: 18 }), (units, decimals) => {
        const shown = formatUnits(units, decimals);
        // Two digits are always shown, so currencies with fewer decimals read back with two.
        expect(parseUnits(shown, Math.max(decimals, 2))).toBe(scaleUnits(units, decimals, Math.max(decimals, 2)));
      }),
    );
  });

  test('scaling up and back down loses nothing, scaling down is off by half a unit at most', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), (units) => {
        expect(scaleUnits(scaleUnits(units, 6, 18), 18, 6)).toBe(units);
        const error = scaleUnits(scaleUnits(units, 18, 6), 6, 18) - units;
        expect(error <= 5n * 10n ** 11n && error >= -5n * 10n ** 11n).toBe(true);
      }),
    );
  });

  test('division rounds halves up', () => {
    expect(divideHalfUp(5n, 2n)).toBe(3n);
    expect(divideHalfUp(4n, 3n)).toBe(1n);
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 30n }),
        fc.bigInt({ min: 1n, max: 10n ** 12n }),
        (numerator, denominator) => {
          const error = divideHalfUp(numerator, denominator) * denominator - numerator;
          expect(error * 2n <= denominator && error * 2n > -denominator).toBe(true);
        },
      ),
    );
  });

  test('a price turns dollars into units and back within one smallest unit', () => {
    expect(unitsForUsd(100_000n, 3_000_000_000n, 18)).toBe(33_333_333_333_333n);
    expect(usdForUnits(10n ** 18n, 3_000_000_000n, 18)).toBe(3_000_000_000n);
    expect(unitsForUsd(100_000n, 1_000_000n, 6)).toBe(100_000n);
    expect(unitsForUsd(100_000n, 1_000_000n, 18)).toBe(10n ** 17n);
  });
});
