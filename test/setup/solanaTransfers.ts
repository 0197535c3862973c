// Transfers that wallets make by themselves on a local cluster, as they build them from what they scan or read: with references, and a memo before.
import { PublicKey, TransactionInstruction } from '@solana/web3.js';
import { type Keypair, localSolanaKey } from '../../local/solana/keys.ts';
import type { LandedTransaction } from '../../local/solana/ledger.ts';
import { TOKEN_PROGRAM, tokenAccount } from '../../src/chain/solana/addresses.ts';
import { createTokenAccount } from '../../src/chain/solana/tips.ts';
import type { SolanaWorld } from './solanaWorld.ts';

const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
const TRANSFER_CHECKED = 12;

export type TransferWish = {
  references?: readonly string[];
  memo?: string;
  /** Of another program than the memo's. */
  memoProgram?: string;
  /** Whether the sender's wallet opens the recipient's token account. */
  opens?: boolean;
};

/** USDC from a person's wallet to a wallet, whose token account the sender opens where it is missing. */
export function transferUsdc(
  solana: SolanaWorld,
  from: string,
  to: string,
  units: bigint,
  wish: TransferWish = {},
): LandedTransaction {
  return solana.send([localSolanaKey(from)], ...usdcTransfer(solana.usdc, localSolanaKey(from), to, units, wish));
}

/** The instructions of one. */
export function usdcTransfer(
  usdc: string,
  key: Keypair,
  to: string,
  units: bigint,
  { references = [], memo, memoProgram = MEMO_PROGRAM, opens = true }: TransferWish = {},
): TransactionInstruction[] {
  const data = Buffer.alloc(10);
  data[0] = TRANSFER_CHECKED;
  data.writeBigUInt64LE(units, 1);
  data[9] = 6;
  const account = (address: string, isSigner = false, isWritable = false) => ({
    pubkey: new PublicKey(address),
    isSigner,
    isWritable,
  });
  const transfer = new TransactionInstruction({
    programId: new PublicKey(TOKEN_PROGRAM),
    keys: [
      account(tokenAccount(key.address, usdc).address, false, true),
      account(usdc),
      account(tokenAccount(to, usdc).address, false, true),
      account(key.address, true),
      ...references.map((reference) => account(reference)),
    ],
    data,
  });
  const note = new TransactionInstruction({
    programId: new PublicKey(memoProgram),
    keys: [],
    data: Buffer.from(memo ?? ''),
  });
  const opening = createTokenAccount(key.address, to, usdc);
  return [...(opens ? [opening] : []), ...(memo === undefined ? [] : [note]), transfer];
}
