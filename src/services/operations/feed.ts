// The feed of a chain with every room that takes part in it, for workers and for runs on request: the one place that knows them all.
import type { Chain } from '../../chain/chain.ts';
import type { EvmChain } from '../../chain/rpc/client.ts';
import type { SolanaChain } from '../../chain/solana/client.ts';
import { payableTreasury } from '../../chain/treasury.ts';
import type { Ctx } from '../../context.ts';
import type { ChainName } from '../../domain/chains.ts';
import { AppError } from '../../domain/errors.ts';
import { escrowFeed, escrowProgramFeed } from '../escrow/feed.ts';
import { claimRun, endRun, findProgress } from '../indexer/checkpoints.ts';
import { followChain, type Round } from '../indexer/follow.ts';
import { followProgram } from '../indexer/followProgram.ts';
import { orderFeed, orderProgramFeed, watchedAddresses } from '../orders/indexing/feed.ts';
import { treasuryFeed } from '../orders/treasury/feed.ts';
import { campaignFeed, campaignProgramFeed, planFeed, planProgramFeed } from '../plans/feed.ts';
import { escrowClosed } from '../tips/escrowTips.ts';

/**
 * One round on one chain: ingests final blocks, then expires the orders whose deadline is over by the newest of them.
 * @throws AppError `provider_unavailable`; the next round continues from the last saved checkpoint
 */
export async function indexChain(ctx: Ctx, chain: Chain): Promise<Round> {
  let round: Round | undefined;
  try {
    round = await (chain.family === 'evm' ? followRouters(ctx, chain) : followEvents(ctx, chain));
    return round;
  } finally {
    // Also after a failure: the batches before it are committed.
    if (round?.logs !== 0) await ctx.queues.flush(ctx.db);
  }
}

function followRouters(ctx: Ctx, chain: EvmChain): Promise<Round> {
  const rooms = [
    orderFeed(ctx, chain),
    escrowFeed(ctx, chain, escrowClosed),
    planFeed(ctx, chain),
    campaignFeed(ctx, chain),
  ];
  return followChain(ctx, chain, { watched: () => watchedAddresses(ctx, chain), rooms });
}

async function followEvents(ctx: Ctx, chain: SolanaChain): Promise<Round> {
  const payable = await payableTreasury(chain);
  const rooms = [
    orderProgramFeed(ctx, chain),
    escrowProgramFeed(ctx, chain, escrowClosed),
    planProgramFeed(ctx, chain),
    campaignProgramFeed(ctx, chain),
  ];
  if (!payable) return followProgram(ctx, chain, { addresses: [chain.program.id], rooms });
  const { treasury, account } = payable;
  const addresses = [chain.program.id, account];
  return followProgram(ctx, chain, { addresses, rooms: [...rooms, treasuryFeed(ctx, chain, treasury)] });
}

/** Blocks as decimal strings, `done` from 0 to 1, `checkpoint` null before the first round. */
export type IndexerRun = {
  object: 'indexer_run';
  chain: ChainName;
  /** False: another run of this chain is under way, and this call did nothing. */
  ran: boolean;
  blocks: string;
  logs: number;
  checkpoint: { block: string; time: string | null } | null;
  /** Final blocks that are left: call again. */
  behind: string;
  done: number;
};

/**
 * One round on request, at most one at a time on a chain.
 * @throws AppError `unsupported_chain` for a chain that is not served here, `provider_unavailable`
 */
export async function runIndexer(ctx: Ctx, name: ChainName): Promise<IndexerRun> {
  const chain = ctx.chains[name];
  if (!chain) throw new AppError('unsupported_chain', undefined, { param: 'chain' });
  const run = await claimRun(ctx, name);
  if (!run) return runView(ctx, name, { ran: false, blocks: '0', logs: 0 });
  try {
    const { blocks, logs } = await indexChain(ctx, chain);
    return await runView(ctx, name, { ran: true, blocks: String(blocks), logs });
  } finally {
    await endRun(ctx, name, run);
  }
}

async function runView(
  ctx: Ctx,
  chain: ChainName,
  run: Pick<IndexerRun, 'ran' | 'blocks' | 'logs'>,
): Promise<IndexerRun> {
  const progress = await findProgress(ctx, chain);
  return {
    object: 'indexer_run',
    chain,
    ...run,
    checkpoint: progress && { block: String(progress.block), time: progress.blockTime?.toISOString() ?? null },
    behind: String(progress?.behind ?? 0n),
    done: progress?.done ?? 0,
  };
}
