// The vectors are fixed for ever: other keys would be other wallets, and the money in the old ones lost. They were computed with Node's own HKDF and viem.
import { hkdfSync } from 'node:crypto';
import { hashMessage, hexToBytes, toHex, verifyMessage } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, it, vi } from 'vitest';
import { addressOf, evmKeyOf, PRF_INPUT, signHash, solanaSeedOf } from './derive.ts';

const SECRET = Uint8Array.from({ length: 32 }, (_, index) => index);

it('gives the same keys for ever', () => {
  expect(new TextDecoder().decode(PRF_INPUT)).toBe('ampersat:wallet:v1');
  expect(toHex(evmKeyOf(SECRET))).toBe('0x361593aeb5ad8c794a5b192a41214941819dcd2461a9609efc6c5972ee11272c');
  expect(addressOf(evmKeyOf(SECRET))).toBe('0xFD6f7973fDe51A82f7a664Fd6E0a255eF0f11647');
  expect(toHex(solanaSeedOf(SECRET))).toBe('0x5339f92d03336e7c12602be1cb5a1fb5866e5297b9aa305dd4b917cc8f422d4d');
});

it('is HKDF-SHA-256 with a label of its own for each family', () => {
  const expand = (label: string) => toHex(new Uint8Array(hkdfSync('sha256', SECRET, '', label, 32)));
  expect(toHex(evmKeyOf(SECRET))).toBe(expand('ampersat:evm:v1'));
  expect(toHex(solanaSeedOf(SECRET))).toBe(expand('ampersat:solana:v1'));
  expect(toHex(evmKeyOf(SECRET))).not.toBe(toHex(solanaSeedOf(SECRET)));
});

it('refuses a secret that is too short to be one', () => {
  expect(() => evmKeyOf(SECRET.subarray(1))).toThrow('too short');
});

it('derives again what is no number of the curve, and clears it', async () => {
  vi.resetModules();
  const { secp256k1 } = await import('@noble/curves/secp256k1');
  const refused: Uint8Array[] = [];
  const isValid = vi.spyOn(secp256k1.utils, 'isValidPrivateKey').mockImplementationOnce((key) => {
    refused.push(key as Uint8Array);
    return false;
  });
  const { evmKeyOf: derive } = await import('./derive.ts');
  const key = toHex(derive(SECRET));
  isValid.mockRestore();
  expect(refused[0]?.every((byte) => byte === 0)).toBe(true);
  expect(key).toBe(toHex(new Uint8Array(hkdfSync('sha256', SECRET, '', 'ampersat:evm:v1:1', 32))));
});

it('signs as any other account with the key does', async () => {
  const key = evmKeyOf(SECRET);
  const account = privateKeyToAccount(toHex(key));
  expect(addressOf(key)).toBe(account.address);
  const signature = signHash(key, hexToBytes(hashMessage('hello')));
  expect(signature).toBe(await account.signMessage({ message: 'hello' }));
  expect(await verifyMessage({ address: account.address, message: 'hello', signature })).toBe(true);
});
