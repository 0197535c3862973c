// The orders room's part of a chain's feed: what final blocks show completes orders, and nothing else does.

import type { Chain } from '../../../chain/chain.ts';
import { readSettlements } from '../../../chain/logs/settlements.ts';
import { orderEntriesOfSolana } from '../../../chain/orderEvents.ts';
import type { Address, EvmChain } from '../../../chain/rpc/client.ts';
import type { SolanaChain } from '../../../chain/solana/client.ts';
import type { Ctx } from '../../../context.ts';
import { clearOrphaned, holdCheckpoint } from '../../indexer/checkpoints.ts';
import type { FeedRoom, Ingested } from '../../indexer/follow.ts';
import type { ProgramRoom } from '../../indexer/followProgram.ts';
import { expireOrders } from '../orders.ts';
import { raiseLostPayments } from '../orphaned.ts';
import { applyOrderLogs, dropForeignLogs, revertLogs } from './applyLogs.ts';

const DAY_MS = 24 * 3_600_000;
/** So long after an order's end its address is still watched. */
const WATCHED_AFTER_MS = 30 * DAY_MS;
/** No order lives longer than thirty days after its address was shown. */
const WATCHED_AT_MOST_MS = 61 * DAY_MS;

/** For one round. Orders whose deadline is over by the newest final block expire after it. */
export function orderFeed(ctx: Ctx, chain: EvmChain): FeedRoom {
  return {
    ingest(range, watched) {
      const entries = readSettlements(chain, range, watched);
      return async (tx) => {
        await dropForeignLogs(tx, chain, range);
        await applyOrderLogs(ctx, tx, chain, entries);
      };
    },
    revert: (tx, block) => revertLogs(tx, chain, block),
    async afterRound(round) {
      await checkOrphaned(ctx, chain, round);
      return expireAfter(ctx, chain, round);
    },
  };
}

/** The same of the events of a program: what is final there stays. Transfers to orders' own addresses are read with the addresses. */
export function orderProgramFeed(ctx: Ctx, chain: SolanaChain): ProgramRoom {
  return {
    ingest(transactions) {
      const nothing = new Set<string>();
      const entries = transactions.flatMap(({ receipt, time }) => orderEntriesOfSolana(chain, receipt, time, nothing));
      return (tx) => applyOrderLogs(ctx, tx, chain, entries);
    },
    afterRound: (round) => expireAfter(ctx, chain, round),
  };
}

/** @returns whether an order of the chain may be paid at any moment */
async function expireAfter(ctx: Ctx, chain: Chain, { at: { blockTime } }: Ingested): Promise<boolean> {
  if (!(await isAwaitingPayment(ctx, chain))) return false;
  const seconds = blockTime && BigInt(Math.floor(blockTime.getTime() / 1_000));
  if (seconds && (await expireOrders(ctx, chain, seconds)) > 0) await ctx.queues.flush(ctx.db);
  return true;
}

/** Whether an order of a chain may be paid at any moment. */
async function isAwaitingPayment(ctx: Ctx, chain: Chain): Promise<boolean> {
  const open = { chain: chain.name, status: { in: ['awaiting_payment', 'processing'] } };
  return (await ctx.db.order.findFirst({ where: open, select: { id: true } })) !== null;
}

/** Of orders whose address was shown to a payer, until some time after their end. */
export function watchedOrders(ctx: Ctx, { name: chain }: Chain) {
  const ago = (ms: number) => new Date(ctx.clock.now() - ms);
  return {
    chain,
    depositShownAt: { gt: ago(WATCHED_AT_MOST_MS) },
    depositAddress: { not: null },
    OR: [{ endedAt: null }, { endedAt: { gt: ago(WATCHED_AFTER_MS) } }],
  };
}

/** Their deposit addresses. */
export async function watchedAddresses(ctx: Ctx, chain: EvmChain): Promise<Address[]> {
  const where = watchedOrders(ctx, chain);
  const rows = await ctx.db.order.findMany({ where, select: { depositAddress: true } });
  return rows.flatMap(({ depositAddress }) => (depositAddress === null ? [] : [depositAddress as Address]));
}

/** Once the blocks that replaced orphaned ones are final: payments that did not come again are reported to the operators. */
async function checkOrphaned(ctx: Ctx, chain: EvmChain, { at }: Ingested): Promise<void> {
  if (at.goneUpTo === null || at.block < at.goneUpTo + BigInt(chain.confirmations)) return;
  await ctx.db.$transaction(async (tx) => {
    if (!(await holdCheckpoint(tx, chain, at))) return;
    await raiseLostPayments(ctx, tx, chain);
    await clearOrphaned(tx, chain);
  });
  await ctx.queues.flush(ctx.db);
}
