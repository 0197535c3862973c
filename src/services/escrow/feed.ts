// Follows the escrow router on every chain, so that tabs that were opened, claimed or refunded outside the service show too.

import { tabEvents, tabQuestion } from '../../chain/logs/escrow.ts';
import type { Stretch } from '../../chain/rpc/blockRanges.ts';
import type { EvmChain } from '../../chain/rpc/client.ts';
import type { Ctx } from '../../context.ts';
import type { Tx } from '../../db.ts';
import { type Feed, followChain } from '../indexer/follow.ts';
import { applyEscrowEvent, isEscrowEvent } from './indexing.ts';
import { matchEscrows } from './matching.ts';
import { moveEscrows } from './transitions.ts';

/**
 * One round on one chain.
 * @returns how many blocks were taken in
 * @throws AppError `provider_unavailable`; the next round goes on where this one stopped
 */
export async function indexEscrows(ctx: Ctx, chain: EvmChain): Promise<bigint> {
  const feed: Feed = {
    name: 'tabs',
    question: async () => tabQuestion(chain),
    apply: (tx, stretch) => applyTabs(ctx, tx, chain, stretch),
    takeBack: (tx, block) => takeBack(ctx, tx, chain, block),
  };
  try {
    const { blocks, logs } = await followChain(ctx, chain, feed);
    if (logs > 0) await matchEscrows(ctx);
    return blocks;
  } finally {
    // Stretches that were taken in before the chain went away are told now.
    await ctx.queues.flush(ctx.db);
  }
}

async function applyTabs(ctx: Ctx, tx: Tx, chain: EvmChain, stretch: Stretch): Promise<void> {
  for (const event of tabEvents(chain, stretch)) {
    const block = stretch.blocks.get(event.blockNumber);
    if (isEscrowEvent(event) && block) await applyEscrowEvent(ctx, tx, chain, event, block.time);
  }
}

async function takeBack(ctx: Ctx, tx: Tx, chain: EvmChain, block: bigint): Promise<void> {
  const above = { chain: chain.name };
  const closed = await tx.escrow.findMany({ where: { ...above, closeBlock: { gt: block } }, select: { id: true } });
  const notClosed = { closeTxHash: null, paidTo: null, closedAt: null, closeBlock: null };
  await moveEscrows(
    ctx,
    tx,
    closed.map(({ id }) => ({ id, action: 'reopen', patch: notClosed })),
  );
  const opened = await tx.escrow.findMany({ where: { ...above, openBlock: { gt: block } }, select: { id: true } });
  const notOpened = { openedAt: null, openBlock: null };
  await moveEscrows(
    ctx,
    tx,
    opened.map(({ id }) => ({ id, action: 'unconfirm', patch: notOpened })),
  );
}
