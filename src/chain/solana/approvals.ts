// What a wallet approves for the spender in the same transaction as something else: added to what stands, so that tips, subscriptions and campaigns, which
// draw on the one approval that a token account has, never take from each other.
import { PublicKey, type TransactionInstruction, VersionedTransaction } from '@solana/web3.js';
import { ASSOCIATED_TOKEN_PROGRAM, TOKEN_PROGRAM, tokenAccount } from './addresses.ts';
import { readingSolana, type SolanaChain } from './client.ts';
import type { SolanaAddress } from './codec.ts';
import { APPROVE_CHECKED, MOST_APPROVED, REVOKE, setAllowance } from './spending.ts';
import { createTokenAccount } from './tips.ts';
import { readTokenAccount } from './tokens.ts';

/** `amount` in units of USDC, null where what stands has no limit and stays. The owner pays for its account where it is missing. */
export type Approval = { amount: bigint | null; opensAccount: boolean };

/** Measured at 2,900, and 21,000 more for an account; clusters have other builds of the token program. */
export const APPROVAL_UNITS = 50_000;

/** @param by above 0 on top of what stands, below 0 out of it. @throws AppError `provider_unavailable` */
export async function approvalChangedBy(chain: SolanaChain, owner: SolanaAddress, by: bigint): Promise<Approval> {
  const key = new PublicKey(tokenAccount(owner, chain.usdc).address);
  const held = readTokenAccount(await readingSolana(chain, (at) => at.getAccountInfo(key)));
  const standing = held?.delegate === chain.program.fixed.spender ? held.delegated : 0n;
  if (standing > MOST_APPROVED / 2n) return { amount: null, opensAccount: false };
  const amount = standing + by;
  return { amount: amount > 0n ? amount : 0n, opensAccount: held === null };
}

export function approvalInstructions(
  chain: SolanaChain,
  owner: SolanaAddress,
  { amount, opensAccount }: Approval,
): TransactionInstruction[] {
  if (amount === null) return [];
  const account = opensAccount ? [createTokenAccount(owner, owner, chain.usdc)] : [];
  return [...account, setAllowance(chain, owner, amount)];
}

/** The approval that a transaction in base64 makes. It only says what to build and to compare: it proves nothing. */
export function approvalIn(text: string): Approval {
  const nothing: Approval = { amount: null, opensAccount: false };
  try {
    const { message } = VersionedTransaction.deserialize(Buffer.from(text, 'base64'));
    let found = nothing;
    for (const { programIdIndex, data } of message.compiledInstructions) {
      const program = message.staticAccountKeys[programIdIndex]?.toBase58();
      if (program === ASSOCIATED_TOKEN_PROGRAM) found = { ...found, opensAccount: true };
      if (program !== TOKEN_PROGRAM) continue;
      if (data[0] === APPROVE_CHECKED) found = { ...found, amount: Buffer.from(data).readBigUInt64LE(1) };
      if (data[0] === REVOKE) found = { ...found, amount: 0n };
    }
    return found;
  } catch {
    return nothing;
  }
}
