// The migration to one feed a chain: it starts at the lower block of the two, with the hashes of that one, and skips nothing.
import { expect, test } from 'vitest';
import { migrateDb } from '../src/db.ts';
import { databaseBefore } from '../test/setup/database.ts';

const MIGRATION = '20261126014706_one_feed_a_chain';
const [EARLY, LATE] = ['2026-11-25T12:00:00.000Z', '2026-11-25T13:00:00.000Z'];

test('merges the checkpoints of each chain', async () => {
  const { url, client } = await databaseBefore(MIGRATION);
  const put = (chain: string, feed: string, row: { block: number; hash: string; at: string; gone?: number }) =>
    client.query(
      `insert into indexer_checkpoint (chain, feed, first_block, block, block_time, hashes, target, caught_up_at, gone_up_to, run_until, updated_at)
       values ($1, $2, 5, $3, $4, $5, 200, $4, $6, $4, $4)`,
      [chain, feed, row.block, row.at, JSON.stringify([[row.block, row.hash]]), row.gone ?? null],
    );
  await put('base', 'orders', { block: 100, hash: '0xa', at: LATE, gone: 98 });
  await put('base', 'tabs', { block: 90, hash: '0xb', at: EARLY, gone: 150 });
  await put('bsc', 'orders', { block: 70, hash: '0xc', at: EARLY });
  await put('bsc', 'tabs', { block: 80, hash: '0xd', at: LATE });
  await put('base-sepolia', 'tabs', { block: 60, hash: '0xe', at: EARLY });
  await migrateDb(url);
  const { rows } = await client.query(
    `select chain, first_block::int as first, block::int, block_time as time, hashes, target::int, caught_up_at as "caughtUp", gone_up_to::int as gone,
       run_until as "runUntil" from indexer_checkpoint order by chain`,
  );
  const merged = { first: 5, target: 200, caughtUp: new Date(EARLY), runUntil: null };
  expect(rows).toEqual([
    { ...merged, chain: 'base', block: 90, time: new Date(EARLY), hashes: [[90, '0xb']], gone: 98 },
    // The other feed never ran: everything is read again from the first block.
    { ...merged, chain: 'base-sepolia', block: 5, time: null, hashes: [], gone: null },
    { ...merged, chain: 'bsc', block: 70, time: new Date(EARLY), hashes: [[70, '0xc']], gone: null },
  ]);
});
