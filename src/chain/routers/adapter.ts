// The bot router's way to other chains: our adapter to Across, which moves what a tip brings and nothing else.
import {
  type Address,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  isAddressEqual,
  type PublicClient,
  pad,
  zeroHash,
} from 'viem';
import { CHAINS, type ChainName } from '../../domain/chains.ts';
import { agreed } from '../rpc/agreement.ts';
import { type EvmChain, reading } from '../rpc/client.ts';
import { acrossAdapterBytecode, acrossAdapterImmutables, acrossAdapterRuntime } from './abis/AcrossAdapter.bytecode.ts';
import { acrossAdapterAbi } from './abis/AcrossAdapter.ts';
import { botRouterAbi } from './abis/BotRouter.ts';
import { type Code, isCodeOf } from './code.ts';

const BUILD: Code = {
  bytecode: acrossAdapterBytecode,
  runtime: acrossAdapterRuntime,
  immutables: acrossAdapterImmutables,
};

/** What arrives on another chain for a token of this one. */
export type AdapterRoute = { destinationChain: bigint; token: Address; outputToken: Hex };
/** To what an adapter is wired, forever. `pool` is Across's SpokePool of its chain. */
export type AdapterWiring = { pool: Address; routes: readonly AdapterRoute[] };

/** USDC of a chain to the USDC of others. */
export function usdcRoutes(usdc: Address, others: readonly { chainId: number; usdc: Address }[]): AdapterRoute[] {
  return others.map((other) => ({
    destinationChain: BigInt(other.chainId),
    token: usdc,
    outputToken: pad(other.usdc).toLowerCase() as Hex,
  }));
}

/** The chains of the registry to which Across may carry the USDC of one: of its family, and both real or both test networks. */
export function crossableFrom(name: ChainName): ChainName[] {
  const { family, testnet } = CHAINS[name];
  return Object.values(CHAINS)
    .filter((facts) => facts.name !== name && facts.family === family && facts.testnet === testnet && facts.usdc)
    .map((facts) => facts.name);
}

export function adapterInitCode({ pool, routes }: AdapterWiring, botRouter: Address): Hex {
  return encodeDeployData({
    abi: acrossAdapterAbi,
    bytecode: acrossAdapterBytecode,
    args: [botRouter, pool, [...routes]],
  });
}

/**
 * Whether what stands at an address is this version's adapter, wired to this router and pool, with these routes.
 * @returns a sentence without a full stop that names what was found, or null
 */
export async function adapterProblem(
  client: PublicClient,
  adapter: Address,
  { pool, routes }: AdapterWiring,
  botRouter: Address,
): Promise<string | null> {
  if (!isCodeOf(BUILD, await client.getCode({ address: adapter })))
    return `the code at ${adapter} is not this version's bridge adapter`;
  const at = { address: adapter, abi: acrossAdapterAbi } as const;
  const [router, itsPool, outputs] = await Promise.all([
    client.readContract({ ...at, functionName: 'router' }),
    client.readContract({ ...at, functionName: 'pool' }),
    Promise.all(
      routes.map(({ destinationChain, token }) =>
        client.readContract({ ...at, functionName: 'outputTokenOf', args: [destinationChain, token] }),
      ),
    ),
  ]);
  if (!isAddressEqual(router, botRouter))
    return `the bridge adapter at ${adapter} has router ${router}, expected ${botRouter}`;
  if (!isAddressEqual(itsPool, pool)) return `the bridge adapter at ${adapter} has pool ${itsPool}, expected ${pool}`;
  const wrong = routes.find(({ outputToken }, index) => outputs[index]?.toLowerCase() !== outputToken.toLowerCase());
  return wrong ? `the bridge adapter at ${adapter} leads to another token on chain ${wrong.destinationChain}` : null;
}

/** What arrives on another chain for a token that tips bring to this one's adapter; null without a route. @throws AppError `provider_unavailable` */
export async function adapterOutput(chain: EvmChain, token: Address, destinationChain: number): Promise<Hex | null> {
  const adapter = chain.across?.adapter;
  if (!adapter) return null;
  const output = await reading(chain, () =>
    chain.client.readContract({
      address: adapter,
      abi: acrossAdapterAbi,
      functionName: 'outputTokenOf',
      args: [BigInt(destinationChain), token],
    }),
  );
  return output === zeroHash ? null : output;
}

/** A tip that arrives on another chain: `amount` leaves this one for the bridge, `minOutput` arrives, in the units of each. */
export type CrossingTip = {
  messageKey: Hex;
  sender: Address;
  recipient: Address;
  destinationChain: number;
  token: Address;
  amount: bigint;
  minOutput: bigint;
  fee: bigint;
  /** Unix seconds. */
  validUntil: bigint;
};

export function encodeCrossingTip({ recipient, destinationChain, ...tip }: CrossingTip): Hex {
  const args = [
    { ...tip, recipient: pad(recipient), destinationChain: BigInt(destinationChain), route: '0x' as Hex },
  ] as const;
  return encodeFunctionData({ abi: botRouterAbi, functionName: 'tipCrossChain', args });
}

/** The transaction in which exactly these terms went to the bridge, searched in the last `blocks` blocks, or null. @throws AppError `provider_unavailable` */
export async function findCrossingTip(chain: EvmChain, tip: CrossingTip, blocks: bigint): Promise<Hex | null> {
  const find = async (client: PublicClient): Promise<Hex | null> => {
    const head = await client.getBlockNumber({ cacheTime: 0 });
    const events = await client.getContractEvents({
      address: chain.routers.bot,
      abi: botRouterAbi,
      eventName: 'CrossChainTipSettled',
      // viem compares words as texts.
      args: { messageKey: tip.messageKey, sender: tip.sender, recipient: pad(tip.recipient).toLowerCase() as Hex },
      fromBlock: head > blocks ? head - blocks : 0n,
    });
    const same = events.find(
      ({ args }) =>
        args.destinationChain === BigInt(tip.destinationChain) &&
        args.amount === tip.amount &&
        args.minOutput === tip.minOutput &&
        args.fee === tip.fee &&
        args.token?.toLowerCase() === tip.token.toLowerCase(),
    );
    return same?.transactionHash ?? null;
  };
  return agreed(chain, find, String);
}
