// What the watchdog concludes from one endpoint's word, and which blocks it reads next.
import { describe, expect, test } from 'vitest';
import { type Evidence, judge, type Mark, markAfter, nextRanges, readBlockNumber, readHash } from './watchdog.ts';

const [OURS, THEIRS] = [`0x${'a'.repeat(64)}`, `0x${'b'.repeat(64)}`];
const [EXECUTOR, WALLET] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`];

describe('a transaction', () => {
  const signed = (hash: string, ...signers: string[]) => ({ hash, signers });
  const cases: [string, Partial<Evidence>, string][] = [
    [
      'that a row of ours signed is ours, whatever is shown of it',
      { claimed: OURS, signed: signed(THEIRS, EXECUTOR) },
      'ours',
    ],
    ['of ours under another hash is ours', { claimed: THEIRS, signed: signed(OURS, EXECUTOR) }, 'ours'],
    ['that an executor’s key signed is foreign', { signed: signed(THEIRS, EXECUTOR) }, 'foreign'],
    [
      'also without an event that only executors cause',
      { signed: signed(THEIRS, EXECUTOR), executorOnly: false },
      'foreign',
    ],
    [
      'also where it is shown under another hash',
      { claimed: `0x${'c'.repeat(64)}`, signed: signed(THEIRS, EXECUTOR) },
      'foreign',
    ],
    ['that lets code run in an executor’s name is foreign', { signed: signed(THEIRS, WALLET, EXECUTOR) }, 'foreign'],
    ['of a wallet that caused what only executors can is unproven', { signed: signed(THEIRS, WALLET) }, 'unproven'],
    ['that is not shown is unproven', { signed: null, from: null, executorOnly: false }, 'unproven'],
    ['of a wallet is harmless', { signed: signed(THEIRS, WALLET), executorOnly: false }, 'harmless'],
    ['without a signature is what its sender is: a wallet’s', { from: WALLET, executorOnly: false }, 'harmless'],
    [
      'without a signature is what its sender is: an executor’s, unproven',
      { from: EXECUTOR, executorOnly: false },
      'unproven',
    ],
  ];
  test.each(cases)('%s', (_, given, verdict) => {
    const evidence = { claimed: THEIRS, executorOnly: true, signed: null, from: WALLET, ...given };
    expect(judge(evidence, new Set([EXECUTOR]), new Set([OURS]))).toBe(verdict);
  });
});

describe('the blocks to read', () => {
  const read = (mark: Mark | null, head: number, others: number[] = []) =>
    nextRanges(mark, head, { others, overlap: 5 });
  const known = (block: number): Mark => ({ block, known: true });

  test('go on after the mark, with the newest ones again', () => {
    expect(read(known(95), 100)).toEqual([{ from: 96, to: 100 }]);
    expect(read(known(90), 100)).toEqual([{ from: 91, to: 100 }]);
    expect(read(known(100), 100)).toEqual([{ from: 96, to: 100 }]);
  });

  test('of a long way begin with the newest, and leave none out', () => {
    let mark = known(0);
    const all = new Set<number>();
    for (let looks = 0; looks < 10; looks++) {
      const ranges = read(mark, 2_000);
      if (ranges.length === 2) expect(ranges[0]).toEqual({ from: 1_996, to: 2_000 });
      for (const { from, to } of ranges) for (let block = from; block <= to; block++) all.add(block);
      mark = known(markAfter(ranges.at(-1) ?? { from: 0, to: 0 }, 2_000, 5));
    }
    expect(all.size).toBe(2_000);
    expect(mark.block).toBe(1_995);
  });

  test('begin with the oldest of the other endpoints, and now where there is none', () => {
    expect(read(null, 100)).toEqual([{ from: 96, to: 100 }]);
    expect(read(null, 100, [40, 60])).toEqual([{ from: 41, to: 100 }]);
    // One that is ahead of the chain is no measure.
    expect(read(null, 100, [10_000_000])).toEqual([{ from: 96, to: 100 }]);
  });

  test('are read again where the mark is of no block that there is', () => {
    expect(read({ block: 95, known: false }, 100)).toEqual([{ from: 0, to: 100 }]);
    expect(read({ block: 10_000_000, known: false }, 50_000)[1]?.from).toBe(30_001);
  });

  test('are never beyond the head, and the mark never is', () => {
    for (const head of [0, 1, 4, 5, 6, 600])
      for (const block of [0, 3, 599, 10_000])
        for (const isKnown of [true, false])
          for (const range of read({ block, known: isKnown }, head)) {
            expect(range.from).toBeGreaterThanOrEqual(0);
            expect(range.to).toBeLessThanOrEqual(head);
            expect(range.from).toBeLessThanOrEqual(range.to);
            expect(markAfter(range, head, 5)).toBeLessThanOrEqual(head);
          }
  });
});

test('what an endpoint writes is read only in its form', () => {
  expect(['0x0', '0x1f', '0xABC'].map(readBlockNumber)).toEqual([0, 31, 2748]);
  for (const wrong of ['1', '0x', '0xg', `0x${'f'.repeat(15)}`, 5, null, undefined, {}])
    expect(readBlockNumber(wrong)).toBeNull();
  expect(readHash(`0x${'AB'.repeat(32)}`)).toBe(`0x${'ab'.repeat(32)}`);
  for (const wrong of ['0x', `0x${'a'.repeat(63)}`, `0x${'a'.repeat(64)}\0`, '\0', 5, null])
    expect(readHash(wrong)).toBeNull();
});
