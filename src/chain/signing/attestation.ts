// The handle authority's signature: whom an escrow may be paid to (EIP-712 `Claim` of the escrow router).
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { type ClaimTerms, claimData } from '../../domain/typedData/escrow.ts';
import type { EvmChain, Hex } from '../rpc/client.ts';

/** The authority's account. Deriving it takes milliseconds, so it is done once at start. */
export function authorityAccount(key: string): PrivateKeyAccount {
  return privateKeyToAccount(key as Hex);
}

/** @param terms `notAfter` in Unix seconds, at most ten minutes ahead of the chain's time */
export function claimSignature(chain: EvmChain, authority: PrivateKeyAccount, terms: ClaimTerms): Promise<Hex> {
  const data = claimData({ chainId: chain.facts.chainId, contract: chain.routers.escrow }, terms);
  return authority.signTypedData(data as unknown as Parameters<PrivateKeyAccount['signTypedData']>[0]);
}

export type { PrivateKeyAccount };
