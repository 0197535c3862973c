// The feed of an EVM chain: reads the logs of final blocks range by range, hands them to the rooms and saves the checkpoint in one transaction a batch,
// and reverts what a reorg below the checkpoint orphaned. What a log means is the rooms' affair.

import { feedFilter } from '../../chain/logs/filter.ts';
import {
  type BlockFacts,
  type BlockRange,
  blockFacts,
  changedMeanwhile,
  readBlockRange,
} from '../../chain/rpc/blockRanges.ts';
import type { Address, EvmChain } from '../../chain/rpc/client.ts';
import { agreedHash, agreedHead } from '../../chain/rpc/finality.ts';
import type { Ctx } from '../../context.ts';
import type { Tx } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import { batchesOf } from './batches.ts';
import { type Checkpoint, holdCheckpoint, noteTarget, openCheckpoint, saveCheckpoint } from './checkpoints.ts';

/** Stored hashes: a reorg that goes deeper has no common block to go back to. */
const HASHES = 64;
/** Blocks of one request, as long as the provider accepts it. */
const WIDEST = 1_000n;
/** Blocks of the first request, when it is unknown how many logs they have. */
const AT_FIRST = 32n;
/** Logs of a range, which bounds memory: the next range is read while one is written. */
const MOST_LOGS = 2_000;
/** Ranges of one round; the next round reads on. */
const RANGES = 20;
/** Ranges in a row after which a provider that refused is sent wider requests again. */
const CALM = 4;
const SAVE_WITHIN_MS = 60_000;

/** What one room does with the feed. A log may be ingested any number of times. */
export type FeedRoom = {
  /** Decodes a batch. @returns the writes, which run in the transaction that saves the checkpoint, after those of earlier batches */
  ingest(batch: BlockRange, watched: readonly Address[]): (tx: Tx) => Promise<void>;
  /** Undoes what was ingested above a block. What the chain includes again is ingested again. */
  revert(tx: Tx, block: bigint): Promise<void>;
  /** After the ranges of a round. @returns whether the room expects a log soon: then the next round follows at once */
  afterRound(round: Ingested): Promise<boolean>;
};

export type EvmFeed = {
  /** Addresses whose incoming transfers are read. Listed before every range, after the chain's head is known. */
  watched(): Promise<Address[]>;
  rooms: readonly FeedRoom[];
};

/** `blocks` and `logs` were ingested, up to `at`; the newest final block was `target`. */
export type Ingested = { blocks: bigint; logs: number; at: Checkpoint; target: bigint };

/** `isExpecting`: a room expects a log soon. */
export type Round = Ingested & { isExpecting: boolean };

/** A batch of a range with the writes of all rooms. */
type Batch = { range: BlockRange; writes: ((tx: Tx) => Promise<void>)[] };
type Ahead = { range: BlockRange; batches: Batch[] };

/**
 * One round on one chain.
 * @throws AppError `provider_unavailable`; the next round continues from the last saved checkpoint
 */
export async function followChain(ctx: Ctx, chain: EvmChain, feed: EvmFeed): Promise<Round> {
  const head = await agreedHead(chain);
  const target = head - BigInt(chain.confirmations) + 1n;
  const opened = await openCheckpoint(ctx, chain, firstBlock(chain, target), target);
  const ingest = async () =>
    ingestRanges(ctx, chain, feed, await backToCommonBlock(ctx, chain, feed, opened, head), target);
  const round = await ingest().catch(async (error: unknown) => {
    await noteTarget(ctx, chain, target).catch(() => {});
    throw error;
  });
  let isExpecting = false;
  for (const room of feed.rooms) if (await room.afterRound(round)) isExpecting = true;
  return { ...round, isExpecting };
}

/** Where the routers were deployed, if that is known, or now: on a real network never the first block. */
function firstBlock({ deployedAtBlock, local }: EvmChain, target: bigint): bigint {
  if (deployedAtBlock !== null) return BigInt(deployedAtBlock);
  return local ? 0n : target;
}

/** Reads and decodes each range while the one before is written. */
async function ingestRanges(
  ctx: Ctx,
  chain: EvmChain,
  feed: EvmFeed,
  start: Checkpoint,
  target: bigint,
): Promise<Ingested> {
  let at = start;
  let logs = 0;
  const readFrom = (from: bigint) => readAhead(chain, feed, from, target);
  let next = at.block < target ? readFrom(at.block + 1n) : null;
  try {
    for (let left = RANGES; next !== null && !ctx.shutdown.closing(); left--) {
      const { range, batches } = await next;
      checkParent(chain, at, range);
      next = range.to < target && left > 1 ? readFrom(range.to + 1n) : null;
      // Its failure counts when it is awaited, unless an earlier one ends the round.
      next?.catch(() => {});
      for (const batch of batches) {
        const saved = await saveBatch(ctx, chain, at, batch, target);
        if (!saved) return { blocks: at.block - start.block, logs, at, target };
        at = saved;
        logs += batch.range.logs.length;
      }
    }
    return { blocks: at.block - start.block, logs, at, target };
  } finally {
    await next?.catch(() => {});
  }
}

async function readAhead(chain: EvmChain, feed: EvmFeed, from: bigint, target: bigint): Promise<Ahead> {
  const { range, watched } = await readNext(chain, feed, from, target);
  const batches = batchesOf(range).map((batch) => ({
    range: batch,
    writes: feed.rooms.map((room) => room.ingest(batch, watched)),
  }));
  return { range, batches };
}

function checkParent(chain: EvmChain, at: Checkpoint, { from, blocks }: BlockRange): void {
  const [, known] = at.hashes.find(([number]) => BigInt(number) === at.block) ?? [];
  if (known && blocks.get(from)?.parentHash !== known) throw changedMeanwhile(chain);
}

/** @returns the checkpoint, or null when another process was faster */
async function saveBatch(
  ctx: Ctx,
  chain: EvmChain,
  at: Checkpoint,
  { range: { to, blocks }, writes }: Batch,
  target: bigint,
): Promise<Checkpoint | null> {
  const done = [...blocks.values()].filter(({ number }) => number <= to);
  const hashes = newest([...at.hashes, ...hashesOf(done)]);
  const next = { ...at, block: to, blockTime: blocks.get(to)?.time ?? at.blockTime, hashes };
  const save = async (tx: Tx) => {
    if (!(await holdCheckpoint(tx, chain, at))) return null;
    for (const write of writes) await write(tx);
    await saveCheckpoint(ctx, tx, chain, next, target);
    return next;
  };
  return ctx.db.$transaction(save, { timeout: SAVE_WITHIN_MS });
}

/** The width that a provider accepted last, kept between rounds. A process that starts finds it out again. */
type Width = { blocks: bigint; calm: number };
const widths = new WeakMap<EvmChain, Width>();

/** As many blocks as the provider returns at once; half as many when it refuses, down to one, and slowly more again. */
async function readNext(
  chain: EvmChain,
  feed: EvmFeed,
  from: bigint,
  target: bigint,
): Promise<{ range: BlockRange; watched: Address[] }> {
  const width = widths.get(chain) ?? { blocks: AT_FIRST, calm: 0 };
  widths.set(chain, width);
  for (;;) {
    const to = from + width.blocks - 1n < target ? from + width.blocks - 1n : target;
    // Far below the newest blocks one hash a range is enough; there, every hash is needed.
    const hashesFrom = to === target ? to - BigInt(HASHES) + 1n : to;
    const watched = await feed.watched();
    const request = { ...feedFilter(chain, watched), from, to, hashesFrom, most: MOST_LOGS };
    const range = await readBlockRange(chain, request);
    if (range === 'narrower') {
      const requested = to - from + 1n;
      width.blocks = requested > 1n ? requested / 2n : 1n;
      width.calm = 0;
      continue;
    }
    if (range.to < to) {
      // Cut because of its logs: a request as wide would read the rest twice.
      width.blocks = range.to - from + 1n;
      width.calm = 0;
      return { range, watched };
    }
    width.calm += 1;
    if (width.calm >= CALM && width.blocks < WIDEST) {
      width.blocks = width.blocks * 2n < WIDEST ? width.blocks * 2n : WIDEST;
      width.calm = 0;
    }
    return { range, watched };
  }
}

function* hashesOf(blocks: Iterable<BlockFacts>): Generator<[number, string]> {
  for (const { number, hash } of blocks) yield [Number(number), hash];
}

function newest(hashes: [number, string][]): [number, string][] {
  return [...new Map(hashes)].sort(([a], [b]) => a - b).slice(-HASHES);
}

/** The checkpoint, or, after a reorg below it, the last block that it and the chain have in common. */
async function backToCommonBlock(
  ctx: Ctx,
  chain: EvmChain,
  feed: EvmFeed,
  at: Checkpoint,
  head: bigint,
): Promise<Checkpoint> {
  let gone: bigint | null = null;
  let kept = at.hashes;
  // An endpoint that lags proves nothing about its missing blocks; a shorter fork does.
  const shorter = head < at.block && (await isAnotherChain(chain, at));
  for (let last = kept.at(-1); last; last = kept.at(-1)) {
    const hash = await agreedHash(chain, BigInt(last[0]));
    if (hash === last[1]) break;
    if (hash !== null || shorter) gone = BigInt(last[0]);
    kept = kept.slice(0, -1);
  }
  if (gone === null) return at;
  const [common] = kept.at(-1) ?? [];
  // None of the stored blocks exists on the chain: begin well below them, with nothing to compare.
  const lowest = (gone < head ? gone : head) - BigInt(HASHES);
  const block = common === undefined ? (lowest > 0n ? lowest : 0n) - 1n : BigInt(common);
  const time = common === undefined ? null : ((await blockFacts(chain, block))?.time ?? null);
  const goneUpTo = at.goneUpTo !== null && at.goneUpTo > at.block ? at.goneUpTo : at.block;
  const back = { ...at, block, blockTime: time, hashes: kept, goneUpTo };
  await ctx.db.$transaction(
    async (tx) => {
      if (!(await holdCheckpoint(tx, chain, at)))
        throw new AppError('state_conflict', 'another process went back already');
      for (const room of feed.rooms) await room.revert(tx, back.block);
      await saveCheckpoint(ctx, tx, chain, back, null);
    },
    { timeout: SAVE_WITHIN_MS },
  );
  ctx.log.warn({ chain: chain.name, from: at.block, to: back.block }, 'a reorg below the checkpoint of the indexer');
  return back;
}

/**
 * Whether a head below the checkpoint belongs to another chain than the ingested one, as when a node lost its newest blocks and made others. An
 * endpoint that lags shows a block from before the checkpoint, which is older than the checkpoint's.
 */
async function isAnotherChain(chain: EvmChain, at: Checkpoint): Promise<boolean> {
  const newestBlock = await blockFacts(chain, 'latest');
  if (!newestBlock || !at.blockTime || newestBlock.number >= at.block) return false;
  return newestBlock.time > at.blockTime;
}
