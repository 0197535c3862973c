// Which blocks are final for us, and their time.
import { AppError } from '../../domain/errors.ts';
import { needsTwo } from './agreement.ts';
import { commonBlock, type EvmChain, headBlock, reading } from './client.ts';

/** `time` in Unix seconds. */
export type FinalBlock = { number: bigint; time: number };

/** The newest block that is final for us. @throws AppError `provider_unavailable` */
export async function finalBlock(chain: EvmChain): Promise<FinalBlock> {
  const head = await headBlock(chain);
  const depth = BigInt(chain.confirmations) - 1n;
  const number = head > depth ? head - depth : 0n;
  return { number, time: await blockTime(chain, number) };
}

/** The newest block that is final for us by the word of every endpoint. @throws AppError `provider_unavailable` */
export async function commonFinalBlock(chain: EvmChain): Promise<{ number: bigint }> {
  const head = needsTwo(chain) ? await reading(chain, () => commonBlock(chain)) : await headBlock(chain);
  if (head === null) throw new AppError('provider_unavailable', `the endpoints of ${chain.facts.label} are far apart`);
  const depth = BigInt(chain.confirmations) - 1n;
  return { number: head > depth ? head - depth : 0n };
}

/** The time of a block, in Unix seconds. @throws AppError `provider_unavailable` */
export async function blockTime(chain: EvmChain, blockNumber: bigint): Promise<number> {
  return Number((await reading(chain, () => chain.client.getBlock({ blockNumber }))).timestamp);
}
