// Checkpoints: how far each feed of a chain is taken in, how far it is behind, and who may move it.
import type { EvmChain, Hash } from '../../chain/rpc/client.ts';
import type { Ctx } from '../../context.ts';
import type { Row, Tx } from '../../db.ts';
import type { ChainName } from '../../domain/chains.ts';

/** "tabs" of the escrow router, "orders" of the payment routers. */
export type FeedName = 'tabs' | 'orders';

export type Checkpoint = {
  /** The last block that is done, and when it was made (null until one was taken in). */
  block: bigint;
  blockTime: Date | null;
  hashes: [number, Hash][];
  /** Up to which block things were taken back and have not been looked for since. */
  goneUpTo: bigint | null;
};

const place = (chain: EvmChain, feed: FeedName) => ({ chain_feed: { chain: chain.name, feed } });

/**
 * Where a feed stands. The first look begins where the routers were deployed, if that is known, or now: on a real network never at the first
 * block.
 */
export async function openCheckpoint(ctx: Ctx, chain: EvmChain, feed: FeedName, target: bigint): Promise<Checkpoint> {
  const first = chain.deployedAtBlock === null ? (chain.local ? 0n : target) : BigInt(chain.deployedAtBlock);
  const now = new Date(ctx.clock.now());
  const create = {
    chain: chain.name,
    feed,
    firstBlock: first - 1n,
    block: first - 1n,
    hashes: [],
    target,
    caughtUpAt: now,
    updatedAt: now,
  };
  const where = place(chain, feed);
  const row =
    (await ctx.db.indexerCheckpoint.findUnique({ where })) ??
    (await ctx.db.indexerCheckpoint.upsert({ where, create, update: {} }));
  await noteTarget(ctx, chain, row, target);
  return checkpointOf(row);
}

/** Often enough for figures and alerts, and no write for every look. */
const NOTE_EVERY_MS = 10_000;

/** How far it is to go is known before the provider says whether it lets us. */
async function noteTarget(ctx: Ctx, chain: EvmChain, row: Row<'IndexerCheckpoint'>, target: bigint): Promise<void> {
  const now = new Date(ctx.clock.now());
  const caughtUp = row.block >= target;
  const isStale = now.getTime() - (caughtUp ? row.caughtUpAt : row.updatedAt).getTime() >= NOTE_EVERY_MS;
  if (!isStale) return;
  const noted = caughtUp ? { caughtUpAt: now } : {};
  const where = place(chain, row.feed as FeedName);
  await ctx.db.indexerCheckpoint.update({ where, data: { target, ...noted, updatedAt: now } });
}

function checkpointOf({ block, blockTime, hashes, goneUpTo }: Row<'IndexerCheckpoint'>): Checkpoint {
  return { block, blockTime, hashes: hashes as Checkpoint['hashes'], goneUpTo };
}

/** Whether the checkpoint is still the one that was read; nobody else moves it until the transaction ends. */
export async function holdCheckpoint(tx: Tx, chain: EvmChain, feed: FeedName, at: Checkpoint): Promise<boolean> {
  await tx.$queryRaw`select 1 from indexer_checkpoint where chain = ${chain.name} and feed = ${feed} for update`;
  const row = await tx.indexerCheckpoint.findUniqueOrThrow({ where: place(chain, feed) });
  return row.block === at.block && JSON.stringify(row.hashes) === JSON.stringify(at.hashes);
}

/** @param target the newest final block, where it was asked for */
export async function saveCheckpoint(
  ctx: Ctx,
  tx: Tx,
  chain: EvmChain,
  feed: FeedName,
  { block, blockTime, hashes, goneUpTo }: Checkpoint,
  target: bigint | null,
): Promise<void> {
  const now = new Date(ctx.clock.now());
  const known = target === null ? {} : { target, ...(block >= target ? { caughtUpAt: now } : {}) };
  await tx.indexerCheckpoint.update({
    where: place(chain, feed),
    data: { block, blockTime, hashes, goneUpTo, ...known, updatedAt: now },
  });
}

/** What was taken back was looked for. */
export async function forgetGone(tx: Tx, chain: EvmChain, feed: FeedName): Promise<void> {
  await tx.indexerCheckpoint.update({ where: place(chain, feed), data: { goneUpTo: null } });
}

export type Progress = {
  chain: ChainName;
  feed: FeedName;
  block: bigint;
  blockTime: Date | null;
  /** Final blocks that are not taken in, as of the last look. */
  behind: bigint;
  /** Of all blocks since the first look, from 0 to 1. */
  done: number;
  /** How long ago the newest final block was taken in. */
  lateMs: number;
};

/** How far every feed of the chains of this process is. */
export async function listProgress(ctx: Ctx): Promise<Progress[]> {
  const rows = await ctx.db.indexerCheckpoint.findMany({ orderBy: [{ chain: 'asc' }, { feed: 'asc' }] });
  return rows.filter((row) => ctx.chains[row.chain as ChainName]).map((row) => progressOf(ctx, row));
}

/** Null before the first look. */
export async function findProgress(ctx: Ctx, chain: ChainName, feed: FeedName): Promise<Progress | null> {
  const row = await ctx.db.indexerCheckpoint.findUnique({ where: { chain_feed: { chain, feed } } });
  return row && progressOf(ctx, row);
}

function progressOf(ctx: Ctx, row: Row<'IndexerCheckpoint'>): Progress {
  const { block, blockTime, firstBlock, target } = row;
  const all = Number(target - firstBlock);
  return {
    chain: row.chain as ChainName,
    feed: row.feed as FeedName,
    block,
    blockTime,
    behind: target > block ? target - block : 0n,
    done: all <= 0 ? 1 : Math.min(1, Number(block - firstBlock) / all),
    lateMs: Math.max(0, ctx.clock.now() - row.caughtUpAt.getTime()),
  };
}

/** A run that was killed stands in the way for this long. */
const RUN_MS = 120_000;
/** The runs of this process: before the first look there is no row that could say so. */
const running = new WeakMap<Ctx, Set<string>>();

/** Whether a run that somebody asked for may begin. @returns what `endRun` wants back, or null while another one is under way */
export async function claimRun(ctx: Ctx, chain: ChainName, feed: FeedName): Promise<Date | null> {
  const own = running.get(ctx) ?? new Set();
  running.set(ctx, own);
  if (own.has(`${chain} ${feed}`)) return null;
  own.add(`${chain} ${feed}`);
  const now = new Date(ctx.clock.now());
  const until = new Date(now.getTime() + RUN_MS);
  const free = { OR: [{ runUntil: null }, { runUntil: { lte: now } }] };
  try {
    const { count } = await ctx.db.indexerCheckpoint.updateMany({
      where: { chain, feed, ...free },
      data: { runUntil: until },
    });
    if (count === 1 || (await findProgress(ctx, chain, feed)) === null) return until;
  } catch (error) {
    own.delete(`${chain} ${feed}`);
    throw error;
  }
  own.delete(`${chain} ${feed}`);
  return null;
}

export async function endRun(ctx: Ctx, chain: ChainName, feed: FeedName, until: Date): Promise<void> {
  running.get(ctx)?.delete(`${chain} ${feed}`);
  await ctx.db.indexerCheckpoint.updateMany({ where: { chain, feed, runUntil: until }, data: { runUntil: null } });
}
