// A transaction that a payer names as its payment of an order, on a chain of any family: whether it is one, and how far it is.
import type { RouterOrderTerms } from '../domain/typedData/orders.ts';
import { type OwnPayment, readOwnPayment as readEvmPayment } from './logs/ownPayments.ts';
import { depositAddress, type OrderAt, orderKey } from './orders.ts';
import type { Hash } from './rpc/client.ts';
import { receiptOfSolana } from './solana/transactions.ts';

export type { OwnPayment };

/**
 * What a transaction does for an order, or null while the chain does not show it.
 * @param name its hash, or its signature on Solana
 * @throws AppError `provider_unavailable`
 */
export async function readOwnPayment(order: OrderAt, name: string): Promise<OwnPayment | null> {
  const { chain, router, terms } = order;
  if (chain.family === 'evm') return readEvmPayment(chain, router, terms as RouterOrderTerms, name as Hash);
  const receipt = await receiptOfSolana(chain, name);
  if (!receipt) return null;
  const { succeeded, events, accounts, block, blockHash } = receipt;
  if (!succeeded) return { state: accounts.includes(depositAddress(order)) ? 'failed' : 'other' };
  const key = orderKey(order);
  const settles = events.some((event) => event.name === 'paymentSettled' && event.orderKey === key);
  return settles ? { state: 'mined', block, blockHash } : { state: 'other' };
}
