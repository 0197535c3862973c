// A send: its fee in every USDC, and the machine, in which only the chain ends what was begun.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CHAINS } from './chains.ts';
import { statusesAllowing } from './lifecycle.ts';
import { formatUnits, USDC_PRICE, usdForUnits } from './money.ts';
import { SEND, SEND_FEE, SEND_WAYS, sendFeeUnits } from './send.ts';

const decimals = [...new Set(Object.values(CHAINS).map(({ usdcDecimals }) => usdcDecimals))];

test('the fee is five cents in each USDC, and nothing where the wallet pays the network', () => {
  for (const places of decimals)
    for (const way of SEND_WAYS)
      expect(formatUnits(sendFeeUnits(way, places), places)).toBe(way === 'direct' ? '0.00' : '0.05');
});

test('amount and fee together are what the limits count, to the micro-dollar', () => {
  fc.assert(
    fc.property(
      fc.bigInt(1n, 10n ** 12n),
      fc.constantFrom(...decimals),
      fc.constantFrom(...SEND_WAYS),
      (micros, places, way) => {
        const units = micros * 10n ** BigInt(places - 6);
        const total = units + sendFeeUnits(way, places);
        expect(usdForUnits(total, USDC_PRICE, places)).toBe(micros + (way === 'direct' ? 0n : SEND_FEE));
        // What the router hands on is exactly the amount.
        expect(total - sendFeeUnits(way, places)).toBe(units);
      },
    ),
  );
});

test('nothing is settled or failed that was not begun, and nothing leads out of an end', () => {
  expect(statusesAllowing(SEND, 'settle')).toEqual(['processing']);
  expect(statusesAllowing(SEND, 'lapse')).toEqual(['processing']);
  expect([SEND.completed, SEND.failed, SEND.cancelled]).toEqual([{}, {}, {}]);
});
