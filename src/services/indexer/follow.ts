// Follows a chain for a feed: final blocks are taken in stretch by stretch, each together with its checkpoint in one transaction, and given back
// when a reorg reaches below the checkpoint. What the blocks mean is the feed's affair.

import {
  type BlockFacts,
  blockFacts,
  movedMeanwhile,
  type Question,
  readStretch,
  type Stretch,
} from '../../chain/rpc/blockRanges.ts';
import { blockHash, type EvmChain, type Hash, headBlock } from '../../chain/rpc/client.ts';
import type { Ctx } from '../../context.ts';
import type { Tx } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import { type Checkpoint, type FeedName, holdCheckpoint, openCheckpoint, saveCheckpoint } from './checkpoints.ts';

/** Hashes that are kept: a reorg that goes deeper is not understood, only lived through. */
const HASHES = 64;
/** Blocks that are asked for at once, as long as the provider takes it. */
const WIDEST = 1_000n;
/** Blocks that are asked for first: nobody knows yet how much lies in them. */
const AT_FIRST = 32n;
/** Stretches of one round; what is beyond waits for the next one. */
const STRETCHES = 20;
/** Answers in a row after which a provider that refused is asked for more again. */
const CALM = 4;
const SAVE_WITHIN_MS = 60_000;

export type Feed = {
  name: FeedName;
  /** What is asked for now; asked anew before every stretch, after the chain was asked for its head. */
  question(): Promise<Pick<Question, 'most' | 'agreed' | 'logs'>>;
  /** Takes a stretch in. Every log may be given any number of times. */
  apply(tx: Tx, stretch: Stretch): Promise<void>;
  /** What happened above a block did not happen, as far as the chain knows now. Whatever happened again is taken in again. */
  takeBack(tx: Tx, block: bigint): Promise<void>;
};

/** `blocks` and `logs` were taken in, up to `at`; the newest final block was `target`. */
export type Round = { blocks: bigint; logs: number; at: Checkpoint; target: bigint };

/** What a provider took last time: one that refuses is not asked for more at every round. A process that starts finds it out again. */
type Width = { blocks: bigint; calm: number };
const widths = new WeakMap<EvmChain, Map<FeedName, Width>>();

/**
 * One round on one chain.
 * @throws AppError `provider_unavailable`; the next round goes on where this one stopped
 */
export async function followChain(ctx: Ctx, chain: EvmChain, feed: Feed): Promise<Round> {
  const head = await headBlock(chain);
  const target = head - BigInt(chain.confirmations) + 1n;
  let at = await openCheckpoint(ctx, chain, feed.name, target);
  at = await backToCommonBlock(ctx, chain, feed, at, head);
  const start = at.block;
  let logs = 0;
  for (let stretch = 0; stretch < STRETCHES && at.block < target && !ctx.shutdown.closing(); stretch++) {
    const taken = await takeStretch(ctx, chain, feed, at, target);
    if (!taken) break;
    at = taken.next;
    logs += taken.logs;
  }
  return { blocks: at.block - start, logs, at, target };
}

/** Takes in the next blocks. @returns null when another process was faster */
async function takeStretch(
  ctx: Ctx,
  chain: EvmChain,
  feed: Feed,
  at: Checkpoint,
  target: bigint,
): Promise<{ next: Checkpoint; logs: number } | null> {
  const stretch = await readNext(chain, feed, at.block + 1n, target);
  const { to, logs, blocks } = stretch;
  const [, known] = at.hashes.find(([number]) => BigInt(number) === at.block) ?? [];
  if (known && blocks.get(at.block + 1n)?.parentHash !== known) throw movedMeanwhile(chain);
  const hashes = newest([...at.hashes, ...hashesOf(blocks.values())]);
  const next = { ...at, block: to, blockTime: blocks.get(to)?.time ?? at.blockTime, hashes };
  const save = async (tx: Tx) => {
    if (!(await holdCheckpoint(tx, chain, feed.name, at))) return false;
    await feed.apply(tx, stretch);
    await saveCheckpoint(ctx, tx, chain, feed.name, next, target);
    return true;
  };
  const taken = await ctx.db.$transaction(save, { timeout: SAVE_WITHIN_MS });
  return taken ? { next, logs: logs.length } : null;
}

/** As many blocks as the provider gives at once; half as many when it refuses, down to one, and slowly more again. */
async function readNext(chain: EvmChain, feed: Feed, from: bigint, target: bigint): Promise<Stretch> {
  const width = widthOf(chain, feed.name);
  for (;;) {
    const to = from + width.blocks - 1n < target ? from + width.blocks - 1n : target;
    // On the way to the newest blocks one hash a stretch is enough; there, every one counts.
    const hashesFrom = to === target ? to - BigInt(HASHES) + 1n : to;
    const read = await readStretch(chain, { ...(await feed.question()), from, to, hashesFrom });
    if (read === 'narrower') {
      const asked = to - from + 1n;
      width.blocks = asked > 1n ? asked / 2n : 1n;
      width.calm = 0;
      continue;
    }
    if (read.to < to) {
      // Cut short because of its logs: asked for as much again, the rest would be read twice.
      width.blocks = read.to - from + 1n;
      width.calm = 0;
      return read;
    }
    width.calm += 1;
    if (width.calm >= CALM && width.blocks < WIDEST) {
      width.blocks = width.blocks * 2n < WIDEST ? width.blocks * 2n : WIDEST;
      width.calm = 0;
    }
    return read;
  }
}

function widthOf(chain: EvmChain, feed: FeedName): Width {
  const ofChain = widths.get(chain) ?? new Map<FeedName, Width>();
  widths.set(chain, ofChain);
  const width = ofChain.get(feed) ?? { blocks: AT_FIRST, calm: 0 };
  ofChain.set(feed, width);
  return width;
}

function* hashesOf(blocks: Iterable<BlockFacts>): Generator<[number, Hash]> {
  for (const { number, hash } of blocks) yield [Number(number), hash];
}

function newest(hashes: [number, Hash][]): [number, Hash][] {
  return [...new Map(hashes)].sort(([a], [b]) => a - b).slice(-HASHES);
}

/** Where the chain is still the one that was taken in: the checkpoint, or, after a reorg below it, the last block that both have. */
async function backToCommonBlock(
  ctx: Ctx,
  chain: EvmChain,
  feed: Feed,
  at: Checkpoint,
  head: bigint,
): Promise<Checkpoint> {
  let gone: bigint | null = null;
  let kept = at.hashes;
  // A chain, or an endpoint, that has not come so far yet says nothing about its blocks; a fork that is shorter does.
  const shorter = head < at.block && (await isAnotherChain(chain, at));
  for (let last = kept.at(-1); last; last = kept.at(-1)) {
    const hash = await blockHash(chain, BigInt(last[0]));
    if (hash === last[1]) break;
    if (hash !== null || shorter) gone = BigInt(last[0]);
    kept = kept.slice(0, -1);
  }
  if (gone === null) return at;
  const [common] = kept.at(-1) ?? [];
  // None of the known blocks is there any more: begin well below them, with nothing to compare.
  const lowest = (gone < head ? gone : head) - BigInt(HASHES);
  const block = common === undefined ? (lowest > 0n ? lowest : 0n) - 1n : BigInt(common);
  const time = common === undefined ? null : ((await blockFacts(chain, block))?.time ?? null);
  const goneUpTo = at.goneUpTo !== null && at.goneUpTo > at.block ? at.goneUpTo : at.block;
  const back = { ...at, block, blockTime: time, hashes: kept, goneUpTo };
  await ctx.db.$transaction(
    async (tx) => {
      if (!(await holdCheckpoint(tx, chain, feed.name, at)))
        throw new AppError('state_conflict', 'another process went back already');
      await feed.takeBack(tx, back.block);
      await saveCheckpoint(ctx, tx, chain, feed.name, back, null);
    },
    { timeout: SAVE_WITHIN_MS },
  );
  ctx.log.warn(
    { chain: chain.name, feed: feed.name, from: at.block, to: back.block },
    'a reorg below the checkpoint of an indexer',
  );
  return back;
}

/**
 * Whether a head below the checkpoint belongs to another chain than the one that was taken in, as when a node lost its newest blocks and made
 * others. What only lags shows a block that lies before the checkpoint, and so was made before it.
 */
async function isAnotherChain(chain: EvmChain, at: Checkpoint): Promise<boolean> {
  const newestBlock = await blockFacts(chain, 'latest');
  if (!newestBlock || !at.blockTime || newestBlock.number >= at.block) return false;
  return newestBlock.time > at.blockTime;
}
