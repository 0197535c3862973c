// Money as people read it: cut, never changed, in the figures of their language.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { message } from '../../src/domain/command/corpus/people.ts';
import { parseCommand } from '../../src/domain/command.ts';
import { LANGUAGES, type Language } from '../../src/domain/language.ts';
import { formatUnits, parseUnits } from '../../src/domain/money.ts';
import { feeMoney, isMoney, showMoney } from './amounts.ts';

const shown = (amount: string, asset: string) => LANGUAGES.map((language) => showMoney(language, { amount, asset }));
const dollars = (usd: string) => LANGUAGES.map((language) => showMoney(language, { usd }));

describe('an amount', () => {
  it.each([
    ['5.00', 'USDC', '5.00', '5,00', '5,00'],
    ['0.5', 'USDC', '0.50', '0,50', '0,50'],
    ['1234.5', 'USDC', '1,234.50', '1.234,50', '1.234,50'],
    ['1.123456', 'USDC', '1.123456', '1,123456', '1,123456'],
    ['0.00', 'USDC', '0.00', '0,00', '0,00'],
    ['1.50', 'ETH', '1.5', '1,5', '1,5'],
    ['0.123456789012345678', 'ETH', '0.123456', '0,123456', '0,123456'],
    ['0.000034123456789', 'ETH', '0.0000341234', '0,0000341234', '0,0000341234'],
    ['12.3456789', 'BNB', '12.3456', '12,3456', '12,3456'],
    ['1234567.899', 'CELO', '1,234,567.89', '1.234.567,89', '1.234.567,89'],
  ])('of %s %s', (amount, asset, ...figures) => {
    expect(shown(amount, asset)).toEqual(figures.map((figure) => `${figure} ${asset}`));
  });

  it('ends with no three digits behind a comma, which some read as thousands', () => {
    expect(shown('0.123', 'USDC')).toEqual(['0.123 USDC', '0,1230 USDC', '0,1230 USDC']);
    expect(shown('1.123', 'ETH')).toEqual(['1.123 ETH', '1,1230 ETH', '1,1230 ETH']);
    expect(shown('1234', 'ETH')).toEqual(['1,234.00 ETH', '1.234,00 ETH', '1.234,00 ETH']);
  });

  it('that is charged is rounded up, every other one is cut', () => {
    expect(showMoney('en', { amount: '0.1234561', asset: 'ETH' }, 'up')).toBe('0.123457 ETH');
    expect(showMoney('en', { amount: '0.1234569', asset: 'ETH' })).toBe('0.123456 ETH');
    expect(showMoney('en', { usd: '3.999' })).toBe('$3.99');
    expect(showMoney('en', { usd: '3.991' }, 'up')).toBe('$4.00');
  });
});

it('dollars have cents or none', () => {
  expect(dollars('5.00')).toEqual(['$5', '5 $', '5 $']);
  expect(dollars('0.10')).toEqual(['$0.10', '0,10 $', '0,10 $']);
  expect(dollars('1000000.00')).toEqual(['$1,000,000', '1.000.000 $', '1.000.000 $']);
});

it('a fee is in dollars where its asset is one', () => {
  expect(feeMoney('0.10', 'USDC')).toEqual({ usd: '0.10' });
  expect(feeMoney('0.0001', 'ETH')).toEqual({ amount: '0.0001', asset: 'ETH' });
  expect([{ usd: '1' }, { amount: '1', asset: 'ETH' }].every(isMoney)).toBe(true);
  expect([null, '1', 1, { text: 'a', url: 'b' }, { amount: '1' }].some(isMoney)).toBe(false);
});

const POINT: Record<Language, string> = { en: '.', de: ',', es: ',' };

/** Reads a shown figure by the rules of its language alone. */
function unitsOf(language: Language, figure: string, decimals: number): bigint {
  const [whole = '', fraction = ''] = figure.replace(/ \w+$/, '').split(POINT[language]);
  const units = parseUnits(`${whole.replace(/[.,]/g, '')}.${fraction.padEnd(2, '0')}`, decimals);
  if (units === null) throw new Error(`${figure} is no amount`);
  return units;
}

const language = fc.constantFrom(...LANGUAGES);

describe('whatever the amount', () => {
  it('USDC is shown to the last unit, with two to six digits', () => {
    fc.assert(
      fc.property(language, fc.bigInt({ min: 0n, max: 10n ** 15n }), (of, units) => {
        const text = showMoney(of, { amount: formatUnits(units, 6), asset: 'USDC' });
        expect(unitsOf(of, text, 6)).toBe(units);
        const digits = text.replace(' USDC', '').split(POINT[of])[1]?.length ?? 0;
        expect(digits).toBeGreaterThanOrEqual(2);
        expect(digits).toBeLessThanOrEqual(6);
      }),
    );
  });

  it('a native asset is off by less than a hundred-thousandth, and never on the wrong side', () => {
    const modes = fc.constantFrom('down' as const, 'up' as const);
    fc.assert(
      fc.property(language, modes, fc.bigInt({ min: 0n, max: 10n ** 26n }), (of, mode, units) => {
        const text = showMoney(of, { amount: formatUnits(units, 18), asset: 'ETH' }, mode);
        const off = mode === 'up' ? unitsOf(of, text, 18) - units : units - unitsOf(of, text, 18);
        expect(off).toBeGreaterThanOrEqual(0n);
        expect(off * 100_000n <= units).toBe(true);
        const significant = text.replace(/[^\d]/g, '').replace(/^0+/, '').length;
        expect(significant).toBeLessThanOrEqual(Math.max(6, String(unitsOf(of, text, 18) / 10n ** 18n).length + 2));
      }),
    );
  });

  it('up to a million, what is shown is never read as another sum when it is typed again, and cents are always read', () => {
    const asset = fc.constantFrom('USDC', 'ETH');
    // From a hundred-thousandth of a cent to a million.
    const decimals = fc
      .integer({ min: 1, max: 6 })
      .chain((places) => fc.tuple(fc.constant(places), fc.bigInt({ min: 1n, max: 10n ** BigInt(places + 6) })));
    fc.assert(
      fc.property(language, asset, decimals, (of, name, [places, units]) => {
        const shown = showMoney(of, { amount: formatUnits(units, places), asset: name });
        const typed = parseCommand(message('telegram', 'group', `/tip @bob ${shown}`));
        if (typed.kind === 'error') {
          expect(typed.code).toMatch(/^amount_/);
          expect(places).toBeGreaterThan(2);
        } else expect(typed).toMatchObject({ kind: 'tip', unit: name, amount: canonical(unitsOf(of, shown, 18)) });
      }),
      { numRuns: 2_000 },
    );
  });
});

const canonical = (units: bigint) => formatUnits(units, 18).replace(/\.?0+$/, '');
