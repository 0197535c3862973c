// The receipt of a transaction of ours whose block is final, with the time of that block.
import { blockFacts } from '../../chain/rpc/blockRanges.ts';
import { type EvmChain, type Hash, receiptOf, type TransactionReceipt } from '../../chain/rpc/client.ts';
import { AppError } from '../../domain/errors.ts';
import type { Outgoing } from '../outgoing/kinds.ts';

/** @throws AppError `provider_unavailable` when a reorg has just taken it */
export async function minedReceipt(
  chain: EvmChain,
  { minedHash }: Pick<Outgoing, 'minedHash'>,
): Promise<{ receipt: TransactionReceipt; at: Date }> {
  const receipt = minedHash === null ? null : await receiptOf(chain, minedHash as Hash);
  const block = receipt && (await blockFacts(chain, receipt.blockNumber));
  if (!receipt || block?.hash !== receipt.blockHash)
    throw new AppError('provider_unavailable', `${chain.facts.label} changed while it was read`);
  return { receipt, at: block.time };
}
