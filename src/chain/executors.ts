// Whether a key may act as an executor on a chain of any family, and how many transactions the chain counts of it.
import type { Chain } from './chain.ts';
import { strangerTo } from './routers/bot.ts';
import type { Address } from './rpc/client.ts';
import { agreedNonce } from './rpc/outcomes.ts';
import { powerProblem } from './solana/probe.ts';
import { readConfig } from './solana/verify.ts';

/**
 * @param now Unix milliseconds
 * @returns `mined` is null on chains without nonces; `problem` is why it may not act
 * @throws AppError `provider_unavailable`
 */
export async function executorState(
  chain: Chain,
  address: string,
  now: number,
): Promise<{ mined: number | null; problem: string | null }> {
  if (chain.family === 'solana') {
    const config = await readConfig(chain);
    const problem = powerProblem(config?.executors ?? [], address, BigInt(Math.floor(now / 1_000)));
    return { mined: null, problem: problem && `The key cannot act: ${problem}. Let the program’s owner add it.` };
  }
  const key = address as Address;
  const [stranger, mined] = await Promise.all([strangerTo(chain, key), agreedNonce(chain, key)]);
  return {
    mined,
    problem: stranger && `The ${stranger} router does not know this key as an executor. Let its owner add it first.`,
  };
}
