// The 32-bit Murmur3 hash, by which a Solana program names the syscalls that it calls.
const rotate = (value: number, bits: number) => (value << bits) | (value >>> (32 - bits));

function scramble(block: number): number {
  return Math.imul(rotate(Math.imul(block, 0xcc9e2d51), 15), 0x1b873593);
}

/** @returns the hash of the bytes of a name, with the seed 0 */
export function murmur3(name: string): number {
  const bytes = Buffer.from(name);
  const whole = bytes.length - (bytes.length % 4);
  let hash = 0;
  for (let at = 0; at < whole; at += 4)
    hash = Math.imul(rotate(hash ^ scramble(bytes.readInt32LE(at)), 13), 5) + 0xe6546b64;
  if (whole < bytes.length) hash ^= scramble(bytes.readUIntLE(whole, bytes.length - whole));
  hash ^= bytes.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
