// The families of chains that a wallet may belong to, and how addresses of each are compared.
import type { ChainFacts } from './chains.ts';

export type WalletFamily = ChainFacts['family'];
export const WALLET_FAMILIES = ['evm', 'solana'] as const satisfies readonly WalletFamily[];
export const FAMILY_LABELS: Readonly<Record<WalletFamily, string>> = { evm: 'EVM', solana: 'Solana' };

/** Base58 has no zero, so only addresses of EVM chains begin with one. */
export function familyOf(address: string): WalletFamily {
  return address.startsWith('0x') ? 'evm' : 'solana';
}

/** An address as it is compared: letters of base58 mean different digits in each case; those of hex are the same in both. */
export function comparable(address: string): string {
  return familyOf(address) === 'evm' ? address.toLowerCase() : address;
}

export function isSameAddress(one: string, other: string): boolean {
  return one === other || comparable(one) === comparable(other);
}
