// The newest block of a chain of any family, and how many on top of a payment make it final for us.
import type { Chain } from './chain.ts';
import { headBlock } from './rpc/client.ts';
import { headSlot } from './solana/transactions.ts';

/** Its number, or the newest confirmed slot on Solana. @throws AppError `provider_unavailable` */
export function newestBlock(chain: Chain): Promise<bigint> {
  return chain.family === 'solana' ? headSlot(chain) : headBlock(chain);
}

/** Blocks on top of (and with) a transaction's own before it counts as final. */
export function confirmationsOf(chain: Chain): number {
  return chain.family === 'solana' ? chain.facts.confirmations : chain.confirmations;
}
