// The wire format of Solana transactions, legacy and version 0: decoded strictly, and written for what the local chain itself signs.
import { base58 } from '@scure/base';
import type { Keypair } from './keys.ts';
import { signBytes } from './keys.ts';

export const MOST_TRANSACTION_BYTES = 1_232;
const VERSION_BIT = 0x80;

export type Instruction = { programIdIndex: number; accounts: number[]; data: Uint8Array };
export type Lookup = { accountKey: string; writableIndexes: number[]; readonlyIndexes: number[] };
export type Header = {
  numRequiredSignatures: number;
  numReadonlySignedAccounts: number;
  numReadonlyUnsignedAccounts: number;
};
export type Message = {
  version: 'legacy' | 0;
  header: Header;
  /** The keys in the message itself; those of lookup tables come after them. */
  keys: string[];
  recentBlockhash: string;
  instructions: Instruction[];
  lookups: Lookup[];
};
export type WireTransaction = {
  raw: Uint8Array;
  /** Base58; the first one names the transaction. */
  signatures: string[];
  messageBytes: Uint8Array;
  message: Message;
};

/** What is not a transaction. `isFormat` false: it can be read, and its numbers contradict one another. */
export class WireError extends Error {
  readonly isFormat: boolean;
  constructor(message: string, isFormat = true) {
    super(message);
    this.isFormat = isFormat;
  }
}

/** @throws WireError */
export function decodeTransaction(raw: Uint8Array): WireTransaction {
  const reader = readerOf(raw);
  const count = reader.length();
  const signatures = Array.from({ length: count }, () => base58.encode(reader.bytes(64)));
  const start = reader.at();
  const message = decodeMessageFrom(reader);
  if (reader.at() !== raw.length) throw new WireError('trailing bytes after the message');
  if (count === 0 || count !== message.header.numRequiredSignatures)
    throw new WireError('Transaction failed to sanitize accounts offsets correctly', false);
  return { raw, signatures, messageBytes: raw.subarray(start), message };
}

/** @throws WireError */
export function decodeMessage(bytes: Uint8Array): Message {
  const reader = readerOf(bytes);
  const message = decodeMessageFrom(reader);
  if (reader.at() !== bytes.length) throw new WireError('trailing bytes after the message');
  return message;
}

type Reader = ReturnType<typeof readerOf>;

function decodeMessageFrom(reader: Reader): Message {
  const first = reader.byte();
  const version = first & VERSION_BIT ? first & ~VERSION_BIT : 'legacy';
  if (version !== 'legacy' && version !== 0)
    throw new WireError(`invalid value: integer \`${version}\`, expected a version that this node knows`);
  const header = {
    numRequiredSignatures: version === 'legacy' ? first : reader.byte(),
    numReadonlySignedAccounts: reader.byte(),
    numReadonlyUnsignedAccounts: reader.byte(),
  };
  const key = () => base58.encode(reader.bytes(32));
  const indexes = () => [...reader.bytes(reader.length())];
  const keys = Array.from({ length: reader.length() }, key);
  const recentBlockhash = key();
  const instructions = Array.from({ length: reader.length() }, () => ({
    programIdIndex: reader.byte(),
    accounts: indexes(),
    data: reader.bytes(reader.length()).slice(),
  }));
  const lookups =
    version === 'legacy'
      ? []
      : Array.from({ length: reader.length() }, () => ({
          accountKey: key(),
          writableIndexes: indexes(),
          readonlyIndexes: indexes(),
        }));
  const message: Message = { version, header, keys, recentBlockhash, instructions, lookups };
  if (!isSane(message)) throw new WireError('Transaction failed to sanitize accounts offsets correctly', false);
  return message;
}

function isSane({ header, keys, instructions, lookups }: Message): boolean {
  const { numRequiredSignatures: signers, numReadonlySignedAccounts, numReadonlyUnsignedAccounts } = header;
  const loaded = lookups.reduce((sum, one) => sum + one.writableIndexes.length + one.readonlyIndexes.length, 0);
  const all = keys.length + loaded;
  return (
    signers > 0 &&
    numReadonlySignedAccounts < signers &&
    signers + numReadonlyUnsignedAccounts <= keys.length &&
    all <= 256 &&
    instructions.every(
      ({ programIdIndex, accounts }) =>
        programIdIndex > 0 && programIdIndex < keys.length && accounts.every((index) => index < all),
    )
  );
}

function readerOf(source: Uint8Array) {
  let at = 0;
  const byte = () => {
    const value = source[at++];
    if (value === undefined) throw new WireError('io error: unexpected end of file');
    return value;
  };
  return {
    at: () => at,
    byte,
    bytes(count: number) {
      if (at + count > source.length) throw new WireError('io error: unexpected end of file');
      at += count;
      return source.subarray(at - count, at);
    },
    /** A compact-u16: seven bits a byte, three bytes at most. */
    length() {
      let value = 0;
      for (let shift = 0; shift <= 14; shift += 7) {
        const part = byte();
        value |= (part & 0x7f) << shift;
        if ((part & 0x80) === 0) return value;
      }
      throw new WireError('invalid length');
    },
  };
}

/** Whether the key at an index can be written: loaded keys are first those to write, then those to read. */
export function isWritable({ header, keys }: Message, index: number, loadedWritable: number): boolean {
  if (index >= keys.length) return index < keys.length + loadedWritable;
  const { numRequiredSignatures: signers, numReadonlySignedAccounts, numReadonlyUnsignedAccounts } = header;
  return index < signers
    ? index < signers - numReadonlySignedAccounts
    : index < keys.length - numReadonlyUnsignedAccounts;
}

export type AccountUse = { address: string; signer?: boolean; writable?: boolean };
export type Call = { program: string; accounts: AccountUse[]; data: Uint8Array };

/** A signed legacy transaction; the first signer pays. */
export function signTransaction(
  signers: readonly Keypair[],
  recentBlockhash: string,
  calls: readonly Call[],
): Uint8Array {
  const uses = new Map<string, { signer: boolean; writable: boolean }>();
  const use = ({ address, signer = false, writable = false }: AccountUse) => {
    const known = uses.get(address);
    uses.set(address, { signer: signer || !!known?.signer, writable: writable || !!known?.writable });
  };
  for (const [at, { address }] of signers.entries()) use({ address, signer: true, writable: at === 0 });
  for (const { accounts } of calls) for (const account of accounts) use(account);
  for (const { program } of calls) use({ address: program });
  const rank = ({ signer, writable }: { signer: boolean; writable: boolean }) => (signer ? 0 : 2) + (writable ? 0 : 1);
  const entries = [...uses].sort(([, a], [, b]) => rank(a) - rank(b));
  const keys = entries.map(([address]) => address);
  const count = (wanted: number) => entries.filter(([, one]) => rank(one) === wanted).length;
  const message = Buffer.concat([
    Buffer.from([count(0) + count(1), count(1), count(3)]),
    compact(keys.length),
    ...keys.map((key) => base58.decode(key)),
    base58.decode(recentBlockhash),
    compact(calls.length),
    ...calls.flatMap(({ program, accounts, data }) => [
      Buffer.from([keys.indexOf(program)]),
      compact(accounts.length),
      Buffer.from(accounts.map(({ address }) => keys.indexOf(address))),
      compact(data.length),
      data,
    ]),
  ]);
  const signing = keys.slice(0, count(0) + count(1)).map((key) => signers.find(({ address }) => address === key));
  const signatures = signing.map((signer) => (signer ? signBytes(signer, message) : new Uint8Array(64)));
  return Buffer.concat([compact(signatures.length), ...signatures, message]);
}

function compact(length: number): Uint8Array {
  const bytes: number[] = [];
  for (let left = length; ; left >>= 7) {
    if (left < 0x80) return Uint8Array.from([...bytes, left]);
    bytes.push((left & 0x7f) | 0x80);
  }
}
