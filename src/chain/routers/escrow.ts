// The escrow router in TypeScript (IEscrowRouter): an escrow's ids, the calls that open, claim and refund it, its outcome.
import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  keccak256,
  type Log,
  parseAbiParameters,
  toHex,
} from 'viem';
import { type ClaimTerms, type EscrowTerms, escrowStruct } from '../../domain/typedData/escrow.ts';
import { ownEvents } from '../logs/routerEvents.ts';
import { type EvmChain, reading } from '../rpc/client.ts';
import type { Authorization, Permit, Permit2 } from '../signing/authorizations.ts';
import { structHash } from '../signing/signatures.ts';
import { escrowRouterAbi as abi } from './abis/EscrowRouter.ts';

/** How the sender pays for its escrow. The first two are calls of the sender itself; the other two may be submitted by anyone. */
export type EscrowPaymentMethod =
  | { way: 'direct' }
  | { way: 'eip2612'; permit: Permit }
  | { way: 'eip3009'; authorization: Authorization }
  | { way: 'permit2'; permit: Permit2 };

/** In the order of IEscrowRouter.Status. */
export const ESCROW_CHAIN_STATUSES = ['unknown', 'open', 'claimed', 'refunded'] as const;
export type EscrowChainStatus = (typeof ESCROW_CHAIN_STATUSES)[number];

/** The on-chain name of a handle. @param slug `alice`, `x:name` or `telegram:id:123` */
export function handleKey(slug: string): Hex {
  return keccak256(toHex(slug));
}

const ID = parseAbiParameters('uint256, address, address, uint256');

/** An escrow's id. An escrow that a tip opened has the message key as its sender's nonce. */
export function escrowOnChainId(chain: EvmChain, sender: Address, senderNonce: bigint): Hex {
  return keccak256(encodeAbiParameters(ID, [BigInt(chain.facts.chainId), chain.routers.escrow, sender, senderNonce]));
}

/** The nonce of an EIP-3009 authorization, and the Permit2 witness, with which an escrow is opened. */
export function escrowHash(escrow: EscrowTerms): Hex {
  return structHash(escrowStruct(escrow));
}

export function encodeOpen(escrow: EscrowTerms, means: EscrowPaymentMethod): Hex {
  const { token, handleKey: key, amount, deadline, senderNonce, revocable } = escrow;
  const terms = [token, key, amount, deadline, senderNonce, revocable] as const;
  switch (means.way) {
    case 'direct':
      return encodeFunctionData({ abi, functionName: 'open', args: terms });
    case 'eip2612':
      return encodeFunctionData({ abi, functionName: 'openWithPermit', args: [...terms, means.permit] });
    case 'eip3009':
      return encodeFunctionData({ abi, functionName: 'openWithAuthorization', args: [escrow, means.authorization] });
    case 'permit2':
      return encodeFunctionData({ abi, functionName: 'openWithPermit2', args: [escrow, means.permit] });
  }
}

/** Pays an escrow to its claimant. An executor, with the handle authority's signature `Claim`. */
export function encodeClaim(
  escrow: EscrowTerms,
  { recipient, notAfter }: Pick<ClaimTerms, 'recipient' | 'notAfter'>,
  signature: Hex,
): Hex {
  return encodeFunctionData({ abi, functionName: 'claim', args: [escrow, recipient, notAfter, signature] });
}

/** Pays an escrow back: anyone from its deadline on, its sender earlier when it is revocable. */
export function encodeEscrowRefund(escrow: EscrowTerms): Hex {
  return encodeFunctionData({ abi, functionName: 'refund', args: [escrow] });
}

/** The early refund on the sender's signature `Refund`. Anyone. */
export function encodeEscrowRefundBySig(escrow: EscrowTerms, deadline: bigint, signature: Hex): Hex {
  return encodeFunctionData({ abi, functionName: 'refundBySig', args: [escrow, deadline, signature] });
}

/** @throws AppError `provider_unavailable` */
export async function readChainStatus(chain: EvmChain, tabId: Hex): Promise<EscrowChainStatus> {
  const status = await reading(chain, () =>
    chain.client.readContract({ address: chain.routers.escrow, abi, functionName: 'statusOf', args: [tabId] }),
  );
  return ESCROW_CHAIN_STATUSES[status] ?? 'unknown';
}

/** Sum of the open escrows in a token, smallest units. @throws AppError `provider_unavailable` */
export async function openTotal(chain: EvmChain, token: Address): Promise<bigint> {
  return reading(chain, () =>
    chain.client.readContract({ address: chain.routers.escrow, abi, functionName: 'openTotal', args: [token] }),
  );
}

/** The router's own events among logs: `TabOpened`, `TabClaimed`, `TabRefunded` and those of its roles. */
export function escrowEvents(chain: EvmChain, logs: readonly Log[]) {
  return ownEvents(abi, chain.routers.escrow, logs);
}
