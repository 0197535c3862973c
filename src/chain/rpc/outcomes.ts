// How a transaction of ours ended, by two endpoints.
import { type PublicClient, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem';
import { agreed } from './agreement.ts';
import type { Address, EvmChain, Hash } from './client.ts';

/** The receipt as two endpoints show it, in a block that both have as final for us; null while they show none. @throws AppError `provider_unavailable` */
export async function agreedReceipt(chain: EvmChain, hash: Hash): Promise<TransactionReceipt | null> {
  const ask = async (client: PublicClient) => {
    const [receipt, head] = await Promise.all([receiptBy(client, hash), client.getBlockNumber({ cacheTime: 0 })]);
    const isDeep = receipt !== null && head - receipt.blockNumber + 1n >= BigInt(chain.confirmations);
    return isDeep ? receipt : null;
  };
  return agreed(chain, ask, fingerprint);
}

/** Whether two endpoints show the nonce as spent by a final block, and none of these transactions. @throws AppError `provider_unavailable` */
export function isSpentElsewhere(
  chain: EvmChain,
  address: Address,
  nonce: number,
  hashes: readonly Hash[],
  finalBlock: bigint,
): Promise<boolean> {
  const ask = async (client: PublicClient) => {
    const [mined, ...receipts] = await Promise.all([
      client.getTransactionCount({ address, blockNumber: finalBlock }),
      ...hashes.map((hash) => receiptBy(client, hash)),
    ]);
    return mined > nonce && receipts.every((receipt) => receipt === null);
  };
  return agreed(chain, ask, String);
}

async function receiptBy(client: PublicClient, hash: Hash): Promise<TransactionReceipt | null> {
  try {
    return await client.getTransactionReceipt({ hash });
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return null;
    throw error;
  }
}

function fingerprint(receipt: TransactionReceipt | null): string {
  if (!receipt) return 'none';
  const { transactionHash, blockHash, status, logs } = receipt;
  const said = logs.map(({ address, topics, data }) => [address, ...topics, data].join(' '));
  return [transactionHash, blockHash, status, ...said].join('\n').toLowerCase();
}
