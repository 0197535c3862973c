// One round of the indexer of payments because somebody asked for it, at most one at a time on a chain.
import type { Ctx } from '../../../context.ts';
import type { ChainName } from '../../../domain/chains.ts';
import { AppError } from '../../../domain/errors.ts';
import { claimRun, endRun, findProgress } from '../../indexer/checkpoints.ts';
import { indexOrders } from './feed.ts';

/** Blocks as decimal strings, `done` from 0 to 1, `checkpoint` null before the first look. */
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

/** @throws AppError `unsupported_chain` for a chain that is not served here, `provider_unavailable` */
export async function runIndexer(ctx: Ctx, name: ChainName): Promise<IndexerRun> {
  const chain = ctx.chains[name];
  if (!chain) throw new AppError('unsupported_chain', undefined, { param: 'chain' });
  const run = await claimRun(ctx, name, 'orders');
  if (!run) return answer(ctx, name, { ran: false, blocks: '0', logs: 0 });
  try {
    const { blocks, logs } = await indexOrders(ctx, chain);
    return await answer(ctx, name, { ran: true, blocks: String(blocks), logs });
  } finally {
    await endRun(ctx, name, 'orders', run);
  }
}

async function answer(
  ctx: Ctx,
  chain: ChainName,
  did: Pick<IndexerRun, 'ran' | 'blocks' | 'logs'>,
): Promise<IndexerRun> {
  const progress = await findProgress(ctx, chain, 'orders');
  return {
    object: 'indexer_run',
    chain,
    ...did,
    checkpoint: progress && { block: String(progress.block), time: progress.blockTime?.toISOString() ?? null },
    behind: String(progress?.behind ?? 0n),
    done: progress?.done ?? 0,
  };
}
