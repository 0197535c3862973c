// How a transaction ended, by two endpoints.
import { createHash } from 'node:crypto';
import { type PublicClient, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem';
import { readHash } from '../../domain/watchdog.ts';
import { agreed, agreedAnswers } from './agreement.ts';
import type { Address, EvmChain, Hash } from './client.ts';
import { plainLog } from './logs.ts';

/** What has to be the same of a receipt: where it is, how it ended, and all that it logged, with the places that identify events. */
export function receiptDigest({ transactionHash, blockHash, blockNumber, status, logs }: TransactionReceipt): string {
  const said = logs.map(({ address, logIndex, topics, data }) => [address, logIndex, ...topics, data].join(' '));
  const text = [transactionHash, blockHash, blockNumber, status, ...said].join('\n').toLowerCase();
  return createHash('sha256').update(text).digest('hex');
}

const sameReceipt = (receipt: TransactionReceipt | null) => (receipt ? receiptDigest(receipt) : 'none');

/** The receipt of whichever of these is in a block, as two endpoints show it; null where two show none. @throws AppError `provider_unavailable` */
export function agreedReceipt(chain: EvmChain, hashes: readonly Hash[]): Promise<TransactionReceipt | null> {
  return agreed(chain, (client) => anyReceipt(client, hashes), sameReceipt);
}

/** The same of one, with the time of its block in Unix seconds, once that is final for us; null while it is not. @throws AppError `provider_unavailable` */
export async function finalReceipt(
  chain: EvmChain,
  hash: Hash,
): Promise<{ receipt: TransactionReceipt; time: number } | null> {
  const ask = async (client: PublicClient) => {
    const [receipt, head] = await Promise.all([receiptBy(client, hash), client.getBlockNumber({ cacheTime: 0 })]);
    if (!receipt) return null;
    const { blockNumber } = receipt;
    const block = await client.getBlock({ blockNumber });
    const isDeep = head - blockNumber + 1n >= BigInt(chain.confirmations) && block.hash === receipt.blockHash;
    return { receipt, isDeep, time: Number(block.timestamp) };
  };
  const sameness = (answer: Awaited<ReturnType<typeof ask>>) =>
    `${sameReceipt(answer?.receipt ?? null)} ${answer?.time}`;
  const answers = await agreedAnswers(chain, ask, sameness);
  const [found] = answers;
  return found && answers.every((answer) => answer?.isDeep) ? { receipt: found.receipt, time: found.time } : null;
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
    const [mined, receipt] = await Promise.all([
      client.getTransactionCount({ address, blockNumber: finalBlock }),
      anyReceipt(client, hashes),
    ]);
    return mined > nonce && receipt === null;
  };
  return agreed(chain, ask, String);
}

/** The number of transactions of an address in blocks, now or as of a block, as two endpoints count them. @throws AppError `provider_unavailable` */
export function agreedNonce(chain: EvmChain, address: Address, blockNumber?: bigint): Promise<number> {
  const at = blockNumber === undefined ? { blockTag: 'latest' as const } : { blockNumber };
  return agreed(chain, (client) => client.getTransactionCount({ address, ...at }), String);
}

/** Any attempt of a slot may be the one that got in. */
export async function anyReceipt(client: PublicClient, hashes: readonly Hash[]): Promise<TransactionReceipt | null> {
  const receipts = await Promise.all(hashes.map((hash) => receiptBy(client, hash)));
  return receipts.find((receipt) => receipt !== null) ?? null;
}

async function receiptBy(client: PublicClient, hash: Hash): Promise<TransactionReceipt | null> {
  try {
    return plainReceipt(await client.getTransactionReceipt({ hash }), hash);
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return null;
    throw error;
  }
}

const HIGHEST_BLOCK = BigInt(Number.MAX_SAFE_INTEGER);

/** One spelling of what the digest takes as the same, so that it does not matter whose is kept. @throws Error where it is no receipt of this transaction */
function plainReceipt(receipt: TransactionReceipt, hash: Hash): TransactionReceipt {
  const [transactionHash, blockHash] = [readHash(receipt.transactionHash), readHash(receipt.blockHash)];
  const { blockNumber } = receipt;
  const isOwn = transactionHash === hash.toLowerCase() && blockNumber >= 0n && blockNumber <= HIGHEST_BLOCK;
  if (!isOwn || !blockHash) throw new Error('it answers with no receipt of this transaction');
  const place = { transactionHash: transactionHash as Hash, blockHash: blockHash as Hash, blockNumber };
  return { ...receipt, ...place, logs: receipt.logs.map((log) => ({ ...plainLog(log), ...place })) };
}
