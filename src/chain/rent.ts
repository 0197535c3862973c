// Accounts of a chain that cost rent and are no longer needed: closing one pays its rent back to the key that paid it.
import type { ChainCall } from './calls.ts';
import type { Chain } from './chain.ts';
import type { OrderAt } from './orders.ts';
import { closableBuckets } from './solana/buckets.ts';
import { closableOrders } from './solana/orderRent.ts';

/** The account, and the call that closes it. */
export type RentReturn = { address: string; call: ChainCall };

/** What belongs to no row of ours. Empty on chains without rent. @throws AppError `provider_unavailable` */
export function returnableRent(chain: Chain): Promise<RentReturn[]> {
  return chain.family === 'solana' ? closableBuckets(chain) : Promise.resolve([]);
}

/** The accounts of these orders that can be closed by now. Empty on chains without rent. @throws AppError `provider_unavailable` */
export function returnableOrders(chain: Chain, orders: readonly OrderAt[]): Promise<RentReturn[]> {
  return chain.family === 'solana' ? closableOrders(chain, orders) : Promise.resolve([]);
}
