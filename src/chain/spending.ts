// What a wallet lets Ampersat spend on a chain of any family: preparing a change, reading a signed one, playing it, and pausing.
import { AppError } from '../domain/errors.ts';
import type { SpendingChange } from '../domain/spendingChange.ts';
import type { TypedData } from '../domain/typedData.ts';
import type { ChainCall } from './calls.ts';
import type { Chain } from './chain.ts';
import { encodePauseSender } from './routers/bot.ts';
import type { Address, EvmChain } from './rpc/client.ts';
import { UNLIMITED } from './signing/permits.ts';
import { buildChange, CHANGE_GAS, nextNonce, signChange } from './signing/spendingChanges.ts';
import type { SolanaChain } from './solana/client.ts';
import { encodeSignedMessage } from './solana/payload.ts';
import { hasLimits, MOST_APPROVED, readChange, solanaPauseCall, unsignedChange } from './solana/spending.ts';
import { nameOfCall, payerOf } from './solana/walletCalls.ts';

/** What a signature uses up, and until when it counts, in Unix seconds. A transaction of Solana has all but that in itself. */
export type ChangeUse = { deadline: number; nonce?: string | undefined };
/** Typed data (EIP-712), or an unsigned transaction in base64. */
export type ChangeToSign = { typed_data: TypedData } | { solana_transaction: string };
/** A signature over the typed data, or the transaction with the wallet's signature, in base64. */
export type ChangeProof = { signature?: string | undefined; solana_transaction?: string | undefined };

/**
 * What the wallet is to sign for a change.
 * @param feePayer finds the key of ours that pays, where that is part of what is signed
 * @throws AppError `parameter_invalid`, `state_conflict` where the token takes no permit, `provider_unavailable`
 */
export async function prepareChange(
  chain: Chain,
  wallet: string,
  change: SpendingChange,
  deadline: number,
  feePayer: () => Promise<string | null>,
): Promise<{ toSign: ChangeToSign; use: ChangeUse }> {
  if (chain.family === 'solana') {
    const payer = await feePayer();
    if (payer === null) throw new Error('a change on Solana names who pays for it');
    const solana_transaction = await unsignedChange(chain, wallet, change, deadline, payer);
    return { toSign: { solana_transaction }, use: { deadline } };
  }
  const use = { deadline, nonce: String(await nextNonce(chain, wallet as Address, change.kind)) };
  return { toSign: { typed_data: buildChange(chain, wallet as Address, change, use).typedData }, use };
}

/** A change with its wallet's signature, proven. */
export type SignedChange = {
  call: ChainCall;
  /** What it uses up, among all changes of this kind and wallet. */
  number: string;
  /** The number names all of it: with another signature it is the same call. */
  isWhole: boolean;
  /** The key of ours that pays, where the wallet has signed which. */
  feePayer: string | null;
  /** Whether it creates a token account, whose rent will be the wallet's. */
  opensAccount: boolean;
  /** Whether its number is still to be used. @throws AppError `provider_unavailable` */
  isUnused(): Promise<boolean>;
};

/**
 * Builds a change again from its terms, and takes nothing but a signature over that.
 * @throws AppError `parameter_missing`, `parameter_invalid`, `signature_invalid`, `state_conflict`, `provider_unavailable`
 */
export function readSignedChange(
  chain: Chain,
  wallet: string,
  change: SpendingChange,
  use: ChangeUse,
  proof: ChangeProof,
): Promise<SignedChange> {
  return chain.family === 'solana'
    ? solanaChange(chain, wallet, change, use, proof)
    : evmChange(chain, wallet as Address, change, use, proof);
}

async function evmChange(
  chain: EvmChain,
  wallet: Address,
  change: SpendingChange,
  { nonce, deadline }: ChangeUse,
  { signature }: ChangeProof,
): Promise<SignedChange> {
  if (signature === undefined) throw new AppError('parameter_missing', undefined, { param: 'signature' });
  if (nonce === undefined) throw new AppError('parameter_missing', undefined, { param: 'nonce' });
  const built = buildChange(chain, wallet, change, { nonce, deadline });
  const number = BigInt(nonce);
  return {
    call: { to: built.to, data: await signChange(chain, wallet, built, signature), gas: CHANGE_GAS },
    number: String(number),
    isWhole: false,
    feePayer: null,
    opensAccount: false,
    isUnused: async () => (await nextNonce(chain, wallet, change.kind)) === number,
  };
}

/** The executor's signature comes last, when it is sent. */
const NO_GAS = 0n;

async function solanaChange(
  chain: SolanaChain,
  wallet: string,
  change: SpendingChange,
  { deadline }: ChangeUse,
  { solana_transaction: text }: ChangeProof,
): Promise<SignedChange> {
  if (text === undefined) throw new AppError('parameter_missing', undefined, { param: 'solana_transaction' });
  const read = await readChange(chain, wallet, change, deadline, text);
  if (!read) throw new AppError('signature_invalid');
  const { signed, opensAccount } = read;
  return {
    call: { to: chain.program.id, data: encodeSignedMessage(signed), gas: NO_GAS },
    number: nameOfCall(signed),
    isWhole: true,
    feePayer: payerOf(signed),
    opensAccount,
    isUnused: async () => true,
  };
}

const PAUSE_GAS = 150_000n;

/** The call with which an executor pauses a sender. The same each time. */
export function pauseCall(chain: Chain, sender: string): ChainCall {
  return chain.family === 'solana'
    ? solanaPauseCall(chain, sender)
    : { to: chain.routers.bot, data: encodePauseSender(sender as Address), gas: PAUSE_GAS };
}

/** Whether a sender can be paused on the chain; else there is nothing that could be spent. @throws AppError `provider_unavailable` */
export async function canBePaused(chain: Chain, sender: string): Promise<boolean> {
  return chain.family === 'evm' || hasLimits(chain, sender);
}

/** What `max` means: more than any balance. */
export function mostAllowance(chain: Chain): bigint {
  return chain.family === 'solana' ? MOST_APPROVED : UNLIMITED;
}

/** No supply of a token comes near: who allows this much allows everything. */
export function isUnlimited(chain: Chain, allowance: bigint): boolean {
  return allowance > (chain.family === 'solana' ? MOST_APPROVED / 2n : 2n ** 128n);
}

/** Whether wallets can send a change by themselves, at their own cost, from our pages. */
export function walletsSend(chain: Chain): boolean {
  return chain.family === 'evm';
}

export type SpendingFacts = {
  /** Of EIP-155; null for other chains. */
  chain_id: number | null;
  /** The contract or program that is allowed to spend. */
  router: string;
  confirmations: number;
  /** Whether USDC takes the allowance as a signature here. */
  permit: boolean;
  /** Whether one signature gives the allowance and the limits. */
  one_signature: boolean;
};

export function spendingFacts(chain: Chain): SpendingFacts {
  const { chainId, usdcDomain, permits, confirmations } = chain.facts;
  if (chain.family === 'solana')
    return { chain_id: null, router: chain.program.id, confirmations, permit: true, one_signature: true };
  return {
    chain_id: chainId,
    router: chain.routers.bot,
    confirmations: chain.confirmations,
    permit: usdcDomain !== null && permits.includes('eip2612'),
    one_signature: false,
  };
}
