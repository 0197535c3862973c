// Puts everything on a local chain that the service needs there. A second call finds it all and changes nothing.
import type { Address, Hex, PublicClient } from 'viem';
import { crossableFrom, usdcRoutes } from '../../../src/chain/routers/adapter.ts';
import type { Routers } from '../../../src/chain/routers/code.ts';
import { deployRouters, predictAdapter } from '../../../src/chain/routers/deploy.ts';
import { CHAINS } from '../../../src/domain/chains.ts';
import { ACROSS_ROLE, type AcrossContracts, deployAcross } from './across.ts';
import { etchPermit2 } from './permit2.ts';
import { deployPriceFeeds, SOL_USD, setPrices } from './priceFeed.ts';
import { openLocalChain } from './send.ts';
import { deployToken18, token18Address } from './token18.ts';
import { deployUsdc, USDC_ROLE, usdcAddress } from './usdc.ts';
import { deployWrappedNative } from './wrappedNative.ts';

type Role = { address: Address };

export type LocalRoles = {
  /** Deploys the routers and owns the price feeds. */
  deployer: Role & { key: Hex };
  owner: Role;
  guardian: Role;
  treasury: Role;
  authority: Role;
  executors: readonly Role[];
};

export type LocalDeployment = {
  usdc: Address;
  wrappedNative: Address;
  permit2: Address;
  /** Those of SOL stand here for the Solana chain beside it. */
  priceFeeds: { native: [Address, Address]; sol: [Address, Address] };
  routers: Routers;
  across: AcrossContracts & { adapter: Address };
};

/**
 * `usdc.decimals` 6 gives Circle's token with that EIP-712 domain, 18 the plain one. `nativeUsdPrice` is what new feeds start with.
 * Throws when the RPC serves another chain, or when a contract that stands there already is not the expected one.
 */
export async function deployLocalChain(params: {
  rpcUrl: string;
  chainId: number;
  usdc: { name: string; version: string; decimals: number };
  roles: LocalRoles;
  nativeUsdPrice: number;
}): Promise<LocalDeployment> {
  const { rpcUrl, chainId, roles } = params;
  const [local, minter, bridge] = await Promise.all([
    openLocalChain(rpcUrl, roles.deployer.key),
    openLocalChain(rpcUrl, USDC_ROLE.key),
    openLocalChain(rpcUrl, ACROSS_ROLE.key),
  ]);
  const actual = local.wallet.chain.id;
  if (actual !== chainId) throw new Error(`${rpcUrl} serves chain ${actual}, expected ${chainId}`);

  const [usdc, permit2, wrappedNative] = await Promise.all([
    params.usdc.decimals === 18 ? deployToken18(minter) : deployUsdc(minter, params.usdc),
    etchPermit2(local.client),
    deployWrappedNative(local),
  ]);
  // Another account than the deployer's, at the same time.
  const deployingAcross = deployAcross(bridge, { wrappedNative, permit2 });
  // What fails first is reported, and the other one's failure is no unhandled one.
  deployingAcross.catch(() => {});
  const native = await deployPriceFeeds(local, params.nativeUsdPrice);
  const sol = await deployPriceFeeds(local, SOL_USD, 'SOL');
  const across = await deployingAcross;
  const routers = await deployRouters({
    publicClient: local.client as unknown as PublicClient,
    walletClient: local.wallet,
    roles: {
      owner: roles.owner.address,
      guardian: roles.guardian.address,
      treasury: roles.treasury.address,
      authority: roles.authority.address,
      executors: roles.executors.map(({ address }) => address),
    },
    tokens: { usdc, wrappedNative, permit2 },
    across: { pool: across.pool, routes: routesFrom(chainId, usdc) },
  });
  const adapter = predictAdapter(roles.deployer.address);
  return { usdc, wrappedNative, permit2, priceFeeds: { native, sol }, routers, across: { ...across, adapter } };
}

/** To every chain of the registry, served by this stack or not: every local USDC has a known address. */
function routesFrom(chainId: number, usdc: Address) {
  const facts = Object.values(CHAINS).find((one) => one.chainId === chainId);
  if (!facts) throw new Error(`no chain of the registry has the id ${chainId}`);
  const others = crossableFrom(facts.name).map((name) => ({
    chainId: CHAINS[name].chainId,
    usdc: CHAINS[name].usdcDecimals === 18 ? token18Address() : usdcAddress(),
  }));
  return usdcRoutes(usdc, others);
}

/** The same of every feed of a chain, at the prices of its start. */
export async function refreshFeeds(chain: {
  rpcUrl: string;
  native: readonly string[];
  nativeUsdPrice: number;
  sol: readonly string[];
  owner: Hex;
}): Promise<void> {
  const { rpcUrl, owner } = chain;
  await refreshPrices({ rpcUrl, feeds: chain.native as Address[], price: chain.nativeUsdPrice, owner });
  await refreshPrices({ rpcUrl, feeds: chain.sol as Address[], price: SOL_USD, owner });
}

/** Sets the price of each feed, and with it the time of its last update. `owner` is the private key of their owner. */
export async function refreshPrices(params: {
  rpcUrl: string;
  feeds: readonly Address[];
  price: number;
  owner: Hex;
}): Promise<void> {
  await setPrices(await openLocalChain(params.rpcUrl, params.owner), params.feeds, params.price);
}
