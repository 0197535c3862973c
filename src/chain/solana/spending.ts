// Changes of what a wallet lets the program spend: transactions that our executor pays for and the wallet signs.
import { PublicKey, TransactionInstruction } from '@solana/web3.js';
import type { SolanaAddress } from '../../domain/solanaAddress.ts';
import { changeMemo, type SpendingChange, type SpendingLimits } from '../../domain/spendingChange.ts';
import { decodeLimits } from './accounts.ts';
import { limitsOf, TOKEN_PROGRAM, tokenAccount } from './addresses.ts';
import { readingSolana, type SolanaCall, type SolanaChain } from './client.ts';
import { buildInstruction } from './instructions.ts';
import { EXECUTOR, encodeInstructions, type SignedMessage } from './payload.ts';
import { createTokenAccount } from './tips.ts';
import { readTokenAccount } from './tokens.ts';
import { buildPaidMessage, readSignedCall, unsignedTransaction } from './walletCalls.ts';

const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
/** The most that a token account approves. */
export const MOST_APPROVED = 2n ** 64n - 1n;
export const APPROVE_CHECKED = 13;
export const REVOKE = 5;
const USDC_ASSET = 0;

/** Measured at 28,000 for all of it; clusters have other builds of the memo and token programs, which take several times their 1,000. */
const CHANGE_UNITS = 60_000;
const ACCOUNT_UNITS = 40_000;
const PAUSE_UNITS = 20_000;

/** The transaction of a change, in base64, for its wallet to sign. @param deadline Unix seconds. @throws AppError `provider_unavailable` */
export async function unsignedChange(
  chain: SolanaChain,
  wallet: SolanaAddress,
  change: SpendingChange,
  deadline: number,
  payer: SolanaAddress,
): Promise<string> {
  const exists = await accountExists(chain, wallet, change.kind);
  const call = changeCall(chain, wallet, change, { deadline, payer, exists });
  return unsignedTransaction(await buildPaidMessage(chain, payer, call));
}

/** @param opensAccount it creates a token account, whose rent will be the wallet's */
export type SolanaChange = { signed: SignedMessage; opensAccount: boolean };

/**
 * A change in a transaction that its wallet has signed.
 * @param text in base64
 * @param deadline Unix seconds
 * @returns null for any other transaction than `unsignedChange` gives, and for another signature
 * @throws AppError `provider_unavailable`
 */
export async function readChange(
  chain: SolanaChain,
  wallet: SolanaAddress,
  change: SpendingChange,
  deadline: number,
  text: string,
): Promise<SolanaChange | null> {
  // What it changes may have come to be since it was built.
  for (const exists of [true, false]) {
    const build = (payer: SolanaAddress) => changeCall(chain, wallet, change, { deadline, payer, exists });
    const signed = await readSignedCall(chain, text, wallet, build);
    if (signed) return { signed, opensAccount: !exists && change.kind !== 'resume' };
  }
  return null;
}

/** Whether there is what a change is of: the wallet's USDC account, or its limits where spending is resumed. */
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

type Terms = { deadline: number; payer: SolanaAddress; exists: boolean };

function changeCall(chain: SolanaChain, wallet: SolanaAddress, change: SpendingChange, terms: Terms): SolanaCall {
  const { units, instructions } = callOf(chain, wallet, change, terms);
  return { units, instructions: [memo(wallet, changeMemo(change, terms.deadline)), ...instructions] };
}

function callOf(
  chain: SolanaChain,
  wallet: SolanaAddress,
  change: SpendingChange,
  { payer, exists }: Terms,
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
  const approval = setAllowance(chain, wallet, allowance);
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

/** Sets what the program may draw of a wallet's USDC, for tips, subscriptions and grants together; 0 takes it back. The wallet signs it. */
export function setAllowance(chain: SolanaChain, owner: SolanaAddress, amount: bigint): TransactionInstruction {
  return amount === 0n ? revoke(chain, owner) : approve(chain, owner, amount);
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

/** The call with which an executor pauses an owner that has limits. */
export function solanaPauseCall(chain: SolanaChain, owner: SolanaAddress): { to: string; data: string; gas: bigint } {
  const data = encodeInstructions([setPaused(chain, owner, EXECUTOR, true)]);
  return { to: chain.program.id, data, gas: BigInt(PAUSE_UNITS) };
}
