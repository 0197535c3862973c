// What the checkout decides by itself.
import { expect, test } from 'vitest';
import { LAST_PAYMENT_MS, paymentUri, whyNotPayable } from '../../src/domain/checkout.ts';
import { ORDER, type OrderStatus } from '../../src/domain/order.ts';

test('an address to pay to is asked for by EIP-681, for a token and for the native asset', () => {
  const address = '0x00000000000000000000000000000000000000aa';
  const ask = { chainId: 8453, address, units: 25_000_000n };
  expect(paymentUri({ ...ask, token: '0xbb' })).toBe(`ethereum:0xbb@8453/transfer?address=${address}&uint256=25000000`);
  expect(paymentUri({ ...ask, token: null })).toBe(`ethereum:${address}@8453?value=25000000`);
});

test('only an order that waits, with time left, can be paid; every other state says why in words of its own', () => {
  const end = 1_000_000;
  expect(whyNotPayable('awaiting_payment', end, end - LAST_PAYMENT_MS)).toBeNull();
  expect(whyNotPayable('awaiting_payment', end, end - LAST_PAYMENT_MS + 1)).toMatch(/nearly over/);
  expect(whyNotPayable('awaiting_payment', end, end + 1)).toMatch(/is over/);
  const ended = (Object.keys(ORDER) as OrderStatus[]).filter((status) => Object.keys(ORDER[status]).length === 0);
  expect(ended.map((status) => whyNotPayable(status, end, 0)?.split(' ')[0])).toEqual(['This', 'The', 'The']);
});
