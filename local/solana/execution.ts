// How a transaction gets into a block: litesvm executes it, and what clients can query about it later is taken down here.
import { base58 } from '@scure/base';
import { getTransactionDecoder } from '@solana/kit';
import { FailedTransactionMetadata, type SlotHash, type TransactionMetadata } from 'litesvm';
import { readAccount, rememberVersion, SYSTEM_PROGRAM } from './accounts.ts';
import { feeOf } from './fees.ts';
import { addTransaction } from './history.ts';
import {
  type Account,
  type Block,
  type InnerInstruction,
  isHashValid,
  type LandedTransaction,
  type Ledger,
  openBlockOf,
  type TokenBalance,
} from './ledger.ts';
import { mintOf, tokenAccountOf } from './tokens.ts';
import { errorOf, type TransactionError } from './transactionErrors.ts';
import { isWritable, type Message, type WireTransaction } from './wire.ts';

const LOOKUP_TABLE_PROGRAM = 'AddressLookupTab1e1111111111111111111111111';
/** Where the addresses of a lookup table begin. */
const TABLE_HEADER_BYTES = 56;
/** As many slot hashes as the sysvar has. */
const SLOT_HASHES = 512;

export type ResolvedKeys = { keys: string[]; loadedWritable: number };

/** Puts a transaction into the open block. @returns why it is in no block, where it is not */
export function submit(ledger: Ledger, transaction: WireTransaction): LandedTransaction | TransactionError {
  const block = openBlockOf(ledger);
  if (ledger.transactions.has(transaction.signatures[0] as string)) return 'AlreadyProcessed';
  if (!hasLifetime(ledger, transaction.message, block)) return 'BlockhashNotFound';
  return land(ledger, transaction, block);
}

/** Its block hash is recent, or it begins with the advance of a nonce account that holds its hash. */
export function hasLifetime(ledger: Ledger, message: Message, block: Block): boolean {
  if (isHashValid(ledger, message.recentBlockhash, block.height)) return true;
  const [first] = message.instructions;
  const isAdvance =
    first && message.keys[first.programIdIndex] === SYSTEM_PROGRAM && Buffer.from(first.data).equals(ADVANCE_NONCE);
  const address = isAdvance ? message.keys[first.accounts[0] ?? -1] : undefined;
  const nonce = address === undefined ? null : readAccount(ledger, address);
  return nonce?.owner === SYSTEM_PROGRAM && nonce.data.length === 80
    ? base58.encode(nonce.data.subarray(40, 72)) === message.recentBlockhash
    : false;
}
const ADVANCE_NONCE = Buffer.from([4, 0, 0, 0]);

/** Executes a transaction in a block. @returns why it is in none: it could not be loaded, or its payer cannot pay the fee */
export function land(ledger: Ledger, transaction: WireTransaction, block: Block): LandedTransaction | TransactionError {
  const { message, raw } = transaction;
  prepare(ledger, block);
  const { keys, loadedWritable } = resolveKeys(ledger, message);
  const before = readAll(ledger, message, keys);
  const result = ledger.svm.sendTransaction(getTransactionDecoder().decode(raw));
  const failed = result instanceof FailedTransactionMetadata;
  const error = failed ? errorOf(result) : null;
  const after = readAll(ledger, message, keys);
  const fee = feeOf(message);
  if (failed && before[0]?.lamports === after[0]?.lamports) return error as TransactionError;
  const changed = keys.filter((key, index) => {
    const old = before[index] ?? null;
    if (!isWritable(message, index, loadedWritable) || !isChanged(old, after[index] ?? null)) return false;
    rememberVersion(ledger, key, old, block.slot);
    return true;
  });
  const landed: LandedTransaction = {
    signature: transaction.signatures[0] as string,
    slot: block.slot,
    index: block.signatures.length,
    blockTime: Math.floor(block.timeMs / 1_000),
    raw,
    error,
    keys,
    loadedWritable,
    fee,
    ...outcomeOf(failed ? result.meta() : result),
    preBalances: before.map((account) => Number(account?.lamports ?? 0n)),
    postBalances: after.map((account) => Number(account?.lamports ?? 0n)),
    preTokens: tokenBalances(ledger, before),
    postTokens: tokenBalances(ledger, after),
  };
  block.signatures.push(landed.signature);
  addTransaction(ledger, landed);
  ledger.entries.push({ kind: 'transaction', slot: block.slot, signature: landed.signature, raw });
  ledger.transactionCount++;
  ledger.changes++;
  for (const { transaction: notify } of ledger.events) notify?.(landed, changed);
  return landed;
}

/** Brings what programs see of blocks to the block in which they run. */
export function prepare(ledger: Ledger, { slot }: Block): void {
  if (ledger.svmSlot === slot) return;
  ledger.svmSlot = slot;
  // A new hash for nonce accounts; those that clients use are the ledger's.
  ledger.svm.expireBlockhash();
  const hashes = ledger.recent.filter((block) => block.slot < slot).slice(-SLOT_HASHES);
  ledger.svm.setSlotHashes(
    hashes.reverse().map((block) => ({ slot: BigInt(block.slot), hash: block.hash }) as SlotHash),
  );
}

/** All keys of a message: those of lookup tables come after its own, where the tables have them. */
export function resolveKeys(ledger: Ledger, { keys, lookups }: Message): ResolvedKeys {
  const loaded = (which: 'writableIndexes' | 'readonlyIndexes') =>
    lookups.flatMap((lookup) => {
      const table = readAccount(ledger, lookup.accountKey);
      if (table?.owner !== LOOKUP_TABLE_PROGRAM) return [];
      return lookup[which].flatMap((index) => {
        const at = TABLE_HEADER_BYTES + 32 * index;
        return at + 32 <= table.data.length ? [base58.encode(table.data.subarray(at, at + 32))] : [];
      });
    });
  const writable = loaded('writableIndexes');
  return { keys: [...keys, ...writable, ...loaded('readonlyIndexes')], loadedWritable: writable.length };
}

/** Programs are large and no transaction that calls them changes them: of these only the balance is read. */
export function readAll(ledger: Ledger, message: Message, keys: readonly string[]): (Account | null)[] {
  const called = new Set(message.instructions.map(({ programIdIndex }) => programIdIndex));
  return keys.map((key, index) =>
    called.has(index)
      ? { lamports: ledger.svm.getBalance(key as never) ?? 0n, owner: '', data: new Uint8Array(), executable: true }
      : readAccount(ledger, key),
  );
}

function isChanged(before: Account | null, after: Account | null): boolean {
  if (!before || !after) return before !== after;
  return (
    before.lamports !== after.lamports ||
    before.owner !== after.owner ||
    before.executable !== after.executable ||
    Buffer.compare(before.data, after.data) !== 0
  );
}

export function tokenBalances(ledger: Ledger, accounts: readonly (Account | null)[]): TokenBalance[] {
  return accounts.flatMap((account, accountIndex) => {
    const token = tokenAccountOf(account);
    if (!token) return [];
    const { mint, owner, program, amount } = token;
    const decimals = mintOf(readAccount(ledger, mint))?.decimals ?? 0;
    return [{ accountIndex, mint, owner, programId: program, amount: amount.toString(), decimals }];
  });
}

/** What litesvm says of an execution, also of a simulated one. */
export function outcomeOf(meta: TransactionMetadata) {
  const returned = meta.returnData();
  const hasData = returned.data().length > 0;
  return {
    logs: meta.logs(),
    computeUnits: Number(meta.computeUnitsConsumed()),
    inner: meta.innerInstructions().flatMap((list, index) => {
      if (list.length === 0) return [];
      const instructions = list.map((one): InnerInstruction => {
        const compiled = one.instruction();
        return {
          programIdIndex: compiled.programIdIndex(),
          accounts: [...compiled.accounts()],
          data: base58.encode(compiled.data()),
          stackHeight: one.stackHeight(),
        };
      });
      return [{ index, instructions }];
    }),
    returnData: hasData
      ? { programId: base58.encode(returned.programId()), data: Buffer.from(returned.data()).toString('base64') }
      : null,
  };
}
