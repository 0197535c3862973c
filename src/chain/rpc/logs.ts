// Logs of one contract by their topics, in ranges that providers take.
import type { Log } from 'viem';
import { type Address, type EvmChain, type Hex, reading } from './client.ts';

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
    const logs = await reading(chain, () =>
      chain.client.request({
        method: 'eth_getLogs',
        params: [{ address, topics: [...topics], fromBlock: hexOf(at), toBlock: hexOf(end) }],
      }),
    );
    found.push(...(logs as unknown as typeof found));
  }
  return found;
}

function hexOf(value: bigint): Hex {
  return `0x${value.toString(16)}`;
}
