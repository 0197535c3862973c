// A transaction of Solana as bytes: signatures, then the message that was signed, which begins with the keys of its signers.
import { solanaAddressOf } from '../../../../src/domain/solanaAddress.ts';

const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;
/** Three counts and the number of keys, after a version where there is one. */
const HEAD_BYTES = 4;
const VERSIONED = 0x80;

/** Counts are one byte each below 128, and no transaction has room for more. */
export function readTransaction(bytes: Uint8Array): {
  message: Uint8Array;
  signatureOf(address: string): Uint8Array | null;
} {
  const count = bytes[0] ?? 0;
  const message = bytes.subarray(1 + count * SIGNATURE_BYTES);
  const keys = message.subarray(HEAD_BYTES + ((message[0] ?? 0) >= VERSIONED ? 1 : 0));
  return {
    message,
    signatureOf(address) {
      for (let place = 0; place < count; place++) {
        const key = keys.subarray(place * KEY_BYTES, (place + 1) * KEY_BYTES);
        if (key.length === KEY_BYTES && solanaAddressOf(key) === address)
          return bytes.slice(1 + place * SIGNATURE_BYTES, 1 + (place + 1) * SIGNATURE_BYTES);
      }
      return null;
    },
  };
}

export function isSameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}

export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}
