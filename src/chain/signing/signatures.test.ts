// Whose signature it is, as far as keys go; contract wallets are in src/http/api/contractWallet.world.test.ts.
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { checkedAddress, isOwnKey, messageHash, typedDataHash } from './signatures.ts';

const account = privateKeyToAccount(generatePrivateKey());
const { address } = account;

describe('keys', () => {
  test('a text’s and typed data’s signature is its signer’s, and of nobody else', async () => {
    const hash = messageHash('hello');
    const signature = await account.signMessage({ message: 'hello' });
    expect(await isOwnKey({ address, hash, signature })).toBe(true);
    expect(await isOwnKey({ address, hash: messageHash('hello '), signature })).toBe(false);
    const other = privateKeyToAccount(generatePrivateKey()).address;
    expect(await isOwnKey({ address: other, hash, signature })).toBe(false);
    for (const broken of ['0x', `0x${'00'.repeat(65)}`, `0x${'ff'.repeat(65)}`, `${signature}00`] as const)
      expect(await isOwnKey({ address, hash, signature: broken as `0x${string}` })).toBe(false);
  });

  test('numbers of typed data may be decimal strings', async () => {
    const types = { Some: [{ name: 'nonce', type: 'uint256' }] };
    const domain = { name: 'Ampersat', version: '1', chainId: 8453 } as const;
    const signature = await account.signTypedData({ domain, types, primaryType: 'Some', message: { nonce: 7n } });
    const hash = typedDataHash({ domain, types, primaryType: 'Some', message: { nonce: '7' } });
    expect(await isOwnKey({ address, hash, signature })).toBe(true);
  });

  test('an address is checksummed, and a wrong checksum is none', () => {
    const known = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    expect(checkedAddress(known)).toBe(known);
    expect(checkedAddress(known.toLowerCase())).toBe(known);
    expect(checkedAddress('0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed')).toBe(null);
    expect(checkedAddress('0x12')).toBe(null);
  });
});
