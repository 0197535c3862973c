// Batches of a range: blocks stay whole, nothing is lost, and an escrow's event weighs more than a payment.
import { expect, test } from 'vitest';
import { ESCROW_EVENTS, PAYMENT_EVENTS } from '../../chain/logs/filter.ts';
import type { BlockLog, BlockRange } from '../../chain/rpc/blockRanges.ts';
import { batchesOf } from './batches.ts';

const [payment] = PAYMENT_EVENTS;
const [escrow] = ESCROW_EVENTS;
const logsOf = (counts: Record<number, number>, selector = payment) =>
  Object.entries(counts).flatMap(([number, count]) =>
    Array.from({ length: count }, () => ({ blockNumber: BigInt(number), topics: [selector] }) as unknown as BlockLog),
  );
const range = (logs: BlockLog[]): BlockRange => ({ from: 1n, to: 20n, logs, blocks: new Map() });
const shape = (logs: BlockLog[], most: number) =>
  batchesOf(range(logs), most).map((batch) => [Number(batch.from), Number(batch.to), batch.logs.length]);

test.each([
  ['no logs', {}, [[1, 20, 0]]],
  ['few', { 3: 2, 9: 1 }, [[1, 20, 3]]],
  ['exactly as many', { 3: 2, 9: 2 }, [[1, 20, 4]]],
  [
    'one too many',
    { 3: 2, 9: 2, 12: 1 },
    [
      [1, 9, 4],
      [10, 20, 1],
    ],
  ],
  [
    'a block that is too large by itself',
    { 3: 1, 9: 7, 12: 1 },
    [
      [1, 3, 1],
      [4, 9, 7],
      [10, 20, 1],
    ],
  ],
])('%s', (_, counts, expected) => {
  expect(shape(logsOf(counts), 4)).toEqual(expected);
});

test('an escrow’s event weighs three payments', () => {
  expect(shape(logsOf({ 3: 1, 4: 1 }, escrow), 5)).toEqual([
    [1, 3, 1],
    [4, 20, 1],
  ]);
});
