// RPC methods that send transactions, simulate them and tell what became part of the chain.
import { base58 } from '@scure/base';
import { getTransactionDecoder } from '@solana/kit';
import { FailedTransactionMetadata } from 'litesvm';
import { z } from 'zod';
import { accountAt, withAccountsAt } from '../accounts.ts';
import { hasLifetime, outcomeOf, prepare, resolveKeys, submit } from '../execution.ts';
import { feeOf } from '../fees.ts';
import { airdrop } from '../genesis.ts';
import { isSignedBy } from '../keys.ts';
import { type Block, blockAt, HASH_AGE, type LandedTransaction, openBlockOf } from '../ledger.ts';
import { memosOf } from '../parsed/instructions.ts';
import { invalidParams, nodeBehind, RpcError, signatureFailure } from '../rpcErrors.ts';
import { errorOf, sentenceOf, type TransactionError } from '../transactionErrors.ts';
import { decodeTransaction, MOST_TRANSACTION_BYTES, WireError, type WireTransaction } from '../wire.ts';
import { encodeAccount } from './accountAnswers.ts';
import {
  address,
  blockFor,
  contextConfig,
  contextFields,
  type Method,
  method,
  settledBlockFor,
  signature,
  slotNumber,
  type View,
  withContext,
} from './params.ts';
import { encodeTransaction, innerAnswer, transactionConfig } from './transactionAnswers.ts';

const MOST_STATUSES = 256;
const MOST_SIGNATURES = 1_000;
/** Older statuses are only found in the transaction history. */
const STATUS_SLOTS = 300;
const MOST_LAMPORTS = 1_000_000_000_000_000;

const wireEncoding = z.enum(['base58', 'base64']).optional();
const sendConfig = z.object({
  encoding: wireEncoding,
  skipPreflight: z.boolean().optional(),
  preflightCommitment: contextFields.commitment,
  maxRetries: slotNumber.optional(),
  minContextSlot: contextFields.minContextSlot,
});
const simulateConfig = z.object({
  ...contextFields,
  encoding: wireEncoding,
  sigVerify: z.boolean().optional(),
  replaceRecentBlockhash: z.boolean().optional(),
  innerInstructions: z.boolean().optional(),
  accounts: z
    .object({ encoding: z.enum(['base64', 'base64+zstd', 'jsonParsed']).optional(), addresses: z.array(address) })
    .optional(),
});

export const TRANSACTION_METHODS: Record<string, Method> = {
  sendTransaction: method([z.string(), sendConfig.optional()], (view, text, config) => {
    const transaction = readTransaction(text, config?.encoding);
    if (!config?.skipPreflight) preflight(view, transaction, config);
    return deliver(view, transaction);
  }),
  simulateTransaction: method([z.string(), simulateConfig.optional()], (view, text, config = {}) => {
    const transaction = readTransaction(text, config.encoding);
    if (config.sigVerify && config.replaceRecentBlockhash)
      throw invalidParams('sigVerify may not be used with replaceRecentBlockhash');
    if (config.sigVerify && !isSigned(transaction)) throw signatureFailure();
    const block = blockFor(view, config);
    return withContext(block, simulationAnswer(view, transaction, block, config));
  }),
  requestAirdrop: method([address, slotNumber, contextConfig], (view, to, lamports) => {
    if (lamports > MOST_LAMPORTS) throw invalidParams('Invalid request: lamports exceed the faucet');
    const sent = airdrop(view.ledger, to, lamports);
    for (const { received } of view.ledger.events) received?.(sent);
    return sent;
  }),
  getSignatureStatuses: method(
    [z.array(signature), z.object({ searchTransactionHistory: z.boolean().optional() }).optional()],
    (view, signatures, config) => {
      if (signatures.length > MOST_STATUSES) throw invalidParams(`Too many inputs provided; max ${MOST_STATUSES}`);
      const block = blockAt(view.ledger, 'processed', view.behind);
      const isSearch = config?.searchTransactionHistory ?? false;
      return withContext(
        block,
        signatures.map((one) => statusOf(view, block, view.ledger.transactions.get(one), isSearch)),
      );
    },
  ),
  getTransaction: method([signature, z.union([z.string(), transactionConfig]).optional()], (view, name, given) => {
    const config = typeof given === 'object' ? given : readConfig(given);
    const block = settledBlockFor(view, config);
    const landed = view.ledger.transactions.get(name);
    return landed && landed.slot <= block.slot ? encodeTransaction(landed, config) : null;
  }),
  getSignaturesForAddress: method(
    [
      address,
      z
        .object({
          ...contextFields,
          before: signature.optional(),
          until: signature.optional(),
          limit: z.number().int().optional(),
        })
        .optional(),
    ],
    (view, key, config = {}) => {
      const { before, until, limit = MOST_SIGNATURES } = config;
      if (limit < 1 || limit > MOST_SIGNATURES) throw invalidParams(`Invalid limit; max ${MOST_SIGNATURES}`);
      const block = settledBlockFor(view, config);
      const names = pageOf(view, view.ledger.byAddress.get(key) ?? [], before, until);
      const landed = names.flatMap((name) => view.ledger.transactions.get(name) ?? []);
      return landed
        .filter(({ slot }) => slot <= block.slot)
        .slice(0, limit)
        .map((one) => signatureAnswer(view, one));
    },
  ),
};

function readConfig(encoding: string | undefined) {
  const parsed = transactionConfig.safeParse({ encoding });
  if (!parsed.success) throw invalidParams(`Invalid params: params[1]: ${parsed.error.issues[0]?.message}`);
  return parsed.data;
}

/** Newest first, older than one signature and newer than another. */
function pageOf(view: View, oldestFirst: readonly string[], before: string | undefined, until: string | undefined) {
  const { transactions } = view.ledger;
  const position = (name: string) => {
    const landed = transactions.get(name);
    return landed && { slot: landed.slot, index: landed.index };
  };
  const start = before === undefined ? null : position(before);
  // A signature that is not there has no page before it, and ends none.
  if (start === undefined) return [];
  const end = until === undefined ? undefined : position(until);
  const isOlder = (name: string, than: { slot: number; index: number }) => {
    const own = position(name);
    return own !== undefined && (own.slot < than.slot || (own.slot === than.slot && own.index < than.index));
  };
  return oldestFirst
    .toReversed()
    .filter((name) => (start === null || isOlder(name, start)) && (!end || (name !== until && !isOlder(name, end))));
}

function signatureAnswer(
  { ledger, behind }: View,
  { signature: name, slot, error, blockTime, raw }: LandedTransaction,
) {
  const memos = memosOf(decodeTransaction(raw).message);
  return {
    signature: name,
    slot,
    err: error,
    memo: memos.length > 0 ? memos.map((memo) => `[${Buffer.byteLength(memo)}] ${memo}`).join('; ') : null,
    blockTime,
    confirmationStatus: slot <= blockAt(ledger, 'finalized', behind).slot ? 'finalized' : 'confirmed',
  };
}

function statusOf({ ledger, behind }: View, block: Block, landed: LandedTransaction | undefined, isSearch: boolean) {
  if (!landed || landed.slot > block.slot) return null;
  const { slot, error } = landed;
  const final = blockAt(ledger, 'finalized', behind).slot;
  if (!isSearch && slot < final - STATUS_SLOTS) return null;
  const status =
    slot <= final ? 'finalized' : slot <= blockAt(ledger, 'confirmed', behind).slot ? 'confirmed' : 'processed';
  return {
    slot,
    confirmations: status === 'finalized' ? null : block.slot - slot,
    err: error,
    status: error === null ? { Ok: null } : { Err: error },
    confirmationStatus: status,
  };
}

/** @throws RpcError for what is no transaction */
function readTransaction(text: string, encoding: 'base58' | 'base64' = 'base58'): WireTransaction {
  const kind = 'solana_transaction::versioned::VersionedTransaction';
  const most = encoding === 'base58' ? 1_683 : 1_644;
  const tooLarge = (bytes: number) =>
    invalidParams(
      `${encoding} encoded ${kind} too large: ${bytes} bytes (max: encoded/raw ${most}/${MOST_TRANSACTION_BYTES})`,
    );
  if (text.length > most) throw tooLarge(text.length);
  let raw: Uint8Array;
  if (encoding === 'base64') {
    raw = new Uint8Array(Buffer.from(text, 'base64'));
    if (Buffer.from(raw).toString('base64') !== text) throw invalidParams('invalid base64 encoding');
  } else {
    try {
      raw = base58.decode(text);
    } catch {
      throw invalidParams('invalid base58 encoding');
    }
  }
  if (raw.length > MOST_TRANSACTION_BYTES) throw tooLarge(raw.length);
  try {
    return decodeTransaction(raw);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    throw invalidParams(
      error.isFormat ? `failed to deserialize ${kind}: ${error.message}` : `invalid transaction: ${error.message}`,
    );
  }
}

function isSigned({ message, messageBytes, signatures }: WireTransaction): boolean {
  return signatures.every((one, at) => isSignedBy(message.keys[at] as string, messageBytes, base58.decode(one)));
}

/** What a node checks before it passes a transaction on. @throws RpcError */
function preflight(view: View, transaction: WireTransaction, config: z.infer<typeof sendConfig> | undefined): void {
  const block = blockFor(view, { commitment: config?.preflightCommitment, minContextSlot: config?.minContextSlot });
  if (!isSigned(transaction)) throw signatureFailure();
  if (view.behind > 0) throw nodeBehind(view.behind);
  const { error, ...outcome } = simulate(view, transaction, block, false);
  if (error === null) return;
  throw new RpcError(-32002, `Transaction simulation failed: ${sentenceOf(error)}`, {
    accounts: null,
    err: error,
    innerInstructions: null,
    logs: outcome.logs,
    replacementBlockhash: null,
    returnData: outcome.returnData && { ...outcome.returnData, data: [outcome.returnData.data, 'base64'] },
    unitsConsumed: outcome.computeUnits,
  });
}

/** A transaction that cannot land is answered like one that does: a node that has passed it on hears nothing more of it. */
function deliver({ ledger, faults }: View, transaction: WireTransaction): string {
  const name = transaction.signatures[0] as string;
  for (const { received } of ledger.events) received?.(name);
  const isDropped = faults.take('drop', { method: 'sendTransaction', signatures: [name] }) !== null;
  if (!isDropped && isSigned(transaction)) submit(ledger, transaction);
  faults.landed(name);
  return name;
}

function simulate(view: View, transaction: WireTransaction, block: Block, isAnyHash: boolean) {
  const { ledger } = view;
  const { message, raw } = transaction;
  const nothing = { logs: [], computeUnits: 0, inner: [], returnData: null, accounts: [] };
  const landed = ledger.transactions.get(transaction.signatures[0] as string);
  const refuse = (error: TransactionError) => ({ error, keys: message.keys, ...nothing });
  if (landed && landed.slot <= block.slot) return refuse('AlreadyProcessed');
  const tables = message.lookups.map(({ accountKey }) => accountKey);
  return withAccountsAt(ledger, [...message.keys, ...tables, ...resolveKeys(ledger, message).keys], block.slot, () => {
    if (!isAnyHash && !hasLifetime(ledger, message, block)) return refuse('BlockhashNotFound');
    const { keys } = resolveKeys(ledger, message);
    prepare(ledger, openBlockOf(ledger));
    ledger.svm.withSigverify(false);
    try {
      const result = ledger.svm.simulateTransaction(getTransactionDecoder().decode(raw));
      const failed = result instanceof FailedTransactionMetadata;
      const accounts = failed ? [] : result.postAccounts();
      return { error: failed ? errorOf(result) : null, keys, accounts, ...outcomeOf(result.meta()) };
    } finally {
      ledger.svm.withSigverify(true);
    }
  });
}

function simulationAnswer(
  view: View,
  transaction: WireTransaction,
  block: Block,
  config: z.infer<typeof simulateConfig>,
) {
  const { accounts: wanted, innerInstructions, replaceRecentBlockhash } = config;
  const { ledger } = view;
  const outcome = simulate(view, transaction, block, replaceRecentBlockhash ?? false);
  const { returnData } = outcome;
  const read = (key: string) => {
    const found = outcome.accounts.find((one) => one.address === key);
    if (!found) return accountAt(ledger, key, block.slot);
    return {
      lamports: found.lamports,
      owner: found.programAddress,
      data: found.data as Uint8Array,
      executable: found.executable,
    };
  };
  return {
    err: outcome.error,
    logs: outcome.logs,
    accounts: wanted
      ? wanted.addresses.map((key) => {
          const account = outcome.error === null ? read(key) : null;
          return account && account.lamports > 0n
            ? encodeAccount(account, { encoding: wanted.encoding ?? 'base64' }, read)
            : null;
        })
      : null,
    fee: feeOf(transaction.message),
    unitsConsumed: outcome.computeUnits,
    returnData: returnData && { programId: returnData.programId, data: [returnData.data, 'base64'] },
    innerInstructions: innerInstructions ? innerAnswer(outcome, true) : null,
    replacementBlockhash: replaceRecentBlockhash
      ? { blockhash: block.hash, lastValidBlockHeight: block.height + HASH_AGE }
      : null,
  };
}
