// Checkpoints: up to which block each chain's feed is ingested, how far it is behind, and who may move it.
import type { Chain } from '../../chain/chain.ts';
import type { Ctx, ReadCtx } from '../../context.ts';
import type { Row, Tx } from '../../db.ts';
import type { ChainName } from '../../domain/chains.ts';
import { leaseTime } from '../leaseTime.ts';

export type Checkpoint = {
  /** The last ingested block, and when it was made (null before the first one). */
  block: bigint;
  blockTime: Date | null;
  /** Of blocks: their numbers and hashes. Of a feed of transactions: those that it had last, each with its slot. */
  hashes: [number, string][];
  /** Up to which block logs were reverted without a check whether they came again. */
  goneUpTo: bigint | null;
};

/** The checkpoint of a chain. @param first the block with which a new one begins */
export async function openCheckpoint(ctx: Ctx, chain: Chain, first: bigint, target: bigint): Promise<Checkpoint> {
  const now = new Date(ctx.clock.now());
  const create = {
    chain: chain.name,
    firstBlock: first - 1n,
    block: first - 1n,
    hashes: [],
    target,
    caughtUpAt: now,
    updatedAt: now,
  };
  const where = { chain: chain.name };
  const row =
    (await ctx.db.indexerCheckpoint.findUnique({ where })) ??
    (await ctx.db.indexerCheckpoint.upsert({ where, create, update: {} }));
  if (row.block >= target) await noteCaughtUp(ctx, row, target);
  return checkpointOf(row);
}

/** Often enough for metrics and alerts, without a write for every round. */
const NOTE_EVERY_MS = 10_000;

async function noteCaughtUp(ctx: Ctx, row: Row<'IndexerCheckpoint'>, target: bigint): Promise<void> {
  const now = new Date(ctx.clock.now());
  if (now.getTime() - row.caughtUpAt.getTime() < NOTE_EVERY_MS) return;
  const data = { target, caughtUpAt: now, updatedAt: now };
  await ctx.db.indexerCheckpoint.update({ where: { chain: row.chain }, data });
}

/** After a round that a provider refused: the distance grows, and shows. */
export async function noteTarget(ctx: Ctx, chain: Chain, target: bigint): Promise<void> {
  const now = new Date(ctx.clock.now());
  const due = { chain: chain.name, updatedAt: { lte: new Date(now.getTime() - NOTE_EVERY_MS) } };
  await ctx.db.indexerCheckpoint.updateMany({ where: due, data: { target, updatedAt: now } });
}

function checkpointOf({ block, blockTime, hashes, goneUpTo }: Row<'IndexerCheckpoint'>): Checkpoint {
  return { block, blockTime, hashes: hashes as Checkpoint['hashes'], goneUpTo };
}

/** Locks the checkpoint. @returns whether it is still the one that was read */
export async function holdCheckpoint(tx: Tx, chain: Chain, at: Checkpoint): Promise<boolean> {
  await tx.$queryRaw`select 1 from indexer_checkpoint where chain = ${chain.name} for update`;
  const row = await tx.indexerCheckpoint.findUniqueOrThrow({ where: { chain: chain.name } });
  return row.block === at.block && JSON.stringify(row.hashes) === JSON.stringify(at.hashes);
}

/** @param target the newest final block, where it is known */
export async function saveCheckpoint(
  ctx: Ctx,
  tx: Tx,
  chain: Chain,
  { block, blockTime, hashes, goneUpTo }: Checkpoint,
  target: bigint | null,
): Promise<void> {
  const now = new Date(ctx.clock.now());
  const known = target === null ? {} : { target, ...(block >= target ? { caughtUpAt: now } : {}) };
  await tx.indexerCheckpoint.update({
    where: { chain: chain.name },
    data: { block, blockTime, hashes, goneUpTo, ...known, updatedAt: now },
  });
}

/** Reverted logs were checked. */
export async function clearOrphaned(tx: Tx, chain: Chain): Promise<void> {
  await tx.indexerCheckpoint.update({ where: { chain: chain.name }, data: { goneUpTo: null } });
}

export type Progress = {
  chain: ChainName;
  block: bigint;
  blockTime: Date | null;
  /** Final blocks that are not ingested, as of the last round. */
  behind: bigint;
  /** Of all blocks since the first round, from 0 to 1. */
  done: number;
  /** How long ago the newest final block was ingested. */
  lateMs: number;
};

/** Of every chain of this process. */
export async function listProgress(ctx: ReadCtx): Promise<Progress[]> {
  const rows = await ctx.db.indexerCheckpoint.findMany({ orderBy: { chain: 'asc' } });
  return rows.filter((row) => ctx.chains[row.chain as ChainName]).map((row) => progressOf(ctx, row));
}

/** Null before the first round. */
export async function findProgress(ctx: Ctx, chain: ChainName): Promise<Progress | null> {
  const row = await ctx.db.indexerCheckpoint.findUnique({ where: { chain } });
  return row && progressOf(ctx, row);
}

function progressOf(ctx: ReadCtx, row: Row<'IndexerCheckpoint'>): Progress {
  const { block, blockTime, firstBlock, target } = row;
  const all = Number(target - firstBlock);
  return {
    chain: row.chain as ChainName,
    block,
    blockTime,
    behind: target > block ? target - block : 0n,
    done: all <= 0 ? 1 : Math.min(1, Number(block - firstBlock) / all),
    lateMs: Math.max(0, ctx.clock.now() - row.caughtUpAt.getTime()),
  };
}

/** How long the claim of a killed run holds. */
const RUN_MS = 120_000;
/** The runs of this process: before the first round no row exists that could hold the claim. */
const running = new WeakMap<Ctx, Set<ChainName>>();

/** Claims a chain for a requested run. @returns what `endRun` takes, or null while another run is under way */
export async function claimRun(ctx: Ctx, chain: ChainName): Promise<Date | null> {
  const own = running.get(ctx) ?? new Set();
  running.set(ctx, own);
  if (own.has(chain)) return null;
  own.add(chain);
  try {
    const [claimed] = await ctx.db.$queryRaw<{ until: Date }[]>`
      update indexer_checkpoint set run_until = ${leaseTime(ctx, RUN_MS)}
      where chain = ${chain} and (run_until is null or run_until <= ${leaseTime(ctx)}) returning run_until as until`;
    if (claimed) return claimed.until;
    // Before the first round there is nothing to claim yet.
    if ((await findProgress(ctx, chain)) === null) return new Date(ctx.clock.now());
  } catch (error) {
    own.delete(chain);
    throw error;
  }
  own.delete(chain);
  return null;
}

export async function endRun(ctx: Ctx, chain: ChainName, until: Date): Promise<void> {
  running.get(ctx)?.delete(chain);
  await ctx.db.indexerCheckpoint.updateMany({ where: { chain, runUntil: until }, data: { runUntil: null } });
}
