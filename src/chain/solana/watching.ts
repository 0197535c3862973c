// What the watchdog reads of one endpoint of a Solana cluster. Every answer is that endpoint's word, except what a signature proves.
import { type Connection, PublicKey } from '@solana/web3.js';
import { readSolanaSignature, solanaSignatureOf } from '../../domain/solanaAddress.ts';
import { isSignedBySolana } from '../signing/ed25519.ts';
import { type ConfigAccount, decodeConfig } from './accounts.ts';
import type { SolanaChain } from './client.ts';
import type { SolanaAddress } from './codec.ts';

/** The most signatures of one answer. */
const SIGNATURES_AT_ONCE = 1_000;

/** Of an endpoint's URL, which may hold a key. */
export function solanaUrls({ endpoints }: Pick<SolanaChain, 'endpoints'>): string[] {
  return endpoints.map(({ rpcEndpoint }) => rpcEndpoint);
}

/** The newest confirmed slot. @throws Error where it does not answer, or not with a slot */
export async function slotOf(at: Connection): Promise<number> {
  const slot = await at.getSlot('confirmed');
  if (!Number.isSafeInteger(slot) || slot < 0) throw new Error('it answers with no slot');
  return slot;
}

/** The program's config. @throws Error where it shows none */
export async function configBy(
  at: Connection,
  { program }: SolanaChain,
  commitment: 'confirmed' | 'finalized',
): Promise<ConfigAccount> {
  const account = await at.getAccountInfo(new PublicKey(program.fixed.config), commitment);
  const config = account?.owner.toBase58() === program.id ? decodeConfig(account.data) : null;
  if (!config) throw new Error('it shows no config of the program');
  return config;
}

export type ListedSignature = { signature: string; slot: number };
export type SignaturePage = {
  listed: ListedSignature[];
  /** Where the next, older page begins; null where there is none. */
  next: PageStart | null;
};
/** Before which signature a page begins, and with which one. */
export type PageStart = { before: string; first: string };

/** A page of the transactions that name an address, failed ones, too, the newest first. @throws Error */
export async function signaturesOf(
  at: Connection,
  address: SolanaAddress,
  { start, until }: { start: PageStart | undefined; until: string | undefined },
): Promise<SignaturePage> {
  const options = { limit: SIGNATURES_AT_ONCE, ...(start && { before: start.before }), ...(until && { until }) };
  const page = await at.getSignaturesForAddress(new PublicKey(address), options, 'confirmed');
  const listed = page
    .slice(0, SIGNATURES_AT_ONCE)
    .map(({ signature, slot }) => ({ signature, slot }))
    .filter(({ signature, slot }) => readSolanaSignature(signature) && Number.isSafeInteger(slot) && slot >= 0);
  if (listed.length < Math.min(page.length, SIGNATURES_AT_ONCE))
    throw new Error('it lists what is no signature of a transaction');
  // A node that does not know `before` answers with nothing: what it does not list would be missed.
  if (start && listed[0]?.signature !== start.first) throw new Error('it lists a history with a gap');
  const [before, first] = listed.slice(-2).map(({ signature }) => signature);
  return { listed, next: before && first && listed.length === SIGNATURES_AT_ONCE ? { before, first } : null };
}

/** What a transaction's own bytes prove. */
export type SolanaEvidence = {
  /** Its first signature, which names it. */
  name: string;
  /** The bytes that are signed. */
  message: Uint8Array;
  /** How many signatures the message asks for. */
  signatures: number;
  /** The one among `executors` whose key signed these bytes, and its signature; null where none did. */
  signed: { executor: SolanaAddress; signature: string } | null;
};

/** A transaction as an endpoint shows it; null where it does not. @throws Error */
export async function evidenceOf(
  at: Connection,
  signature: string,
  executors: ReadonlySet<SolanaAddress>,
): Promise<SolanaEvidence | null> {
  const shown = await at.getTransaction(signature, { commitment: 'confirmed', maxSupportedTransactionVersion: 0 });
  if (!shown) return null;
  const { message, signatures } = shown.transaction;
  const bytes = message.serialize();
  const count = message.header.numRequiredSignatures;
  const signers = message.staticAccountKeys.slice(0, count).map((key) => key.toBase58());
  const proven = signers.flatMap((executor, index) => {
    const given = readSolanaSignature(signatures[index] ?? '');
    const isProof = executors.has(executor) && given !== null && isSignedBySolana(executor, bytes, given);
    return isProof ? [{ executor, signature: solanaSignatureOf(given) }] : [];
  });
  return { name: signatures[0] ?? '', message: bytes, signatures: count, signed: proven[0] ?? null };
}

/**
 * How the base64 of a whole transaction with these bytes ends, whatever its signatures are: rows keep transactions so.
 * What stands before the message is a byte that counts, and the signatures.
 */
export function endOfRaw({ message, signatures }: Pick<SolanaEvidence, 'message' | 'signatures'>): string {
  const before = 1 + 64 * signatures;
  return Buffer.from(message.subarray((3 - (before % 3)) % 3)).toString('base64');
}
