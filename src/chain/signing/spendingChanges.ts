// Changes of what an EVM wallet lets the bot router spend: typed data that the wallet signs, and the call that anyone may send with it.

import { AppError } from '../../domain/errors.ts';
import type { SpendingChange } from '../../domain/spendingChange.ts';
import { permitData, setLimitsData, type TypedData, unpauseData } from '../../domain/typedData.ts';
import type { Address, EvmChain, Hex } from '../rpc/client.ts';
import {
  encodePermit,
  encodeSetLimits,
  encodeUnpause,
  normalSignature,
  permitDomain,
  permitNonce,
  routerNonce,
} from './permits.ts';
import { proveSignature, typedDataHash } from './signatures.ts';

/** What one call may use: several times what a key's signature needs, and room for a contract wallet that checks its own. */
export const CHANGE_GAS = 400_000n;

type Use = { nonce: string; deadline: number };
type Built = { typedData: TypedData; to: Address; encode(signature: Hex): Hex };

/** The number that a change uses up. @throws AppError `state_conflict` where the token takes no permit, `provider_unavailable` */
export async function nextNonce(chain: EvmChain, wallet: Address, kind: SpendingChange['kind']): Promise<bigint> {
  if (kind !== 'permit') return routerNonce(chain, wallet);
  if (!(await permitDomain(chain))) throw noPermit(chain);
  return permitNonce(chain, wallet);
}

/** @throws AppError `parameter_invalid`, `state_conflict` where the token takes no permit */
export function buildChange(chain: EvmChain, wallet: Address, change: SpendingChange, given: Use): Built {
  const use = { chainId: chain.facts.chainId, nonce: BigInt(given.nonce), deadline: given.deadline };
  const router = chain.routers.bot;
  switch (change.kind) {
    case 'permit': {
      const tokenDomain = chain.facts.usdcDomain;
      if (!tokenDomain) throw noPermit(chain);
      const terms = { ...use, token: chain.usdc, tokenDomain, owner: wallet, spender: router, value: change.allowance };
      return { typedData: permitData(terms), to: chain.usdc, encode: (signature) => encodePermit(terms, signature) };
    }
    case 'limits': {
      const terms = { ...use, router, sender: wallet, token: chain.usdc, ...change.limits };
      return { typedData: setLimitsData(terms), to: router, encode: (signature) => encodeSetLimits(terms, signature) };
    }
    case 'resume': {
      const terms = { ...use, router, sender: wallet };
      return { typedData: unpauseData(terms), to: router, encode: (signature) => encodeUnpause(terms, signature) };
    }
    case 'allow': {
      const words = `On ${chain.facts.label}, sign the allowance and the limits one after the other.`;
      throw new AppError('parameter_invalid', words, { param: 'kind' });
    }
  }
}

/** @throws AppError `signature_invalid`, `provider_unavailable` */
export async function signChange(
  chain: EvmChain,
  wallet: Address,
  { typedData, encode }: Built,
  given: string,
): Promise<Hex> {
  if (!isHex(given)) throw new AppError('signature_invalid');
  const signature = normalSignature(given);
  if (!(await proveSignature(chain, { address: wallet, hash: typedDataHash(typedData), signature })))
    throw new AppError('signature_invalid');
  return encode(signature);
}

export function isHex(text: string): text is Hex {
  return text.startsWith('0x');
}

function noPermit(chain: EvmChain): AppError {
  const words = `USDC on ${chain.facts.label} doesn’t support signed approvals. Approve it from your wallet instead.`;
  return new AppError('state_conflict', words);
}
