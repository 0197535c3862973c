// Keys that everybody can know: those of the local stack, the well-known accounts of development nodes, and small numbers. Production mode refuses them.
import { type Hex, hexToBytes, keccak256, sha256, toHex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';

/** Every owner of a key on the local stack: its roles and its people. */
const LOCAL_NAMES = [
  'deployer',
  'owner',
  'guardian',
  'treasury',
  'executor 1',
  'executor 2',
  'handle authority',
  'alice',
  'bob',
  'carol',
  'dave',
  'shop',
];
/** What the local stack derives links from, and seals signing secrets under. */
const LOCAL_SECRETS = ['link key', 'webhook key'];

/** A key of the local stack: the same in every checkout, so it must never hold anything of worth. */
export function localStackKey(name: string): Hex {
  return keccak256(toHex(`ampersat local stack: ${name}`));
}

/** The seed of an Ed25519 key of the local stack, by the same names. */
export function localSolanaSeed(name: string): Uint8Array {
  return hexToBytes(sha256(toHex(`ampersat local solana: ${name}`)));
}

/** The first twenty accounts of "test test … junk", the mnemonic that anvil and Hardhat start with. */
const JUNK_ACCOUNTS = new Set([
  '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
  '0x90f79bf6eb2c4f870365e785982e1f101e93b906',
  '0x15d34aaf54267db7d7c367839aaf71a00a2c6a65',
  '0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc',
  '0x976ea74026e726554db657fa54763abd0c3a0aa9',
  '0x14dc79964da2c08b23698b3d3cc7ca32193d9955',
  '0x23618e81e3f5cdf7f54c3d65f7fbc0abf5b21e8f',
  '0xa0ee7a142d267c1f36714e4a8f75612f20a79720',
  '0xbcd4042de499d14e55001ccbb24a551f3b954096',
  '0x71be63f3384f5fb98995898a86b02fb2426c5788',
  '0xfabb0ac9d68b0b445fb7357272ff202c5651694a',
  '0x1cbd3b2770909d4e10f157cabc84c7264073c9ec',
  '0xdf3e18d64bc6a983f673ab319ccae4f1a57c7097',
  '0xcd3b766ccdd6ae721141f452c550ca635964ce71',
  '0x2546bcd3c84621e976d8185a91a922ae77ecec30',
  '0xbda5747bfd65f08deb54cb465eb87d40e51b197e',
  '0xdd2fd4581271e230360230f9337d5c0430bf44c0',
  '0x8626f6940e2eb28930efb4cef49b2d1f2c9c1199',
]);

/** A key this small was typed, not drawn. */
const SMALLEST_DRAWN = 1n << 128n;

/** Whether this key is public knowledge. */
export function isDevelopmentKey(key: Hex): boolean {
  if (BigInt(key) < SMALLEST_DRAWN) return true;
  return LOCAL_NAMES.some((name) => localStackKey(name) === key) || JUNK_ACCOUNTS.has(addressOf(key));
}

/** The same for a key of Solana: its seed, then its address. */
export function isDevelopmentSolanaKey(secret: Uint8Array): boolean {
  const seed = toHex(secret.subarray(0, 32));
  return BigInt(seed) < SMALLEST_DRAWN || LOCAL_NAMES.some((name) => toHex(localSolanaSeed(name)) === seed);
}

/** The same for a secret that is no account's: 64 hex digits. */
export function isDevelopmentSecret(secret: string): boolean {
  return BigInt(`0x${secret}`) < SMALLEST_DRAWN || LOCAL_SECRETS.some((name) => localStackKey(name) === `0x${secret}`);
}

function addressOf(key: Hex): string {
  return privateKeyToAddress(key).toLowerCase();
}
