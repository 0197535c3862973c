// Whether a chain is what the configuration says: the right network behind every endpoint, our contracts on it, and a key of its own for every role.
import { type Address, type Hex, isAddressEqual, type PublicClient } from 'viem';
import { botRouterAbi } from './abis/BotRouter.ts';
import { isBotRouterCode } from './deploy.ts';
import { type EvmChain, reading } from './evm.ts';

/**
 * Compares what one endpoint says with the registry and with our own build.
 * @returns a sentence without a full stop for the operator, or null when all is well
 * @throws whatever the client throws when the endpoint does not answer
 */
export async function endpointProblem(chain: EvmChain, client: PublicClient): Promise<string | null> {
  const id = await client.getChainId();
  if (id !== chain.facts.chainId) return `the RPC endpoint of ${chain.name} is chain ${id}, not ${chain.facts.chainId}`;
  const [router, usdc, wrapped] = await Promise.all(
    [chain.botRouter, chain.usdc, chain.wrappedNative].map((address) => client.getCode({ address })),
  );
  const missing = (code: Hex | undefined) => code === undefined || code === '0x';
  if (missing(router)) return `the bot router has no code at ${chain.botRouter} on ${chain.name}`;
  if (missing(usdc)) return `USDC has no code at ${chain.usdc} on ${chain.name}`;
  if (missing(wrapped)) return `the wrapped native asset has no code at ${chain.wrappedNative} on ${chain.name}`;
  if (!isBotRouterCode(router ?? '0x')) {
    return `what stands at ${chain.botRouter} on ${chain.name} is not this version's bot router`;
  }
  return null;
}

/**
 * Reads who holds which role of the router. The router refuses equal roles itself, but an executor key that it does not know yet may be anybody's.
 * @param executors the addresses that this process signs with
 * @returns a sentence without a full stop for the operator, or null when every role has its own key
 * @throws AppError `provider_unavailable`
 */
export async function roleProblem(chain: EvmChain, executors: readonly Address[]): Promise<string | null> {
  const read = (functionName: 'owner' | 'guardian' | 'treasury') =>
    chain.client.readContract({ address: chain.botRouter, abi: botRouterAbi, functionName });
  const [owner, guardian, treasury] = await reading(chain, () =>
    Promise.all([read('owner'), read('guardian'), read('treasury')]),
  );
  return equalRoles(chain.name, [
    ['the owner', owner],
    ['the guardian', guardian],
    ['the treasury', treasury],
    ...executors.map((address): [string, Address] => ['an executor key', address]),
  ]);
}

/** The first pair of roles that share an address, in words, or null. */
export function equalRoles(chain: string, roles: readonly (readonly [role: string, holder: Address])[]): string | null {
  for (const [index, [role, holder]] of roles.entries()) {
    const same = roles.slice(0, index).find(([, other]) => isAddressEqual(other, holder));
    if (same)
      return `${role} of the bot router on ${chain} is also ${same[0]} (${holder}): each role needs its own key`;
  }
  return null;
}
