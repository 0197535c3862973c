// Follows every open transaction to a final block: rebroadcasts what was dropped, replaces what is stuck, and passes the outcome to its kind.
import type { Chain } from '../../chain/chain.ts';
import type { Receipt } from '../../chain/receipt.ts';
import type { Ctx } from '../../context.ts';
import type { Tx } from '../../db.ts';
import { isAway } from '../../domain/errors.ts';
import { transitionOne } from '../transitions.ts';
import { wake } from '../wake.ts';
import { resumeKey } from './keys.ts';
import { kindOf, NOTHING, type OutgoingKinds, type Stall } from './kinds.ts';
import type { OpenTx, Place } from './lane.ts';
import { laneOf } from './lanes.ts';

const OPEN_TX = {
  id: true,
  chain: true,
  kind: true,
  subjectId: true,
  attempt: true,
  executor: true,
  nonce: true,
  status: true,
  succeeded: true,
  minedHash: true,
  minedBlock: true,
  minedBlockHash: true,
  minedDigest: true,
  unclearLooks: true,
  attempts: {
    select: { hash: true, number: true, signedAt: true, broadcastAt: true, lastValidHeight: true },
    orderBy: { number: 'desc' },
  },
} as const satisfies Record<keyof OpenTx, unknown>;

/** Transactions looked at in one pass: what is beyond waits for the next one. */
const PAGE = 200;
/** While no two endpoints show the same end of one, it is looked at ever more rarely, so that it takes no place from the others. */
const LOOK_AGAIN_MS = { first: 2_000, most: 60_000 };

/** One look at everything open on a chain. @returns how much is open. @throws AppError `provider_unavailable` */
export async function followOutgoing(ctx: Ctx, chain: Chain, kinds: OutgoingKinds): Promise<number> {
  const sent = await followSent(ctx, chain, kinds);
  return sent + (await finaliseMined(ctx, chain, kinds));
}

/**
 * One look at what waits for its first block, apart from what becomes final: that takes longer to ask for, and to write.
 * @returns how many wait
 * @throws AppError `provider_unavailable`
 */
export async function followSent(ctx: Ctx, chain: Chain, kinds: OutgoingKinds): Promise<number> {
  const open: OpenTx[] = await ctx.db.outgoingTx.findMany({
    where: { chain: chain.name, status: { in: ['signed', 'sent'] } },
    select: OPEN_TX,
    orderBy: [{ nonce: 'asc' }, { createdAt: 'asc' }],
    take: PAGE,
  });
  if (open.length === 0) return 0;
  const [head, places] = await look(ctx, chain, kinds, open);
  const waiting = open.filter((_, index) => places[index] === null);
  if (isFrozen(ctx, chain, head, waiting)) await tellStalled(ctx, chain, kinds, 'makes no blocks', waiting);
  for (const [index, row] of open.entries()) {
    const place = places[index] ?? null;
    if (place && place !== 'seen') await safely(ctx, chain, row, () => recordMined(ctx, chain, kinds, row, place));
  }
  // After what is in a block, which does not wait for endpoints that are slow to take the others.
  for (const row of waiting) {
    await safely(ctx, chain, row, async () => {
      if ((await laneOf(chain).push(ctx, chain, row, head)) === 'lost') await lose(ctx, chain, kinds, row);
    });
  }
  await ctx.queues.flush(ctx.db);
  return open.length;
}

/**
 * One look at what a block was noted for: final once two endpoints show the same end of it.
 * @returns how many it looked at
 * @throws AppError `provider_unavailable`
 */
export async function finaliseMined(ctx: Ctx, chain: Chain, kinds: OutgoingKinds): Promise<number> {
  const due = { OR: [{ nextLookAt: null }, { nextLookAt: { lte: new Date(ctx.clock.now()) } }] };
  const mined: OpenTx[] = await ctx.db.outgoingTx.findMany({
    where: { chain: chain.name, status: 'mined', ...due },
    select: OPEN_TX,
    orderBy: [{ nextLookAt: { sort: 'asc', nulls: 'first' } }, { nonce: 'asc' }, { createdAt: 'asc' }],
    take: PAGE,
  });
  if (mined.length === 0) return 0;
  const standings = await laneOf(chain).confirm(chain, mined);
  for (const [index, row] of mined.entries()) {
    const standing = standings[index] ?? null;
    await safely(ctx, chain, row, async () => {
      if (standing === 'same') return;
      if (standing === 'unclear') await putOff(ctx, row);
      else if (standing === 'final') await finalise(ctx, chain, kinds, row);
      else await takeBack(ctx, chain, kinds, row, standing);
    });
  }
  await ctx.queues.flush(ctx.db);
  return mined.length;
}

async function putOff(ctx: Ctx, { id, unclearLooks, minedDigest }: OpenTx): Promise<void> {
  const afterMs = Math.min(LOOK_AGAIN_MS.first * 2 ** Math.min(unclearLooks, 10), LOOK_AGAIN_MS.most);
  await ctx.db.outgoingTx.updateMany({
    where: { id, status: 'mined', minedDigest },
    data: { nextLookAt: new Date(ctx.clock.now() + afterMs), unclearLooks: { increment: 1 } },
  });
}

/** One that fails must not hold up those behind it; it is looked at again in the next round. */
async function safely(ctx: Ctx, chain: Chain, row: OpenTx, follow: () => Promise<void>): Promise<void> {
  try {
    await follow();
  } catch (err) {
    const level = isAway(err) ? 'warn' : 'error';
    ctx.log[level]({ err, chain: chain.name, tx: row.id }, 'an open transaction could not be followed');
  }
}

/** @throws AppError `provider_unavailable`, after the subjects that wait for the chain are notified */
async function look(ctx: Ctx, chain: Chain, kinds: OutgoingKinds, open: OpenTx[]): Promise<[bigint, Place[]]> {
  try {
    const { head, places } = await laneOf(chain).look(chain, open);
    return [head, places];
  } catch (error) {
    if (isAway(error)) await tellStalled(ctx, chain, kinds, 'does not answer', open);
    throw error;
  }
}

async function tellStalled(
  ctx: Ctx,
  chain: Chain,
  kinds: OutgoingKinds,
  problem: Stall,
  waiting: OpenTx[],
): Promise<void> {
  for (const name of new Set(waiting.map(({ kind }) => kind))) {
    const ofKind = waiting.filter(({ kind }) => kind === name);
    await kindOf(kinds, { kind: name }).onStalled?.(ctx, chain, problem, ofKind);
  }
}

/** A head that stands for this many block times, and for this long, while a transaction of ours waits in the pool. */
const STILL_AFTER_BLOCKS = 4;
const STILL_AFTER_MS = 5_000;

/** The head that was seen last, and since when it stands there, by our clock. A process that starts begins to count. */
const heads = new WeakMap<Chain, { head: bigint; since: number }>();

/**
 * Whether the chain should have made a block and has not. A local one makes blocks only when something happens; a transaction that waits is something,
 * so the time counts from when the oldest of them was signed.
 */
function isFrozen(ctx: Ctx, chain: Chain, head: bigint, waiting: OpenTx[]): boolean {
  const signed = waiting.map((row) => row.attempts.at(-1)?.signedAt.getTime() ?? Number.POSITIVE_INFINITY);
  const now = ctx.clock.now();
  const known = heads.get(chain);
  if (known?.head !== head) heads.set(chain, { head, since: now });
  const stands = now - Math.max(heads.get(chain)?.since ?? now, Math.min(...signed));
  return stands >= Math.max(STILL_AFTER_MS, chain.facts.blockTimeMs * STILL_AFTER_BLOCKS);
}

async function recordMined(ctx: Ctx, chain: Chain, kinds: OutgoingKinds, row: OpenTx, receipt: Receipt): Promise<void> {
  const mined = {
    minedHash: receipt.hash,
    minedBlock: receipt.block,
    minedBlockHash: receipt.blockHash,
    minedDigest: receipt.digest,
    succeeded: receipt.succeeded,
    // In the order of their blocks: what cannot be final yet stands behind it.
    nextLookAt: new Date(ctx.clock.now()),
    unclearLooks: 0,
  };
  // First: once it is noted, a crash would leave the key out of use.
  if (row.executor !== null) await resumeKey(ctx, chain, row.executor);
  const write = await kindOf(kinds, row).onMined?.(ctx, chain, { ...row, ...mined }, receipt);
  await ctx.db.$transaction(async (tx) => {
    if (!(await transitionOne(ctx, tx, 'outgoing_tx', row.id, 'mine', mined))) return;
    await wake(tx, 'mined');
    await write?.(tx);
  });
}

/** A reorg took the block, or it says something else than was noted: the transaction is followed from what two endpoints show, or sent again. */
async function takeBack(
  ctx: Ctx,
  chain: Chain,
  kinds: OutgoingKinds,
  row: OpenTx,
  receipt: Receipt | null,
): Promise<void> {
  ctx.log.warn(
    { chain: chain.name, tx: row.id, moved: receipt !== null },
    'what was noted of a transaction no longer holds',
  );
  const write = (await kindOf(kinds, row).onUnmined?.(ctx, row)) ?? NOTHING;
  const isBack = await ctx.db.$transaction(async (tx) => {
    if (!(await isStillNoted(tx, row))) return false;
    if (!(await transitionOne(ctx, tx, 'outgoing_tx', row.id, 'unmine', NOT_MINED))) return false;
    await write(tx);
    return true;
  });
  if (!isBack) return;
  if (receipt) await recordMined(ctx, chain, kinds, row, receipt);
  else await laneOf(chain).broadcastOpen(ctx, chain, row.id);
}

async function finalise(ctx: Ctx, chain: Chain, kinds: OutgoingKinds, row: OpenTx): Promise<void> {
  const write = await kindOf(kinds, row).onFinal(ctx, chain, row);
  await ctx.db.$transaction(async (tx) => {
    if (!(await isStillNoted(tx, row))) return;
    if (!(await transitionOne(ctx, tx, 'outgoing_tx', row.id, 'finalise', { finalAt: new Date(ctx.clock.now()) })))
      return;
    await wake(tx, 'final');
    await write(tx);
  });
}

/** Locks it. Another process may have noted something else of it meanwhile, after a reorg. */
async function isStillNoted(tx: Tx, { id, minedDigest }: OpenTx): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ digest: string | null }[]>`
    select mined_digest as digest from outgoing_tx where id = ${id} for update`;
  return row?.digest === minedDigest;
}

export const NOT_MINED = {
  minedHash: null,
  minedBlock: null,
  minedBlockHash: null,
  minedDigest: null,
  succeeded: null,
  nextLookAt: null,
  unclearLooks: 0,
};

/** Nothing that we signed for it can still be included, so what it was for is free. */
async function lose(ctx: Ctx, chain: Chain, kinds: OutgoingKinds, row: OpenTx): Promise<void> {
  const write = await kindOf(kinds, row).onLost(ctx, chain, row);
  await ctx.db.$transaction(async (tx) => {
    if (await transitionOne(ctx, tx, 'outgoing_tx', row.id, 'lose')) await write(tx);
  });
}
