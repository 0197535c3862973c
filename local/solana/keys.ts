// Ed25519 keys of the local Solana chain. Those derived from a name are the same in every checkout, so they must never hold anything of worth.
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { base58 } from '@scure/base';
import { localSolanaSeed } from '../../src/chain/signing/developmentKeys.ts';

export type Keypair = {
  /** The public key in base58. */
  address: string;
  /** The 32 bytes of the seed, then those of the public key: what wallets import, in base58. */
  secret: string;
  /** The same 64 bytes. */
  secretBytes: Uint8Array;
  key: KeyObject;
};

/** DER around the 32 bytes of a private and of a public key. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

export function localSolanaKey(name: string): Keypair {
  return keypairOf(localSolanaSeed(name));
}

/** @param seed 32 bytes */
export function keypairOf(seed: Uint8Array): Keypair {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(SPKI.length);
  const secretBytes = new Uint8Array(Buffer.concat([seed, publicKey]));
  return { address: base58.encode(publicKey), secret: base58.encode(secretBytes), secretBytes, key };
}

export function signBytes({ key }: Keypair, bytes: Uint8Array): Uint8Array {
  return sign(null, bytes, key);
}

export function isSignedBy(address: string, bytes: Uint8Array, signature: Uint8Array): boolean {
  const key = createPublicKey({ key: Buffer.concat([SPKI, base58.decode(address)]), format: 'der', type: 'spki' });
  return verify(null, bytes, key, signature);
}
