// The plans room's part of a chain's feed: what was done outside the service shows, too.
import { campaignEntriesOfSolana } from '../../chain/campaignEvents.ts';
import { readCampaignEntries } from '../../chain/logs/campaigns.ts';
import { readPlanEntries } from '../../chain/logs/subscriptions.ts';
import { planEntriesOfSolana } from '../../chain/planEvents.ts';
import type { BlockRange } from '../../chain/rpc/blockRanges.ts';
import type { EvmChain } from '../../chain/rpc/client.ts';
import type { SolanaChain } from '../../chain/solana/client.ts';
import type { Ctx } from '../../context.ts';
import type { Tx } from '../../db.ts';
import type { FeedRoom } from '../indexer/follow.ts';
import type { ProgramRoom } from '../indexer/followProgram.ts';
import { applyCampaignLogs, revertCampaignLogs } from './campaigns/indexing.ts';
import { applyPlanLogs, revertPlanLogs } from './indexing.ts';

/** Plans and subscriptions, for one round. */
export function planFeed(ctx: Ctx, chain: EvmChain): FeedRoom {
  return mirrorOf(ctx, chain, readPlanEntries, applyPlanLogs, revertPlanLogs);
}

/** The same of the events of a program. */
export function planProgramFeed(ctx: Ctx, chain: SolanaChain): ProgramRoom {
  return {
    ingest(transactions) {
      const logs = transactions.flatMap(({ receipt, time: at }) =>
        planEntriesOfSolana(chain, receipt).map((entry) => ({ ...entry, at })),
      );
      return (tx) => applyPlanLogs(ctx, tx, chain, logs);
    },
    afterRound: async () => false,
  };
}

/** Campaigns and grants, for one round. */
export function campaignFeed(ctx: Ctx, chain: EvmChain): FeedRoom {
  return mirrorOf(ctx, chain, readCampaignEntries, applyCampaignLogs, revertCampaignLogs);
}

/** The same of the events of a program: what is final there is never reverted. */
export function campaignProgramFeed(ctx: Ctx, chain: SolanaChain): ProgramRoom {
  return {
    ingest(transactions) {
      const logs = transactions.flatMap(({ receipt, time: at }) =>
        campaignEntriesOfSolana(chain, receipt).map((entry) => ({ ...entry, at })),
      );
      return (tx) => applyCampaignLogs(ctx, tx, chain, logs);
    },
    afterRound: async () => false,
  };
}

function mirrorOf<Entry extends { block: bigint }>(
  ctx: Ctx,
  chain: EvmChain,
  read: (chain: EvmChain, range: BlockRange) => Entry[],
  apply: (ctx: Ctx, tx: Tx, chain: EvmChain, logs: (Entry & { at: Date })[]) => Promise<void>,
  revert: (ctx: Ctx, tx: Tx, chain: EvmChain, block: bigint) => Promise<void>,
): FeedRoom {
  return {
    ingest(range) {
      const logs = read(chain, range).flatMap((entry) => {
        const block = range.blocks.get(entry.block);
        return block ? [{ ...entry, at: block.time }] : [];
      });
      return (tx) => apply(ctx, tx, chain, logs);
    },
    revert: (tx, block) => revert(ctx, tx, chain, block),
    afterRound: async () => false,
  };
}
