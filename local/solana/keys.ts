// Ed25519 keys of the local Solana chain. Those derived from a name are the same in every checkout, so they must never hold anything of worth.
import { type KeyObject, sign, verify } from 'node:crypto';
import { base58 } from '@scure/base';
import { localSolanaSeed } from '../../src/chain/signing/developmentKeys.ts';
import { ed25519PrivateKey, ed25519PublicBytes, ed25519PublicKey } from '../../src/chain/signing/ed25519.ts';

export type Keypair = {
  /** The public key in base58. */
  address: string;
  /** The 32 bytes of the seed, then those of the public key: what wallets import, in base58. */
  secret: string;
  /** The same 64 bytes. */
  secretBytes: Uint8Array;
  key: KeyObject;
};

export function localSolanaKey(name: string): Keypair {
  return keypairOf(localSolanaSeed(name));
}

/** @param seed 32 bytes */
export function keypairOf(seed: Uint8Array): Keypair {
  const key = ed25519PrivateKey(seed);
  const publicKey = ed25519PublicBytes(key);
  const secretBytes = new Uint8Array(Buffer.concat([seed, publicKey]));
  return { address: base58.encode(publicKey), secret: base58.encode(secretBytes), secretBytes, key };
}

export function signBytes({ key }: Keypair, bytes: Uint8Array): Uint8Array {
  return sign(null, bytes, key);
}

export function isSignedBy(address: string, bytes: Uint8Array, signature: Uint8Array): boolean {
  return verify(null, bytes, ed25519PublicKey(base58.decode(address)), signature);
}
