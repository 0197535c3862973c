// A transaction that a block has, of any family: what following it needs, and what its kind reads of it.
import type { RevertReason } from './routers/reverts.ts';
import type { TransactionReceipt } from './rpc/client.ts';
import { receiptDigest } from './rpc/outcomes.ts';
import type { ProgramEvent } from './solana/events.ts';
import type { TokenChange } from './solana/tokens.ts';

type Included = {
  /** Names the transaction: a hash, or a signature on Solana. */
  hash: string;
  /** The number of its block, or its slot on Solana. */
  block: bigint;
  /** What tells this block from another one at its height. */
  blockHash: string;
  succeeded: boolean;
  /** Of all that two endpoints have to show alike before it counts as its end. */
  digest: string;
};

export type EvmReceipt = Included & { family: 'evm'; raw: TransactionReceipt };
export type SolanaReceipt = Included & {
  family: 'solana';
  events: ProgramEvent[];
  /** Why it failed, null when it succeeded. */
  reason: RevertReason | null;
  /** What its token accounts held before and after it, of those that changed. None of a transaction that failed. */
  changes: TokenChange[];
  /** All accounts that it names, and the texts of its memos. */
  accounts: string[];
  memos: string[];
};
export type Receipt = EvmReceipt | SolanaReceipt;

export function evmReceipt(raw: TransactionReceipt): EvmReceipt {
  return {
    family: 'evm',
    hash: raw.transactionHash,
    block: raw.blockNumber,
    blockHash: raw.blockHash,
    succeeded: raw.status === 'success',
    digest: receiptDigest(raw),
    raw,
  };
}
