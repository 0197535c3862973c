// The escrow room's part of a chain's feed: escrows that were opened, claimed or refunded outside the service show too.

import { readEscrowLogs } from '../../chain/logs/escrow.ts';
import type { EvmChain } from '../../chain/rpc/client.ts';
import type { SolanaChain } from '../../chain/solana/client.ts';
import { tabEventOf, tabEventsOfSolana } from '../../chain/tabEvents.ts';
import type { Ctx } from '../../context.ts';
import type { Tx } from '../../db.ts';
import type { FeedRoom } from '../indexer/follow.ts';
import type { ProgramRoom } from '../indexer/followProgram.ts';
import { applyTabEvent, type OnClosed } from './indexing.ts';
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
          if (block) await applyTabEvent(ctx, tx, chain, tabEventOf(event, block.time), onClosed);
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

/** The same of the events of a program. */
export function escrowProgramFeed(ctx: Ctx, chain: SolanaChain, onClosed: OnClosed): ProgramRoom {
  let ingested = 0;
  return {
    ingest(transactions) {
      const events = transactions.flatMap(({ receipt, time }) => tabEventsOfSolana(chain, receipt, time));
      return async (tx) => {
        ingested += events.length;
        for (const event of events) await applyTabEvent(ctx, tx, chain, event, onClosed);
      };
    },
    async afterRound() {
      if (ingested > 0) await matchEscrows(ctx);
      return false;
    },
  };
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
