// Which blocks are final for us, and their time.
import { type EvmChain, headBlock, reading } from './client.ts';

/** `time` in Unix seconds. */
export type FinalBlock = { number: bigint; time: number };

/** The newest block that is final for us. @throws AppError `provider_unavailable` */
export async function finalBlock(chain: EvmChain): Promise<FinalBlock> {
  const head = await headBlock(chain);
  const depth = BigInt(chain.confirmations) - 1n;
  const number = head > depth ? head - depth : 0n;
  return { number, time: await blockTime(chain, number) };
}

/** The time of a block, in Unix seconds. @throws AppError `provider_unavailable` */
export async function blockTime(chain: EvmChain, blockNumber: bigint): Promise<number> {
  return Number((await reading(chain, () => chain.client.getBlock({ blockNumber }))).timestamp);
}
