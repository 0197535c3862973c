// Addresses and signatures of Solana: bytes in base58.
import { base58 } from '@scure/base';

/** Base58 of 32 bytes. */
export type SolanaAddress = string;

const ADDRESS_BYTES = 32;
const SIGNATURE_BYTES = 64;

/** The bytes of an address, or null for any other text. */
export function readSolanaAddress(text: string): Uint8Array | null {
  return readBase58(text, ADDRESS_BYTES);
}

/** @throws RangeError for any other text */
export function solanaAddressBytes(address: SolanaAddress): Uint8Array {
  const bytes = readSolanaAddress(address);
  if (bytes === null) throw new RangeError('this is not an address of Solana');
  return bytes;
}

export function solanaAddressOf(bytes: Uint8Array): SolanaAddress {
  if (bytes.length !== ADDRESS_BYTES) throw new RangeError('an address of Solana has 32 bytes');
  return base58.encode(bytes);
}

/** The bytes of a signature, which names its transaction, or null for any other text. */
export function readSolanaSignature(text: string): Uint8Array | null {
  return readBase58(text, SIGNATURE_BYTES);
}

export function solanaSignatureOf(bytes: Uint8Array): string {
  return base58.encode(bytes);
}

/** The 64 bytes of a key as wallets export it, or null for any other text. */
export function readSolanaSecret(text: string): Uint8Array | null {
  return readBase58(text, SIGNATURE_BYTES);
}

/** Base58 of n bytes has at most 1.37 n digits: what is longer is not decoded, which takes quadratic time. */
function readBase58(text: string, length: number): Uint8Array | null {
  if (text.length > length * 1.4 || !/^[1-9A-HJ-NP-Za-km-z]+$/.test(text)) return null;
  const bytes = base58.decode(text);
  return bytes.length === length ? bytes : null;
}

/** @throws Error for a text that is not base58 */
export function base58Bytes(text: string): Uint8Array {
  return base58.decode(text);
}
