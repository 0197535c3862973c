// Packed values of the program's instructions, accounts and events: little-endian, in the order of their fields.
import { type SolanaAddress, solanaAddressBytes, solanaAddressOf } from '../../domain/solanaAddress.ts';

export type { SolanaAddress };
/** `0x` and 64 hexadecimal digits. */
export type Bytes32 = `0x${string}`;

/** How a field is written; `pad:n` are n bytes that say nothing. */
export type FieldKind = 'u8' | 'flag' | 'u32' | 'u64' | 'address' | 'bytes32' | `pad:${number}`;

type ValueOf<Kind extends FieldKind> = Kind extends 'u8' | 'u32'
  ? number
  : Kind extends 'flag'
    ? boolean
    : Kind extends 'u64'
      ? bigint
      : Kind extends 'address'
        ? SolanaAddress
        : Kind extends 'bytes32'
          ? Bytes32
          : never;

export type Fields = Readonly<Record<string, FieldKind>>;
export type Values<F extends Fields> = {
  -readonly [Name in keyof F as F[Name] extends `pad:${number}` ? never : Name]: ValueOf<F[Name]>;
};

const MOST_U64 = 2n ** 64n - 1n;
const MOST_U32 = 2 ** 32 - 1;

export function sizeOf(fields: Fields): number {
  return Object.values(fields).reduce((sum, kind) => sum + sizeOfKind(kind), 0);
}

function sizeOfKind(kind: FieldKind): number {
  if (kind === 'u8' || kind === 'flag') return 1;
  if (kind === 'u32') return 4;
  if (kind === 'u64') return 8;
  if (kind === 'address' || kind === 'bytes32') return 32;
  return Number(kind.slice(4));
}

/** @throws RangeError for a value that its field cannot hold */
export function encode<const F extends Fields>(fields: F, values: Values<F>): Buffer {
  const bytes = Buffer.alloc(sizeOf(fields));
  let at = 0;
  for (const [name, kind] of Object.entries(fields)) {
    writeField(bytes, at, kind, (values as Record<string, unknown>)[name], name);
    at += sizeOfKind(kind);
  }
  return bytes;
}

function writeField(bytes: Buffer, at: number, kind: FieldKind, value: unknown, name: string): void {
  if (kind === 'u8') bytes.writeUInt8(within(value as number, 255, name), at);
  else if (kind === 'flag') bytes.writeUInt8(value ? 1 : 0, at);
  else if (kind === 'u32') bytes.writeUInt32LE(within(value as number, MOST_U32, name), at);
  else if (kind === 'u64') {
    const units = value as bigint;
    if (units < 0n || units > MOST_U64) throw new RangeError(`${name} does not fit 64 bits`);
    bytes.writeBigUInt64LE(units, at);
  } else if (kind === 'address') bytes.set(solanaAddressBytes(value as string), at);
  else if (kind === 'bytes32') bytes.set(bytes32(value as Bytes32), at);
}

function within(value: number, most: number, name: string): number {
  if (!Number.isInteger(value) || value < 0 || value > most) throw new RangeError(`${name} does not fit`);
  return value;
}

/** Reads fields from an offset. @throws RangeError where the bytes end before the fields */
export function decode<const F extends Fields>(fields: F, bytes: Uint8Array, offset = 0): Values<F> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values: Record<string, unknown> = {};
  let at = offset;
  if (buffer.length < offset + sizeOf(fields)) throw new RangeError('the bytes end before the fields');
  for (const [name, kind] of Object.entries(fields)) {
    if (!kind.startsWith('pad:')) values[name] = readField(buffer, at, kind);
    at += sizeOfKind(kind);
  }
  return values as Values<F>;
}

function readField(bytes: Buffer, at: number, kind: FieldKind): unknown {
  if (kind === 'u8') return bytes.readUInt8(at);
  if (kind === 'flag') return bytes.readUInt8(at) !== 0;
  if (kind === 'u32') return bytes.readUInt32LE(at);
  if (kind === 'u64') return bytes.readBigUInt64LE(at);
  const word = bytes.subarray(at, at + 32);
  return kind === 'address' ? solanaAddressOf(word) : `0x${word.toString('hex')}`;
}

export function bytes32(hex: Bytes32): Buffer {
  const bytes = Buffer.from(hex.slice(2), 'hex');
  if (bytes.length !== 32 || hex.length !== 66) throw new RangeError('32 bytes are expected');
  return bytes;
}
