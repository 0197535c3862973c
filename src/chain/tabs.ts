// Tabs on a chain of any family: their ids, what the chain says of them, and the calls that claim and refund them.
import { randomBytes } from 'node:crypto';
import type { Hex } from 'viem';
import { solanaSignatureOf } from '../domain/solanaAddress.ts';
import { type EscrowTerms, escrowRefundData, type TabTerms } from '../domain/typedData/escrow.ts';
import type { TypedData } from '../domain/typedData.ts';
import { type ChainCall, type SignedCall, signedCallOf, simulateQueued, type TransactionToSign } from './calls.ts';
import type { Chain } from './chain.ts';
import { type EscrowChainStatus, encodeClaim, encodeEscrowRefund, escrowOnChainId } from './routers/escrow.ts';
import { authorityOf as evmAuthorityOf, proveEscrow } from './routers/openEscrows.ts';
import type { RevertReason } from './routers/reverts.ts';
import type { Address } from './rpc/client.ts';
import { claimSignature, type PrivateKeyAccount } from './signing/attestation.ts';
import { tabIdOf } from './solana/addresses.ts';
import { type SolanaChain, type SolanaKey, signBytes } from './solana/client.ts';
import { EXECUTOR, encodeInstructions, encodeSignedMessage } from './solana/payload.ts';
import {
  hasTokenAccount,
  nextTabNonce,
  proveSolanaTab,
  solanaClaimCall,
  solanaOpenCall,
  solanaRefundCall,
} from './solana/tabs.ts';
import { readConfig } from './solana/verify.ts';
import { buildPaidMessage, readSignedCall, unsignedTransaction } from './solana/walletCalls.ts';

/** A native delivery gives the recipient 50,000 gas and needs a reserve; the rest is the claim itself. */
const CLAIM_GAS = 400_000n;
/** Measured at 45,000, more for tokens and wallets that cost more; what is not used is not paid. */
const REFUND_GAS = 300_000n;
/** An address without an owner: what may be done in its name may be done by anyone. */
const ANYONE: Address = '0x000000000000000000000000000000000000dEaD';

/** The keys of the handle authority, one a family; a chain of a family without one is left alone. */
export type TabAuthority = { evm?: PrivateKeyAccount; solana?: SolanaKey };

const evmTerms = (terms: TabTerms) => terms as EscrowTerms;

/** The id of a tab: of its sender and the sender's number for it, which is the message key where a tip opened it. */
export function tabOnChainId(chain: Chain, sender: string, senderNonce: bigint): Hex {
  return chain.family === 'solana'
    ? tabIdOf(chain.program.id, sender, senderNonce)
    : escrowOnChainId(chain, sender as Address, senderNonce);
}

/**
 * Queries every endpoint of the chain about a tab with exactly these terms, and believes them only when all agree.
 * @returns its state and the chain's time then, in Unix seconds; null when they do not agree
 * @throws AppError `provider_unavailable`
 */
export function proveTab(chain: Chain, terms: TabTerms): Promise<{ state: EscrowChainStatus; time: bigint } | null> {
  return chain.family === 'solana' ? proveSolanaTab(chain, terms) : proveEscrow(chain, evmTerms(terms));
}

/** The handle authority that the chain believes now. @throws AppError `provider_unavailable` */
export async function believedAuthority(chain: Chain): Promise<string | null> {
  return chain.family === 'solana' ? ((await readConfig(chain))?.authority ?? null) : evmAuthorityOf(chain);
}

/** Our key of the handle authority on a chain. */
export function authorityOn({ family }: Chain, keys: TabAuthority): string | null {
  return keys[family]?.address ?? null;
}

/**
 * Whether the wallet can be paid without a new account, which an executor would pay for.
 * @throws AppError `provider_unavailable`
 */
export function hasAccountFor(chain: Chain, wallet: string, token: string): Promise<boolean> {
  return chain.family === 'solana' ? hasTokenAccount(chain, wallet, token) : Promise.resolve(true);
}

export type ClaimToSign = {
  tabId: Hex;
  terms: TabTerms;
  recipient: string;
  /** Unix seconds, at most ten minutes ahead of the chain's time. */
  notAfter: bigint;
  /** Who pays for it, where what is signed names that. */
  payer: string | null;
};

/**
 * The handle authority's part of a claim: an executor that adds its own can send it.
 * @returns null where the tab is no longer open
 * @throws AppError `provider_unavailable`
 */
export async function signClaim(
  chain: Chain,
  { evm, solana }: TabAuthority,
  claim: ClaimToSign,
): Promise<{ signature: string; call: ChainCall } | null> {
  if (chain.family === 'solana') return solana ? signSolanaClaim(chain, solana, claim) : null;
  if (!evm) return null;
  const { tabId, terms, notAfter } = claim;
  const recipient = claim.recipient as Address;
  const { handleKey } = terms;
  const signature = await claimSignature(chain, evm, { tabId, handleKey, recipient, notAfter });
  const data = encodeClaim(evmTerms(terms), { recipient, notAfter }, signature);
  return { signature, call: { to: chain.routers.escrow, data, gas: CLAIM_GAS } };
}

async function signSolanaClaim(
  chain: SolanaChain,
  authority: SolanaKey,
  { payer, ...claim }: ClaimToSign,
): Promise<{ signature: string; call: ChainCall } | null> {
  if (payer === null) throw new Error('a claim on Solana names who pays for it');
  const { address } = authority;
  const call = await solanaClaimCall(chain, claim, { executor: payer, authority: address });
  if (!call) return null;
  const paid = await buildPaidMessage(chain, payer, call);
  const bytes = signBytes(authority, paid.message.serialize());
  const data = encodeSignedMessage({ ...paid, signatures: new Map([[address, bytes]]) });
  return {
    signature: solanaSignatureOf(bytes),
    call: { to: chain.program.id, data, gas: BigInt(call.units) },
  };
}

/** A number for a tab that a wallet opens itself. @param now Unix milliseconds. @throws AppError `provider_unavailable` */
export async function newTabNonce(chain: Chain, sender: string, now: number): Promise<bigint> {
  if (chain.family === 'solana') return nextTabNonce(chain, sender, now);
  return BigInt(`0x${randomBytes(32).toString('hex')}`);
}

/** Where tabs are opened: a router, or the program. */
export function tabContract(chain: Chain): string {
  return chain.family === 'solana' ? chain.program.id : chain.routers.escrow;
}

/**
 * The opening of a tab, for its sender to sign.
 * @param payer the key of ours that pays for it
 * @returns null where the wallet sends it by itself
 * @throws AppError `provider_unavailable`
 */
export async function prepareOpening(
  chain: Chain,
  terms: TabTerms,
  payer: string | null,
): Promise<TransactionToSign | null> {
  if (chain.family === 'evm') return null;
  if (payer === null) throw new Error('an opening on Solana names who pays for it');
  const paid = await buildPaidMessage(chain, payer, solanaOpenCall(chain, terms, payer));
  return { signed_by: terms.sender, solana_transaction: unsignedTransaction(paid) };
}

/**
 * The opening in a transaction that its sender has signed.
 * @param text in base64
 * @returns null for any other transaction than `prepareOpening` gives, and for another signature
 * @throws AppError `provider_unavailable`
 */
export async function readOpening(chain: Chain, terms: TabTerms, text: string): Promise<SignedCall | null> {
  if (chain.family === 'evm') return null;
  const signed = await readSignedCall(chain, text, terms.sender, (payer) => solanaOpenCall(chain, terms, payer));
  return signed && signedCallOf(chain, signed);
}

/** What a sender signs to take a tab back before its deadline: a text and a call of its wallet, or the whole transaction in base64. */
export type EarlyRefund =
  | {
      typed_data: TypedData;
      deadline: number;
      transaction: { to: string; data: string; value: '0x0'; chainId: number };
    }
  | TransactionToSign;

/**
 * @param deadline of a signature over a text, in Unix seconds
 * @param payer who pays for it, where what is signed names that
 * @returns null where no tab is open
 * @throws AppError `provider_unavailable`
 */
export async function prepareEarlyRefund(
  chain: Chain,
  terms: TabTerms,
  { deadline, payer }: { deadline: number; payer: string | null },
): Promise<EarlyRefund | null> {
  const { sender, senderNonce } = terms;
  if (chain.family === 'evm') {
    const to = chain.routers.escrow;
    const { chainId } = chain.facts;
    const signed = { tabId: tabOnChainId(chain, sender, senderNonce), deadline: BigInt(deadline) };
    const typed_data = escrowRefundData({ chainId, contract: to }, signed);
    const data = encodeEscrowRefund(evmTerms(terms));
    return { typed_data, deadline, transaction: { to, data, value: '0x0', chainId } };
  }
  if (payer === null) throw new Error('a refund on Solana names who pays for it');
  const call = await solanaRefundCall(chain, terms, sender);
  if (!call) return null;
  return { signed_by: sender, solana_transaction: unsignedTransaction(await buildPaidMessage(chain, payer, call)) };
}

/**
 * The early refund in a transaction that its sender has signed.
 * @param text in base64
 * @returns null for any other transaction than `prepareEarlyRefund` gives, and for another signature
 * @throws AppError `provider_unavailable`
 */
export async function readEarlyRefund(chain: Chain, terms: TabTerms, text: string): Promise<ChainCall | null> {
  if (chain.family === 'evm') return null;
  const call = await solanaRefundCall(chain, terms, terms.sender);
  const signed = call && (await readSignedCall(chain, text, terms.sender, () => call));
  return signed && { to: chain.program.id, data: encodeSignedMessage(signed), gas: BigInt(call.units) };
}

/** The refund that anyone may send from the deadline on; null where no tab is open. @throws AppError `provider_unavailable` */
export async function refundCall(chain: Chain, terms: TabTerms): Promise<ChainCall | null> {
  if (chain.family === 'evm')
    return { to: chain.routers.escrow, data: encodeEscrowRefund(evmTerms(terms)), gas: REFUND_GAS };
  const call = await solanaRefundCall(chain, terms, EXECUTOR);
  return call && { to: chain.program.id, data: encodeInstructions(call.instructions), gas: BigInt(call.units) };
}

/** Why a refund by anyone would be refused now, or null. @throws AppError `provider_unavailable` */
export async function refundRefusal(chain: Chain, terms: TabTerms): Promise<RevertReason | null> {
  const call = await refundCall(chain, terms);
  if (chain.family === 'evm') return call && simulateQueued(chain, call, ANYONE);
  if (!(await hasTokenAccount(chain, terms.sender, terms.token))) return NO_ACCOUNT;
  return call ? simulateQueued(chain, call, undefined) : closedReason(chain, terms);
}

const NO_ACCOUNT: RevertReason = {
  name: 'NoTokenAccount',
  text: 'The sender’s wallet has closed its token account. Once it is open again, this tab can go back to it.',
};

/** In the words and arguments of the escrow router. */
async function closedReason(chain: SolanaChain, terms: TabTerms): Promise<RevertReason> {
  const proof = await proveSolanaTab(chain, terms);
  const status = { unknown: 0, open: 1, claimed: 2, refunded: 3 }[proof?.state ?? 'unknown'];
  return { name: 'TabNotOpen', args: [tabOnChainId(chain, terms.sender, terms.senderNonce), status] };
}
