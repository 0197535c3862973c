import { createPublicClient, erc20Abi, http, zeroAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningAnvil, startAnvil } from '../../local/anvil.ts';
import { deployLocalChain, type LocalDeployment, refreshPrices } from '../../local/deploy/chain.ts';
import { priceFeedAbi } from '../../local/deploy/priceFeed.ts';
import { fixtureInitCode, openLocalChain } from '../../local/deploy/send.ts';
import { mintUsdc } from '../../local/deploy/usdc.ts';
import { localKey } from '../../local/people.ts';
import { ROLES } from '../../local/roles.ts';
import { botRouterAbi } from '../../src/chain/abis/BotRouter.ts';
import { create3FactoryAbi } from '../../src/chain/abis/Create3Factory.ts';
import { DeployError, deployRouters, predictRouters } from '../../src/chain/deploy.ts';

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

  test('has a bot router with the roles that were asked for', async () => {
    const { routers } = deployed[0] as LocalDeployment;
    const read = (functionName: 'owner' | 'guardian' | 'treasury' | 'executors' | 'escrowRouter' | 'bridgeAdapter') =>
      clientOf(0).readContract({ address: routers.bot, abi: botRouterAbi, functionName });
    expect(await read('owner')).toBe(ROLES.owner.address);
    expect(await read('guardian')).toBe(ROLES.guardian.address);
    expect(await read('treasury')).toBe(ROLES.treasury.address);
    expect(await read('executors')).toEqual(ROLES.executors.map(({ address }) => address));
    expect(await read('escrowRouter')).toBe(routers.escrow);
    expect(await read('bridgeAdapter')).toBe(zeroAddress);
  });
});

describe('the router deployment', () => {
  const stranger = localKey('another deployer');

  async function attempt(overrides: Partial<Parameters<typeof deployRouters>[0]> = {}, key = ROLES.deployer.key) {
    const { client, wallet } = await openLocalChain(chains[0]?.rpcUrl ?? '', key);
    const { usdc = zeroAddress, wrappedNative = zeroAddress } = deployed[0] ?? {};
    return deployRouters({
      publicClient: client as unknown as Parameters<typeof deployRouters>[0]['publicClient'],
      walletClient: wallet,
      owner: ROLES.owner.address,
      guardian: ROLES.guardian.address,
      treasury: ROLES.treasury.address,
      executors: [],
      usdc,
      wrappedNative,
      ...overrides,
    });
  }

  test('goes on after the factory, where an earlier run had stopped', async () => {
    // The roles are not distinct, so the router itself cannot be deployed: the run stops between the two.
    await expect(attempt({ guardian: ROLES.owner.address }, stranger.key)).rejects.toThrow();
    const { bot } = predictRouters(stranger.address);
    expect(await clientOf(0).getCode({ address: bot })).toBeUndefined();
    expect((await attempt({}, stranger.key)).bot).toBe(bot);
  });

  test('names what is missing, or wired otherwise', async () => {
    await expect(attempt({ usdc: stranger.address })).rejects.toThrow(DeployError);
    await expect(attempt({ usdc: stranger.address })).rejects.toThrow(`no code at ${stranger.address}: USDC`);
    const other = deployed[0]?.priceFeeds.native[0];
    await expect(attempt({ wrappedNative: other })).rejects.toThrow(`has wrappedNative ${deployed[0]?.wrappedNative}`);
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
