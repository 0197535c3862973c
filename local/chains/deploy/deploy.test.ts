import { type Address, createPublicClient, erc20Abi, http, type PublicClient, zeroAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { create3FactoryAbi } from '../../../src/chain/routers/abis/Create3Factory.ts';
import type { AdapterWiring } from '../../../src/chain/routers/adapter.ts';
import { ROUTER_NAMES, type RouterName, type RouterRoles, routerAbi } from '../../../src/chain/routers/code.ts';
import {
  DeployError,
  type DeployTarget,
  deployRouters,
  planDeployment,
  predictAdapter,
  predictRouters,
} from '../../../src/chain/routers/deploy.ts';
import { localKey } from '../../stack/people.ts';
import { ROLES } from '../../stack/roles.ts';
import { type RunningAnvil, startAnvil } from '../anvil.ts';
import { deployLocalChain, type LocalDeployment, refreshPrices } from './chain.ts';
import { priceFeedAbi } from './priceFeed.ts';
import { fixtureInitCode, openLocalChain } from './send.ts';
import { mintUsdc } from './usdc.ts';

const BASE = { chainId: 8453, usdc: { name: 'USD Coin', version: '2', decimals: 6 } };
const SEPOLIA = { chainId: 84532, usdc: { name: 'USDC', version: '2', decimals: 6 } };
const BSC = { chainId: 56, usdc: { name: 'USD Coin', version: '2', decimals: 18 } };

const chains: RunningAnvil[] = [];
const deployed: LocalDeployment[] = [];

async function deploy(at: number, params: typeof BASE): Promise<LocalDeployment> {
  const rpcUrl = chains[at]?.rpcUrl ?? '';
  return deployLocalChain({ ...params, rpcUrl, roles: ROLES, nativeUsdPrice: 3_000 });
}

beforeAll(async () => {
  for (const { chainId } of [BASE, SEPOLIA, BSC]) {
    chains.push(await startAnvil({ chainId, blockTimeSeconds: 0, mixedMining: true }));
  }
  for (const [at, params] of [BASE, SEPOLIA, BSC].entries()) deployed.push(await deploy(at, params));
});

afterAll(async () => {
  for (const chain of chains) await chain.stop();
});

function clientOf(at: number) {
  return createPublicClient({ transport: http(chains[at]?.rpcUrl) });
}

describe('a local chain', () => {
  test('has everything at the same addresses as the next one', () => {
    expect(deployed[1]).toEqual(deployed[0]);
    const { usdc: plain, ...bsc } = deployed[2] as LocalDeployment;
    const { usdc, ...base } = deployed[0] as LocalDeployment;
    expect(bsc).toEqual(base);
    expect(plain).not.toBe(usdc);
    expect(base.routers).toEqual(predictRouters(ROLES.deployer.address));
  });

  test('is left as it is by a second call', async () => {
    const before = await clientOf(0).getBlockNumber({ cacheTime: 0 });
    expect(await deploy(0, BASE)).toEqual(deployed[0]);
    expect(await clientOf(0).getBlockNumber({ cacheTime: 0 })).toBe(before);
  });

  test('is refused when the RPC serves another chain, or USDC has another domain', async () => {
    await expect(deploy(0, SEPOLIA)).rejects.toThrow('serves chain 8453, expected 84532');
    await expect(deploy(0, { ...BASE, usdc: SEPOLIA.usdc })).rejects.toThrow('another EIP-712 domain');
  });

  test('mints in parallel, with 6 decimals and with 18', async () => {
    for (const at of [0, 2]) {
      const { usdc = zeroAddress } = deployed[at] ?? {};
      const rpcUrl = chains[at]?.rpcUrl ?? '';
      const to = [1, 2, 3].map((n) => localKey(`deploy test ${n}`).address);
      await Promise.all(to.map((account, i) => mintUsdc({ rpcUrl, usdc, to: [account], amount: BigInt(i + 1) })));
      for (const [i, account] of to.entries()) {
        const args = [account] as const;
        const balance = clientOf(at).readContract({ address: usdc, abi: erc20Abi, functionName: 'balanceOf', args });
        expect(await balance).toBe(BigInt(i + 1));
      }
    }
  });

  test('has two price feeds that their owner sets', async () => {
    const feeds = deployed[0]?.priceFeeds.native ?? [];
    expect(new Set(feeds).size).toBe(2);
    const answers = () =>
      Promise.all(
        feeds.map(async (address) => {
          const round = await clientOf(0).readContract({ address, abi: priceFeedAbi, functionName: 'latestRoundData' });
          return round[1];
        }),
      );
    expect(await answers()).toEqual([300_000_000_000n, 300_000_000_000n]);
    const rpcUrl = chains[0]?.rpcUrl ?? '';
    await refreshPrices({ rpcUrl, feeds, price: 3_100.5, owner: ROLES.deployer.key });
    expect(await answers()).toEqual([310_050_000_000n, 310_050_000_000n]);
    const stranger = refreshPrices({ rpcUrl, feeds, price: 1, owner: localKey('stranger').key });
    await expect(stranger).rejects.toThrow('reverted');
  });

  test('has every router with the roles and the wiring that were asked for', async () => {
    const { routers, usdc } = deployed[0] as LocalDeployment;
    const read = (name: RouterName, functionName: string) =>
      clientOf(0).readContract({ address: routers[name], abi: routerAbi(name), functionName });
    const executors = ROLES.executors.map(({ address }) => address);
    for (const name of ROUTER_NAMES) {
      expect(await read(name, 'owner')).toBe(ROLES.owner.address);
      expect(await read(name, 'guardian')).toBe(ROLES.guardian.address);
      expect(await read(name, 'usdc')).toBe(usdc);
      if (name !== 'escrow') expect(await read(name, 'treasury')).toBe(ROLES.treasury.address);
      if (name !== 'payment' && name !== 'business') expect(await read(name, 'executors')).toEqual(executors);
    }
    expect(await read('escrow', 'authority')).toBe(ROLES.authority.address);
    expect(await read('escrow', 'botRouter')).toBe(routers.bot);
    expect(await read('bot', 'escrowRouter')).toBe(routers.escrow);
    expect(await read('bot', 'bridgeAdapter')).toBe(predictAdapter(ROLES.deployer.address));
  });
});

describe('the router deployment', () => {
  const stranger = localKey('another deployer');

  type Overrides = { roles?: Partial<RouterRoles>; tokens?: Partial<DeployTarget['tokens']>; across?: AdapterWiring };

  async function target(overrides: Overrides = {}, key = ROLES.deployer.key) {
    const { client, wallet } = await openLocalChain(chains[0]?.rpcUrl ?? '', key);
    const { usdc = zeroAddress, wrappedNative = zeroAddress, permit2 = zeroAddress } = deployed[0] ?? {};
    return {
      publicClient: client as unknown as PublicClient,
      walletClient: wallet,
      deployer: wallet.account.address,
      roles: {
        owner: ROLES.owner.address,
        guardian: ROLES.guardian.address,
        treasury: ROLES.treasury.address,
        authority: ROLES.authority.address,
        executors: [],
        ...overrides.roles,
      },
      tokens: { usdc, wrappedNative, permit2, ...overrides.tokens },
      across: overrides.across ?? null,
    };
  }
  const attempt = async (...args: Parameters<typeof target>) => deployRouters(await target(...args));

  test('goes on after the factory, where an earlier run had stopped', async () => {
    // The roles are not distinct, so the router itself cannot be deployed: the run stops between the two.
    await expect(attempt({ roles: { guardian: ROLES.owner.address } }, stranger.key)).rejects.toThrow();
    const { bot } = predictRouters(stranger.address);
    expect(await clientOf(0).getCode({ address: bot })).toBeUndefined();
    expect((await attempt({}, stranger.key)).bot).toBe(bot);
  });

  test('is planned before it is done: addresses, and gas that is about right', async () => {
    const planner = localKey('a planning deployer');
    const { client } = await openLocalChain(chains[0]?.rpcUrl ?? '', ROLES.deployer.key);
    await client.setBalance({ address: planner.address, value: 10n ** 18n });
    const nothing = await target({}, planner.key);
    const before = await client.getBlockNumber({ cacheTime: 0 });
    const steps = await planDeployment(nothing);
    expect(await client.getBlockNumber({ cacheTime: 0 })).toBe(before);
    expect(steps.map(({ name }) => name)).toEqual(['factory', ...ROUTER_NAMES]);
    const used = new Map<string, bigint>();
    await deployRouters(nothing, ({ name, gasUsed }) => void used.set(name, gasUsed));
    for (const { name, gas } of steps) {
      const ratio = Number(gas) / Number(used.get(name));
      expect(ratio, name).toBeGreaterThan(0.95);
      expect(ratio, name).toBeLessThan(1.3);
    }
    expect((await planDeployment(nothing)).every(({ gas }) => gas === null)).toBe(true);
    await expect(
      planDeployment(await target({ roles: { guardian: ROLES.owner.address } }, localKey('x').key)),
    ).rejects.toThrow('are all roles different addresses?');
  });

  test('names what is missing, or wired otherwise', async () => {
    await expect(attempt({ tokens: { usdc: stranger.address } })).rejects.toThrow(DeployError);
    await expect(attempt({ tokens: { usdc: stranger.address } })).rejects.toThrow(
      `no code at ${stranger.address}: USDC`,
    );
    const other = deployed[0]?.priceFeeds.native[0];
    await expect(attempt({ tokens: { wrappedNative: other as Address } })).rejects.toThrow(
      `has wrappedNative ${deployed[0]?.wrappedNative}`,
    );
  });

  test('refuses an address that holds other code', async () => {
    const { client } = await openLocalChain(chains[1]?.rpcUrl ?? '', ROLES.deployer.key);
    const { bot } = predictRouters(ROLES.deployer.address);
    const whole = (await client.getCode({ address: bot })) ?? '0x';
    await client.setCode({ address: bot, bytecode: `${whole}00` });
    await expect(deploy(1, SEPOLIA)).rejects.toThrow('not this version');
    await client.setCode({ address: bot, bytecode: whole });
    await deploy(1, SEPOLIA);
  });

  test('uses salts that nobody else can use', async () => {
    const local = await openLocalChain(chains[0]?.rpcUrl ?? '', stranger.key);
    const logs = await local.client.getContractEvents({ abi: create3FactoryAbi, eventName: 'Deployed', fromBlock: 0n });
    const factory = logs.find(({ args }) => args.deployed === deployed[0]?.routers.bot)?.address ?? zeroAddress;
    const deployment = local.wallet.writeContract({
      address: factory,
      abi: create3FactoryAbi,
      functionName: 'deploy',
      args: [`0x${'11'.repeat(32)}`, fixtureInitCode('WrappedNative', [])],
    });
    await expect(deployment).rejects.toThrow('NotOwner');
  });
});
