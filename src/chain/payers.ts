// Who pays for a transaction that others sign first, on a chain of any family.
import type { Chain } from './chain.ts';
import { executorsInForce } from './solana/walletCalls.ts';

/** The executors that the chain knows now; null where any of our keys may send what others signed. @throws AppError `provider_unavailable` */
export function payersInForce(chain: Chain): Promise<string[] | null> {
  return chain.family === 'solana' ? executorsInForce(chain) : Promise.resolve(null);
}
