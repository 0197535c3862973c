// The escrow router's events of a stretch of blocks.
import { escrowEvents } from '../routers/escrow.ts';
import { type BlockFacts, type Question, readStretch, type Stretch } from '../rpc/blockRanges.ts';
import type { EvmChain } from '../rpc/client.ts';

export type TabLogs = { events: ReturnType<typeof escrowEvents>; blocks: Map<bigint, BlockFacts> };

/** More events at once would hold a transaction for long: each is worked on by itself. */
export const MOST_TAB_EVENTS = 200;

/** What to ask for the escrow router's logs. */
export function tabQuestion(chain: EvmChain): Pick<Question, 'most' | 'agreed' | 'logs'> {
  const address = chain.routers.escrow;
  return {
    most: MOST_TAB_EVENTS,
    agreed: false,
    logs: (client, fromBlock, toBlock) => client.getLogs({ address, fromBlock, toBlock }),
  };
}

export function tabEvents(chain: EvmChain, { logs }: Stretch): TabLogs['events'] {
  return escrowEvents(chain, logs);
}

/**
 * Every event of one block, by the chain as it is now.
 * @throws AppError `provider_unavailable` when it does not answer, or the chain moved while it was read
 */
export async function readEscrowBlock(chain: EvmChain, number: bigint): Promise<TabLogs | null> {
  const range = { from: number, to: number, hashesFrom: number };
  const read = await readStretch(chain, { ...tabQuestion(chain), ...range, most: Number.POSITIVE_INFINITY });
  return read === 'narrower' ? null : { events: tabEvents(chain, read), blocks: read.blocks };
}
