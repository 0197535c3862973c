// From what a leg's calls and proofs are built, as its row keeps it: numbers as decimal strings.
import { z } from 'zod';
import {
  type AcrossDeposit,
  type AuthorizedDeposit,
  acrossOf,
  authorizedDepositId,
  depositWitness,
  encodeAuthorizedDeposit,
  encodeOwnDeposit,
  relayHash,
  unsafeDepositId,
} from '../../chain/bridge/across.ts';
import { encodeTransfer, encodeTransferBySignature } from '../../chain/bridge/direct.ts';
import type { WholeLeg } from '../../chain/bridge/legs.ts';
import type { OrderAt } from '../../chain/orders.ts';
import type { Address, EvmChain, Hash, Hex } from '../../chain/rpc/client.ts';
import { encodeApprove, tokenDomain } from '../../chain/signing/permits.ts';
import { AppError } from '../../domain/errors.ts';
import { authorizationData, transferData } from '../../domain/typedData/tokens.ts';
import type { TypedData } from '../../domain/typedData.ts';

const units = z.string().regex(/^\d{1,78}$/);
const hex = z.custom<Hex>((value) => typeof value === 'string' && /^0x[0-9a-fA-F]*$/.test(value));
const signedUntil = z.number().int();

const acrossTerms = z.strictObject({
  via: z.literal('across'),
  by: z.enum(['signature', 'wallet', 'router']),
  originChainId: z.number(),
  destinationChainId: z.number(),
  depositor: hex,
  recipient: hex,
  inputToken: hex,
  outputToken: hex,
  input: units,
  output: units,
  fillDeadline: z.number(),
  nonce: units,
  /** By signature: what our executor is paid, and until when it may send. */
  fee: units,
  feeTo: hex,
  signedUntil,
  /** By the wallet: the origin's time. */
  quotedAt: z.number(),
  /** By the bot router: the adapter that deposits for the sender. */
  adapter: hex.optional(),
});
const directTerms = z.strictObject({
  via: z.literal('direct'),
  by: z.enum(['signature', 'wallet']),
  from: hex,
  to: hex,
  /** Null for the native asset. */
  token: hex.nullable(),
  amount: units,
  nonce: hex,
  signedUntil,
});
/** Both families: each address is one of its own chain. */
const relayPlaces = {
  via: z.literal('relay'),
  from: z.string(),
  to: z.string(),
  inputToken: z.string().nullable(),
  outputToken: z.string().nullable(),
  input: units,
  output: units,
  requestId: hex,
  signedUntil,
};
const relayTerms = z.strictObject({
  ...relayPlaces,
  by: z.literal('wallet'),
  calls: z.array(z.strictObject({ purpose: z.enum(['approve', 'pay']), to: hex, data: hex, value: units })).min(1),
});
/** By a whole transaction that its payer signs: `gas` is what it gives the executor for the network, in native units. */
const wholeRelayTerms = z.strictObject({
  ...relayPlaces,
  by: z.literal('transaction'),
  program: z.string(),
  depositId: hex,
  gas: units,
});
const wholeDirectTerms = z.strictObject({
  via: z.literal('direct'),
  by: z.literal('transaction'),
  from: z.string(),
  to: z.string(),
  token: z.string().nullable(),
  amount: units,
  nonce: hex,
  gas: units,
  /** The payer opens the recipient's account of the token. */
  opens: z.boolean(),
  signedUntil,
});
export const legTerms = z.union([acrossTerms, directTerms, relayTerms, wholeRelayTerms, wholeDirectTerms]);
export type LegTerms = z.infer<typeof legTerms>;
export type AcrossTerms = z.infer<typeof acrossTerms>;
export type DirectTerms = z.infer<typeof directTerms>;
type WholeRelayTerms = z.infer<typeof wholeRelayTerms>;
export type RelayTerms = z.infer<typeof relayTerms> | WholeRelayTerms;
export type WholeTerms = WholeRelayTerms | z.infer<typeof wholeDirectTerms>;
export type SignedTerms = AcrossTerms | DirectTerms;
/** Of a leg that is given by a signature over a text, or by calls of the payer's wallet. */
export type EvmTerms = Exclude<LegTerms, WholeTerms>;

/** What the payer does for a leg: signs for the executor, or sends by itself, one call after the other. */
export type LegStep =
  | { kind: 'signature'; typed_data: TypedData; until: string }
  | { kind: 'transaction'; purpose: 'approve' | 'pay'; chain_id: number; to: Address; data: Hex; value: Hex }
  /** The whole transaction, in base64. */
  | { kind: 'solana_transaction'; signed_by: string; solana_transaction: string; until: string };

export type LegCall = { to: Address; data: Hex; value: bigint };

export function depositOf(terms: AcrossTerms): AcrossDeposit {
  const { originChainId, destinationChainId, depositor, recipient, inputToken, outputToken, fillDeadline } = terms;
  const places = { originChainId, destinationChainId, depositor, recipient, inputToken, outputToken, fillDeadline };
  return { ...places, input: BigInt(terms.input), output: BigInt(terms.output) };
}

function authorizedOf(terms: AcrossTerms): AuthorizedDeposit {
  return { deposit: depositOf(terms), fee: BigInt(terms.fee), feeTo: terms.feeTo, nonce: BigInt(terms.nonce) };
}

/** The deposit's id, and by what the destination knows it. */
export function acrossIds(origin: EvmChain, terms: AcrossTerms): { depositId: bigint; hash: Hash } {
  const depositId =
    terms.by === 'signature'
      ? authorizedDepositId(acrossOf(origin), authorizedOf(terms))
      : unsafeDepositId(terms.adapter ?? terms.depositor, terms.depositor, BigInt(terms.nonce));
  return { depositId, hash: relayHash(depositOf(terms), depositId) };
}

/** By what a bridge, or the token, knows a leg; of Across its deposit's id does. */
export function requestIdOf(terms: Exclude<LegTerms, AcrossTerms>): string {
  return terms.via === 'relay' ? terms.requestId : terms.nonce;
}

export function acrossRequestId(origin: EvmChain, terms: AcrossTerms): string {
  return `0x${acrossIds(origin, terms).depositId.toString(16).padStart(64, '0')}`;
}

/** A leg whose payer signs the whole transaction. @param order that it pays directly */
export function wholeLegOf(terms: WholeTerms, order: OrderAt | null): WholeLeg {
  const { from, gas } = terms;
  if (terms.via === 'relay') {
    const { inputToken: token, input, program, depositId: id } = terms;
    return { into: 'relay', from, token, amount: BigInt(input), gas: BigInt(gas), program, id };
  }
  const { to, token, amount, nonce, opens } = terms;
  const money = { from, token, amount: BigInt(amount), gas: BigInt(gas), to, nonce };
  return order ? { ...money, into: 'order', order } : { ...money, into: 'wallet', opens };
}

/** What is signed for a leg; null where the token takes no signatures. @throws AppError `provider_unavailable` */
export async function signedOf(origin: EvmChain, terms: EvmTerms): Promise<TypedData | null> {
  const domain = await tokenDomain(origin);
  if (!domain || terms.via === 'relay' || terms.by !== 'signature') return null;
  const at = { chainId: origin.facts.chainId, contract: origin.usdc };
  const window = { validAfter: 0n, validBefore: BigInt(terms.signedUntil) };
  if (terms.via === 'direct') {
    const { from, to, amount, nonce } = terms;
    return transferData(at, domain, { from, to, value: BigInt(amount), nonce, ...window });
  }
  const contracts = acrossOf(origin);
  const value = BigInt(terms.input) + BigInt(terms.fee);
  const nonce = depositWitness(contracts, authorizedOf(terms));
  return authorizationData(at, domain, { from: terms.depositor, to: contracts.periphery, value, nonce, ...window });
}

/** By what the token knows the payer's authorization. */
export function authorizationOf(origin: EvmChain, terms: SignedTerms): { authorizer: Address; nonce: Hash } {
  if (terms.via === 'direct') return { authorizer: terms.from, nonce: terms.nonce };
  return { authorizer: terms.depositor, nonce: depositWitness(acrossOf(origin), authorizedOf(terms)) };
}

/** The call that our executor sends with the payer's signature. */
export function signedCall(origin: EvmChain, terms: SignedTerms, signature: Hex): { to: Address; data: Hex } {
  const validBefore = BigInt(terms.signedUntil);
  if (terms.via === 'direct') return encodeTransferBySignature(origin, terms, { validBefore, signature });
  const contracts = acrossOf(origin);
  return {
    to: contracts.periphery,
    data: encodeAuthorizedDeposit(contracts, authorizedOf(terms), { validBefore, signature }),
  };
}

/** The call that the payer's wallet sends by itself: what a reported transaction is compared with. */
export function ownCall(origin: EvmChain, terms: EvmTerms): LegCall {
  if (terms.via === 'direct') return encodeTransfer(terms);
  if (terms.via === 'relay') {
    const last = terms.calls.at(-1);
    if (!last) throw new Error('a leg over Relay has a call');
    return { to: last.to, data: last.data, value: BigInt(last.value) };
  }
  const { pool } = acrossOf(origin);
  const { nonce, quotedAt } = terms;
  return { to: pool, data: encodeOwnDeposit(depositOf(terms), { nonce: BigInt(nonce), quotedAt }), value: 0n };
}

/** @param allowance of the payer for the pool, where a wallet deposits. @throws AppError `provider_unavailable` */
export async function stepsOf(origin: EvmChain, terms: EvmTerms, allowance: bigint): Promise<LegStep[]> {
  if (terms.by === 'router') return [];
  if (terms.by === 'signature') {
    const typed = await signedOf(origin, terms);
    if (!typed) throw new AppError('provider_unavailable', `USDC on ${origin.facts.label} has another domain`);
    return [{ kind: 'signature', typed_data: typed, until: new Date(terms.signedUntil * 1_000).toISOString() }];
  }
  const step = (purpose: 'approve' | 'pay', { to, data, value }: LegCall): LegStep => ({
    kind: 'transaction',
    purpose,
    chain_id: origin.facts.chainId,
    to,
    data,
    value: `0x${value.toString(16)}`,
  });
  if (terms.via === 'relay')
    return terms.calls.map(({ purpose, to, data, value }) => step(purpose, { to, data, value: BigInt(value) }));
  const pay = step('pay', ownCall(origin, terms));
  if (terms.via === 'direct' || allowance >= BigInt(terms.input)) return [pay];
  const { pool } = acrossOf(origin);
  const data = encodeApprove(pool, BigInt(terms.input));
  return [step('approve', { to: terms.inputToken, data, value: 0n }), pay];
}
