// From the secret of a passkey (the output of its PRF extension) to the keys of ordinary accounts. The same passkey gives the same keys on every
// device and for ever, so nothing here may change: the fixed vectors of the test say what it gives.
import { secp256k1 } from '@noble/curves/secp256k1';
import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { readAddress } from '../../../../src/domain/command/addresses.ts';

/** What is evaluated by the authenticator. Another value would be another wallet. */
export const PRF_INPUT = utf8ToBytes('ampersat:wallet:v1');

/** One label a family of chains: the key of one says nothing about that of the other. */
const LABELS = { evm: 'ampersat:evm:v1', solana: 'ampersat:solana:v1' } as const;

const KEY_BYTES = 32;
const SECRET_BYTES = 32;

/** The key of secp256k1: what is no number of the curve, one in 2^128, is derived again. The caller clears it. */
export function evmKeyOf(secret: Uint8Array): Uint8Array {
  for (let attempt = 0; ; attempt += 1) {
    const key = expand(secret, LABELS.evm, attempt);
    if (secp256k1.utils.isValidPrivateKey(key)) return key;
    key.fill(0);
  }
}

/** The seed of ed25519, which takes any. The caller clears it. */
export function solanaSeedOf(secret: Uint8Array): Uint8Array {
  return expand(secret, LABELS.solana, 0);
}

function expand(secret: Uint8Array, label: string, attempt: number): Uint8Array {
  if (secret.length < SECRET_BYTES) throw new Error('The passkey gave too short a secret.');
  const info = utf8ToBytes(attempt === 0 ? label : `${label}:${attempt}`);
  return hkdf(sha256, secret, undefined, info, KEY_BYTES);
}

/** With its checksum. */
export function addressOf(key: Uint8Array): string {
  const point = secp256k1.getPublicKey(key, false);
  const address = readAddress(`0x${bytesToHex(keccak_256(point.subarray(1)).subarray(-20))}`);
  if (typeof address !== 'string') throw new Error('A key without an address.');
  return address;
}

/** As Ethereum writes a signature: r, s, and 27 or 28. */
export function signHash(key: Uint8Array, hash: Uint8Array): `0x${string}` {
  const signature = secp256k1.sign(hash, key);
  return `0x${signature.toCompactHex()}${signature.recovery === 0 ? '1b' : '1c'}`;
}
