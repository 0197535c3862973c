// Reads what the compiler writes: a relocatable ELF file for BPF, with its sections, symbols and relocations.
import { BuildError } from './buildError.ts';

const MACHINE_BPF = 247;
const RELOCATABLE = 1;
const SECTION_HEADER_BYTES = 64;
const SYMBOL_BYTES = 24;
const RELOCATION_BYTES = 16;
const SYMBOL_TABLE = 2;
const RELOCATIONS_WITH_ADDEND = 4;
const WITHOUT_BYTES = 8;
const RELOCATIONS = 9;

export type Section = {
  index: number;
  name: string;
  isAllocated: boolean;
  isWritable: boolean;
  isExecutable: boolean;
  alignment: number;
  bytes: Buffer;
};
/** `section` is 0 for what is defined elsewhere: a syscall, or a function that is missing. `value` is an offset in the section. */
export type ObjectSymbol = { name: string; section: number; value: number; isSection: boolean };
/** The bytes at `offset` of `section` depend on where `symbol` is placed. */
export type Relocation = { section: number; offset: number; type: number; symbol: ObjectSymbol };
export type BpfObject = { sections: Section[]; symbols: ObjectSymbol[]; relocations: Relocation[] };

type Header = {
  name: number;
  type: number;
  flags: number;
  offset: number;
  size: number;
  link: number;
  info: number;
  alignment: number;
};

/** @throws BuildError when it is another kind of file */
export function readObject(file: Buffer): BpfObject {
  if (file.length < 64 || file.readUInt32BE(0) !== 0x7f454c46 || file.readUInt16LE(18) !== MACHINE_BPF)
    throw new BuildError('The compiler wrote no ELF file for BPF.');
  if (file.readUInt16LE(16) !== RELOCATABLE) throw new BuildError('The linker takes a relocatable file only.');
  const headers = readHeaders(file);
  const bytesOf = ({ type, offset, size }: Header) =>
    type === WITHOUT_BYTES ? Buffer.alloc(size) : Buffer.from(file.subarray(offset, offset + size));
  const names = bytesOf(headers[file.readUInt16LE(62)]!);
  const sections = headers.map((header, index) => ({
    index,
    name: stringAt(names, header.name),
    isWritable: (header.flags & 1) !== 0,
    // Unwinding tables are for a loader that catches exceptions: a program on Solana ends instead.
    isAllocated: (header.flags & 2) !== 0 && !stringAt(names, header.name).startsWith('.eh_frame'),
    isExecutable: (header.flags & 4) !== 0,
    alignment: Math.max(1, header.alignment),
    bytes: bytesOf(header),
  }));
  const table = headers.findIndex(({ type }) => type === SYMBOL_TABLE);
  if (table < 0) throw new BuildError('The compiler wrote a file without symbols.');
  const symbols = readSymbols(sections[table]!.bytes, sections[headers[table]!.link]!.bytes);
  const relocations = headers.flatMap(({ type, info }, index) => {
    // Those of debug information decide about nothing that is deployed.
    if (!sections[info]?.isAllocated) return [];
    if (type === RELOCATIONS_WITH_ADDEND)
      throw new BuildError(`${sections[info].name} has relocations with addends, which BPF does not have.`);
    return type === RELOCATIONS ? readRelocations(sections[index]!.bytes, info, symbols) : [];
  });
  return { sections, symbols, relocations };
}

function readHeaders(file: Buffer): Header[] {
  const start = Number(file.readBigUInt64LE(40));
  return Array.from({ length: file.readUInt16LE(60) }, (_, index) => {
    const at = start + index * SECTION_HEADER_BYTES;
    const long = (offset: number) => Number(file.readBigUInt64LE(at + offset));
    return {
      name: file.readUInt32LE(at),
      type: file.readUInt32LE(at + 4),
      flags: long(8),
      offset: long(24),
      size: long(32),
      link: file.readUInt32LE(at + 40),
      info: file.readUInt32LE(at + 44),
      alignment: long(48),
    };
  });
}

function readSymbols(table: Buffer, names: Buffer): ObjectSymbol[] {
  return Array.from({ length: table.length / SYMBOL_BYTES }, (_, index) => {
    const at = index * SYMBOL_BYTES;
    return {
      name: stringAt(names, table.readUInt32LE(at)),
      isSection: (table.readUInt8(at + 4) & 15) === 3,
      section: table.readUInt16LE(at + 6),
      value: Number(table.readBigUInt64LE(at + 8)),
    };
  });
}

function readRelocations(table: Buffer, section: number, symbols: ObjectSymbol[]): Relocation[] {
  return Array.from({ length: table.length / RELOCATION_BYTES }, (_, index) => {
    const at = index * RELOCATION_BYTES;
    return {
      section,
      offset: Number(table.readBigUInt64LE(at)),
      type: table.readUInt32LE(at + 8),
      symbol: symbols[table.readUInt32LE(at + 12)]!,
    };
  });
}

function stringAt(bytes: Buffer, start: number): string {
  return bytes.toString('latin1', start, bytes.indexOf(0, start));
}
