// Transactions that people name, on a chain of any family: whether one pays an order, what it did to orders, and how far it is.
import { AppError } from '../domain/errors.ts';
import type { RouterOrderTerms } from '../domain/typedData/orders.ts';
import type { Chain } from './chain.ts';
import { feedFilter } from './logs/filter.ts';
import { type OwnPayment, readOwnPayment as readEvmPayment } from './logs/ownPayments.ts';
import { readSettlements } from './logs/settlements.ts';
import { type OrderEntry, orderEntriesOfSolana } from './orderEvents.ts';
import { depositAddress, type OrderAt, orderKey } from './orders.ts';
import { readBlockRange } from './rpc/blockRanges.ts';
import { type EvmChain, type Hash, receiptOf } from './rpc/client.ts';
import { agreedHead } from './rpc/finality.ts';
import type { SolanaChain } from './solana/client.ts';
import { finalReceipt } from './solana/history.ts';
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

export type OrderTransaction = {
  succeeded: boolean;
  /** Their time is that of the block once it is final. */
  entries: OrderEntry[];
  /** The entries of its final block; null while it is not final. @throws AppError `provider_unavailable` */
  final(): Promise<OrderEntry[] | null>;
};

/**
 * What a transaction did to the money of orders; of transfers to their addresses nothing.
 * @param name its hash, or its signature on Solana
 * @returns null while no block has it
 * @throws AppError `provider_unavailable`
 */
export function readOrderTransaction(chain: Chain, name: string): Promise<OrderTransaction | null> {
  return chain.family === 'solana' ? readOnSolana(chain, name) : readOnEvm(chain, name.toLowerCase() as Hash);
}

async function readOnEvm(chain: EvmChain, hash: Hash): Promise<OrderTransaction | null> {
  const receipt = await receiptOf(chain, hash);
  if (!receipt) return null;
  const { blockNumber: block } = receipt;
  const read = async () => {
    const request = {
      ...feedFilter(chain, []),
      most: Number.POSITIVE_INFINITY,
      from: block,
      to: block,
      hashesFrom: block,
    };
    const range = await readBlockRange(chain, request);
    if (range === 'narrower') throw new AppError('provider_unavailable');
    return readSettlements(chain, range, []).filter(({ txHash }) => txHash === hash);
  };
  return {
    succeeded: receipt.status === 'success',
    entries: receipt.status === 'success' ? await read() : [],
    // What is final by now may not be what was seen before.
    final: async () => ((await agreedHead(chain)) - block + 1n >= BigInt(chain.confirmations) ? read() : null),
  };
}

async function readOnSolana(chain: SolanaChain, signature: string): Promise<OrderTransaction | null> {
  const receipt = await receiptOfSolana(chain, signature);
  if (!receipt) return null;
  const nothing = new Set<string>();
  return {
    succeeded: receipt.succeeded,
    entries: orderEntriesOfSolana(chain, receipt, new Date(0), nothing),
    async final() {
      const agreed = await finalReceipt(chain, receipt);
      return agreed && orderEntriesOfSolana(chain, agreed.receipt, agreed.time, nothing);
    },
  };
}
