// Addresses as people write them, of chains of any family.
import { readSolanaAddress } from '../domain/solanaAddress.ts';
import type { WalletFamily } from '../domain/walletFamily.ts';
import { checkedAddress } from './signing/signatures.ts';

/** The address as rows hold it, or null for what is none of the family, or has a wrong checksum. */
export function canonicalAddress(family: WalletFamily, text: string): string | null {
  if (family === 'evm') return checkedAddress(text);
  return readSolanaAddress(text) && text;
}
