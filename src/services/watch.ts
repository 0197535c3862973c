// The executor's watching half: follows every open transaction to a final block, rebroadcasts what was dropped, outbids what is stuck,
// and takes back what a reorg took.
import { type LegOutcome, legOutcomes, simulate } from '../chain/botRouter.ts';
import {
  type Address,
  type EvmChain,
  type Hash,
  type Hex,
  headBlock,
  minedNonce,
  receiptOf,
  type TransactionReceipt,
} from '../chain/evm.ts';
import type { Ctx } from '../context.ts';
import type { Row } from '../db.ts';
import { advanceTx } from './advance.ts';
import { openKeys, replaceAttempt, resumeKey, sendOpen } from './executor.ts';
import { finaliseLegs, mineLegs, unmineLegs } from './receipts.ts';

type OpenTx = Row<'OutgoingTx'> & { attempts: Row<'TxAttempt'>[] };

/** Open transactions looked at in one pass; what is beyond waits for the next one, lowest nonces first. */
const PAGE = 200;

/**
 * One look at everything open on a chain.
 * @returns how many transactions are still open
 * @throws AppError `provider_unavailable`
 */
export async function watchChain(ctx: Ctx, chain: EvmChain): Promise<number> {
  const open = await ctx.db.outgoingTx.findMany({
    where: { chain: chain.name, status: { in: ['signed', 'sent', 'mined'] } },
    include: { attempts: { orderBy: { number: 'desc' } } },
    orderBy: [{ nonce: 'asc' }],
    take: PAGE,
  });
  if (open.length === 0) return 0;
  const head = await headBlock(chain);
  const receipts = await Promise.all(open.map((row) => findReceipt(chain, row)));
  for (const [index, row] of open.entries()) {
    const receipt = receipts[index] ?? null;
    if (row.status === 'mined') await followMined(ctx, chain, row, receipt, head);
    else if (receipt) await recordMined(ctx, chain, row, receipt);
    else await push(ctx, chain, row);
  }
  await ctx.queues.flush(ctx.db);
  return open.length;
}

/** Any attempt of a slot may be the one that got in. */
async function findReceipt(chain: EvmChain, row: OpenTx): Promise<TransactionReceipt | null> {
  const receipts = await Promise.all(row.attempts.map((attempt) => receiptOf(chain, attempt.hash as Hash)));
  return receipts.find((receipt) => receipt !== null) ?? null;
}

async function recordMined(ctx: Ctx, chain: EvmChain, row: OpenTx, receipt: TransactionReceipt): Promise<void> {
  const succeeded = receipt.status === 'success';
  const outcomes = legOutcomes(chain, receipt);
  const otherwise = await outcomeWithoutEvent(chain, row, succeeded);
  await ctx.db.$transaction(async (tx) => {
    const moved = await advanceTx(ctx, tx, row.id, 'mine', {
      minedHash: receipt.transactionHash,
      minedBlock: receipt.blockNumber,
      minedBlockHash: receipt.blockHash,
      succeeded,
    });
    if (moved) await mineLegs(ctx, tx, chain, row.id, receipt.transactionHash, outcomes, otherwise);
  });
  await resumeKey(ctx, chain, row.executor);
}

/** A leg without an event of the router was not paid; the same call played again tells why. */
async function outcomeWithoutEvent(chain: EvmChain, row: OpenTx, succeeded: boolean): Promise<LegOutcome> {
  if (succeeded) return { paid: false, reason: { name: 'NoEvent' } };
  const reason = await simulate(chain, row.executor as Address, row.data as Hex);
  return { paid: false, reason: reason ?? { name: 'Reverted' } };
}

async function followMined(
  ctx: Ctx,
  chain: EvmChain,
  row: OpenTx,
  receipt: TransactionReceipt | null,
  head: bigint,
): Promise<void> {
  if (receipt?.blockHash !== row.minedBlockHash) {
    ctx.log.warn({ chain: chain.name, tx: row.id, moved: receipt !== null }, 'a reorg took the block of a transaction');
    await ctx.db.$transaction(async (tx) => {
      if (await advanceTx(ctx, tx, row.id, 'unmine', NOT_MINED)) await unmineLegs(ctx, tx, row.id);
    });
    if (receipt) await recordMined(ctx, chain, row, receipt);
    else await sendOpen(ctx, chain, row.id);
    return;
  }
  const depth = head - receipt.blockNumber + 1n;
  if (depth < BigInt(chain.confirmations)) return;
  await ctx.db.$transaction(async (tx) => {
    const moved = await advanceTx(ctx, tx, row.id, 'finalise', { finalAt: new Date(ctx.clock.now()) });
    if (moved) await finaliseLegs(ctx, tx, row.id);
  });
}

const NOT_MINED = { minedHash: null, minedBlock: null, minedBlockHash: null, succeeded: null };

/** Not in a block: the same bytes go out again after a while, and a higher bid after a longer one. */
async function push(ctx: Ctx, chain: EvmChain, row: OpenTx): Promise<void> {
  const newest = row.attempts[0];
  if (!newest) return;
  const now = ctx.clock.now();
  const sinceBroadcast = newest.broadcastAt ? now - newest.broadcastAt.getTime() : Number.POSITIVE_INFINITY;
  const sinceSigned = now - newest.signedAt.getTime();
  const { resendAfterMs, replaceAfterMs } = patience(chain);
  if (sinceBroadcast < resendAfterMs) return;
  if (row.status === 'sent' && sinceSigned >= replaceAfterMs) return replaceAttempt(ctx, chain, row);
  await sendOpen(ctx, chain, row.id);
}

/** Resend after about two blocks, outbid after about five, and never in a hurry on fast chains. */
function patience(chain: EvmChain): { resendAfterMs: number; replaceAfterMs: number } {
  const block = chain.facts.blockTimeMs;
  return { resendAfterMs: Math.max(2_000, block * 2), replaceAfterMs: Math.max(5_000, block * 5) };
}

/**
 * Brings ledger and chain together at start. A chain whose count is below the ledger lost blocks (or never got our bytes): what is stored
 * goes out again, even what was final. A count above it means that somebody else uses the key: that key stops.
 */
export async function reconcileChain(ctx: Ctx, chain: EvmChain): Promise<void> {
  await openKeys(ctx, chain);
  for (const { address } of ctx.executors) {
    const mined = await minedNonce(chain, address);
    const key = await ctx.db.executorKey.findUniqueOrThrow({
      where: { chain_address: { chain: chain.name, address } },
    });
    if (mined > key.nextNonce) {
      const reason = `the chain counts ${mined} transactions, the ledger ${key.nextNonce}: the key is used elsewhere`;
      ctx.log.error({ chain: chain.name, executor: address, reason }, 'an executor key is out of use');
      await ctx.db.executorKey.updateMany({ where: { chain: chain.name, address }, data: { pausedReason: reason } });
      continue;
    }
    const lost = await ctx.db.outgoingTx.findMany({
      where: { chain: chain.name, executor: address, nonce: { gte: mined }, status: 'final' },
      orderBy: { nonce: 'asc' },
    });
    for (const row of lost) {
      ctx.log.warn(
        { chain: chain.name, tx: row.id, nonce: row.nonce },
        'the chain lost a final transaction; the same bytes go out again',
      );
      await ctx.db.$transaction((tx) => advanceTx(ctx, tx, row.id, 'reopen', NOT_MINED));
      await sendOpen(ctx, chain, row.id);
    }
  }
}
