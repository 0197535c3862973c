// The spot price of a chain's native asset, on a chain of any family.
import type { Chain } from './chain.ts';
import { nativePrice, type PriceAnswer } from './rpc/prices.ts';

export type { PriceAnswer };

/**
 * Micro-USD for one whole native unit, from feeds on the chain itself, or on the EVM chain that its configuration names.
 * @param chains all that this process serves
 * @returns `stale` with the reason where no feed can be believed
 * @throws AppError `provider_unavailable`
 */
export async function spotPrice(
  chain: Chain,
  chains: Readonly<Record<string, Chain | undefined>>,
): Promise<PriceAnswer> {
  if (chain.family === 'evm') return nativePrice(chain);
  const { priceSource } = chain;
  const source = priceSource && chains[priceSource.chain];
  if (!priceSource || source?.family !== 'evm') return { stale: `there is no price feed for ${chain.facts.native}` };
  return nativePrice(source, priceSource.feeds);
}
