// Campaigns on Solana: how one stands, the transactions of its sponsor, and the instructions that pay grants and give its rent back.

import { PublicKey } from '@solana/web3.js';
import type { CampaignState } from '../campaigns.ts';
import { decodeCampaign, decodeConfig, decodeLimits, isGranted } from './accounts.ts';
import { campaignIdOf, campaignOf, limitsOf, tokenAccount } from './addresses.ts';
import { APPROVAL_UNITS, type Approval, approvalInstructions } from './approvals.ts';
import { fitsTransaction, readingSolana, type SolanaCall, type SolanaChain } from './client.ts';
import { CLOCK_SYSVAR, timeOfClock } from './clock.ts';
import type { Bytes32, SolanaAddress } from './codec.ts';
import { buildInstruction } from './instructions.ts';
import { EXECUTOR } from './payload.ts';
import { createTokenAccount } from './tips.ts';
import { readTokenAccount, TOKEN_ACCOUNT_BYTES } from './tokens.ts';

const USDC_ASSET = 0;
/** Of the program's account, before its bitmap. */
const CAMPAIGN_BYTES = 216;
/** Grants that one instruction pays. */
const MOST_GRANTS = 12;
/** Measured at 8,900. */
const OPEN_UNITS = 40_000;
const CLOSE_UNITS = 20_000;
/** Measured at 7,000, and at 30,200 for five. */
const GRANT_UNITS = 12_000;
const ACCOUNT_UNITS = 30_000;

export type SolanaCampaign = {
  sponsor: SolanaAddress;
  salt: Bytes32;
  total: bigint;
  mostPerGrant: bigint;
  /** Unix seconds. */
  expiry: bigint;
  /** Places of its bitmap. */
  recipients: number;
};

export function solanaCampaignKey(
  chain: SolanaChain,
  { sponsor, salt, expiry }: Pick<SolanaCampaign, 'sponsor' | 'salt' | 'expiry'>,
): Bytes32 {
  return campaignIdOf(chain.program.id, sponsor, salt, expiry);
}

const addressOf = (chain: SolanaChain, key: Bytes32) => campaignOf(chain.program.id, key).address;

/** The sponsor's approval and its campaign in one transaction. The sponsor pays the rent of the campaign's account, which returns to it. */
export function solanaOpenCampaign(chain: SolanaChain, terms: SolanaCampaign, approval: Approval): SolanaCall {
  const { sponsor, salt, total, mostPerGrant, expiry, recipients } = terms;
  const open = buildInstruction(chain.program, 'openCampaign', {
    args: { salt, asset: USDC_ASSET, total, mostPerGrant, maxFee: 0n, expiry, recipients },
    accounts: { payer: sponsor, sponsor, campaign: addressOf(chain, solanaCampaignKey(chain, terms)) },
  });
  return {
    units: OPEN_UNITS + APPROVAL_UNITS,
    instructions: [...approvalInstructions(chain, sponsor, approval), open],
  };
}

/** The approval of a sponsor without anything else. */
export function solanaApproveCall(chain: SolanaChain, sponsor: SolanaAddress, approval: Approval): SolanaCall {
  return { units: APPROVAL_UNITS, instructions: approvalInstructions(chain, sponsor, approval) };
}

/** What the sponsor's wallet lacks in lamports for the rent of what opening creates; null where it has enough. @throws AppError `provider_unavailable` */
export async function openingShortage(
  chain: SolanaChain,
  { sponsor, recipients }: Pick<SolanaCampaign, 'sponsor' | 'recipients'>,
  { opensAccount }: Approval,
): Promise<{ needs: bigint; has: bigint } | null> {
  const rentOf = (bytes: number) => readingSolana(chain, (at) => at.getMinimumBalanceForRentExemption(bytes));
  const [campaign, account, wallet, has] = await Promise.all([
    rentOf(CAMPAIGN_BYTES + Math.ceil(recipients / 8)),
    opensAccount ? rentOf(TOKEN_ACCOUNT_BYTES) : 0,
    rentOf(0),
    readingSolana(chain, (at) => at.getBalance(new PublicKey(sponsor))),
  ]);
  // A wallet keeps at least the rent of an empty account, or nothing.
  const needs = campaign + account;
  return has === needs || has >= needs + wallet ? null : { needs: BigInt(needs + wallet), has: BigInt(has) };
}

/** Of one slot. @throws AppError `provider_unavailable` */
export async function solanaCampaignState(
  chain: SolanaChain,
  key: Bytes32,
  sponsor: SolanaAddress,
): Promise<CampaignState> {
  const { id, fixed } = chain.program;
  const addresses = [
    addressOf(chain, key),
    tokenAccount(sponsor, chain.usdc).address,
    limitsOf(id, sponsor).address,
    fixed.config,
    CLOCK_SYSVAR,
  ];
  const [account, tokens, limits, config, clock] = await readingSolana(chain, (at) =>
    at.getMultipleAccountsInfo(addresses.map((one) => new PublicKey(one))),
  );
  const campaign = account?.owner.toBase58() === id ? decodeCampaign(account.data) : null;
  const held = readTokenAccount(tokens ?? null);
  const pausedUntil = (config && decodeConfig(config.data)?.pausedUntil) ?? 0n;
  return {
    sponsor: campaign?.sponsor ?? '',
    token: campaign?.asset === USDC_ASSET ? chain.usdc : campaign ? chain.wrappedNative : '',
    total: campaign?.total ?? 0n,
    spent: campaign?.spent ?? 0n,
    mostPerGrant: campaign?.mostPerGrant ?? 0n,
    expiry: campaign?.expiry ?? 0n,
    closed: campaign?.closed ?? false,
    balance: held?.isFrozen ? 0n : (held?.amount ?? 0n),
    allowance: held?.delegate === fixed.spender ? held.delegated : 0n,
    sponsorPaused: (limits && decodeLimits(limits.data)?.paused) ?? false,
    routerPaused: pausedUntil > timeOfClock(clock),
  };
}

/** Which places of a campaign have their grant; none of one whose account is gone. @throws AppError `provider_unavailable` */
export async function solanaGranted(chain: SolanaChain, key: Bytes32, numbers: readonly number[]): Promise<boolean[]> {
  const account = await readingSolana(chain, (at) => at.getAccountInfo(new PublicKey(addressOf(chain, key))));
  const isThere = account?.owner.toBase58() === chain.program.id;
  return numbers.map((number) => isThere && isGranted(account.data, number));
}

export type SolanaGrant = {
  number: number;
  recipient: SolanaAddress;
  units: bigint;
  /** Its token account is created first, at the executor's cost. */
  opensAccount: boolean;
};
type Payer = { key: Bytes32; sponsor: SolanaAddress; validUntil: bigint; treasury: SolanaAddress };

export function solanaGrantsCall(chain: SolanaChain, payer: Payer, grants: readonly SolanaGrant[]): SolanaCall {
  const { key, sponsor, validUntil, treasury } = payer;
  const accounts = [...new Set(grants.flatMap((one) => (one.opensAccount ? [one.recipient] : [])))];
  const grant = buildInstruction(chain.program, 'grant', {
    args: { validUntil },
    accounts: {
      executor: EXECUTOR,
      campaign: addressOf(chain, key),
      limits: limitsOf(chain.program.id, sponsor).address,
      source: tokenAccount(sponsor, chain.usdc).address,
      treasury: tokenAccount(treasury, chain.usdc).address,
    },
    each: grants.map(({ number, recipient, units }) => {
      const { address, bump } = tokenAccount(recipient, chain.usdc);
      return { index: number, amount: units, fee: 0n, bump, recipient: address };
    }),
  });
  return {
    units: GRANT_UNITS * (grants.length + 1) + ACCOUNT_UNITS * accounts.length,
    instructions: [...accounts.map((owner) => createTokenAccount(EXECUTOR, owner, chain.usdc)), grant],
  };
}

/** Grants in their order, as many in one transaction as it holds. */
export function packSolanaGrants<Grant extends SolanaGrant>(
  chain: SolanaChain,
  payer: Payer,
  grants: readonly Grant[],
): Grant[][] {
  const packs: Grant[][] = [];
  for (const grant of grants) {
    const open = packs.at(-1);
    const isFull = !open || open.length >= MOST_GRANTS;
    if (!isFull && fitsTransaction(EXECUTOR, solanaGrantsCall(chain, payer, [...open, grant]))) open.push(grant);
    else packs.push([grant]);
  }
  return packs;
}

export function solanaCloseCampaign(chain: SolanaChain, key: Bytes32): SolanaCall {
  const accounts = { signer: EXECUTOR, campaign: addressOf(chain, key) };
  return {
    units: CLOSE_UNITS,
    instructions: [buildInstruction(chain.program, 'closeCampaign', { args: {}, accounts })],
  };
}

/** Accounts of one question. */
const ACCOUNTS_AT_ONCE = 100;

/** Of campaigns that are over: their accounts that are still there, with the calls that delete them. @throws AppError `provider_unavailable` */
export async function deletableCampaigns(
  chain: SolanaChain,
  keys: readonly Bytes32[],
): Promise<{ address: SolanaAddress; call: SolanaCall }[]> {
  const found: { address: SolanaAddress; call: SolanaCall }[] = [];
  for (let from = 0; from < keys.length; from += ACCOUNTS_AT_ONCE) {
    const addresses = keys.slice(from, from + ACCOUNTS_AT_ONCE).map((key) => addressOf(chain, key));
    const [clock, accounts] = await Promise.all([
      readingSolana(chain, (at) => at.getAccountInfo(new PublicKey(CLOCK_SYSVAR))),
      readingSolana(chain, (at) => at.getMultipleAccountsInfo(addresses.map((one) => new PublicKey(one)))),
    ]);
    const now = timeOfClock(clock);
    for (const [index, address] of addresses.entries()) {
      const account = accounts[index];
      const campaign = account?.owner.toBase58() === chain.program.id ? decodeCampaign(account.data) : null;
      if (!campaign || campaign.expiry >= now) continue;
      const named = { caller: EXECUTOR, campaign: address, rentTo: campaign.rentTo };
      const deletion = buildInstruction(chain.program, 'deleteCampaign', { args: {}, accounts: named });
      found.push({ address, call: { units: CLOSE_UNITS, instructions: [deletion] } });
    }
  }
  return found;
}
