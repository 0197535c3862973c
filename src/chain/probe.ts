// One look at a chain of any family from outside of any payment: which endpoints answer, how soon, how fresh, what the keys hold, and what its contracts say.
import type { Chain } from './chain.ts';
import { type ChainProbe, lookWith } from './probing.ts';
import { endpointProblem } from './routers/verify.ts';
import { evmLook } from './rpc/probe.ts';
import { solanaLook } from './solana/probe.ts';
import { solanaProblem } from './solana/verify.ts';

export type { ChainProbe } from './probing.ts';

/**
 * Asks every endpoint, then one that is well for the rest. It never throws and ends within a few seconds, whatever does not answer.
 * @param addresses the keys to look at; @param now Unix milliseconds; @param previous the look before
 */
export async function probeChain(
  chain: Chain,
  addresses: readonly string[],
  now: number,
  previous?: ChainProbe,
): Promise<ChainProbe> {
  const found =
    chain.family === 'solana'
      ? await lookWith(solanaLook(chain, addresses, now), previous)
      : await lookWith(evmLook(chain, addresses, now), previous);
  return { chain: chain.name, at: now, ...found };
}

/**
 * Whether an endpoint shows another chain than the configured one, or other contracts. Null too where there is no endpoint of that number.
 * @throws when it does not answer
 */
export async function wrongAtEndpoint(chain: Chain, index: number): Promise<string | null> {
  if (chain.family === 'evm') {
    const client = chain.endpoints[index];
    return client ? endpointProblem(chain, client) : null;
  }
  const endpoint = chain.endpoints[index];
  return endpoint ? solanaProblem({ ...chain, endpoints: [endpoint] }, []) : null;
}
