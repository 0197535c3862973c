// Transactions that another key signs first and one of our executors pays for: built whole, shown to a wallet, and believed only when their bytes are the
// ones that we would build.
import { createHash } from 'node:crypto';
import { type MessageV0, VersionedTransaction } from '@solana/web3.js';
import { isSignedBySolana } from '../signing/ed25519.ts';
import {
  compileMessage,
  HIGHEST_UNIT_PRICE,
  newestLifetime,
  readingSolana,
  type SolanaCall,
  type SolanaChain,
  unitPrice,
} from './client.ts';
import { chainTime } from './clock.ts';
import type { SolanaAddress } from './codec.ts';
import type { SignedMessage } from './payload.ts';
import { readConfig } from './verify.ts';

export type PaidMessage = Pick<SignedMessage, 'message' | 'lastValidHeight'>;

/** Blocks for which a block hash is valid. */
const HASH_BLOCKS = 150n;
/** Of the compute budget program's instruction that sets the price of a unit. */
const SET_PRICE = 3;

/** The message of a call that an executor pays for, with a fresh block hash. @throws AppError `provider_unavailable` */
export async function buildPaidMessage(
  chain: SolanaChain,
  payer: SolanaAddress,
  call: SolanaCall,
): Promise<PaidMessage> {
  const writable = call.instructions.flatMap(({ keys }) => keys.filter((key) => key.isWritable));
  const [lifetime, price] = await Promise.all([
    newestLifetime(chain),
    unitPrice(
      chain,
      writable.map(({ pubkey }) => pubkey.toBase58()),
      0,
    ),
  ]);
  return { message: compileMessage(payer, call, price, lifetime), lastValidHeight: lifetime.lastValidHeight };
}

/** As wallets take it: the whole transaction, in base64, that none has signed yet. */
export function unsignedTransaction({ message }: Pick<PaidMessage, 'message'>): string {
  return Buffer.from(new VersionedTransaction(message).serialize()).toString('base64');
}

/**
 * What a wallet signed, if it is exactly the call that we build for it: an executor in force pays, and only payer, block hash and price are its own.
 * @param text the signed transaction in base64
 * @returns null for any other bytes, and for another signature
 * @throws AppError `provider_unavailable`
 */
export async function readSignedCall(
  chain: SolanaChain,
  text: string,
  wallet: SolanaAddress,
  build: (payer: SolanaAddress) => SolanaCall,
): Promise<SignedMessage | null> {
  const given = decode(text);
  const payer = given?.message.staticAccountKeys[0]?.toBase58();
  if (!given || payer === undefined) return null;
  const { message, signatures } = given;
  const price = priceOf(message);
  const at = message.staticAccountKeys.findIndex((key) => key.toBase58() === wallet);
  const signature = signatures[at];
  if (price === null || !signature || at < 1 || at >= message.header.numRequiredSignatures) return null;
  const ours = compileMessage(payer, build(payer), price, { blockhash: message.recentBlockhash }).serialize();
  if (!Buffer.from(message.serialize()).equals(ours) || !isSignedBySolana(wallet, ours, signature)) return null;
  if (!(await executorsInForce(chain)).includes(payer)) return null;
  // Its own last height is not part of it; no block hash lives longer than this, and the node that answered may be as far behind.
  const height = await readingSolana(chain, (to) => to.getBlockHeight('confirmed'));
  return { message, signatures: new Map([[wallet, signature]]), lastValidHeight: BigInt(height) + 2n * HASH_BLOCKS };
}

/** Names what a wallet signed among all that it ever signs. */
export function nameOfCall({ message }: Pick<SignedMessage, 'message'>): string {
  return createHash('sha256').update(message.serialize()).digest('hex');
}

/** The key of ours that pays. */
export function payerOf({ message }: Pick<SignedMessage, 'message'>): SolanaAddress {
  return message.staticAccountKeys[0]?.toBase58() ?? '';
}

function decode(text: string): { message: MessageV0; signatures: Uint8Array[] } | null {
  try {
    const { message, signatures } = VersionedTransaction.deserialize(Buffer.from(text, 'base64'));
    return message.version === 0 ? { message: message as MessageV0, signatures } : null;
  } catch {
    return null;
  }
}

/** Micro-lamports a compute unit, as the message's second instruction says; null for another one, and for more than we pay. */
function priceOf({ compiledInstructions }: MessageV0): number | null {
  const data = compiledInstructions[1]?.data;
  if (data?.length !== 9 || data[0] !== SET_PRICE) return null;
  const price = Buffer.from(data).readBigUInt64LE(1);
  return price <= BigInt(HIGHEST_UNIT_PRICE) ? Number(price) : null;
}

/** The keys that the program knows as executors now, by the chain's clock. @throws AppError `provider_unavailable` */
export async function executorsInForce(chain: SolanaChain): Promise<SolanaAddress[]> {
  const [config, now] = await Promise.all([readConfig(chain), chainTime(chain)]);
  return (config?.executors ?? []).filter(({ activeFrom }) => activeFrom <= now).map(({ key }) => key);
}
