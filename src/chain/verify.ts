// Whether a chain is what the registry and the configuration say: the right network behind every endpoint, our contracts wired to the right
// tokens, USDC as it is known there, and a key of its own for every role.
import { type Address, isAddressEqual, type PublicClient } from 'viem';
import { botRouterAbi } from './abis/BotRouter.ts';
import { escrowRouterAbi } from './abis/EscrowRouter.ts';
import { wiringProblem } from './deploy.ts';
import { type EvmChain, reading } from './evm.ts';
import { isRouterCode, ROUTER_NAMES } from './routers.ts';
import { usdcProblem } from './usdc.ts';

/**
 * Compares what one endpoint says with the registry, the configuration and our own build.
 * @returns a sentence without a full stop for the operator, which names what was found and what was expected; null when all is well
 * @throws whatever the client throws when the endpoint does not answer
 */
export async function endpointProblem(chain: EvmChain, client: PublicClient): Promise<string | null> {
  const id = await client.getChainId();
  if (id !== chain.facts.chainId) return `the RPC endpoint of ${chain.name} is chain ${id}, not ${chain.facts.chainId}`;
  return (
    (await codeProblem(chain, client)) ??
    (await routerProblem(chain, client)) ??
    (await usdcProblem(chain.facts, chain.usdc, client))
  );
}

async function codeProblem(chain: EvmChain, client: PublicClient): Promise<string | null> {
  const named: [string, Address][] = [
    ...ROUTER_NAMES.map((name): [string, Address] => [`the ${name} router`, chain.routers[name]]),
    ['USDC', chain.usdc],
    ['the wrapped native asset', chain.wrappedNative],
  ];
  if (chain.facts.permits.includes('permit2')) named.push(['Permit2', chain.permit2]);
  const codes = await Promise.all(named.map(([, address]) => client.getCode({ address })));
  const missing = named.find((_, index) => (codes[index] ?? '0x') === '0x');
  if (missing) return `${missing[0]} has no code at ${missing[1]} on ${chain.name}`;
  const foreign = ROUTER_NAMES.find((name, index) => !isRouterCode(name, codes[index]));
  return foreign
    ? `what stands at ${chain.routers[foreign]} on ${chain.name} is not this version's ${foreign} router`
    : null;
}

/** Routers never change what they are wired to: another token here would mean payments that nobody sees. */
async function routerProblem(chain: EvmChain, client: PublicClient): Promise<string | null> {
  const bridgeAdapter = await client.readContract({
    address: chain.routers.bot,
    abi: botRouterAbi,
    functionName: 'bridgeAdapter',
  });
  const { usdc, wrappedNative, permit2, routers } = chain;
  for (const name of ROUTER_NAMES) {
    const problem = await wiringProblem(client, name, { usdc, wrappedNative, permit2, bridgeAdapter }, routers);
    if (problem) return `on ${chain.name} ${problem}`;
  }
  return null;
}

/**
 * Reads who holds which role of the routers. They refuse equal roles themselves, but an executor key that they do not know yet may be anybody's.
 * @param executors the addresses that this process signs with
 * @returns a sentence without a full stop for the operator, or null when every role has its own key
 * @throws AppError `provider_unavailable`
 */
export async function roleProblem(chain: EvmChain, executors: readonly Address[]): Promise<string | null> {
  const read = (functionName: 'owner' | 'guardian' | 'treasury') =>
    chain.client.readContract({ address: chain.routers.bot, abi: botRouterAbi, functionName });
  const [owner, guardian, treasury, authority] = await reading(chain, () =>
    Promise.all([
      read('owner'),
      read('guardian'),
      read('treasury'),
      chain.client.readContract({ address: chain.routers.escrow, abi: escrowRouterAbi, functionName: 'authority' }),
    ]),
  );
  return equalRoles(chain.name, [
    ['the owner', owner],
    ['the guardian', guardian],
    ['the treasury', treasury],
    ['the handle authority', authority],
    ...executors.map((address): [string, Address] => ['an executor key', address]),
  ]);
}

/** The first pair of roles that share an address, in words, or null. */
export function equalRoles(chain: string, roles: readonly (readonly [role: string, holder: Address])[]): string | null {
  for (const [index, [role, holder]] of roles.entries()) {
    const same = roles.slice(0, index).find(([, other]) => isAddressEqual(other, holder));
    if (same) return `${role} of the routers on ${chain} is also ${same[0]} (${holder}): each role needs its own key`;
  }
  return null;
}
