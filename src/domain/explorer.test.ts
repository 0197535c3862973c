// The addresses of explorers' pages.
import { expect, test } from 'vitest';
import { explorerLink } from './explorer.ts';

test.each([
  ['https://basescan.org', { transaction: '0xab' }, 'https://basescan.org/tx/0xab'],
  ['https://basescan.org/', { address: '0xAb' }, 'https://basescan.org/address/0xAb'],
  ['https://solscan.io', { transaction: '5VER' }, 'https://solscan.io/tx/5VER'],
  ['https://solscan.io', { address: 'So11' }, 'https://solscan.io/account/So11'],
  [
    'https://explorer.solana.com?cluster=devnet',
    { address: 'So11' },
    'https://explorer.solana.com/address/So11?cluster=devnet',
  ],
  ['https://chain.example/explorer', { transaction: '0xab' }, 'https://chain.example/explorer/tx/0xab'],
])('%s of %j', (explorer, page, url) => {
  expect(explorerLink(explorer, page)).toBe(url);
});
