// Addresses of two families, and the text that a wallet of Solana signs for a change.
import { expect, test } from 'vitest';
import { isSameCluster } from './solanaSignIn.ts';
import { walletChangeText } from './walletChange.ts';
import { familyOf, isSameAddress } from './walletFamily.ts';

const EVM = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const SOLANA = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM';

test('the case of an address counts on Solana alone', () => {
  expect([familyOf(EVM), familyOf(SOLANA)]).toEqual(['evm', 'solana']);
  expect(isSameAddress(EVM, EVM.toLowerCase())).toBe(true);
  expect(isSameAddress(SOLANA, SOLANA)).toBe(true);
  expect(isSameAddress(SOLANA, SOLANA.toLowerCase())).toBe(false);
  expect(isSameAddress(EVM, SOLANA)).toBe(false);
});

test('a cluster has one name in messages, another in wallets, and one by its genesis', () => {
  expect(isSameCluster('solana:mainnet', 'mainnet')).toBe(true);
  expect(isSameCluster('solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'mainnet')).toBe(true);
  expect(isSameCluster('solana:localnet', 'localnet')).toBe(true);
  for (const other of ['devnet', 'solana:devnet', 'testnet', 'localnet', 'Mainnet', '1', ''])
    expect(isSameCluster(other, 'mainnet')).toBe(false);
});

test('the text names the site, the handle, both wallets, the number and the end', () => {
  const change = {
    domain: 'pay.example',
    uri: 'https://pay.example',
    handle: 'alice',
    family: 'solana',
    oldWallet: null,
    currentWallet: EVM,
    newWallet: SOLANA,
    nonce: 3,
    deadline: 1_795_780_800,
  } as const;
  expect(walletChangeText(change)).toBe(`pay.example wants you to add this Solana wallet to @alice.

Payments to this handle go to the new wallet, and it can sign in.

Current wallet: ${EVM}
New wallet: ${SOLANA}
URI: https://pay.example
Nonce: 3
Expiration Time: 2026-11-27T12:00:00.000Z`);
  expect(walletChangeText({ ...change, oldWallet: SOLANA })).toMatch(
    /^pay.example wants you to change the Solana wallet/,
  );
  expect(walletChangeText({ ...change, family: 'evm' })).toMatch(/add this EVM wallet to @alice/);
});
