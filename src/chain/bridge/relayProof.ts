// What a transaction that Relay names really brought: read from its chain, in a final block.
import { erc20Abi, isAddressEqual, parseEventLogs } from 'viem';
import { type Address, type EvmChain, type Hash, reading, receiptOf } from '../rpc/client.ts';
import type { FinalBlock } from '../rpc/finality.ts';

/**
 * @param token null for the native asset
 * @returns what an account got by it; null while it is in no final block
 * @throws AppError `provider_unavailable`
 */
export async function receivedBy(
  chain: EvmChain,
  hash: Hash,
  { account, token }: { account: Address; token: Address | null },
  final: FinalBlock,
): Promise<bigint | null> {
  const receipt = await receiptOf(chain, hash);
  if (!receipt || receipt.blockNumber > final.number) return null;
  if (receipt.status !== 'success') return 0n;
  if (token !== null) {
    const transfers = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs: receipt.logs });
    return transfers
      .filter(({ address, args }) => isAddressEqual(address, token) && isAddressEqual(args.to, account))
      .reduce((sum, { args }) => sum + args.value, 0n);
  }
  // Contracts pay without a log: what the account has more after the block than before it.
  const { blockNumber } = receipt;
  const [after, before] = await reading(chain, () =>
    Promise.all([
      chain.client.getBalance({ address: account, blockNumber }),
      chain.client.getBalance({ address: account, blockNumber: blockNumber - 1n }),
    ]),
  );
  return after > before ? after - before : 0n;
}
