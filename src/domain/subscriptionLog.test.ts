// The order of events that one block has in several transactions without places, as on Solana.
import { describe, expect, test } from 'vitest';
import { type Folded, foldSubscriptionLogs, planStateAfter, type SubscriptionLog } from './subscriptionLog.ts';

const at = new Date(1_800_000_000_000);
const log = (kind: SubscriptionLog['kind'], txHash: string, block = 5n, logIndex = 0): SubscriptionLog => ({
  kind,
  block,
  logIndex,
  txHash,
  at,
  units: kind === 'charged' ? 1n : 0n,
  feeUnits: 0n,
  nextChargeAt: at,
  by: kind === 'cancelled' ? 'me' : null,
});
const start = (txHash: string, block = 5n) => [log('subscribed', txHash, block, 0), log('charged', txHash, block, 1)];
const fold = (logs: SubscriptionLog[], from: Folded | null = null) =>
  foldSubscriptionLogs(logs, 3_600, from, 'transaction').subscriptions.map(({ status, chargesPaid }) => [
    status,
    chargesPaid,
  ]);

describe('transactions of one slot', () => {
  test('a start and its end, whichever is listed first', () => {
    const [begin, end] = [start('b'), [log('cancelled', 'a')]];
    expect(fold([...begin, ...end])).toEqual([['cancelled', 1]]);
    expect(fold([...end, ...begin])).toEqual([['cancelled', 1]]);
    // By their numbers alone the end would come first, and be lost.
    expect(foldSubscriptionLogs([...end, ...begin], 3_600, null).subscriptions.map(({ status }) => status)).toEqual([
      'active',
    ]);
  });

  test('the end of one and the start of the next', () => {
    const [from] = foldSubscriptionLogs(start('first', 1n), 3_600, null).subscriptions;
    const [begin, end] = [start('b'), [log('cancelled', 'a')]];
    for (const logs of [
      [...begin, ...end],
      [...end, ...begin],
    ])
      expect(fold(logs, from ?? null)).toEqual([
        ['cancelled', 1],
        ['active', 1],
      ]);
  });

  test('a charge before the end, and a halt before a cancellation', () => {
    const before = start('first', 1n);
    const [charge, halt, end] = [log('charged', 'c'), log('halted', 'b'), log('cancelled', 'a')];
    for (const logs of [
      [charge, halt, end],
      [end, halt, charge],
      [halt, end, charge],
    ])
      expect(fold([...before, ...logs])).toEqual([['cancelled', 2]]);
  });

  test('blocks come in their order', () => {
    expect(fold([log('cancelled', 'a', 7n), ...start('b', 6n)])).toEqual([['cancelled', 1]]);
  });
});

describe('a plan', () => {
  type Kind = 'created' | 'activated' | 'deactivated';
  const of = (kind: Kind, txHash: string, block = 5n, logIndex = 0) => ({ kind, block, logIndex, txHash });

  test('stands as its newest event says', () => {
    expect(planStateAfter([], 'transaction')).toBeNull();
    expect(planStateAfter([of('created', 'a')], 'transaction')).toBe('active');
    expect(planStateAfter([of('created', 'a', 1n), of('deactivated', 'b', 2n)], 'transaction')).toBe('inactive');
    expect(planStateAfter([of('created', 'a', 1n), of('deactivated', 'a', 1n, 1)], 'transaction')).toBe('inactive');
  });

  test('in one slot as often as it was switched, whichever is listed first', () => {
    const made = of('created', 'a', 1n);
    const [off, on] = [of('deactivated', 'b'), of('activated', 'c')];
    expect(planStateAfter([made, on, off], 'transaction')).toBe('active');
    expect(planStateAfter([made, off, on], 'transaction')).toBe('active');
    expect(planStateAfter([off, of('created', 'd')], 'transaction')).toBe('inactive');
    // Closed while it was inactive, and made again.
    expect(planStateAfter([made, off, of('created', 'd')], 'transaction')).toBe('active');
    expect(planStateAfter([made, off, on], 'block')).toBe('inactive');
  });
});
