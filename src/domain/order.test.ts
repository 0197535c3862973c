// The rules of orders: the interface's table, the fee, amounts as they are written, and what may stand in metadata.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextStatus } from './lifecycle.ts';
import { readMetadata } from './metadata.ts';
import { formatUnits, parseUnits, scaleUnits } from './money.ts';
import { ORDER, ORDER_SUBMISSION, orderFee } from './order.ts';

describe('the table of the interface', () => {
  const STATUSES = ['awaiting_payment', 'processing', 'completed', 'expired', 'cancelled'] as const;
  const ACTIONS = ['submit', 'settle', 'release', 'lapse', 'expire', 'cancel'] as const;
  /** Written from the interface and the decisions, not from the code: whatever is not here is refused. */
  const ALLOWED: Record<string, string> = {
    'awaiting_payment submit': 'processing',
    'awaiting_payment expire': 'expired',
    'awaiting_payment cancel': 'cancelled',
    'processing settle': 'completed',
    'processing release': 'awaiting_payment',
    'processing lapse': 'expired',
  };
  test.each(STATUSES.flatMap((status) => ACTIONS.map((action) => [status, action] as const)))(
    '%s, %s',
    (status, action) => {
      expect(nextStatus(ORDER, status, action)).toBe(ALLOWED[`${status} ${action}`] ?? null);
    },
  );
  test('knows every status and action that the code knows', () => {
    expect(Object.keys(ORDER).sort()).toEqual([...STATUSES].sort());
    const used = new Set(Object.values(ORDER).flatMap((row) => Object.keys(row)));
    expect([...used].sort()).toEqual([...ACTIONS].sort());
  });
});

describe('the table of payments that we send', () => {
  const ALLOWED: Record<string, string> = {
    'queued submit': 'submitted',
    'queued fail': 'failed',
    'submitted settle': 'settled',
    'submitted fail': 'failed',
  };
  const pairs = (['queued', 'submitted', 'settled', 'failed'] as const).flatMap((status) =>
    (['submit', 'settle', 'fail'] as const).map((action) => [status, action] as const),
  );
  test.each(pairs)('%s, %s', (status, action) => {
    expect(nextStatus(ORDER_SUBMISSION, status, action)).toBe(ALLOWED[`${status} ${action}`] ?? null);
  });
});

const units = fc.bigInt({ min: 0n, max: 10n ** 30n });

describe('the fee', () => {
  test('and the payout are the amount, and the fee is one hundredth, off by less than a unit', () => {
    fc.assert(
      fc.property(units, (amount) => {
        const fee = orderFee('business', amount);
        const payout = amount - fee;
        expect(fee + payout).toBe(amount);
        expect(payout >= 0n).toBe(true);
        const off = fee * 100n - amount;
        expect(off <= 50n && off >= -50n).toBe(true);
      }),
    );
  });
  test('is rounded half up, and below the amount for whatever may be asked', () => {
    expect([49n, 50n, 149n, 150n].map((amount) => orderFee('business', amount))).toEqual([0n, 1n, 1n, 2n]);
    fc.assert(fc.property(fc.bigInt({ min: 2n, max: 10n ** 30n }), (amount) => orderFee('business', amount) < amount));
  });
  test('is nothing for a personal workspace', () => {
    fc.assert(fc.property(units, (amount) => orderFee('payment', amount) === 0n));
  });
});

describe('an amount', () => {
  const decimals = fc.constantFrom(6, 9, 18);
  test('that was written is read as the same units, in as many decimals as its token has', () => {
    fc.assert(
      fc.property(units, decimals, fc.constantFrom(6, 18), (amount, places, token) => {
        expect(parseUnits(formatUnits(amount, places), places)).toBe(amount);
        const moved = scaleUnits(amount, places, places + token);
        expect(formatUnits(moved, places + token)).toBe(formatUnits(amount, places));
      }),
    );
  });
  test('is written in its one form: two decimals at least, no zeros behind them', () => {
    fc.assert(
      fc.property(units, decimals, (amount, places) => {
        expect(formatUnits(amount, places)).toMatch(/^(0|[1-9]\d*)\.(\d\d|\d+[1-9])$/);
      }),
    );
  });
  test.each([
    '',
    ' 1',
    '1 ',
    '1.',
    '.5',
    '-1',
    '+1',
    '1e3',
    '1,000',
    '0x1',
    '1.0000001',
    '١',
    '1_0',
    'NaN',
    '1.2.3',
    '1\n',
  ])('is not %j', (text) => {
    expect(parseUnits(text, 6)).toBeNull();
  });
});

describe('metadata', () => {
  const own = JSON.parse('{"__proto__":"x"}') as object;
  test('comes back as it was given', () => {
    const given = { cart: '7', 'näme ✓': '', a: 'x'.repeat(500) };
    expect(readMetadata(given)).toEqual({ metadata: given });
    expect([readMetadata(undefined), readMetadata(null)]).toEqual([{ metadata: {} }, { metadata: {} }]);
    const fifty = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, '✓'.repeat(500)]));
    expect(readMetadata(fifty)).toEqual({ metadata: fifty });
  });
  test.each([
    ['text', 'x'],
    ['a list', ['x']],
    ['a number', { n: 1 }],
    ['null inside', { n: null }],
    ['an object inside', { n: {} }],
    ['no key', { '': 'x' }],
    ['a long key', { ['k'.repeat(41)]: 'x' }],
    ['a long value', { k: 'x'.repeat(501) }],
    ['too many keys', Object.fromEntries(Array.from({ length: 51 }, (_, n) => [n, 'x']))],
    ['a prototype key', own],
    ['a constructor', { constructor: 'x' }],
    ['NUL', { k: 'a\0b' }],
    ['NUL in a key', { 'a\0b': 'x' }],
    ['half a character', { k: 'a\ud800' }],
    ['half a character in a key', { '\udc00': 'x' }],
  ])('is refused with %s', (_, given) => {
    expect(readMetadata(given)).toHaveProperty('problem');
  });
});
