// Logs of one contract by their topics, in ranges that providers take, as two endpoints show them.
import type { Log, RpcLog } from 'viem';
import { agreed } from './agreement.ts';
import type { Address, EvmChain, Hex } from './client.ts';

/** Blocks per request: providers bound the size of an answer. */
const BLOCKS_AT_ONCE = 1_000n;

/** @param topics null for any. Blocks are included. @throws AppError `provider_unavailable` */
export async function logsOf(
  chain: EvmChain,
  address: Address,
  topics: readonly (Hex | null)[],
  from: bigint,
  to: bigint,
): Promise<(Log<bigint, number, false> & { topics: [Hex, ...Hex[]] })[]> {
  const found: (Log<bigint, number, false> & { topics: [Hex, ...Hex[]] })[] = [];
  for (let at = from; at <= to; at += BLOCKS_AT_ONCE) {
    const end = at + BLOCKS_AT_ONCE - 1n < to ? at + BLOCKS_AT_ONCE - 1n : to;
    const filter = { address, topics: [...topics], fromBlock: hexOf(at), toBlock: hexOf(end) };
    const logs = await agreed(
      chain,
      (client) => client.request({ method: 'eth_getLogs', params: [filter] }),
      (given) => given.map(fingerprint).join('\n'),
    );
    found.push(...(logs as unknown as typeof found));
  }
  return found;
}

function fingerprint({ blockHash, transactionHash, logIndex, topics, data }: RpcLog): string {
  return [blockHash, transactionHash, Number(logIndex), ...topics, data].join(' ').toLowerCase();
}

function hexOf(value: bigint): Hex {
  return `0x${value.toString(16)}`;
}
