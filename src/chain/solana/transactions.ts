// Transactions of a Solana cluster: where each stands, what it did, whether it can still land, and what a call would do.
import { createHash } from 'node:crypto';
import {
  type ConfirmedTransactionMeta,
  type Connection,
  type MessageAccountKeys,
  type MessageV0,
  PublicKey,
  type TransactionError,
  VersionedTransaction,
} from '@solana/web3.js';
import { AppError } from '../../domain/errors.ts';
import { base58Bytes } from '../../domain/solanaAddress.ts';
import type { SolanaReceipt } from '../receipt.ts';
import type { RevertReason } from '../routers/reverts.ts';
import { compileMessage, readingSolana, type SolanaCall, type SolanaChain } from './client.ts';
import type { SolanaAddress } from './codec.ts';
import { PROGRAM_ERRORS, programErrorName } from './errors.ts';
import { decodeEvent, type ProgramEvent } from './events.ts';
import type { TokenChange } from './tokens.ts';

/** Signatures that one question names. */
const PAGE = 256;

/** Where a transaction stands: the slot that has it, and whether that can still change. Null while no confirmed slot has it. */
export type Standing = { slot: bigint; isFinal: boolean; succeeded: boolean } | null;

/** @throws AppError `provider_unavailable` */
export async function standingsOf(chain: SolanaChain, signatures: readonly string[]): Promise<Standing[]> {
  const standings: Standing[] = [];
  for (let from = 0; from < signatures.length; from += PAGE) {
    const page = signatures.slice(from, from + PAGE);
    const known = await readingSolana(chain, (at) => standingsAt(at, page));
    const unknown = page.filter((_, index) => known[index] === null);
    const elsewhere = await standingsElsewhere(chain, unknown);
    standings.push(...page.map((signature, index) => known[index] ?? elsewhere.get(signature) ?? null));
  }
  return standings;
}

/** What any endpoint knows: one that lags must not look like a fork. */
async function standingsElsewhere(
  { endpoints }: SolanaChain,
  signatures: readonly string[],
): Promise<Map<string, NonNullable<Standing>>> {
  const best = new Map<string, NonNullable<Standing>>();
  if (signatures.length === 0 || endpoints.length < 2) return best;
  const answers = await Promise.allSettled(endpoints.map((at) => standingsAt(at, signatures)));
  for (const answer of answers) {
    if (answer.status === 'rejected') continue;
    for (const [index, standing] of answer.value.entries()) {
      const signature = signatures[index] ?? '';
      if (standing && !best.get(signature)?.isFinal) best.set(signature, standing);
    }
  }
  return best;
}

/** The same by one endpoint. @throws Error when it does not answer */
export async function standingsAt(at: Connection, signatures: readonly string[]): Promise<Standing[]> {
  const { value } = await at.getSignatureStatuses([...signatures], { searchTransactionHistory: true });
  return value.map((status) => {
    const isFinal = status?.confirmationStatus === 'finalized';
    if (!status || !(isFinal || status.confirmationStatus === 'confirmed')) return null;
    return { slot: BigInt(status.slot), isFinal, succeeded: status.err === null };
  });
}

/** @throws AppError `provider_unavailable` */
export async function headSlot(chain: SolanaChain): Promise<bigint> {
  return BigInt(await readingSolana(chain, (at) => at.getSlot('confirmed')));
}

/**
 * Whether a transaction can never land: at every endpoint the last height of its block hash is final, that hash is not valid, and its signature is
 * unknown. An endpoint that lags, or does not answer, makes it no.
 * @param raw its bytes in base64
 * @param lastValidHeight by the word of the endpoint that gave the block hash
 */
export async function canNeverLand(
  chain: SolanaChain,
  { signature, raw, lastValidHeight }: { signature: string; raw: string; lastValidHeight: bigint },
): Promise<boolean> {
  const { recentBlockhash } = VersionedTransaction.deserialize(Buffer.from(raw, 'base64')).message;
  try {
    const answers = await Promise.all(
      chain.endpoints.map(async (at) => {
        // In this order: what lands between the questions is known to the last.
        const height = await at.getBlockHeight('finalized');
        if (BigInt(height) <= lastValidHeight) return false;
        if ((await at.isBlockhashValid(recentBlockhash, { commitment: 'processed' })).value) return false;
        const { value } = await at.getSignatureStatuses([signature], { searchTransactionHistory: true });
        return value[0] === null;
      }),
    );
    return answers.every(Boolean);
  } catch {
    return false;
  }
}

/** Whether no transaction with a block hash can still land, as far as a node knows by now. @throws AppError `provider_unavailable` */
export async function isHashOver(chain: SolanaChain, lastValidHeight: bigint): Promise<boolean> {
  return BigInt(await readingSolana(chain, (at) => at.getBlockHeight('confirmed'))) > lastValidHeight;
}

/**
 * A transaction that a confirmed slot has, with the program's events, from the first endpoint that answers, or, where that does not know it, from
 * any other; null while no node has indexed it.
 * @throws AppError `provider_unavailable`
 */
export async function receiptOfSolana(chain: SolanaChain, signature: string): Promise<SolanaReceipt | null> {
  const read = (at: Connection) => receiptAt(chain, at, signature, 'confirmed');
  const found = await readingSolana(chain, read);
  if (found || chain.endpoints.length < 2) return found;
  const answers = await Promise.allSettled(chain.endpoints.map(read));
  return answers.flatMap((answer) => (answer.status === 'fulfilled' && answer.value ? [answer.value] : []))[0] ?? null;
}

/** The same as one endpoint shows it. @throws Error when that one does not answer */
export async function receiptAt(
  chain: SolanaChain,
  at: Connection,
  signature: string,
  commitment: 'confirmed' | 'finalized',
): Promise<SolanaReceipt | null> {
  const found = await at.getTransaction(signature, { commitment, maxSupportedTransactionVersion: 0 });
  if (!found?.meta) return null;
  const { meta, slot } = found;
  const keys = found.transaction.message.getAccountKeys({ accountKeysFromLookups: meta.loadedAddresses ?? null });
  const events: ProgramEvent[] = [];
  const memos = found.transaction.message.compiledInstructions.flatMap(({ programIdIndex, data }) =>
    MEMO_PROGRAMS.has(keys.get(programIdIndex)?.toBase58() ?? '') ? [Buffer.from(data).toString('utf8')] : [],
  );
  // A transaction that failed has none: its effects were undone.
  for (const { instructions } of meta.err === null ? (meta.innerInstructions ?? []) : []) {
    for (const { programIdIndex, data } of instructions) {
      const program = keys.get(programIdIndex)?.toBase58() ?? '';
      if (MEMO_PROGRAMS.has(program)) memos.push(Buffer.from(base58Bytes(data)).toString('utf8'));
      if (program !== chain.program.id) continue;
      const event = decodeEvent(base58Bytes(data));
      if (event) events.push(event);
    }
  }
  const read = {
    block: BigInt(slot),
    succeeded: meta.err === null,
    events,
    reason: meta.err === null ? null : reasonOf(meta.err),
    changes: meta.err === null ? changesOf(meta, keys) : [],
  };
  return {
    ...read,
    family: 'solana',
    hash: signature,
    blockHash: String(slot),
    digest: digestOf(read),
    accounts: keys.keySegments().flatMap((segment) => segment.map((key) => key.toBase58())),
    memos,
  };
}

function digestOf(read: Pick<SolanaReceipt, 'block' | 'succeeded' | 'events' | 'reason' | 'changes'>): string {
  const text = JSON.stringify(read, (_, value) => (typeof value === 'bigint' ? String(value) : value));
  return createHash('sha256').update(text).digest('hex');
}

const MEMO_PROGRAMS: ReadonlySet<string> = new Set([
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
]);

function changesOf(meta: ConfirmedTransactionMeta, keys: MessageAccountKeys): TokenChange[] {
  const found = new Map<number, TokenChange>();
  const note = (side: 'before' | 'after', balances: ConfirmedTransactionMeta['preTokenBalances']) => {
    for (const { accountIndex, mint, owner, uiTokenAmount } of balances ?? []) {
      const account = keys.get(accountIndex)?.toBase58();
      if (account === undefined || owner === undefined) continue;
      const change = found.get(accountIndex) ?? { account, owner, mint, before: 0n, after: 0n };
      // One that is closed and opened again in a transaction may change its owner: what it has in the end counts.
      found.set(accountIndex, { ...change, owner, mint, [side]: BigInt(uiTokenAmount.amount) });
    }
  };
  note('before', meta.preTokenBalances);
  note('after', meta.postTokenBalances);
  return [...found.values()].filter(({ before, after }) => before !== after);
}

/** Why a transaction fails, in the names of the routers' errors where they mean the same. `SolanaError` is what the network itself refuses. */
export function reasonOf(error: TransactionError | string): RevertReason {
  const [index, custom] =
    (error as { InstructionError?: [number, { Custom?: number } | string] }).InstructionError ?? [];
  const at = index === undefined ? {} : { at: index };
  const code = typeof custom === 'object' ? custom.Custom : undefined;
  const name = code === undefined ? null : programErrorName(code);
  if (name) {
    const { text } = PROGRAM_ERRORS[name];
    return { name: `${name[0]?.toUpperCase()}${name.slice(1)}`, args: [text], text, ...at };
  }
  const known = typeof custom === 'string' ? custom : code === NO_FUNDS ? 'InsufficientFunds' : networkReason(error);
  return { name: known, args: [JSON.stringify(error)], ...at };
}

/** Of the token program, and of the system's. */
const NO_FUNDS = 1;

/** What the network itself refuses: a word, or one with details. */
function networkReason(error: TransactionError | string): string {
  if (typeof error === 'string') return error;
  const [word, ...others] = Object.keys(error);
  return word !== undefined && word !== 'InstructionError' && others.length === 0 ? word : 'SolanaError';
}

/** What the executor cannot pay for is nothing that anyone else did. */
const UNPAID: ReadonlySet<string> = new Set(['AccountNotFound', 'InsufficientFundsForFee']);

/** The payer, which stands first, would be left with less than an account must hold. */
function leavesPayerPoor(error: TransactionError | string): boolean {
  const { InsufficientFundsForRent: found } = error as { InsufficientFundsForRent?: { account_index?: number } };
  return found?.account_index === 0;
}

/**
 * Plays a call against the newest confirmed slot.
 * @returns null when it would succeed
 * @throws AppError `provider_unavailable`, also where its payer lacks SOL
 */
export async function simulateSolana(
  chain: SolanaChain,
  payer: SolanaAddress,
  call: SolanaCall,
): Promise<RevertReason | null> {
  return simulateMessage(chain, compileMessage(payer, call, 0, { blockhash: PublicKey.default.toBase58() }), true);
}

/** The same of a message with its own block hash. */
export async function simulateMessage(
  chain: SolanaChain,
  message: MessageV0,
  replaceRecentBlockhash = false,
): Promise<RevertReason | null> {
  const { value } = await readingSolana(chain, (at) =>
    at.simulateTransaction(new VersionedTransaction(message), {
      sigVerify: false,
      replaceRecentBlockhash,
      commitment: 'confirmed',
    }),
  );
  if (value.err === null) return null;
  const reason = reasonOf(value.err);
  if (UNPAID.has(reason.name) || leavesPayerPoor(value.err))
    throw new AppError('provider_unavailable', `no executor key can pay on ${chain.facts.label}`);
  return reason;
}
