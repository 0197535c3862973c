// Addresses of the program and of token accounts, and the ids that it derives: the same bytes as on EVM chains.
import { PublicKey } from '@solana/web3.js';
import { keccak256 } from 'viem';
import { solanaAddressBytes as addressBytes } from '../../domain/solanaAddress.ts';
import { type Bytes32, bytes32, type SolanaAddress } from './codec.ts';

export const SYSTEM_PROGRAM = '11111111111111111111111111111111';
export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
export const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
export const ASSOCIATED_TOKEN_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
export const LOADER_PROGRAM = 'BPFLoaderUpgradeab1e11111111111111111111111';
/** The mint of wrapped SOL. */
export const WRAPPED_SOL = 'So11111111111111111111111111111111111111112';

/** An address that a program derives from seeds; its bump proves it. */
export type Derived = { address: SolanaAddress; bump: number };

/** Deriving costs about a millisecond (a point that is not on the curve is searched), so what was derived is kept: the newest of them. */
const KEPT = 20_000;
const derivations = new Map<string, Derived>();

export function derive(program: SolanaAddress, seeds: readonly Uint8Array[]): Derived {
  const key = `${program} ${seeds.map((seed) => Buffer.from(seed).toString('hex')).join(' ')}`;
  const kept = derivations.get(key);
  if (kept) return kept;
  const [address, bump] = PublicKey.findProgramAddressSync([...seeds], new PublicKey(program));
  const derived = { address: address.toBase58(), bump };
  if (derivations.size >= KEPT) derivations.delete(derivations.keys().next().value ?? '');
  derivations.set(key, derived);
  return derived;
}

const text = (value: string) => Buffer.from(value);

/** The token account that belongs to a wallet and a mint of the token program. */
export function tokenAccount(owner: SolanaAddress, mint: SolanaAddress): Derived {
  return derive(ASSOCIATED_TOKEN_PROGRAM, [addressBytes(owner), addressBytes(TOKEN_PROGRAM), addressBytes(mint)]);
}

export const configOf = (program: SolanaAddress) => derive(program, [text('config')]);
export const spenderOf = (program: SolanaAddress) => derive(program, [text('spender')]);
export const vaultOf = (program: SolanaAddress) => derive(program, [text('vault')]);
export const limitsOf = (program: SolanaAddress, owner: SolanaAddress) =>
  derive(program, [text('limits'), addressBytes(owner)]);
export const bucketOf = (program: SolanaAddress, hour: bigint, shard: number) =>
  derive(program, [text('bucket'), u64(hour), Buffer.from([shard])]);
export const tabOf = (program: SolanaAddress, tabId: Bytes32) => derive(program, [text('tab'), bytes32(tabId)]);
export const orderOf = (program: SolanaAddress, orderKey: Bytes32) =>
  derive(program, [text('order'), bytes32(orderKey)]);
export const planOf = (program: SolanaAddress, planKey: Bytes32) => derive(program, [text('plan'), bytes32(planKey)]);
export const subscriptionOf = (program: SolanaAddress, planKey: Bytes32, subscriber: SolanaAddress) =>
  derive(program, [text('subscription'), bytes32(planKey), addressBytes(subscriber)]);
export const campaignOf = (program: SolanaAddress, campaignId: Bytes32) =>
  derive(program, [text('campaign'), bytes32(campaignId)]);
/** Where the loader keeps a program's code and its upgrade authority. */
export const programDataOf = (program: SolanaAddress) => derive(LOADER_PROGRAM, [addressBytes(program)]);

function u64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}

/** A number as `abi.encode` writes it. */
function word(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
}

/** keccak256 over words, with chain id 0 and the program as the router. */
function idOf(program: SolanaAddress, words: readonly Uint8Array[]): Bytes32 {
  return keccak256(Buffer.concat([word(0n), addressBytes(program), ...words]));
}

/** @param nonce a message key, or the u64 of a tab that the wallet opened itself */
export function tabIdOf(program: SolanaAddress, sender: SolanaAddress, nonce: Bytes32 | bigint): Bytes32 {
  return idOf(program, [addressBytes(sender), typeof nonce === 'bigint' ? word(nonce) : bytes32(nonce)]);
}

export type SolanaOrderTerms = {
  orderId: Bytes32;
  payee: SolanaAddress;
  /** Null for SOL. */
  mint: SolanaAddress | null;
  amount: bigint;
  business: boolean;
  deadline: bigint;
};

export function orderKeyOf(program: SolanaAddress, terms: SolanaOrderTerms): Bytes32 {
  const { orderId, payee, mint, amount, business, deadline } = terms;
  const token = mint === null ? word(0n) : addressBytes(mint);
  return idOf(program, [
    bytes32(orderId),
    addressBytes(payee),
    token,
    word(amount),
    word(business ? 1n : 0n),
    word(deadline),
  ]);
}

export type SolanaPlanTerms = {
  creator: SolanaAddress;
  planIdHash: Bytes32;
  usdc: SolanaAddress;
  amount: bigint;
  period: number;
};

export function planKeyOf(program: SolanaAddress, terms: SolanaPlanTerms): Bytes32 {
  const { creator, planIdHash, usdc, amount, period } = terms;
  const words = [addressBytes(creator), bytes32(planIdHash), addressBytes(usdc), word(amount), word(BigInt(period))];
  return idOf(program, words);
}

export function campaignIdOf(program: SolanaAddress, sponsor: SolanaAddress, salt: Bytes32, expiry: bigint): Bytes32 {
  return idOf(program, [addressBytes(sponsor), bytes32(salt), word(expiry)]);
}
