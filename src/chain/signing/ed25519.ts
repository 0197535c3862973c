// Ed25519: keys as Node has them, and signatures of Solana accounts over texts, checked as strictly as its validators check those of transactions.
import { createPrivateKey, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { readSolanaAddress, readSolanaSignature } from '../../domain/solanaAddress.ts';

/** DER around the 32 bytes of a private and of a public key. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');
/** 2²⁵⁵ − 19 */
const FIELD = (1n << 255n) - 19n;
/** y of the eight points whose order divides eight; with such a key or commitment a signature fits many texts. */
const SMALL_ORDER_Y: ReadonlySet<bigint> = new Set([
  0n,
  1n,
  FIELD - 1n,
  0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n,
  0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n,
]);

/** @param seed 32 bytes */
export function ed25519PrivateKey(seed: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
}

/** @param bytes 32; whether they are on the curve shows when a signature is checked */
export function ed25519PublicKey(bytes: Uint8Array): KeyObject {
  return createPublicKey({ key: Buffer.concat([SPKI, bytes]), format: 'der', type: 'spki' });
}

/** The 32 bytes of the public key that belongs to a private one. */
export function ed25519PublicBytes(key: KeyObject): Buffer {
  return createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(SPKI.length);
}

/** Whether the account signed exactly this text. @param signature base58 of 64 bytes; otherwise as {@link isSignedBySolana} */
export function isSolanaSignature({
  address,
  text,
  signature,
}: {
  address: string;
  text: string;
  signature: string;
}): boolean {
  const bytes = readSolanaSignature(signature);
  return bytes !== null && isSignedBySolana(address, Buffer.from(text, 'utf8'), bytes);
}

/**
 * Whether the account signed exactly these bytes. Node refuses an s that is not reduced; encodings that are not canonical and points of small order
 * are refused here, as by `verify_strict` of the validators.
 * @param address base58 of 32 bytes
 * @param signature 64 bytes
 */
export function isSignedBySolana(address: string, signed: Uint8Array, signature: Uint8Array): boolean {
  const key = readSolanaAddress(address);
  if (key === null || signature.length !== 64) return false;
  if (!isUsablePoint(key) || !isUsablePoint(signature.subarray(0, 32))) return false;
  try {
    return verify(null, signed, ed25519PublicKey(key), signature);
  } catch {
    return false;
  }
}

/** Canonical and of no small order; whether it is on the curve, Node finds out. */
function isUsablePoint(bytes: Uint8Array): boolean {
  const sign = 1n << 255n;
  const y = BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`) % sign;
  return y < FIELD && !SMALL_ORDER_Y.has(y);
}
