// The escrow room's part of a chain's feed: escrows that were opened, claimed or refunded outside the service show too.

import { type EscrowLog, readEscrowLogs } from '../../chain/logs/escrow.ts';
import type { EvmChain } from '../../chain/rpc/client.ts';
import type { Ctx } from '../../context.ts';
import type { Tx } from '../../db.ts';
import type { FeedRoom } from '../indexer/follow.ts';
import { applyClosing, applyOpening, type OnClosed } from './indexing.ts';
import { matchEscrows } from './matching.ts';
import { moveEscrows } from './transitions.ts';

/** For one round. */
export function escrowFeed(ctx: Ctx, chain: EvmChain, onClosed: OnClosed): FeedRoom {
  let ingested = 0;
  return {
    ingest(range) {
      const events = readEscrowLogs(chain, range);
      return async (tx) => {
        ingested += events.length;
        for (const event of events) {
          const block = range.blocks.get(event.blockNumber);
          if (block) await applyEvent(ctx, tx, chain, event, block.time, onClosed);
        }
      };
    },
    revert: (tx, block) => revertEscrows(ctx, tx, chain, block),
    async afterRound() {
      if (ingested > 0) await matchEscrows(ctx);
      return false;
    },
  };
}

async function applyEvent(ctx: Ctx, tx: Tx, chain: EvmChain, event: EscrowLog, at: Date, onClosed: OnClosed) {
  if (event.eventName === 'TabOpened') await applyOpening(ctx, tx, chain, event, at);
  else await applyClosing(ctx, tx, chain, event, at, onClosed);
}

/** Reopens what orphaned blocks closed, and unconfirms what they opened. */
async function revertEscrows(ctx: Ctx, tx: Tx, chain: EvmChain, block: bigint): Promise<void> {
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
