// Campaigns at the bot router in TypeScript (IBotRouter): a campaign's id, the calls of its sponsor and of executors, how it stands.
import { encodeAbiParameters, encodeFunctionData, erc20Abi, keccak256, type Log, parseAbiParameters } from 'viem';
import { ownEvents } from '../logs/routerEvents.ts';
import { type Address, type EvmChain, type Hex, isRevert, reading } from '../rpc/client.ts';
import { botRouterAbi as abi } from './abis/BotRouter.ts';

const KEY = parseAbiParameters('uint256, address, address, bytes32');

export function campaignKeyOf(chain: EvmChain, sponsor: Address, salt: Hex): Hex {
  return keccak256(encodeAbiParameters(KEY, [BigInt(chain.facts.chainId), chain.routers.bot, sponsor, salt]));
}

/** Amounts in smallest units, fees included in `total`; `expiry` in Unix seconds. */
export type CampaignTerms = {
  salt: Hex;
  token: Address;
  total: bigint;
  mostPerGrant: bigint;
  maxFee: bigint;
  expiry: bigint;
};

/** Opens a campaign of the caller. */
export function encodeOpenCampaign({ salt, token, total, mostPerGrant, maxFee, expiry }: CampaignTerms): Hex {
  const args = [salt, token, total, mostPerGrant, maxFee, expiry] as const;
  return encodeFunctionData({ abi, functionName: 'openCampaign', args });
}

/** Its sponsor, or an executor. */
export function encodeCloseCampaign(campaignKey: Hex): Hex {
  return encodeFunctionData({ abi, functionName: 'closeCampaign', args: [campaignKey] });
}

/** `recipientKey` is paid at most once within the campaign; `validUntil` in Unix seconds. */
export type RouterGrant = { recipientKey: bigint; recipient: Address; amount: bigint; fee: bigint; validUntil: bigint };

/** One grant goes as `grant`, several as `grantBatch`, in which a failing one undoes nothing else. An executor. */
export function encodeGrants(campaignKey: Hex, grants: readonly RouterGrant[]): Hex {
  const [first] = grants;
  if (grants.length === 1 && first)
    return encodeFunctionData({ abi, functionName: 'grant', args: [campaignKey, first] });
  return encodeFunctionData({ abi, functionName: 'grantBatch', args: [campaignKey, grants] });
}

/** The router wants 406,350 left before each grant; a grant that fails makes it pay all of a batch a second time, each in a frame of its own. */
const GAS_BASE = 480_000n;
const GAS_PER_GRANT = 130_000n;
export function gasForGrants(count: number): bigint {
  return GAS_BASE + GAS_PER_GRANT * BigInt(count);
}

/** What decides whether a campaign's grants can be paid. `expiry` in Unix seconds; all 0 for a campaign that the router does not know. */
export type CampaignState = {
  sponsor: Address;
  token: Address;
  total: bigint;
  spent: bigint;
  mostPerGrant: bigint;
  expiry: bigint;
  closed: boolean;
  balance: bigint;
  allowance: bigint;
  sponsorPaused: boolean;
  routerPaused: boolean;
};

const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000' as const;
const UNKNOWN = {
  sponsor: ZERO_ADDRESS,
  token: ZERO_ADDRESS,
  total: 0n,
  spent: 0n,
  mostPerGrant: 0n,
  expiry: 0n,
  closed: false,
};

/** @throws AppError `provider_unavailable` */
export async function readCampaign(chain: EvmChain, campaignKey: Hex, sponsor: Address): Promise<CampaignState> {
  const router = { address: chain.routers.bot, abi } as const;
  const usdc = { address: chain.usdc, abi: erc20Abi } as const;
  return reading(chain, async () => {
    const [campaign, balance, allowance, limits, routerPaused] = await Promise.all([
      chain.client
        .readContract({ ...router, functionName: 'campaignOf', args: [campaignKey] })
        .catch((error: unknown) => {
          if (isRevert(error)) return UNKNOWN;
          throw error;
        }),
      chain.client.readContract({ ...usdc, functionName: 'balanceOf', args: [sponsor] }),
      chain.client.readContract({ ...usdc, functionName: 'allowance', args: [sponsor, chain.routers.bot] }),
      chain.client.readContract({ ...router, functionName: 'limitsOf', args: [sponsor, chain.usdc] }),
      chain.client.readContract({ ...router, functionName: 'paused' }),
    ]);
    return { ...campaign, balance, allowance, sponsorPaused: limits[4], routerPaused };
  });
}

const READS_BYTES = 4_096;

/** Which numbers were paid, in their order. @throws AppError `provider_unavailable` */
export async function readGranted(chain: EvmChain, campaignKey: Hex, keys: readonly bigint[]): Promise<boolean[]> {
  if (keys.length === 0) return [];
  const contracts = keys.map((key) => ({
    address: chain.routers.bot,
    abi,
    functionName: 'granted' as const,
    args: [campaignKey, key] as const,
  }));
  return reading(chain, () =>
    chain.client.multicall({ contracts, deployless: true, batchSize: READS_BYTES, allowFailure: false }),
  );
}

/** The router's own events among logs. `GrantFailed` carries revert data: read it with `decodeRevert`. */
export function campaignEvents(chain: EvmChain, logs: readonly Log[]) {
  return ownEvents(abi, chain.routers.bot, logs);
}
