/**
 * The ledger of the local Solana chain: litesvm executes, and what litesvm does not know is kept here. That is slots with
 * commitments, the window of recent block hashes, transactions by signature and by address, and a clock that only moves forward.
 */
import { createHash } from 'node:crypto';
import { base58 } from '@scure/base';
import type { LiteSVM } from 'litesvm';
import type { TransactionError } from './transactionErrors.ts';

export type Commitment = 'processed' | 'confirmed' | 'finalized';

/** A hash is valid while the block height is at most this far above the height of its block. */
export const HASH_AGE = 150;
/** Slot numbers run ahead of block heights, as on every cluster: a client that takes one for the other finds out here. */
export const SLOTS_WITHOUT_BLOCK = 1_000;
export const SLOTS_PER_EPOCH = 432_000;
/** So many slots can a stale node be behind: reads of that time are still honest. */
export const MOST_BEHIND = 150;

export type Account = { lamports: bigint; owner: string; data: Uint8Array; executable: boolean };
/** What an account was until a slot changed it. */
export type Version = { slot: number; before: Account | null };
/** Final transactions in the form that the state file has: written once, used for every write of it. */
export type Sealed = { signatures: string[]; bytes: Buffer };

export type TokenBalance = {
  accountIndex: number;
  mint: string;
  owner: string;
  programId: string;
  amount: string;
  decimals: number;
};
export type InnerInstruction = { programIdIndex: number; accounts: number[]; data: string; stackHeight: number };

/** A transaction that is in a block. */
export type LandedTransaction = {
  signature: string;
  slot: number;
  /** Its place in the block. */
  index: number;
  /** Unix seconds. */
  blockTime: number;
  raw: Uint8Array;
  error: TransactionError | null;
  /** Those of the message, then those of lookup tables: to write, to read. */
  keys: string[];
  loadedWritable: number;
  fee: number;
  logs: string[];
  inner: { index: number; instructions: InnerInstruction[] }[];
  computeUnits: number;
  returnData: { programId: string; data: string } | null;
  preBalances: number[];
  postBalances: number[];
  preTokens: TokenBalance[];
  postTokens: TokenBalance[];
};

export type Block = {
  slot: number;
  parent: number;
  height: number;
  hash: string;
  /** Unix milliseconds. */
  timeMs: number;
  signatures: string[];
  /** Accounts that changed in it. */
  changed: Set<string>;
};

/** What a fork does once more, in its order. */
export type Entry = { slot: number } & (
  | { kind: 'transaction'; signature: string; raw: Uint8Array }
  | { kind: 'write'; address: string; account: Account | null }
);

export type LedgerEvents = {
  /** A block was opened; the ones before it reached their next commitment. */
  slot(): void;
  /** It is in a block, and changed these accounts. */
  transaction(landed: LandedTransaction, changed: readonly string[]): void;
  /** A node has got a transaction, which need not land. */
  received(signature: string): void;
  /** A fork gave these accounts other contents. */
  forked(changed: ReadonlySet<string>): void;
};

export type LedgerOptions = {
  /** 0: slots pass only by `stepSlots` and `advanceClock`. */
  slotMs?: number;
  /** Slots until a block is final, as on mainnet. */
  finalizedAfter?: number;
  /** Unix milliseconds. */
  clock?: () => number;
  /** Transactions that are kept in full, the newest. */
  mostTransactions?: number;
};

export type Ledger = {
  svm: LiteSVM;
  /** Of this chain alone: block hashes and the genesis hash come from it. */
  seed: string;
  slotMs: number;
  finalizedAfter: number;
  mostTransactions: number;
  clock: () => number;
  /** Milliseconds that `advanceClock` has added, and the moment that `moveClockTo` has asked for. */
  offsetMs: number;
  floorMs: number;
  /** The newest blocks, oldest first; the last one is open. */
  recent: Block[];
  blocks: Map<number, Block>;
  hashHeights: Map<string, number>;
  transactions: Map<string, LandedTransaction>;
  transactionCount: number;
  byAddress: Map<string, string[]>;
  entries: Entry[];
  versions: Map<string, Version[]>;
  /** Old transactions as the state file has them. */
  sealed: Sealed[];
  /** The slot that litesvm's block hash and slot hashes belong to. */
  svmSlot: number;
  /** Signatures that vanish in a fork, with the slot in which they do. */
  doomed: Map<string, number>;
  events: Set<Partial<LedgerEvents>>;
  /** Counts changes that a state file must have. */
  changes: number;
};

/** A ledger without blocks on accounts that are there. */
export function ledgerOn(svm: LiteSVM, seed: string, options: LedgerOptions): Ledger {
  const { slotMs = 400, finalizedAfter = 31, clock = Date.now, mostTransactions = 20_000 } = options;
  // Block hashes and repeated signatures are checked here: litesvm knows one hash only, and would refuse a transaction that a fork removed.
  svm.withBlockhashCheck(false).withTransactionHistory(0n).withSigverify(true);
  return {
    svm,
    seed,
    slotMs,
    finalizedAfter,
    mostTransactions,
    clock,
    offsetMs: 0,
    floorMs: 0,
    recent: [],
    blocks: new Map(),
    hashHeights: new Map(),
    transactions: new Map(),
    transactionCount: 0,
    byAddress: new Map(),
    entries: [],
    versions: new Map(),
    sealed: [],
    svmSlot: -1,
    doomed: new Map(),
    events: new Set(),
    changes: 0,
  };
}

/** The open block. */
export const openBlockOf = ({ recent }: Ledger): Block => recent[recent.length - 1] as Block;

/** The slot of the oldest block that is kept. */
export const firstBlockOf = ({ blocks }: Ledger): number => blocks.keys().next().value ?? SLOTS_WITHOUT_BLOCK;

/** The newest block of a commitment, as a node sees it that is some slots behind. */
export function blockAt({ recent, finalizedAfter }: Ledger, commitment: Commitment, behind = 0): Block {
  const depth = commitment === 'processed' ? 0 : commitment === 'confirmed' ? 1 : finalizedAfter;
  return recent[Math.max(0, recent.length - 1 - depth - behind)] as Block;
}

/** Whether a transaction with this hash can be in a block of this height. */
export function isHashValid({ hashHeights }: Ledger, hash: string, height: number): boolean {
  const own = hashHeights.get(hash);
  return own !== undefined && own <= height && height - own <= HASH_AGE;
}

/** Unix milliseconds of the chain. They never go back. */
export function timeOf(ledger: Ledger): number {
  const last = ledger.recent.length > 0 ? openBlockOf(ledger).timeMs : 0;
  return Math.max(last, ledger.clock() + ledger.offsetMs, ledger.floorMs);
}

export function addBlock(ledger: Ledger, block: Block): void {
  ledger.blocks.set(block.slot, block);
  ledger.recent.push(block);
  ledger.hashHeights.set(block.hash, block.height);
}

/** Of the Clock sysvar. */
export function setClock({ svm }: Ledger, { slot, timeMs }: Block): void {
  const clock = svm.getClock();
  const epoch = BigInt(Math.floor(slot / SLOTS_PER_EPOCH));
  const seconds = BigInt(Math.floor(timeMs / 1_000));
  if (epoch !== clock.epoch || clock.epochStartTimestamp === 0n) clock.epochStartTimestamp = seconds;
  clock.slot = BigInt(slot);
  clock.epoch = epoch;
  clock.leaderScheduleEpoch = epoch + 1n;
  clock.unixTimestamp = seconds;
  svm.setClock(clock);
}

/** A slot has the same hash at any time: a chain that restarts knows the hashes that it gave away. */
export function hashOf({ seed }: Ledger, what: string): string {
  return base58.encode(createHash('sha256').update(`${seed} ${what}`).digest());
}
