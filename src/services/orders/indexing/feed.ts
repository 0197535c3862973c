// Follows the payment routers and handed-out deposit addresses on every chain: what its final blocks show completes orders, and nothing else does.

import { readSettlements, settlementQuestion } from '../../../chain/logs/settlements.ts';
import type { Address, EvmChain } from '../../../chain/rpc/client.ts';
import type { Ctx } from '../../../context.ts';
import { forgetGone, holdCheckpoint } from '../../indexer/checkpoints.ts';
import { type Feed, followChain, type Round } from '../../indexer/follow.ts';
import { expireOrders } from '../orders.ts';
import { raiseLostPayments } from '../orphaned.ts';
import { applyOrderLogs, dropStrangers, takeBackLogs } from './logs.ts';

const DAY_MS = 24 * 3_600_000;
/** So long after an order's end something may still come to its address, and is shown then. */
const WATCHED_AFTER_MS = 30 * DAY_MS;
/** No order lives longer than thirty days after its address was shown. */
const WATCHED_AT_MOST_MS = 61 * DAY_MS;

/**
 * One round on one chain: takes final blocks in, then lets orders expire whose time was over by the newest of them.
 * @throws AppError `provider_unavailable`; the next round goes on where this one stopped
 */
export async function indexOrders(ctx: Ctx, chain: EvmChain): Promise<Round> {
  let watched: Address[] = [];
  const feed: Feed = {
    name: 'orders',
    question: async () => {
      watched = await watchedAddresses(ctx, chain);
      return settlementQuestion(chain, watched);
    },
    apply: async (tx, stretch) => {
      await dropStrangers(tx, chain, stretch);
      await applyOrderLogs(ctx, tx, chain, readSettlements(chain, stretch, watched));
    },
    takeBack: (tx, block) => takeBackLogs(tx, chain, block),
  };
  try {
    const round = await followChain(ctx, chain, feed);
    await lookForGone(ctx, chain, round);
    const { blockTime } = round.at;
    if (blockTime) await expireOrders(ctx, chain, BigInt(Math.floor(blockTime.getTime() / 1_000)));
    return round;
  } finally {
    await ctx.queues.flush(ctx.db);
  }
}

/** Whether somebody may be paying on a chain: then it is looked at more often. */
export async function isAwaitingPayment(ctx: Ctx, chain: EvmChain): Promise<boolean> {
  const open = { chain: chain.name, status: { in: ['awaiting_payment', 'processing'] } };
  return (await ctx.db.order.findFirst({ where: open, select: { id: true } })) !== null;
}

/** Deposit addresses that somebody was shown, until some time after the order's end. */
async function watchedAddresses(ctx: Ctx, chain: EvmChain): Promise<Address[]> {
  const ago = (ms: number) => new Date(ctx.clock.now() - ms);
  const rows = await ctx.db.order.findMany({
    where: {
      chain: chain.name,
      depositShownAt: { gt: ago(WATCHED_AT_MOST_MS) },
      depositAddress: { not: null },
      OR: [{ endedAt: null }, { endedAt: { gt: ago(WATCHED_AFTER_MS) } }],
    },
    select: { depositAddress: true },
  });
  return rows.flatMap(({ depositAddress }) => (depositAddress === null ? [] : [depositAddress as Address]));
}

/** Once the blocks that came in place of lost ones are final: what they did not bring again is told to the operators. */
async function lookForGone(ctx: Ctx, chain: EvmChain, { at }: Round): Promise<void> {
  if (at.goneUpTo === null || at.block < at.goneUpTo + BigInt(chain.confirmations)) return;
  await ctx.db.$transaction(async (tx) => {
    if (!(await holdCheckpoint(tx, chain, 'orders', at))) return;
    await raiseLostPayments(ctx, tx, chain);
    await forgetGone(tx, chain, 'orders');
  });
}
