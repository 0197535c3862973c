// The instructions and accounts of Solana's loader (version 3), which holds programs: encoded and decoded here, because web3.js does not.
import {
  PublicKey,
  SYSVAR_CLOCK_PUBKEY,
  SYSVAR_RENT_PUBKEY,
  SystemProgram,
  TransactionInstruction,
} from '@solana/web3.js';

export const LOADER = new PublicKey('BPFLoaderUpgradeab1e11111111111111111111111');

/** Bytes before the program in a buffer and in its data account, and all bytes of the program's own account. */
export const BUFFER_HEADER_BYTES = 37;
export const DATA_HEADER_BYTES = 45;
export const PROGRAM_BYTES = 36;

const INITIALIZE_BUFFER = 0;
const WRITE = 1;
const DEPLOY = 2;
const SET_AUTHORITY = 4;
/** Kinds of accounts. */
const BUFFER = 1;
const PROGRAM = 2;
const PROGRAM_DATA = 3;

/** `authority` is null where no one may write or upgrade: for a program, it is final. `image` may have zeros behind it. */
export type LoaderAccount =
  | { kind: 'buffer'; authority: PublicKey | null; image: Buffer }
  | { kind: 'program'; dataAddress: PublicKey }
  | { kind: 'data'; authority: PublicKey | null; slot: bigint; image: Buffer };

/** @returns null for bytes that are no account of the loader */
export function decodeLoaderAccount(bytes: Uint8Array): LoaderAccount | null {
  const data = Buffer.from(bytes);
  const kind = data.length >= 4 ? data.readUInt32LE(0) : 0;
  if (kind === BUFFER && data.length >= BUFFER_HEADER_BYTES)
    return { kind: 'buffer', authority: optionalKey(data, 4), image: data.subarray(BUFFER_HEADER_BYTES) };
  if (kind === PROGRAM && data.length >= PROGRAM_BYTES)
    return { kind: 'program', dataAddress: new PublicKey(data.subarray(4, 36)) };
  if (kind === PROGRAM_DATA && data.length >= DATA_HEADER_BYTES)
    return {
      kind: 'data',
      slot: data.readBigUInt64LE(4),
      authority: optionalKey(data, 12),
      image: data.subarray(DATA_HEADER_BYTES),
    };
  return null;
}

function optionalKey(data: Buffer, at: number): PublicKey | null {
  return data.readUInt8(at) === 1 ? new PublicKey(data.subarray(at + 1, at + 33)) : null;
}

/** @returns the account that holds a program's code and its upgrade authority */
export function dataAddressOf(program: PublicKey): PublicKey {
  return PublicKey.findProgramAddressSync([program.toBytes()], LOADER)[0];
}

export function initializeBuffer(buffer: PublicKey, authority: PublicKey): TransactionInstruction {
  return instruction([writable(buffer), readable(authority)], uint32(INITIALIZE_BUFFER));
}

/** @param offset where the bytes go, counted from the start of the program */
export function writeBuffer(
  buffer: PublicKey,
  authority: PublicKey,
  offset: number,
  bytes: Uint8Array,
): TransactionInstruction {
  const data = Buffer.concat([uint32(WRITE), uint32(offset), uint64(bytes.length), bytes]);
  return instruction([writable(buffer), signing(authority)], data);
}

/** Makes the buffer's bytes the program; the buffer's rent goes to `payer`. The program's account exists already, with nothing in it. */
export function deployBuffer(
  accounts: { payer: PublicKey; program: PublicKey; buffer: PublicKey; authority: PublicKey },
  maxBytes: number,
): TransactionInstruction {
  const { payer, program, buffer, authority } = accounts;
  return instruction(
    [
      { ...writable(payer), isSigner: true },
      writable(dataAddressOf(program)),
      writable(program),
      writable(buffer),
      readable(SYSVAR_RENT_PUBKEY),
      readable(SYSVAR_CLOCK_PUBKEY),
      readable(SystemProgram.programId),
      signing(authority),
    ],
    Buffer.concat([uint32(DEPLOY), uint64(maxBytes)]),
  );
}

/** Takes the upgrade authority away. Afterwards the program can never change. */
export function removeAuthority(program: PublicKey, authority: PublicKey): TransactionInstruction {
  return instruction([writable(dataAddressOf(program)), signing(authority)], uint32(SET_AUTHORITY));
}

type AccountUse = TransactionInstruction['keys'][number];
const readable = (pubkey: PublicKey): AccountUse => ({ pubkey, isSigner: false, isWritable: false });
const writable = (pubkey: PublicKey): AccountUse => ({ pubkey, isSigner: false, isWritable: true });
const signing = (pubkey: PublicKey): AccountUse => ({ pubkey, isSigner: true, isWritable: false });

function instruction(keys: AccountUse[], data: Buffer): TransactionInstruction {
  return new TransactionInstruction({ programId: LOADER, keys, data });
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}
