// Several claims that a page follows as one: whatever the order in which it hears of them, it shows their real steps and comes to an end.

import { describe, expect, it } from 'vitest';
import type { EscrowView } from '../../../../src/http/api/escrowAnswers.ts';
import { type ClaimRun, followRun, startRun } from './claimRun.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');
type Claim = NonNullable<EscrowView['claim']>;

function escrow(id: string, claim: Claim['status'] | 'claimed' | 'held' | null): EscrowView {
  const held = claim === 'held' ? new Date(NOW + 3_600_000).toISOString() : null;
  const status = claim === 'claimed' ? 'final' : claim === 'held' ? 'queued' : claim;
  return {
    id,
    status: claim === 'claimed' ? 'claimed' : 'open',
    claim: status && { id: `clm_${id}`, status, tx_hash: null, failure: null, held_until: held },
  } as EscrowView;
}

const keys = (run: ClaimRun | null) => run?.steps.map(({ key }) => key);
/** What a page has after a row of looks, one a second. */
const watched = (run: ClaimRun | null, ...looks: EscrowView[][]) =>
  looks.reduce((known, escrows, index) => followRun(known, escrows, NOW + index * 1_000), run);

describe('claims that are followed as one', () => {
  it('are where the slowest is, each step with the time at which all had reached it', () => {
    const run = watched(
      null,
      [escrow('a', 'queued'), escrow('b', 'queued')],
      [escrow('a', 'mined'), escrow('b', 'queued')],
      [escrow('a', 'claimed'), escrow('b', 'sent')],
      [escrow('a', 'claimed'), escrow('b', 'final')],
    );
    expect(run?.steps.map(({ key, at }) => [key, at - NOW])).toEqual([
      ['queued', 0],
      ['sent', 2_000],
      ['mined', 3_000],
    ]);
    expect(run?.endedAt).toBeNull();
    expect(watched(run, [escrow('a', 'claimed'), escrow('b', 'claimed')])).toMatchObject({
      ids: ['a', 'b'],
      endedAt: NOW,
    });
  });

  it('end where one failed and nothing else is under way', () => {
    const run = watched(
      null,
      [escrow('a', 'sent'), escrow('b', 'sent')],
      [escrow('a', 'claimed'), escrow('b', 'failed')],
    );
    expect(run).toMatchObject({ ids: ['a', 'b'], endedAt: NOW + 1_000 });
  });

  it('are over when the answer to the press comes after the end was seen, or is the first that is heard of it', () => {
    const done = [escrow('a', 'claimed')];
    const seen = watched(null, [escrow('a', 'queued')], done);
    for (const known of [seen, null])
      expect(watched(startRun(known, done, NOW), done)).toMatchObject({ ids: ['a'], endedAt: NOW });
  });

  it('keep their steps when the press is answered while they are followed already', () => {
    const seen = watched(null, [escrow('a', 'queued')], [escrow('a', 'sent')]);
    const both = [escrow('a', 'sent'), escrow('b', 'sent')];
    const run = watched(startRun(seen, both, NOW), both);
    expect(run?.ids).toEqual(['a', 'b']);
    expect(keys(run)).toEqual(['queued', 'sent']);
  });

  it('go back a step when a block was taken back', () => {
    expect(
      keys(
        watched(null, [escrow('a', 'queued')], [escrow('a', 'sent')], [escrow('a', 'mined')], [escrow('a', 'sent')]),
      ),
    ).toEqual(['queued', 'sent']);
  });

  it('begin anew after their end, without those of before', () => {
    const run = watched(
      null,
      [escrow('a', 'sent')],
      [escrow('a', 'claimed')],
      [escrow('a', 'claimed'), escrow('b', 'queued')],
    );
    expect(run).toMatchObject({ ids: ['b'], endedAt: null });
  });

  it('are not those that are held for a day, nor those that nobody asked for', () => {
    const escrows = [escrow('a', 'held'), escrow('b', null), escrow('c', 'failed')];
    expect(watched(null, escrows)).toBeNull();
    expect(startRun(null, escrows, NOW)).toBeNull();
  });

  it('are the same object when nothing has changed, so that nothing is drawn anew', () => {
    const run = watched(null, [escrow('a', 'sent')]);
    expect(watched(run, [escrow('a', 'sent')])).toBe(run);
    const over = watched(run, [escrow('a', 'claimed')]);
    expect(watched(over, [escrow('a', 'claimed')])).toBe(over);
  });
});
