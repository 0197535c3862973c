// Writes and reads the file that is deployed: an ELF file of sBPF v3, which has two segments at most and no section table.
import { BuildError } from './buildError.ts';
import { CODE_START, DATA_START } from './layout.ts';

const SBPF_VERSION = 3;
const HEADER_BYTES = 64;
const SEGMENT_BYTES = 56;
const READ = 4;
const EXECUTE = 1;

/** `entry` is the offset of the first instruction in `code`. */
export type Image = { code: Buffer; data: Buffer; entry: number };

export function writeImage({ code, data, entry }: Image): Buffer {
  const segments = data.length > 0 ? 2 : 1;
  const start = HEADER_BYTES + segments * SEGMENT_BYTES;
  const header = Buffer.alloc(HEADER_BYTES);
  // 64 bits, little endian, version 1; a shared object for BPF.
  Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]).copy(header);
  header.writeUInt16LE(3, 16);
  header.writeUInt16LE(247, 18);
  header.writeUInt32LE(1, 20);
  header.writeBigUInt64LE(CODE_START + BigInt(entry), 24);
  header.writeBigUInt64LE(BigInt(HEADER_BYTES), 32);
  header.writeUInt32LE(SBPF_VERSION, 48);
  header.writeUInt16LE(HEADER_BYTES, 52);
  header.writeUInt16LE(SEGMENT_BYTES, 54);
  header.writeUInt16LE(segments, 56);
  header.writeUInt16LE(64, 58);
  const table =
    data.length > 0
      ? [segment(READ, start, DATA_START, data.length), segment(EXECUTE, start + data.length, CODE_START, code.length)]
      : [segment(EXECUTE, start, CODE_START, code.length)];
  return Buffer.concat([header, ...table, data, code]);
}

function segment(flags: number, offset: number, address: bigint, size: number): Buffer {
  const entry = Buffer.alloc(SEGMENT_BYTES);
  entry.writeUInt32LE(1, 0);
  entry.writeUInt32LE(flags, 4);
  entry.writeBigUInt64LE(BigInt(offset), 8);
  entry.writeBigUInt64LE(address, 16);
  entry.writeBigUInt64LE(address, 24);
  entry.writeBigUInt64LE(BigInt(size), 32);
  entry.writeBigUInt64LE(BigInt(size), 40);
  entry.writeBigUInt64LE(8n, 48);
  return entry;
}

/** @returns the instructions of a file that {@link writeImage} wrote @throws BuildError when it is another kind of file */
export function codeOf(file: Buffer): Buffer {
  const version = file.length > HEADER_BYTES ? file.readUInt32LE(48) : null;
  if (version !== SBPF_VERSION) throw new BuildError('It is no program of sBPF v3.');
  const last = HEADER_BYTES + (file.readUInt16LE(56) - 1) * SEGMENT_BYTES;
  const offset = Number(file.readBigUInt64LE(last + 8));
  return file.subarray(offset, offset + Number(file.readBigUInt64LE(last + 32)));
}
