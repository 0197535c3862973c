// What a log means for an order: every outcome, what pays, and what all logs of an order are worth.
import { describe, expect, test } from 'vitest';
import type { OrderStatus } from './order.ts';
import { isUncounted, judgeLogs, type LoggedOrder, type OrderLog, orderAmounts, outcomeOf } from './orderLog.ts';

const order: LoggedOrder = {
  ...{ id: 'ord_1', status: 'awaiting_payment', chain: 'base', router: 'payment', routerAddress: '0xR1' },
  ...{ token: '0xUSDC', payee: '0xBob', units: 100n, feeUnits: 1n, deadline: 1_000n, onChainId: '0xaa' },
  ...{ depositAddress: '0xDep', endedAt: null },
};
const at = (seconds: number) => new Date(seconds * 1_000);
const of = { router: 'payment', routerAddress: '0xR1', key: '0xKEY', onChainId: '0xaa' };
const money = { token: '0xUSDC', units: 100n, blockTime: at(900), block: 7n };
const settled: OrderLog = { ...of, ...money, kind: 'settled', payer: '0xPay', payee: '0xBob', feeUnits: 1n };
const refunded: OrderLog = { ...of, ...money, kind: 'refunded' };
const moved: OrderLog = { ...of, ...money, kind: 'deposit_moved', accepted: true };
const deposit: OrderLog = { ...money, kind: 'deposit', from: '0xPay', to: '0xDep' };
const keyOf = () => '0xkey';

const cases: [string, OrderLog, Partial<LoggedOrder>, boolean, string][] = [
  ['the exact terms, letters in any case', { ...settled, token: '0xusdc' }, {}, false, 'credited'],
  ['once more', settled, {}, true, 'already_paid'],
  ['another amount', { ...settled, units: 99n }, {}, false, 'other_terms'],
  ['another fee', { ...settled, feeUnits: 2n }, {}, false, 'other_terms'],
  ['another token', { ...settled, token: '0xAny' }, {}, false, 'other_terms'],
  ['another payee', { ...settled, payee: '0xEve' }, {}, false, 'other_payee'],
  ['another key, as of another deadline', { ...settled, key: '0xother' }, {}, false, 'other_terms'],
  ['the other router', { ...settled, router: 'business' }, {}, false, 'other_terms'],
  ['the router at another address', { ...settled, routerAddress: '0xR2' }, {}, false, 'other_terms'],
  ['an order of another chain', settled, { chain: 'bsc' }, false, 'other_terms'],
  ['a refund', refunded, { status: 'completed' }, true, 'credited'],
  ['a refund of other terms', { ...refunded, key: '0xother' }, {}, true, 'other_terms'],
  ['an accepted deposit', moved, {}, true, 'accepted'],
  ['a returned deposit', { ...moved, accepted: false }, {}, true, 'sent_back'],
  ['a deposit in time', { ...deposit, blockTime: at(1_000) }, {}, false, 'credited'],
  ['a late deposit', { ...deposit, blockTime: at(1_001) }, {}, false, 'not_payable'],
  ['a deposit of another token', { ...deposit, token: '0xAny' }, {}, false, 'other_token'],
  ['a deposit after the payment', deposit, {}, true, 'already_paid'],
  ['a deposit after the cancellation', deposit, { status: 'cancelled', endedAt: at(899) }, false, 'not_payable'],
  ['a deposit before the cancellation', deposit, { status: 'cancelled', endedAt: at(901) }, false, 'credited'],
];
test.each(cases)('%s', (_, log, change, isPaid, outcome) => {
  expect(outcomeOf('base', { ...order, ...change }, log, isPaid, keyOf)).toBe(outcome);
});

test.each([
  ['awaiting_payment', 'credited'],
  ['processing', 'credited'],
  ['completed', 'credited'],
  ['expired', 'not_payable'],
  ['cancelled', 'not_payable'],
] as [OrderStatus, string][])('a settlement of an order that is %s: %s', (status, outcome) => {
  expect(outcomeOf('base', { ...order, status }, settled, false, keyOf)).toBe(outcome);
});

describe('of many logs', () => {
  const outcomes = (paid: string[], logs: OrderLog[], block = 7n) =>
    judgeLogs('base', [order], new Map(paid.map((id) => [id, block])), logs, keyOf).map(
      ({ entry, outcome }) => `${entry.kind} ${outcome}`,
    );

  test('the first settlement pays, also before a deposit of the same batch', () => {
    expect(outcomes([], [deposit, settled, settled, deposit])).toEqual([
      ...['deposit credited', 'settled credited', 'settled already_paid', 'deposit already_paid'],
    ]);
  });
  test('none pays an order that a stored log pays', () => {
    expect(outcomes(['ord_1'], [settled])).toEqual(['settled already_paid']);
  });
  test('a deposit that is read after the settlement, and of a block before it, is part of it', () => {
    expect(outcomes(['ord_1'], [deposit, settled], 8n)).toEqual(['deposit credited', 'settled already_paid']);
    expect(outcomes(['ord_1'], [deposit], 7n)).toEqual(['deposit already_paid']);
  });
  test('those of unknown orders and addresses are left out', () => {
    expect(outcomes([], [{ ...settled, onChainId: '0xbb' }, { ...deposit, to: '0xElse' } as OrderLog])).toEqual([]);
  });
});

describe('the worth of an order’s logs', () => {
  const log = (kind: string, outcome: string, units: bigint, from: string | null = '0xPay') => ({
    kind,
    outcome,
    units,
    from,
  });
  test.each([
    ['nothing', [], [0n, 0n]],
    ['a payment', [log('settled', 'credited', 100n)], [100n, 0n]],
    [
      'a deposit and its sweep, once',
      [log('deposit', 'credited', 100n), log('settled', 'credited', 100n, '0xDep')],
      [100n, 0n],
    ],
    ['a sweep of the native asset', [log('settled', 'credited', 100n, '0xDep')], [100n, 0n]],
    [
      'too much, too late and once more',
      [log('deposit', 'not_payable', 7n), log('settled', 'already_paid', 100n)],
      [107n, 0n],
    ],
    [
      'other terms, payees and tokens',
      ['other_terms', 'other_payee', 'other_token'].map((one) => log('settled', one, 5n)),
      [0n, 0n],
    ],
    [
      'moved deposits',
      [log('deposit_moved', 'accepted', 5n, null), log('deposit_moved', 'sent_back', 5n, null)],
      [0n, 0n],
    ],
    ['refunds', [log('refunded', 'credited', 3n, null), log('refunded', 'credited', 4n, null)], [0n, 7n]],
  ] as [string, ReturnType<typeof log>[], [bigint, bigint]][])('%s', (_, logs, [received, refunded]) => {
    expect(orderAmounts(logs, '0xDep')).toEqual({ received, refunded });
  });

  test.each([
    ['settled', 'credited', 100n, false],
    ['settled', 'already_paid', 100n, true],
    ['settled', 'other_payee', 100n, false],
    ['deposit', 'credited', 100n, false],
    ['deposit', 'credited', 99n, true],
    ['deposit', 'not_payable', 100n, true],
    ['refunded', 'credited', 1n, false],
    ['deposit_moved', 'accepted', 1n, false],
  ] as const)('%s %s of %i: uncounted is %s', (kind, outcome, units, uncounted) => {
    expect(isUncounted({ kind, outcome, units }, 100n)).toBe(uncounted);
  });
});
