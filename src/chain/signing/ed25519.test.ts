// Signatures of Solana accounts: a vector of RFC 8032, one of an independent client, and what the curve would let through.
import { createPrivateKey, sign } from 'node:crypto';
import { base58, hex } from '@scure/base';
import { createKeyPairFromBytes, signBytes } from '@solana/kit';
import { describe, expect, test } from 'vitest';
import { localSolanaKey } from '../../../local/solana/keys.ts';
import { isSolanaSignature } from './ed25519.ts';

const in58 = (digits: string) => base58.encode(hex.decode(digits));
/** RFC 8032, 7.1, test 2: one byte, which is the text “r”. */
const RFC = {
  address: in58('3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c'),
  text: 'r',
  signature: in58(
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  ),
};
const ORDER = (1n << 252n) + 27742317777372353535851937790883648493n;

const alice = localSolanaKey('alice');
const signedBy = (text: string) => base58.encode(new Uint8Array(sign(null, Buffer.from(text), alice.key)));

describe('a signature over a text', () => {
  test('of RFC 8032 is valid', () => {
    expect(isSolanaSignature(RFC)).toBe(true);
  });

  test('by an independent client is valid, over every byte of UTF-8', async () => {
    const text = 'Zahle @ålice 5 € 🎁\nNonce: 1';
    const keys = await createKeyPairFromBytes(alice.secretBytes);
    const signature = await signBytes(keys.privateKey, new TextEncoder().encode(text));
    const signed = { address: alice.address, text, signature: base58.encode(new Uint8Array(signature)) };
    expect(isSolanaSignature(signed)).toBe(true);
    for (const other of [`${text} `, text.replace('5', '6'), text.normalize('NFD'), ''])
      expect(isSolanaSignature({ ...signed, text: other })).toBe(false);
  });

  test.each([
    ['another account', { address: localSolanaKey('bob').address }],
    ['an EVM address', { address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }],
    ['an address in another case', { address: alice.address.toLowerCase() }],
    ['no address', { address: '' }],
    ['another text', { text: 'hello ' }],
    ['another signature', { signature: signedBy('hello!') }],
    ['a signature of 63 bytes', { signature: base58.encode(base58.decode(signedBy('hello')).subarray(1)) }],
    ['a signature in hex', { signature: hex.encode(base58.decode(signedBy('hello'))) }],
    ['no signature', { signature: '' }],
  ])('is not valid for %s', (_what, changed) => {
    const signed = { address: alice.address, text: 'hello', signature: signedBy('hello') };
    expect(isSolanaSignature(signed)).toBe(true);
    expect(isSolanaSignature({ ...signed, ...changed })).toBe(false);
  });

  test('has one form: an s that is not reduced is refused', () => {
    const bytes = base58.decode(RFC.signature);
    const s = BigInt(`0x${hex.encode(bytes.slice(32).reverse())}`) + ORDER;
    const more = Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse();
    const signature = base58.encode(new Uint8Array([...bytes.slice(0, 32), ...more]));
    expect(isSolanaSignature({ ...RFC, signature })).toBe(false);
  });

  // y of the points whose order divides eight, little-endian; with the sign bit there are eight of them, and more in encodings that are not canonical.
  const SMALL = [
    '0000000000000000000000000000000000000000000000000000000000000000',
    '0100000000000000000000000000000000000000000000000000000000000000',
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
    'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  ];
  const withSign = (point: string) =>
    `${point.slice(0, -2)}${(Number.parseInt(point.slice(-2), 16) | 0x80).toString(16)}`;

  test.each(SMALL.flatMap((point) => [point, withSign(point)]))('proves nothing for the point %s', (point) => {
    // With the neutral element as key and commitment and s = 0, the equation holds for every text.
    for (const commitment of [...SMALL, ...SMALL.map(withSign)]) {
      const signature = in58(commitment + '00'.repeat(32));
      for (const text of ['a', 'b', 'c', 'd'])
        expect(isSolanaSignature({ address: in58(point), text, signature })).toBe(false);
    }
  });

  test('with a commitment of small order is refused also for a usual key', () => {
    const seed = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, 7)]);
    const key = createPrivateKey({ key: seed, format: 'der', type: 'pkcs8' });
    const signature = base58.encode(new Uint8Array(sign(null, Buffer.from('x'), key)));
    const bytes = base58.decode(signature);
    bytes.set(hex.decode(SMALL[1] ?? ''), 0);
    expect(isSolanaSignature({ address: alice.address, text: 'x', signature: base58.encode(bytes) })).toBe(false);
  });
});
