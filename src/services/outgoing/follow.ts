// Follows every open transaction to a final block: rebroadcasts what was dropped, replaces what is stuck, and passes the outcome to its kind.
import type { Chain } from '../../chain/chain.ts';
import type { Receipt } from '../../chain/receipt.ts';
import type { Ctx } from '../../context.ts';
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
  attempts: {
    select: { hash: true, number: true, signedAt: true, broadcastAt: true, lastValidHeight: true },
    orderBy: { number: 'desc' },
  },
} as const satisfies Record<keyof OpenTx, unknown>;

/** Open transactions looked at in one pass; what is beyond waits for the next one, lowest nonces first. */
const PAGE = 200;
/** While something waits for its first block, a pass writes what became final for no longer than this. */
const WRITES_WITHIN_MS = 300;

/**
 * One look at everything open on a chain.
 * @returns how many transactions are still open
 * @throws AppError `provider_unavailable`
 */
export async function followOutgoing(ctx: Ctx, chain: Chain, kinds: OutgoingKinds): Promise<number> {
  const open: OpenTx[] = await ctx.db.outgoingTx.findMany({
    where: { chain: chain.name, status: { in: ['signed', 'sent', 'mined'] } },
    select: OPEN_TX,
    orderBy: [{ nonce: 'asc' }, { createdAt: 'asc' }],
    take: PAGE,
  });
  if (open.length === 0) return 0;
  const [head, places] = await look(ctx, chain, kinds, open);
  const waiting = open.filter((row, index) => row.status !== 'mined' && places[index] === null);
  if (isFrozen(ctx, chain, head, waiting)) await tellStalled(ctx, chain, kinds, 'makes no blocks', waiting);
  const found = open.map((row, index) => ({ row, place: places[index] ?? null }));
  for (const one of found) if (!isNoted(one.place)) await followSafely(ctx, chain, kinds, one, head);
  // What a final block means takes longest to write: what waits for its first block is looked for again meanwhile.
  const until = performance.now() + WRITES_WITHIN_MS;
  for (const one of found) {
    if (!isNoted(one.place)) continue;
    await followSafely(ctx, chain, kinds, one, head);
    if (waiting.length > 0 && performance.now() > until) break;
  }
  await ctx.queues.flush(ctx.db);
  return open.length;
}

type Found = { row: OpenTx; place: Place };

/** The block that has it is the one that we know. */
const isNoted = (place: Place) => place === 'same' || place === 'final';

/** One that fails must not hold up those behind it; it is looked at again in the next round. */
async function followSafely(ctx: Ctx, chain: Chain, kinds: OutgoingKinds, one: Found, head: bigint): Promise<void> {
  try {
    await followOne(ctx, chain, kinds, one, head);
  } catch (err) {
    const level = isAway(err) ? 'warn' : 'error';
    ctx.log[level]({ err, chain: chain.name, tx: one.row.id }, 'an open transaction could not be followed');
  }
}

async function followOne(
  ctx: Ctx,
  chain: Chain,
  kinds: OutgoingKinds,
  { row, place }: Found,
  head: bigint,
): Promise<void> {
  if (place === 'same' || place === 'seen') return;
  if (place === 'final') await finalise(ctx, chain, kinds, row);
  else if (row.status === 'mined') await takeBack(ctx, chain, kinds, row, place);
  else if (place) await recordMined(ctx, chain, kinds, row, place);
  else if ((await laneOf(chain).push(ctx, chain, row, head)) === 'lost') await lose(ctx, chain, kinds, row);
}

/** @throws AppError `provider_unavailable`, after the subjects that wait for the chain are notified */
async function look(ctx: Ctx, chain: Chain, kinds: OutgoingKinds, open: OpenTx[]): Promise<[bigint, Place[]]> {
  try {
    const { head, places } = await laneOf(chain).look(chain, open);
    return [head, places];
  } catch (error) {
    const waiting = open.filter((row) => row.status !== 'mined');
    if (isAway(error)) await tellStalled(ctx, chain, kinds, 'does not answer', waiting);
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
    succeeded: receipt.succeeded,
  };
  const write = await kindOf(kinds, row).onMined?.(ctx, chain, { ...row, ...mined }, receipt);
  await ctx.db.$transaction(async (tx) => {
    if (await transitionOne(ctx, tx, 'outgoing_tx', row.id, 'mine', mined)) await write?.(tx);
  });
  if (row.executor !== null) await resumeKey(ctx, chain, row.executor);
}

/** A reorg took the block: the transaction is followed from the block that has it now, or sent again. */
async function takeBack(
  ctx: Ctx,
  chain: Chain,
  kinds: OutgoingKinds,
  row: OpenTx,
  receipt: Receipt | null,
): Promise<void> {
  ctx.log.warn({ chain: chain.name, tx: row.id, moved: receipt !== null }, 'a reorg took the block of a transaction');
  const write = (await kindOf(kinds, row).onUnmined?.(ctx, row)) ?? NOTHING;
  await ctx.db.$transaction(async (tx) => {
    if (await transitionOne(ctx, tx, 'outgoing_tx', row.id, 'unmine', NOT_MINED)) await write(tx);
  });
  if (receipt) await recordMined(ctx, chain, kinds, row, receipt);
  else await laneOf(chain).broadcastOpen(ctx, chain, row.id);
}

async function finalise(ctx: Ctx, chain: Chain, kinds: OutgoingKinds, row: OpenTx): Promise<void> {
  const write = await kindOf(kinds, row).onFinal(ctx, chain, row);
  await ctx.db.$transaction(async (tx) => {
    const current = await tx.outgoingTx.findUniqueOrThrow({ where: { id: row.id }, select: { minedBlockHash: true } });
    // Another process may have seen a reorg meanwhile.
    if (current.minedBlockHash !== row.minedBlockHash) return;
    if (!(await transitionOne(ctx, tx, 'outgoing_tx', row.id, 'finalise', { finalAt: new Date(ctx.clock.now()) })))
      return;
    await wake(tx, 'final');
    await write(tx);
  });
}

export const NOT_MINED = { minedHash: null, minedBlock: null, minedBlockHash: null, succeeded: null };

/** Nothing that we signed for it can still be included, so what it was for is free. */
async function lose(ctx: Ctx, chain: Chain, kinds: OutgoingKinds, row: OpenTx): Promise<void> {
  const write = await kindOf(kinds, row).onLost(ctx, chain, row);
  await ctx.db.$transaction(async (tx) => {
    if (await transitionOne(ctx, tx, 'outgoing_tx', row.id, 'lose')) await write(tx);
  });
}
