// The executor's watching half: follows every open transaction to a final block, rebroadcasts what was dropped, outbids what is stuck,
// and takes back what a reorg took.
import { isProcessed, type LegOutcome, legOutcomes, simulate, strangerTo } from '../../chain/routers/bot.ts';
import {
  type Address,
  blockHash,
  type EvmChain,
  type Hash,
  type Hex,
  headBlock,
  minedNonce,
  receiptOf,
  type TransactionReceipt,
} from '../../chain/rpc/client.ts';
import type { Ctx } from '../../context.ts';
import type { Row } from '../../db.ts';
import { isAway } from '../../domain/errors.ts';
import { wakePause } from '../spending/pauses.ts';
import { findPaid } from '../tips/legs.ts';
import { finaliseLegs, mineLegs, requeueLegs, unmineLegs } from '../tips/settlement.ts';
import { isFrozen, tellSlow } from '../tips/slowChains.ts';
import { advanceTx } from '../transitions.ts';
import { openKeys, pauseKey, replaceAttempt, resumeKey, sendOpen } from './submit.ts';

/** What following needs of a transaction: neither its payload nor its signed bytes, which are long. */
const OPEN_TX = {
  id: true,
  kind: true,
  executor: true,
  nonce: true,
  status: true,
  minedBlock: true,
  minedBlockHash: true,
  attempts: {
    select: { hash: true, number: true, signedAt: true, broadcastAt: true },
    orderBy: { number: 'desc' },
  },
} as const;
type OpenTx = Pick<
  Row<'OutgoingTx'>,
  'id' | 'kind' | 'executor' | 'nonce' | 'status' | 'minedBlock' | 'minedBlockHash'
> & {
  attempts: Pick<Row<'TxAttempt'>, 'hash' | 'number' | 'signedAt' | 'broadcastAt'>[];
};

/** Open transactions looked at in one pass; what is beyond waits for the next one, lowest nonces first. */
const PAGE = 200;

/**
 * One look at everything open on a chain.
 * @returns how many transactions are still open
 * @throws AppError `provider_unavailable`
 */
export async function watchChain(ctx: Ctx, chain: EvmChain): Promise<number> {
  const open: OpenTx[] = await ctx.db.outgoingTx.findMany({
    where: { chain: chain.name, status: { in: ['signed', 'sent', 'mined'] } },
    select: OPEN_TX,
    orderBy: [{ nonce: 'asc' }],
    take: PAGE,
  });
  if (open.length === 0) return 0;
  const [head, places] = await look(ctx, chain, open);
  await tellFrozen(
    ctx,
    chain,
    head,
    open.filter((row, index) => row.status !== 'mined' && places[index] === null),
  );
  for (const [index, row] of open.entries()) {
    const place = places[index] ?? null;
    try {
      if (place === 'same') await finaliseWhenDeep(ctx, chain, row, head);
      else if (row.status === 'mined') await takeBack(ctx, chain, row, place);
      else if (place) await recordMined(ctx, chain, row, place);
      else await push(ctx, chain, row, head);
    } catch (err) {
      // One that fails must not hold up those behind it; it is looked at again in the next round.
      ctx.log.error({ err, chain: chain.name, tx: row.id }, 'an open transaction could not be followed');
    }
  }
  await ctx.queues.flush(ctx.db);
  return open.length;
}

type Place = TransactionReceipt | 'same' | null;

/** @throws AppError `provider_unavailable`, when those who wait for the chain are told */
async function look(ctx: Ctx, chain: EvmChain, open: OpenTx[]): Promise<[bigint, Place[]]> {
  try {
    return await Promise.all([headBlock(chain), Promise.all(open.map((row) => findPlace(chain, row)))]);
  } catch (error) {
    const waiting = open.filter((row) => row.status !== 'mined');
    if (isAway(error)) await tellSlow(ctx, chain, 'does not answer', await intentsOf(ctx, waiting));
    throw error;
  }
}

/** @param waiting what is in no block */
async function tellFrozen(ctx: Ctx, chain: EvmChain, head: bigint, waiting: OpenTx[]): Promise<void> {
  const signed = waiting.map((row) => row.attempts.at(-1)?.signedAt.getTime() ?? Number.POSITIVE_INFINITY);
  if (!isFrozen(ctx, chain, head, Math.min(...signed))) return;
  await tellSlow(ctx, chain, 'makes no blocks', await intentsOf(ctx, waiting));
}

async function intentsOf(ctx: Ctx, rows: OpenTx[]): Promise<string[]> {
  const legs = await ctx.db.tip.findMany({
    where: { outgoingTxId: { in: rows.map((row) => row.id) }, status: 'submitted' },
    distinct: ['intentId'],
    select: { intentId: true },
  });
  return legs.map(({ intentId }) => intentId);
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

async function recordMined(ctx: Ctx, chain: EvmChain, row: OpenTx, receipt: TransactionReceipt): Promise<void> {
  const succeeded = receipt.status === 'success';
  const outcomes = legOutcomes(chain, receipt);
  const otherwise = await outcomeWithoutEvent(ctx, chain, row, succeeded);
  const legs = await ctx.db.tip.findMany({ where: { outgoingTxId: row.id }, orderBy: { leg: 'asc' } });
  await creditElsewhere(ctx, chain, legs, outcomes, otherwise);
  await ctx.db.$transaction(async (tx) => {
    const moved = await advanceTx(ctx, tx, row.id, 'mine', {
      minedHash: receipt.transactionHash,
      minedBlock: receipt.blockNumber,
      minedBlockHash: receipt.blockHash,
      succeeded,
    });
    if (moved) await mineLegs(ctx, tx, chain, legs, receipt.transactionHash, outcomes, otherwise);
  });
  await resumeKey(ctx, chain, row.executor);
}

/** A leg without an event of the router was not paid; the same call played again tells why. */
async function outcomeWithoutEvent(ctx: Ctx, chain: EvmChain, row: OpenTx, succeeded: boolean): Promise<LegOutcome> {
  if (succeeded) return { paid: false, reason: { name: 'NoEvent' } };
  const { data } = await ctx.db.outgoingTx.findUniqueOrThrow({ where: { id: row.id }, select: { data: true } });
  const reason = await simulate(chain, row.executor as Address, data as Hex);
  return { paid: false, reason: reason ?? { name: 'Reverted' } };
}

/** A leg refused because its key is used already was paid by another transaction: the router's event, with the leg's own terms, is the proof. */
async function creditElsewhere(
  ctx: Ctx,
  chain: EvmChain,
  legs: Row<'Tip'>[],
  outcomes: Map<Hex, LegOutcome>,
  otherwise: LegOutcome,
): Promise<void> {
  for (const leg of legs) {
    const outcome = outcomes.get(leg.messageKey as Hex) ?? otherwise;
    if (outcome.paid || !(await isProcessed(chain, leg.messageKey as Hex))) continue;
    const hash = await findPaid(ctx, chain, leg);
    if (hash) outcomes.set(leg.messageKey as Hex, { paid: true, hash });
    else ctx.log.error({ tip: leg.id, chain: chain.name }, 'a message key is used on-chain by other terms; look at it');
  }
}

/** A reorg took the block: the transaction is followed anew, from the block that has it now, or sent again. */
async function takeBack(ctx: Ctx, chain: EvmChain, row: OpenTx, receipt: TransactionReceipt | null): Promise<void> {
  ctx.log.warn({ chain: chain.name, tx: row.id, moved: receipt !== null }, 'a reorg took the block of a transaction');
  await ctx.db.$transaction(async (tx) => {
    if (await advanceTx(ctx, tx, row.id, 'unmine', NOT_MINED)) await unmineLegs(ctx, tx, row.id);
  });
  if (receipt) await recordMined(ctx, chain, row, receipt);
  else await sendOpen(ctx, chain, row.id);
}

async function finaliseWhenDeep(ctx: Ctx, chain: EvmChain, row: OpenTx, head: bigint): Promise<void> {
  const depth = head - (row.minedBlock ?? head) + 1n;
  if (depth < BigInt(chain.confirmations)) return;
  await ctx.db.$transaction(async (tx) => {
    const current = await tx.outgoingTx.findUniqueOrThrow({ where: { id: row.id }, select: { minedBlockHash: true } });
    // Another process may have seen a reorg meanwhile.
    if (current.minedBlockHash !== row.minedBlockHash) return;
    const moved = await advanceTx(ctx, tx, row.id, 'finalise', { finalAt: new Date(ctx.clock.now()) });
    if (!moved) return;
    await finaliseLegs(ctx, tx, row.id);
    if (row.kind === 'pause') await wakePause(ctx, tx, row.id);
  });
}

const NOT_MINED = { minedHash: null, minedBlock: null, minedBlockHash: null, succeeded: null };

/** Not in a block: the same bytes go out again after a while, and a higher bid after a longer one. */
async function push(ctx: Ctx, chain: EvmChain, row: OpenTx, head: bigint): Promise<void> {
  const newest = row.attempts[0];
  if (!newest) return;
  const now = ctx.clock.now();
  const sinceBroadcast = newest.broadcastAt ? now - newest.broadcastAt.getTime() : Number.POSITIVE_INFINITY;
  const sinceSigned = now - newest.signedAt.getTime();
  const { resendAfterMs, replaceAfterMs } = patience(chain, row.attempts.length);
  if (sinceBroadcast < resendAfterMs) return;
  // Whoever signed it is about to send it; only after a crash does nobody.
  if (newest.broadcastAt === null && sinceSigned < UNSENT_GRACE_MS) return;
  if (await slotIsLost(chain, row, head)) return giveUpSlot(ctx, chain, row);
  if (row.status === 'sent' && sinceSigned >= replaceAfterMs) return replaceAttempt(ctx, chain, row.id);
  await sendOpen(ctx, chain, row.id);
}

/** Longer than it takes from the commit of a signed transaction to the note that it was sent. */
const UNSENT_GRACE_MS = 1_000;

/** Whether the chain has spent this nonce, final, on something that is not one of our attempts. */
async function slotIsLost(chain: EvmChain, row: OpenTx, head: bigint): Promise<boolean> {
  const finalBlock = head - BigInt(chain.confirmations) + 1n;
  if (finalBlock < 0n || (await minedNonce(chain, row.executor as Address, finalBlock)) <= row.nonce) return false;
  return (await findReceipt(chain, row)) === null;
}

/** Nothing that we signed for the slot can be mined any more, so its legs are free: they are proven anew, and paid ones are recognised. */
async function giveUpSlot(ctx: Ctx, chain: EvmChain, row: OpenTx): Promise<void> {
  await pauseKey(ctx, chain, row.executor as Address, 'a nonce of it was spent by somebody else');
  await ctx.db.$transaction(async (tx) => {
    if (await advanceTx(ctx, tx, row.id, 'lose')) await requeueLegs(ctx, tx, row.id);
  });
}

/** Resend after about two blocks, outbid after about five, and twice as long after each bid. */
function patience(chain: EvmChain, attempts: number): { resendAfterMs: number; replaceAfterMs: number } {
  const block = chain.facts.blockTimeMs;
  const first = Math.max(5_000, block * 5);
  return {
    resendAfterMs: Math.max(2_000, block * 2),
    replaceAfterMs: Math.min(first * 2 ** (attempts - 1), LONGEST_BID_PAUSE_MS),
  };
}

const LONGEST_BID_PAUSE_MS = 5 * 60_000;

/**
 * Brings ledger and chain together at start. A chain whose count is below the ledger lost blocks (or never got our bytes): what is stored
 * goes out again, even what was final. A count above it means that somebody else uses the key: that key stops.
 */
export async function reconcileChain(ctx: Ctx, chain: EvmChain): Promise<void> {
  await openKeys(ctx, chain);
  for (const { address } of ctx.executors) {
    await followRole(ctx, chain, address);
    const mined = await minedNonce(chain, address);
    const key = await ctx.db.executorKey.findUniqueOrThrow({
      where: { chain_address: { chain: chain.name, address } },
    });
    if (mined > key.nextNonce) {
      const reason = `the chain counts ${mined} transactions, the ledger ${key.nextNonce}: the key is used elsewhere`;
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

const NO_ROLE = 'the router does not know it as an executor';

/** A key without the executor's role sends nothing; it may when it has the role. */
async function followRole(ctx: Ctx, chain: EvmChain, address: Address): Promise<void> {
  if (await strangerTo(chain, address)) return pauseKey(ctx, chain, address, NO_ROLE);
  await ctx.db.executorKey.updateMany({
    where: { chain: chain.name, address, pausedReason: NO_ROLE },
    data: { pausedReason: null },
  });
}
