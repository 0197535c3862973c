// Accounts of a chain that cost rent and are no longer needed: closing one pays its rent back to the key of ours that paid it.
import type { ChainCall } from './calls.ts';
import type { Chain } from './chain.ts';
import { closableBuckets } from './solana/buckets.ts';

/** The account, and the call that closes it. */
export type RentReturn = { address: string; call: ChainCall };

/** Empty on chains without rent. @throws AppError `provider_unavailable` */
export function returnableRent(chain: Chain): Promise<RentReturn[]> {
  return chain.family === 'solana' ? closableBuckets(chain) : Promise.resolve([]);
}
