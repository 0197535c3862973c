// The escrow router's events of a block range.
import { escrowEvents } from '../routers/escrow.ts';
import { type BlockFacts, type BlockRange, readBlockRange } from '../rpc/blockRanges.ts';
import type { EvmChain } from '../rpc/client.ts';
import { ESCROW_EVENTS, feedFilter } from './filter.ts';

export type RouterEvent = ReturnType<typeof escrowEvents>[number];
/** The events of single escrows; the others are of the router's roles. */
export type EscrowLog = Extract<RouterEvent, { eventName: 'TabOpened' | 'TabClaimed' | 'TabRefunded' }>;

export function isEscrowLog(event: RouterEvent): event is EscrowLog {
  return event.eventName === 'TabOpened' || event.eventName === 'TabClaimed' || event.eventName === 'TabRefunded';
}

/** In the chain's order. */
export function readEscrowLogs(chain: EvmChain, { logs }: Pick<BlockRange, 'logs'>): EscrowLog[] {
  const own = logs.filter(({ topics: [selector] }) => selector !== undefined && ESCROW_EVENTS.has(selector));
  return escrowEvents(chain, own).filter(isEscrowLog);
}

/**
 * Every event of one block, as the chain has it now.
 * @throws AppError `provider_unavailable` when it does not answer, or the chain changed during the read
 */
export async function readEscrowBlock(
  chain: EvmChain,
  number: bigint,
): Promise<{ events: EscrowLog[]; blocks: Map<bigint, BlockFacts> } | null> {
  const range = { from: number, to: number, hashesFrom: number, most: Number.POSITIVE_INFINITY };
  const read = await readBlockRange(chain, { ...feedFilter(chain, []), ...range });
  return read === 'narrower' ? null : { events: readEscrowLogs(chain, read), blocks: read.blocks };
}
