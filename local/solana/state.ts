/**
 * Keeps the local Solana chain in a file that is whole at every moment: a new one replaces it in one step, at most once a
 * second. A process that is killed loses at most the second before, which is never final on a chain with its usual distances.
 */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { deflate, deflateSync, inflateSync } from 'node:zlib';
import { LiteSVM } from 'litesvm';
import { z } from 'zod';
import { addTransaction, serialize } from './history.ts';
import {
  type Account,
  addBlock,
  type Entry,
  hashOf,
  type LandedTransaction,
  type Ledger,
  type LedgerOptions,
  ledgerOn,
  openBlockOf,
  type Sealed,
  SLOTS_WITHOUT_BLOCK,
  setClock,
} from './ledger.ts';
import { catchUp } from './slots.ts';

const MAGIC = Buffer.from('ampersat solana 1\n');
const SAVE_MS = 1_000;

const savedAccount = z.tuple([z.string(), z.string(), z.string(), z.boolean()]).nullable();
type SavedAccount = z.infer<typeof savedAccount>;
const header = z.object({
  seed: z.string(),
  offsetMs: z.number(),
  transactionCount: z.number(),
  /** How many of the blocks, the last ones, are recent. */
  recent: z.number(),
  blocks: z.array(z.tuple([z.number(), z.number(), z.number()])),
  versions: z.array(z.tuple([z.string(), z.array(z.tuple([z.number(), savedAccount]))])),
  entries: z.array(
    z.union([
      z.object({ slot: z.number(), signature: z.string() }),
      z.object({ slot: z.number(), address: z.string(), account: savedAccount }),
    ]),
  ),
  doomed: z.array(z.tuple([z.string(), z.number()])),
  /** Bytes of the parts that follow: accounts, transactions that are not sealed, then each sealed part. */
  parts: z.array(z.number()),
});
type Header = z.infer<typeof header>;

export type KeptState = { save(): Promise<void>; close(): Promise<void> };

/** Null when there is no file. @throws Error for a file that is no state */
export function readState(file: string, options: LedgerOptions): Ledger | null {
  if (!existsSync(file)) return null;
  try {
    return restore(readFileSync(file), options);
  } catch (cause) {
    throw new Error(`The state of the local Solana chain cannot be read: ${file}. Delete it to start over.`, { cause });
  }
}

export function keepState(file: string, ledger: Ledger, log: (line: string) => void): KeptState {
  mkdirSync(dirname(file), { recursive: true });
  let saved = -1;
  let last: Promise<void> = Promise.resolve();
  const write = async () => {
    if (saved === ledger.changes) return;
    saved = ledger.changes;
    const draft = `${file}.draft`;
    await writeFile(draft, await snapshot(ledger), { mode: 0o600 });
    await rename(draft, file);
  };
  const save = () => {
    last = last.then(write, write);
    return last;
  };
  const timer = setInterval(() => {
    save().catch((error: unknown) => {
      saved = -1;
      log(`the state of the local Solana chain could not be written: ${(error as Error).message}`);
    });
  }, SAVE_MS);
  timer.unref();
  return {
    save,
    async close() {
      clearInterval(timer);
      await save();
    },
  };
}

/** All of it is read at one moment; only compressing takes longer. */
async function snapshot(ledger: Ledger): Promise<Buffer> {
  const sealed = [...ledger.sealed];
  const isSealed = sealed.reduce((sum, { signatures }) => sum + signatures.length, 0);
  const texts = [ledger.svm.toBytes(), Buffer.from(serialize([...ledger.transactions.values()].slice(isSealed)))];
  const head = headerOf(ledger);
  const packed = await Promise.all(texts.map((one) => promisify(deflate)(one, { level: 1 })));
  const parts = [...packed, ...sealed.map(({ bytes }) => bytes)];
  const text = deflateSync(JSON.stringify({ ...head, parts: parts.map(({ length }) => length) }));
  const size = Buffer.alloc(4);
  size.writeUInt32LE(text.length);
  return Buffer.concat([MAGIC, size, text, ...parts]);
}

function headerOf(ledger: Ledger): Omit<Header, 'parts'> {
  const recent = new Set(ledger.recent);
  const blocks = [...ledger.blocks.values()].filter((block) => recent.has(block) || block.signatures.length > 0);
  return {
    seed: ledger.seed,
    offsetMs: ledger.offsetMs,
    transactionCount: ledger.transactionCount,
    recent: ledger.recent.length,
    blocks: blocks.map(({ slot, parent, timeMs }) => [slot, parent, timeMs]),
    versions: [...ledger.versions].map(([address, versions]) => [
      address,
      versions.map(({ slot, before }) => [slot, saveAccount(before)]),
    ]),
    entries: ledger.entries.map((entry) =>
      entry.kind === 'transaction'
        ? { slot: entry.slot, signature: entry.signature }
        : { slot: entry.slot, address: entry.address, account: saveAccount(entry.account) },
    ),
    doomed: [...ledger.doomed],
  };
}

function restore(content: Buffer, options: LedgerOptions): Ledger {
  if (!content.subarray(0, MAGIC.length).equals(MAGIC)) throw new Error('the file is of another kind');
  let at = MAGIC.length;
  const next = (bytes: number) => {
    at += bytes;
    return content.subarray(at - bytes, at);
  };
  const head = header.parse(JSON.parse(inflateSync(next(next(4).readUInt32LE(0))).toString('utf8')));
  const [accounts, open, ...sealed] = head.parts.map(next);
  const ledger = ledgerOn(LiteSVM.fromBytes(inflateSync(accounts as Buffer)), head.seed, options);
  const { offsetMs, transactionCount } = head;
  Object.assign(ledger, { offsetMs, transactionCount });
  restoreBlocks(ledger, head);
  for (const bytes of sealed) {
    const transactions = parseTransactions(bytes);
    ledger.sealed.push({
      signatures: transactions.map(({ signature }) => signature),
      bytes: Buffer.from(bytes),
    } satisfies Sealed);
    for (const one of transactions) restoreTransaction(ledger, one);
  }
  for (const one of parseTransactions(open as Buffer)) restoreTransaction(ledger, one);
  restorePending(ledger, head);
  setClock(ledger, openBlockOf(ledger));
  // The time in which no process ran has passed on the chain as well.
  catchUp(ledger);
  return ledger;
}

function restoreBlocks(ledger: Ledger, { blocks, recent }: Header): void {
  for (const [index, [slot, parent, timeMs]] of blocks.entries()) {
    const block = {
      slot,
      parent,
      timeMs,
      height: slot - SLOTS_WITHOUT_BLOCK,
      hash: hashOf(ledger, `slot ${slot}`),
      signatures: [],
      changed: new Set<string>(),
    };
    if (index >= blocks.length - recent) addBlock(ledger, block);
    else ledger.blocks.set(slot, block);
  }
}

function restoreTransaction(ledger: Ledger, landed: LandedTransaction): void {
  ledger.blocks.get(landed.slot)?.signatures.push(landed.signature);
  addTransaction(ledger, landed);
}

function restorePending(ledger: Ledger, { versions, entries, doomed }: Header): void {
  for (const [address, list] of versions) {
    ledger.versions.set(
      address,
      list.map(([slot, account]) => ({ slot, before: loadAccount(account) })),
    );
    for (const [slot] of list) ledger.blocks.get(slot)?.changed.add(address);
  }
  ledger.entries = entries.flatMap((entry): Entry[] => {
    if ('address' in entry) return [{ kind: 'write', ...entry, account: loadAccount(entry.account) }];
    const raw = ledger.transactions.get(entry.signature)?.raw;
    return raw ? [{ kind: 'transaction', ...entry, raw }] : [];
  });
  ledger.doomed = new Map(doomed);
}

function parseTransactions(bytes: Buffer): LandedTransaction[] {
  const list = JSON.parse(inflateSync(bytes).toString('utf8')) as (Omit<LandedTransaction, 'raw'> & { raw: string })[];
  return list.map((one) => ({ ...one, raw: new Uint8Array(Buffer.from(one.raw, 'base64')) }));
}

function saveAccount(account: Account | null): SavedAccount {
  if (!account) return null;
  const { lamports, owner, data, executable } = account;
  return [lamports.toString(), owner, Buffer.from(data).toString('base64'), executable];
}

function loadAccount(saved: SavedAccount): Account | null {
  if (!saved) return null;
  const [lamports, owner, data, executable] = saved;
  return { lamports: BigInt(lamports), owner, data: new Uint8Array(Buffer.from(data, 'base64')), executable };
}
