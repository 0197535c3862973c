// Campaigns on a chain of any family: their keys, how one stands, what its sponsor signs or sends, and the calls that pay grants and close it.
import { type Hex, keccak256, toHex } from 'viem';
import { type ChainCall, type SignedCall, signedCallOf, type TransactionToSign } from './calls.ts';
import type { Chain } from './chain.ts';
import type { RentReturn } from './rent.ts';
import {
  campaignKeyOf,
  encodeCloseCampaign,
  encodeGrants,
  encodeOpenCampaign,
  gasForGrants,
  readCampaign as readEvmCampaign,
  readGranted as readEvmGranted,
} from './routers/campaign.ts';
import { type Address, blockGas, type EvmChain } from './rpc/client.ts';
import { encodeApprove } from './signing/permits.ts';
import { type Approval, approvalChangedBy, approvalIn } from './solana/approvals.ts';
import {
  deletableCampaigns,
  openingShortage,
  packSolanaGrants,
  solanaApproveCall,
  solanaCampaignKey,
  solanaCampaignState,
  solanaCloseCampaign,
  solanaGranted,
  solanaGrantsCall,
  solanaOpenCampaign,
} from './solana/campaigns.ts';
import type { SolanaCall, SolanaChain } from './solana/client.ts';
import { treasuryOf } from './solana/orders.ts';
import { encodeInstructions } from './solana/payload.ts';
import { buildPaidMessage, readSignedCall, unsignedTransaction } from './solana/walletCalls.ts';

/** More than any balance: the wallet set no limit. */
const UNLIMITED = 2n ** 160n;
/** Measured at 29,000. */
const CLOSE_GAS = 120_000n;
/** Places of a campaign's account where it has them: at most, and where the sponsor names no number. */
export const PLACES = { most: 65_536, usual: 1_000 } as const;

/** Amounts in smallest units, `expiry` in Unix seconds; `recipients` is null where {@link hasPlaces} is false. */
export type CampaignTerms = {
  sponsor: string;
  salt: Hex;
  token: string;
  total: bigint;
  mostPerGrant: bigint;
  expiry: bigint;
  recipients: number | null;
};

/** The salt of a campaign's identifier. */
export function campaignSalt(id: string): Hex {
  return keccak256(toHex(id));
}

/** Whether a campaign has a number of places for grants, for which its sponsor pays rent until it is over. */
export function hasPlaces({ family }: Chain): boolean {
  return family === 'solana';
}

/** What the chain calls a campaign. */
export function campaignKey(chain: Chain, terms: Pick<CampaignTerms, 'sponsor' | 'salt' | 'expiry'>): Hex {
  if (chain.family === 'solana') return solanaCampaignKey(chain, terms);
  return campaignKeyOf(chain, terms.sponsor as Address, terms.salt);
}

/** What decides whether a campaign's grants can be paid. `expiry` in Unix seconds; empty and 0 for a campaign that the chain does not know. */
export type CampaignState = {
  sponsor: string;
  token: string;
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

/** @throws AppError `provider_unavailable` */
export function readCampaign(chain: Chain, key: string, sponsor: string): Promise<CampaignState> {
  return chain.family === 'solana'
    ? solanaCampaignState(chain, key as Hex, sponsor)
    : readEvmCampaign(chain, key as Hex, sponsor as Address);
}

/** Which numbers were paid, in their order. @throws AppError `provider_unavailable` */
export function readGranted(chain: Chain, key: string, numbers: readonly number[]): Promise<boolean[]> {
  if (chain.family === 'solana') return solanaGranted(chain, key as Hex, numbers);
  return readEvmGranted(chain, key as Hex, numbers.map(BigInt));
}

export type WalletCall = { to: string; data: string; value: '0x0'; chainId: number };
/** What the sponsor's wallet sends: `approve` of the budget on top of what stands, null where the allowance has no limit, and `open`. */
export type OpeningCalls = { approve: WalletCall | null; open: WalletCall };

/**
 * What the sponsor's wallet sends, or signs for an executor to send: chat tips and other campaigns draw on the same allowance, so the budget comes on
 * top of what stands.
 * @param payer the key of ours that pays the network fee, where a wallet signs
 * @returns `shortage` where the wallet lacks native units for the rent
 * @throws AppError `provider_unavailable`
 */
export async function prepareOpening(
  chain: Chain,
  terms: CampaignTerms,
  payer: string | null,
): Promise<OpeningCalls | TransactionToSign | { shortage: { needs: bigint; has: bigint } }> {
  if (chain.family === 'evm') return evmOpening(chain, terms);
  const { sponsor, total } = terms;
  const approval = await approvalChangedBy(chain, sponsor, total);
  const shortage = await openingShortage(chain, ofSolana(terms), approval);
  if (shortage) return { shortage };
  return toSign(chain, sponsor, payer, solanaOpenCampaign(chain, ofSolana(terms), approval));
}

async function evmOpening(chain: EvmChain, terms: CampaignTerms): Promise<OpeningCalls> {
  const { salt, token, total, mostPerGrant, expiry } = terms;
  const { allowance } = await readEvmCampaign(chain, campaignKey(chain, terms), terms.sponsor as Address);
  const data = encodeOpenCampaign({ salt, token: token as Address, total, mostPerGrant, maxFee: 0n, expiry });
  return {
    approve: allowance >= UNLIMITED ? null : allowanceCall(chain, allowance + total),
    open: { to: chain.routers.bot, data, value: '0x0', chainId: chain.facts.chainId },
  };
}

function allowanceCall(chain: EvmChain, amount: bigint): WalletCall {
  const data = encodeApprove(chain.routers.bot, amount);
  return { to: chain.usdc, data, value: '0x0', chainId: chain.facts.chainId };
}

const ofSolana = ({ recipients, ...terms }: CampaignTerms) => ({ ...terms, recipients: recipients ?? PLACES.usual });

async function toSign(
  chain: SolanaChain,
  signer: string,
  payer: string | null,
  call: SolanaCall,
): Promise<TransactionToSign> {
  if (payer === null) throw new Error('a transaction on Solana names who pays for it');
  const paid = await buildPaidMessage(chain, payer, call);
  return { signed_by: signer, solana_transaction: unsignedTransaction(paid) };
}

/**
 * The opening in a transaction that the sponsor has signed.
 * @param text in base64
 * @returns null for any other transaction than {@link prepareOpening} gives, but for the amount that it approves, and for another signature
 * @throws AppError `provider_unavailable`
 */
export async function readOpening(chain: Chain, terms: CampaignTerms, text: string): Promise<SignedCall | null> {
  if (chain.family === 'evm') return null;
  return readSigned(chain, terms.sponsor, text, (approval) => solanaOpenCampaign(chain, ofSolana(terms), approval));
}

/**
 * What takes units out of the sponsor's allowance again; null where nothing is left to take.
 * @throws AppError `provider_unavailable`
 */
export async function prepareTakeBack(
  chain: Chain,
  { sponsor, rest, allowance }: { sponsor: string; rest: bigint; allowance: bigint },
  payer: string | null,
): Promise<WalletCall | TransactionToSign | null> {
  if (allowance === 0n || rest === 0n) return null;
  if (chain.family === 'evm')
    return allowance >= UNLIMITED ? null : allowanceCall(chain, allowance > rest ? allowance - rest : 0n);
  const approval = await approvalChangedBy(chain, sponsor, -rest);
  if (approval.amount === null || approval.opensAccount) return null;
  return toSign(chain, sponsor, payer, solanaApproveCall(chain, sponsor, approval));
}

/** The same in a transaction that the sponsor has signed; null for any other. @throws AppError `provider_unavailable` */
export async function readTakeBack(chain: Chain, sponsor: string, text: string): Promise<SignedCall | null> {
  if (chain.family === 'evm') return null;
  return readSigned(chain, sponsor, text, (approval) => solanaApproveCall(chain, sponsor, approval));
}

async function readSigned(
  chain: SolanaChain,
  sponsor: string,
  text: string,
  build: (approval: Approval) => SolanaCall,
): Promise<SignedCall | null> {
  const approval = approvalIn(text);
  const signed = await readSignedCall(chain, text, sponsor, () => build(approval));
  return signed && signedCallOf(chain, signed);
}

/** The call with which an executor closes a campaign. The same each time. */
export function closeCampaignCall(chain: Chain, key: string): ChainCall {
  if (chain.family === 'evm') return { to: chain.routers.bot, data: encodeCloseCampaign(key as Hex), gas: CLOSE_GAS };
  return stored(chain, solanaCloseCampaign(chain, key as Hex));
}

function stored(chain: SolanaChain, { units, instructions }: SolanaCall): ChainCall {
  return { to: chain.program.id, data: encodeInstructions(instructions), gas: BigInt(units) };
}

/** One payment: `opensAccount` where the recipient has no account of the token yet, which we pay for. */
export type GrantToPay = { number: number; recipient: string; units: bigint; opensAccount: boolean };

export type GrantTerms = {
  /** One grant of a batch that fails undoes them all. */
  isAtomic: boolean;
  /** What goes into one transaction each, in their order. */
  pack<Grant extends GrantToPay>(grants: readonly Grant[]): Grant[][];
  call(grants: readonly GrantToPay[]): ChainCall;
};

/**
 * How grants of a campaign are paid.
 * @param sizeOf how many payments one transaction has, by the gas of a block
 * @throws AppError `provider_unavailable`
 */
export async function grantTerms(
  chain: Chain,
  { key, sponsor, expiry }: { key: string; sponsor: string; expiry: bigint },
  sizeOf: (blockGas: bigint, gasFor: (count: number) => bigint) => number,
): Promise<GrantTerms> {
  if (chain.family === 'solana') {
    const payer = { key: key as Hex, sponsor, validUntil: expiry, treasury: await treasuryOf(chain) };
    return {
      isAtomic: true,
      pack: (grants) => packSolanaGrants(chain, payer, grants),
      call: (grants) => stored(chain, solanaGrantsCall(chain, payer, grants)),
    };
  }
  const most = sizeOf(await blockGas(chain), gasForGrants);
  return {
    isAtomic: false,
    pack(grants) {
      const packs = [];
      for (let at = 0; at < grants.length; at += most) packs.push(grants.slice(at, at + most));
      return packs;
    },
    call(grants) {
      const paid = grants.map(({ number, recipient, units: amount }) => {
        return { recipientKey: BigInt(number), recipient: recipient as Address, amount, fee: 0n, validUntil: expiry };
      });
      return { to: chain.routers.bot, data: encodeGrants(key as Hex, paid), gas: gasForGrants(grants.length) };
    },
  };
}

/** Of campaigns that are over: the accounts whose rent can go back to their sponsors. @throws AppError `provider_unavailable` */
export async function campaignRent(chain: Chain, keys: readonly string[]): Promise<RentReturn[]> {
  if (chain.family === 'evm') return [];
  const found = await deletableCampaigns(chain, keys as Hex[]);
  return found.map(({ address, call }) => ({ address, call: stored(chain, call) }));
}
