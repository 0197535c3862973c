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
      async (client) => (await client.request({ method: 'eth_getLogs', params: [filter] })).map(plainLog),
      (given) => given.map(fingerprint).join('\n'),
    );
    found.push(...(logs as unknown as typeof found));
  }
  return found;
}

function fingerprint(log: RpcLog): string {
  const { address, blockHash, blockNumber, transactionHash, logIndex, topics, data } = log;
  return [address, blockHash, Number(blockNumber), transactionHash, Number(logIndex), ...topics, data].join(' ');
}

type Spelled = Pick<Log<bigint, number, boolean>, 'address' | 'topics' | 'data' | 'blockHash' | 'transactionHash'>;

/** In lower case, as nodes write it: in another spelling no event of ours would be known by its topic. */
export function plainLog<T extends Spelled>(log: T): T {
  const plain = <S extends string | null>(text: S) => (text?.toLowerCase() ?? null) as S;
  const { address, topics, data, blockHash, transactionHash } = log;
  return {
    ...log,
    ...{ address: plain(address), topics: topics.map(plain), data: plain(data) },
    ...{ blockHash: plain(blockHash), transactionHash: plain(transactionHash) },
  };
}

function hexOf(value: bigint): Hex {
  return `0x${value.toString(16)}`;
}
