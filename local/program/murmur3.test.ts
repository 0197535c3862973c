// The hashes that name syscalls, against values that Solana’s own tools give.
import { expect, test } from 'vitest';
import { murmur3 } from './murmur3.ts';
import { SYSCALLS } from './syscalls.ts';

test('a syscall has the hash by which the virtual machine knows it', () => {
  expect(murmur3('sol_log_')).toBe(0x207559bd);
  expect(murmur3('abort')).toBe(0xb6fc1a11);
  expect(murmur3('sol_memcpy_')).toBe(0x717cc4a3);
  expect(murmur3('sol_memmove_')).toBe(0x434371f8);
});

test.each([
  ['', 0],
  ['a', 0x3c2569b2],
  ['ab', 0x9bbfd75f],
  ['abc', 0xb3dd93fa],
  ['abcd', 0x43ed676a],
])('%j has the hash of the algorithm’s definition', (text, hash) => {
  expect(murmur3(text)).toBe(hash);
});

test('no two syscalls have the same hash', () => {
  expect(new Set(SYSCALLS.map(murmur3)).size).toBe(SYSCALLS.length);
});
