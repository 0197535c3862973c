// Which blocks are final for us, and their time: by two endpoints.
import { AppError } from '../../domain/errors.ts';
import { agreed, needsTwo } from './agreement.ts';
import { answersUntil } from './answers.ts';
import { blockHash, type EvmChain, type Hash, headBlock } from './client.ts';

/** `time` in Unix seconds. */
export type FinalBlock = { number: bigint; time: number };

/** The newest block that is final for us. @throws AppError `provider_unavailable` */
export async function finalBlock(chain: EvmChain): Promise<FinalBlock> {
  const head = await agreedHead(chain);
  const depth = BigInt(chain.confirmations) - 1n;
  const number = head > depth ? head - depth : 0n;
  return { number, time: await blockTime(chain, number) };
}

/** The newest block that two endpoints have. @throws AppError `provider_unavailable` */
export async function agreedHead(chain: EvmChain): Promise<bigint> {
  if (!needsTwo(chain)) return headBlock(chain);
  const asked = chain.endpoints.map((client) => client.getBlockNumber({ cacheTime: 0 }));
  const [first, second] = await answersUntil(asked, ({ length }) => length === 2);
  if (first !== undefined && second !== undefined) return first < second ? first : second;
  throw new AppError('provider_unavailable', `no two endpoints of ${chain.facts.label} answer`);
}

/** The hash of the block at a height, or null while there is none. @throws AppError `provider_unavailable` */
export function agreedHash(chain: EvmChain, blockNumber: bigint): Promise<Hash | null> {
  return agreed(chain, (client) => blockHash(chain, blockNumber, client), String);
}

/** The time of a block, in Unix seconds. @throws AppError `provider_unavailable` */
export async function blockTime(chain: EvmChain, blockNumber: bigint): Promise<number> {
  const ask = agreed(
    chain,
    (client) => client.getBlock({ blockNumber }),
    ({ hash, timestamp }) => `${hash} ${timestamp}`,
  );
  return Number((await ask).timestamp);
}
