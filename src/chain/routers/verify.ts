// Whether a chain is what the registry and the configuration say: the right network behind every endpoint, our contracts wired to the right
// tokens, USDC as it is known there, and a key of its own for every role.
import { type Address, isAddressEqual, type PublicClient, zeroAddress } from 'viem';
import { type EvmChain, reading } from '../rpc/client.ts';
import { usdcProblem } from '../rpc/usdc.ts';
import { adapterProblem } from './adapter.ts';
import { isRouterCode, ROUTER_NAMES, type RouterName, routerAbi } from './code.ts';
import { wiringProblem } from './deploy.ts';

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

/** Routers never change what they are wired to: another token here would mean payments that we never see. */
async function routerProblem(chain: EvmChain, client: PublicClient): Promise<string | null> {
  const { usdc, wrappedNative, permit2, routers } = chain;
  // An adapter that we do not know could take what goes to other chains.
  const bridgeAdapter = chain.across?.adapter ?? zeroAddress;
  for (const name of ROUTER_NAMES) {
    const problem = await wiringProblem(client, name, { usdc, wrappedNative, permit2, bridgeAdapter }, routers);
    if (problem) return `on ${chain.name} ${problem}`;
  }
  const { across } = chain;
  if (!across?.adapter) return null;
  const problem = await adapterProblem(client, across.adapter, { pool: across.pool, routes: [] }, routers.bot);
  return problem && `on ${chain.name} ${problem}`;
}

/**
 * Reads who holds which role of the routers. They refuse equal roles themselves, but an executor key that they do not know yet may have any owner.
 * @param executors the addresses that this process signs with
 * @returns a sentence without a full stop for the operator, or null when every role has its own key
 * @throws AppError `provider_unavailable`
 */
export async function roleProblem(chain: EvmChain, executors: readonly Address[]): Promise<string | null> {
  const held = await reading(chain, () => Promise.all(ROUTER_NAMES.map((name) => rolesOf(chain, name))));
  const holders = new Map<string, [string, Address]>();
  // A role that is being handed over may be held by two for a while; that is one role still.
  for (const [role, holder] of held.flat()) holders.set(`${role} ${holder}`, [role, holder]);
  return equalRoles(chain.name, [
    ...holders.values(),
    ...executors.map((address): [string, Address] => ['an executor key', address]),
  ]);
}

const ROLE_WORDS = {
  owner: 'the owner',
  guardian: 'the guardian',
  treasury: 'the treasury',
  authority: 'the handle authority',
} as const;

async function rolesOf(chain: EvmChain, name: RouterName): Promise<[string, Address][]> {
  const abi = routerAbi(name);
  const views = Object.entries(ROLE_WORDS).filter(([view]) =>
    abi.some((item) => item.type === 'function' && item.name === view),
  );
  const address = chain.routers[name];
  return Promise.all(
    views.map(
      async ([functionName, words]): Promise<[string, Address]> => [
        words,
        (await chain.client.readContract({ address, abi, functionName })) as Address,
      ],
    ),
  );
}

/**
 * Roles that the routers of a chain do not agree about: a change on its way, or a deployment that went wrong and pays fees to another owner.
 * @returns one sentence without a full stop each
 */
export async function splitRoles(chain: EvmChain): Promise<string[]> {
  const held = await reading(chain, () => Promise.all(ROUTER_NAMES.map((name) => rolesOf(chain, name))));
  const holders = new Map<string, Map<Address, RouterName[]>>();
  for (const [index, name] of ROUTER_NAMES.entries()) {
    for (const [role, holder] of held[index] ?? []) {
      const ofRole = holders.get(role) ?? new Map<Address, RouterName[]>();
      holders.set(role, ofRole.set(holder, [...(ofRole.get(holder) ?? []), name]));
    }
  }
  return [...holders].flatMap(([role, byHolder]) =>
    byHolder.size < 2
      ? []
      : `${role} differs on ${chain.name}: ${[...byHolder].map(([holder, names]) => `${holder} on ${names.join(', ')}`).join('; ')}`,
  );
}

/** The first pair of roles that share an address, in words, or null. */
export function equalRoles(chain: string, roles: readonly (readonly [role: string, holder: Address])[]): string | null {
  for (const [index, [role, holder]] of roles.entries()) {
    const same = roles.slice(0, index).find(([, other]) => isAddressEqual(other, holder));
    if (same) return `${role} of the routers on ${chain} is also ${same[0]} (${holder}): each role needs its own key`;
  }
  return null;
}
