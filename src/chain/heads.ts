// The newest block of a chain of any family, and how many on top of a payment make it final for us.
import type { Chain } from './chain.ts';
import { headBlock } from './rpc/client.ts';
import { type FinalBlock, finalBlock as finalEvmBlock } from './rpc/finality.ts';
import { finalHead } from './solana/history.ts';
import { headSlot } from './solana/transactions.ts';

/** Its number, or the newest confirmed slot on Solana. @throws AppError `provider_unavailable` */
export function newestBlock(chain: Chain): Promise<bigint> {
  return chain.family === 'solana' ? headSlot(chain) : headBlock(chain);
}

/** The newest block, or slot, that is final for us. @throws AppError `provider_unavailable` */
export async function finalBlock(chain: Chain): Promise<FinalBlock> {
  if (chain.family === 'evm') return finalEvmBlock(chain);
  const { slot, time } = await finalHead(chain);
  return { number: slot, time: Math.floor(time.getTime() / 1_000) };
}

/** Blocks on top of (and with) a transaction's own before it counts as final. */
export function confirmationsOf(chain: Chain): number {
  return chain.family === 'solana' ? chain.facts.confirmations : chain.confirmations;
}
