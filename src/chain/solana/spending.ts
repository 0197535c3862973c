// Changes of what a wallet lets the program spend: transactions that our executor pays for and the wallet signs.
import { createHash } from 'node:crypto';
import { type MessageV0, PublicKey, TransactionInstruction } from '@solana/web3.js';
import { AppError } from '../../domain/errors.ts';
import { readSolanaSignature, type SolanaAddress } from '../../domain/solanaAddress.ts';
import { type BuiltFrom, changeMemo, type SpendingChange, type SpendingLimits } from '../../domain/spendingChange.ts';
import type { RevertReason } from '../routers/reverts.ts';
import { isSignedBySolana } from '../signing/ed25519.ts';
import { decodeLimits } from './accounts.ts';
import { limitsOf, TOKEN_PROGRAM, tokenAccount } from './addresses.ts';
import {
  compileMessage,
  HIGHEST_UNIT_PRICE,
  newestLifetime,
  readingSolana,
  type SolanaCall,
  type SolanaChain,
  unitPrice,
} from './client.ts';
import { buildInstruction } from './instructions.ts';
import { decodePayload, EXECUTOR, encodeInstructions, encodeSignedMessage } from './payload.ts';
import { createTokenAccount } from './tips.ts';
import { readTokenAccount } from './tokens.ts';
import { simulateMessage } from './transactions.ts';
import { HASH_BLOCKS } from './walletCalls.ts';

const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
/** The most that a token account approves. */
export const MOST_APPROVED = 2n ** 64n - 1n;
const APPROVE_CHECKED = 13;
const REVOKE = 5;
const USDC_ASSET = 0;

/** Measured at 28,000 for all of it; clusters have other builds of the memo and token programs, which take several times their 1,000. */
const CHANGE_UNITS = 60_000;
const ACCOUNT_UNITS = 40_000;
const PAUSE_UNITS = 20_000;

/** Endpoints are some blocks apart. */
const ENDPOINTS_APART = 20n;
/** Closer to its end a signature is not used: about eight seconds. */
const LEAST_BLOCKS_LEFT = 20n;

/** What the transaction of a change is built from now. @throws AppError `provider_unavailable` */
export async function newestTerms(
  chain: SolanaChain,
  wallet: SolanaAddress,
  change: SpendingChange,
  feePayer: SolanaAddress,
): Promise<BuiltFrom> {
  const writable = [feePayer, limitsOf(chain.program.id, wallet).address, tokenAccount(wallet, chain.usdc).address];
  const [lifetime, price, exists] = await Promise.all([
    newestLifetime(chain),
    unitPrice(chain, writable, 0),
    accountExists(chain, wallet, change.kind),
  ]);
  return {
    fee_payer: feePayer,
    block_hash: lifetime.blockhash,
    last_valid_height: Number(lifetime.lastValidHeight),
    unit_price: price,
    account_exists: exists,
  };
}

async function accountExists(
  chain: SolanaChain,
  wallet: SolanaAddress,
  kind: SpendingChange['kind'],
): Promise<boolean> {
  // Setting limits creates their account by itself.
  if (kind === 'limits') return true;
  if (kind === 'resume') return hasLimits(chain, wallet);
  return readTokenAccount(await accountAt(chain, tokenAccount(wallet, chain.usdc).address)) !== null;
}

/** Whether an owner has a limits account: without one there is nothing to spend, and nothing to pause. @throws AppError `provider_unavailable` */
export async function hasLimits(chain: SolanaChain, owner: SolanaAddress): Promise<boolean> {
  const account = await accountAt(chain, limitsOf(chain.program.id, owner).address);
  return account !== null && decodeLimits(account.data) !== null;
}

function accountAt(chain: SolanaChain, address: SolanaAddress) {
  return readingSolana(chain, (at) => at.getAccountInfo(new PublicKey(address)));
}

/** The bytes that the wallet signs. @param deadline Unix seconds. @throws AppError `parameter_invalid` for terms that we never give */
export function changeMessage(
  chain: SolanaChain,
  wallet: SolanaAddress,
  change: SpendingChange,
  built: BuiltFrom,
  deadline: number,
): MessageV0 {
  if (built.unit_price > HIGHEST_UNIT_PRICE) throw outOfDate();
  const call = changeCall(chain, wallet, change, built);
  const instructions = [memo(wallet, changeMemo(change, deadline)), ...call.instructions];
  return compileMessage(built.fee_payer, { ...call, instructions }, built.unit_price, { blockhash: built.block_hash });
}

function changeCall(
  chain: SolanaChain,
  wallet: SolanaAddress,
  change: SpendingChange,
  { fee_payer: payer, account_exists: exists }: BuiltFrom,
): SolanaCall {
  switch (change.kind) {
    case 'permit':
      return allowanceCall(chain, wallet, change.allowance, { payer, exists });
    case 'limits':
      return { units: CHANGE_UNITS, instructions: [setLimits(chain, wallet, change.limits, payer)] };
    case 'allow': {
      const { units, instructions } = allowanceCall(chain, wallet, change.allowance, { payer, exists });
      return { units, instructions: [setLimits(chain, wallet, change.limits, payer), ...instructions] };
    }
    case 'resume':
      // Only our rows hold a wallet without limits: its signature alone ends that.
      return { units: CHANGE_UNITS, instructions: exists ? [setPaused(chain, wallet, wallet, false)] : [] };
  }
}

function allowanceCall(
  chain: SolanaChain,
  wallet: SolanaAddress,
  allowance: bigint,
  { payer, exists }: { payer: SolanaAddress; exists: boolean },
): SolanaCall {
  const approval = allowance === 0n ? revoke(chain, wallet) : approve(chain, wallet, allowance);
  if (exists) return { units: CHANGE_UNITS, instructions: [approval] };
  return {
    units: CHANGE_UNITS + ACCOUNT_UNITS,
    instructions: [createTokenAccount(payer, wallet, chain.usdc), approval],
  };
}

function setLimits(chain: SolanaChain, owner: SolanaAddress, limits: SpendingLimits, payer: SolanaAddress) {
  return buildInstruction(chain.program, 'setLimits', {
    args: { asset: USDC_ASSET, ...limits },
    accounts: { payer, owner, limits: limitsOf(chain.program.id, owner).address },
  });
}

function setPaused(chain: SolanaChain, owner: SolanaAddress, signer: SolanaAddress, paused: boolean) {
  const limits = limitsOf(chain.program.id, owner).address;
  return buildInstruction(chain.program, 'setPaused', { args: { paused }, accounts: { signer, limits } });
}

function approve(chain: SolanaChain, owner: SolanaAddress, amount: bigint): TransactionInstruction {
  const data = Buffer.alloc(10);
  data[0] = APPROVE_CHECKED;
  data.writeBigUInt64LE(amount, 1);
  data[9] = chain.facts.usdcDecimals;
  const { spender } = chain.program.fixed;
  return tokenCall(
    [writable(tokenAccount(owner, chain.usdc).address), readable(chain.usdc), readable(spender)],
    owner,
    data,
  );
}

function revoke(chain: SolanaChain, owner: SolanaAddress): TransactionInstruction {
  return tokenCall([writable(tokenAccount(owner, chain.usdc).address)], owner, Buffer.from([REVOKE]));
}

type Meta = TransactionInstruction['keys'][number];

/** The owner signs, and stands behind all other accounts. */
function tokenCall(accounts: Meta[], owner: SolanaAddress, data: Buffer): TransactionInstruction {
  return new TransactionInstruction({
    programId: new PublicKey(TOKEN_PROGRAM),
    keys: [...accounts, signing(owner)],
    data,
  });
}

function memo(signer: SolanaAddress, text: string): TransactionInstruction {
  return new TransactionInstruction({
    programId: new PublicKey(MEMO_PROGRAM),
    keys: [signing(signer)],
    data: Buffer.from(text),
  });
}

const readable = (address: SolanaAddress): Meta => ({
  pubkey: new PublicKey(address),
  isSigner: false,
  isWritable: false,
});
const writable = (address: SolanaAddress): Meta => ({ ...readable(address), isWritable: true });
const signing = (address: SolanaAddress): Meta => ({ ...readable(address), isSigner: true });

/** Whether the wallet signed exactly this message. @param signature base58 */
export function isSignedMessage(message: MessageV0, wallet: SolanaAddress, signature: string): boolean {
  const bytes = readSolanaSignature(signature);
  return bytes !== null && isSignedBySolana(wallet, message.serialize(), bytes);
}

/**
 * What is stored of a message that its wallet signed. Its last height came back from a page: what is stored lies behind any that its hash can have.
 * @param signature base58 of 64 bytes
 */
export function storedMessage(
  message: MessageV0,
  wallet: SolanaAddress,
  signature: string,
  lastValidHeight: number,
): string {
  const bytes = readSolanaSignature(signature) ?? new Uint8Array(64);
  return encodeSignedMessage({
    message,
    signatures: new Map([[wallet, bytes]]),
    lastValidHeight: BigInt(lastValidHeight) + HASH_BLOCKS,
  });
}

/** Names a message among all others. */
export function nameOfMessage(message: MessageV0): string {
  return createHash('sha256').update(message.serialize()).digest('hex');
}

/**
 * Whether a transaction with this block hash can still land, and its last height is one that a hash can have.
 * @throws AppError `parameter_invalid` where it cannot, `provider_unavailable`
 */
export async function requireLifetime(chain: SolanaChain, built: BuiltFrom): Promise<void> {
  const [{ value: isValid }, height] = await readingSolana(chain, (at) =>
    Promise.all([at.isBlockhashValid(built.block_hash, { commitment: 'confirmed' }), at.getBlockHeight('confirmed')]),
  );
  const left = BigInt(built.last_valid_height) - BigInt(height);
  if (!isValid || left < LEAST_BLOCKS_LEFT || left > HASH_BLOCKS + ENDPOINTS_APART) throw outOfDate();
}

function outOfDate(): AppError {
  const words = 'This request is out of date. Please sign it again.';
  return new AppError('parameter_invalid', words, { param: 'built_from' });
}

/**
 * Plays a stored message that its wallet signed.
 * @returns null when it would succeed; `Expired` for a block hash that is over
 * @throws AppError `provider_unavailable`, also where our key cannot pay
 */
export async function simulateSignedMessage(chain: SolanaChain, data: string): Promise<RevertReason | null> {
  const payload = decodePayload(data, EXECUTOR);
  if (!('message' in payload)) throw new Error('a wallet signs a message');
  const reason = await simulateMessage(chain, payload.message);
  return reason?.name === 'BlockhashNotFound' ? { name: 'Expired' } : reason;
}

/** The call with which an executor pauses an owner that has limits. */
export function solanaPauseCall(chain: SolanaChain, owner: SolanaAddress): { to: string; data: string; gas: bigint } {
  const data = encodeInstructions([setPaused(chain, owner, EXECUTOR, true)]);
  return { to: chain.program.id, data, gas: BigInt(PAUSE_UNITS) };
}
