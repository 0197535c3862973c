// Follows every open transaction to a final block: rebroadcasts what was dropped, replaces what is stuck, and passes the outcome to its kind.
import {
  type Address,
  blockHash,
  type EvmChain,
  type Hash,
  headBlock,
  minedNonce,
  receiptOf,
  type TransactionReceipt,
} from '../../chain/rpc/client.ts';
import type { Ctx } from '../../context.ts';
import type { Row } from '../../db.ts';
import { isAway } from '../../domain/errors.ts';
import { transitionOne } from '../transitions.ts';
import { wake } from '../wake.ts';
import { pauseKey, resumeKey } from './keys.ts';
import { kindOf, NOTHING, type OutgoingKinds, type Stall } from './kinds.ts';
import { broadcastOpen, replaceAttempt } from './submit.ts';

/** What following needs of a transaction: neither its payload nor its signed bytes, which are long. */
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
    select: { hash: true, number: true, signedAt: true, broadcastAt: true },
    orderBy: { number: 'desc' },
  },
} as const;
type OpenTx = Pick<Row<'OutgoingTx'>, Exclude<keyof typeof OPEN_TX, 'attempts'>> & {
  attempts: Pick<Row<'TxAttempt'>, 'hash' | 'number' | 'signedAt' | 'broadcastAt'>[];
};

/** Open transactions looked at in one pass; what is beyond waits for the next one, lowest nonces first. */
const PAGE = 200;
/** While something waits for its first block, a pass writes what became final for no longer than this. */
const WRITES_WITHIN_MS = 300;

/**
 * One look at everything open on a chain.
 * @returns how many transactions are still open
 * @throws AppError `provider_unavailable`
 */
export async function followOutgoing(ctx: Ctx, chain: EvmChain, kinds: OutgoingKinds): Promise<number> {
  const open: OpenTx[] = await ctx.db.outgoingTx.findMany({
    where: { chain: chain.name, status: { in: ['signed', 'sent', 'mined'] } },
    select: OPEN_TX,
    orderBy: [{ nonce: 'asc' }],
    take: PAGE,
  });
  if (open.length === 0) return 0;
  const [head, places] = await look(ctx, chain, kinds, open);
  const waiting = open.filter((row, index) => row.status !== 'mined' && places[index] === null);
  if (isFrozen(ctx, chain, head, waiting)) await tellStalled(ctx, chain, kinds, 'makes no blocks', waiting);
  const found = open.map((row, index) => ({ row, place: places[index] ?? null }));
  for (const one of found) if (one.place !== 'same') await followSafely(ctx, chain, kinds, one, head);
  // What a final block means takes longest to write: what waits for its first block is looked for again meanwhile.
  const until = performance.now() + WRITES_WITHIN_MS;
  for (const one of found) {
    if (one.place !== 'same') continue;
    await followSafely(ctx, chain, kinds, one, head);
    if (waiting.length > 0 && performance.now() > until) break;
  }
  await ctx.queues.flush(ctx.db);
  return open.length;
}

type Place = TransactionReceipt | 'same' | null;
type Found = { row: OpenTx; place: Place };

/** One that fails must not hold up those behind it; it is looked at again in the next round. */
async function followSafely(ctx: Ctx, chain: EvmChain, kinds: OutgoingKinds, one: Found, head: bigint): Promise<void> {
  try {
    await followOne(ctx, chain, kinds, one, head);
  } catch (err) {
    const level = isAway(err) ? 'warn' : 'error';
    ctx.log[level]({ err, chain: chain.name, tx: one.row.id }, 'an open transaction could not be followed');
  }
}

async function followOne(
  ctx: Ctx,
  chain: EvmChain,
  kinds: OutgoingKinds,
  { row, place }: Found,
  head: bigint,
): Promise<void> {
  if (place === 'same') await finaliseWhenDeep(ctx, chain, kinds, row, head);
  else if (row.status === 'mined') await takeBack(ctx, chain, kinds, row, place);
  else if (place) await recordMined(ctx, chain, kinds, row, place);
  else await push(ctx, chain, kinds, row, head);
}

/** @throws AppError `provider_unavailable`, after the subjects that wait for the chain are notified */
async function look(ctx: Ctx, chain: EvmChain, kinds: OutgoingKinds, open: OpenTx[]): Promise<[bigint, Place[]]> {
  try {
    return await Promise.all([headBlock(chain), Promise.all(open.map((row) => findPlace(chain, row)))]);
  } catch (error) {
    const waiting = open.filter((row) => row.status !== 'mined');
    if (isAway(error)) await tellStalled(ctx, chain, kinds, 'does not answer', waiting);
    throw error;
  }
}

async function tellStalled(
  ctx: Ctx,
  chain: EvmChain,
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
const heads = new WeakMap<EvmChain, { head: bigint; since: number }>();

/**
 * Whether the chain should have made a block and has not. A local one makes blocks only when something happens; a transaction that waits is something,
 * so the time counts from when the oldest of them was signed.
 */
function isFrozen(ctx: Ctx, chain: EvmChain, head: bigint, waiting: OpenTx[]): boolean {
  const signed = waiting.map((row) => row.attempts.at(-1)?.signedAt.getTime() ?? Number.POSITIVE_INFINITY);
  const now = ctx.clock.now();
  const known = heads.get(chain);
  if (known?.head !== head) heads.set(chain, { head, since: now });
  const stands = now - Math.max(heads.get(chain)?.since ?? now, Math.min(...signed));
  return stands >= Math.max(STILL_AFTER_MS, chain.facts.blockTimeMs * STILL_AFTER_BLOCKS);
}

/** Where a transaction stands now: `same` while its block is the one that we noted, which is cheaper to ask for than a receipt with all its logs. */
async function findPlace(chain: EvmChain, row: OpenTx): Promise<Place> {
  if (row.status === 'mined' && row.minedBlock !== null) {
    const hash = await blockHash(chain, row.minedBlock);
    if (hash !== null && hash === row.minedBlockHash) return 'same';
  }
  const receipt = await findReceipt(chain, row);
  return receipt && row.status === 'mined' && receipt.blockHash === row.minedBlockHash ? 'same' : receipt;
}

/** Any attempt of a slot may be the one that got in. */
async function findReceipt(chain: EvmChain, row: OpenTx): Promise<TransactionReceipt | null> {
  const receipts = await Promise.all(row.attempts.map((attempt) => receiptOf(chain, attempt.hash as Hash)));
  return receipts.find((receipt) => receipt !== null) ?? null;
}

async function recordMined(
  ctx: Ctx,
  chain: EvmChain,
  kinds: OutgoingKinds,
  row: OpenTx,
  receipt: TransactionReceipt,
): Promise<void> {
  const mined = {
    minedHash: receipt.transactionHash,
    minedBlock: receipt.blockNumber,
    minedBlockHash: receipt.blockHash,
    succeeded: receipt.status === 'success',
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
  chain: EvmChain,
  kinds: OutgoingKinds,
  row: OpenTx,
  receipt: TransactionReceipt | null,
): Promise<void> {
  ctx.log.warn({ chain: chain.name, tx: row.id, moved: receipt !== null }, 'a reorg took the block of a transaction');
  const write = (await kindOf(kinds, row).onUnmined?.(ctx, row)) ?? NOTHING;
  await ctx.db.$transaction(async (tx) => {
    if (await transitionOne(ctx, tx, 'outgoing_tx', row.id, 'unmine', NOT_MINED)) await write(tx);
  });
  if (receipt) await recordMined(ctx, chain, kinds, row, receipt);
  else await broadcastOpen(ctx, chain, row.id);
}

async function finaliseWhenDeep(
  ctx: Ctx,
  chain: EvmChain,
  kinds: OutgoingKinds,
  row: OpenTx,
  head: bigint,
): Promise<void> {
  const depth = head - (row.minedBlock ?? head) + 1n;
  if (depth < BigInt(chain.confirmations)) return;
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

/** Not in a block: the same bytes go out again after a while, and a replacement with higher fees after a longer one. */
async function push(ctx: Ctx, chain: EvmChain, kinds: OutgoingKinds, row: OpenTx, head: bigint): Promise<void> {
  const newest = row.attempts[0];
  if (!newest) return;
  const now = ctx.clock.now();
  const sinceBroadcast = newest.broadcastAt ? now - newest.broadcastAt.getTime() : Number.POSITIVE_INFINITY;
  const sinceSigned = now - newest.signedAt.getTime();
  const { resendAfterMs, replaceAfterMs } = timeouts(chain, row.attempts.length);
  if (sinceBroadcast < resendAfterMs) return;
  // The process that signed it is about to send it, unless it crashed.
  if (newest.broadcastAt === null && sinceSigned < UNSENT_GRACE_MS) return;
  if (await nonceIsLost(chain, row, head)) return giveUpNonce(ctx, chain, kinds, row);
  if (row.status === 'sent' && sinceSigned >= replaceAfterMs) return replaceAttempt(ctx, chain, row.id);
  await broadcastOpen(ctx, chain, row.id);
}

/** Longer than it takes from the commit of a signed transaction to the note that it was sent. */
const UNSENT_GRACE_MS = 1_000;

/** Whether the chain has spent this nonce, final, on something that is not one of our attempts. */
async function nonceIsLost(chain: EvmChain, row: OpenTx, head: bigint): Promise<boolean> {
  const finalBlock = head - BigInt(chain.confirmations) + 1n;
  if (
    row.nonce === null ||
    finalBlock < 0n ||
    (await minedNonce(chain, row.executor as Address, finalBlock)) <= row.nonce
  )
    return false;
  return (await findReceipt(chain, row)) === null;
}

/** Nothing that we signed for the nonce can still be mined, so what it was for is free. */
async function giveUpNonce(ctx: Ctx, chain: EvmChain, kinds: OutgoingKinds, row: OpenTx): Promise<void> {
  await pauseKey(ctx, chain, row.executor as Address, 'another program spent a nonce of it');
  const write = await kindOf(kinds, row).onLost(ctx, chain, row);
  await ctx.db.$transaction(async (tx) => {
    if (await transitionOne(ctx, tx, 'outgoing_tx', row.id, 'lose')) await write(tx);
  });
}

/** Resend after about two blocks, replace after about five, and twice as long after each replacement. */
function timeouts(chain: EvmChain, attempts: number): { resendAfterMs: number; replaceAfterMs: number } {
  const block = chain.facts.blockTimeMs;
  const first = Math.max(5_000, block * 5);
  return {
    resendAfterMs: Math.max(2_000, block * 2),
    replaceAfterMs: Math.min(first * 2 ** (attempts - 1), LONGEST_REPLACE_MS),
  };
}

const LONGEST_REPLACE_MS = 5 * 60_000;
