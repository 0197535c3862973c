// Writes addresses into code and data: of constants, of functions that are called, and the hashes of syscalls.
import { BuildError } from './buildError.ts';
import { DATA_START, type Layout } from './layout.ts';
import { murmur3 } from './murmur3.ts';
import type { BpfObject, ObjectSymbol, Relocation } from './object.ts';
import { isSyscall } from './syscalls.ts';

/** Kinds of relocations: the 64-bit constant of an instruction, 64 bits of data, the target of a call. */
const CONSTANT = 1;
const POINTER = 2;
const CALL = 10;
/** In a call instruction, the register field tells its kinds apart. */
const CALL_FUNCTION = 0x10;
const CALL_SYSCALL = 0x00;
const INSTRUCTION = 8;

/** Why a function that LLVM or a crate asks for cannot be had. */
const MISSING: readonly (readonly [name: RegExp, sentence: string])[] = [
  [/^(?:memcpy|memmove|memset)$/, 'Copy and fill with plain Rust, from which the build makes syscalls.'],
  [/^__(?:u?div|u?mod|mul)(?:ti|o?ti)/, 'It is 128-bit arithmetic: use u64 with checked operations.'],
  [/^__/, 'It belongs to arithmetic that the virtual machine does not have: use u64 and integers.'],
];

/** Changes the bytes of `layout` in place. @returns the names of the syscalls that are called, in order @throws BuildError */
export function relocate({ sections, relocations }: BpfObject, layout: Layout): string[] {
  const syscalls = new Set<string>();
  for (const relocation of relocations) {
    const { section, type, symbol } = relocation;
    const inCode = layout.codeAt.get(section);
    const inData = layout.dataAt.get(section);
    if (inCode !== undefined && type === CONSTANT) setConstant(relocation, layout, inCode);
    else if (inCode !== undefined && type === CALL) {
      if (symbol.section === 0) syscalls.add(callSyscall(relocation, layout, inCode));
      else callFunction(relocation, layout, inCode);
    } else if (inData !== undefined && type === POINTER) setPointer(relocation, layout, inData);
    else
      throw new BuildError(
        `${sections[section]?.name} has a relocation of type ${type}, which the linker does not know.`,
      );
  }
  return [...syscalls].sort();
}

/** A constant's address, as the two halves of a 64-bit load instruction. */
function setConstant({ offset, symbol }: Relocation, layout: Layout, start: number): void {
  const at = start + offset;
  const addend = BigInt(layout.code.readUInt32LE(at + 4)) | (BigInt(layout.code.readUInt32LE(at + 12)) << 32n);
  const address = addressOf(symbol, layout) + addend;
  layout.code.writeUInt32LE(Number(address & 0xffff_ffffn), at + 4);
  layout.code.writeUInt32LE(Number(address >> 32n), at + 12);
}

function setPointer({ offset, symbol }: Relocation, layout: Layout, start: number): void {
  const at = start + offset;
  layout.data.writeBigUInt64LE(addressOf(symbol, layout) + layout.data.readBigUInt64LE(at), at);
}

function addressOf(symbol: ObjectSymbol, { dataAt, codeAt }: Layout): bigint {
  const start = dataAt.get(symbol.section);
  if (start !== undefined) return DATA_START + BigInt(start + symbol.value);
  if (codeAt.has(symbol.section))
    throw new BuildError(
      `The address of ${symbol.name || 'a function'} is taken: calls through pointers (dyn, fn, formatting) are not allowed. Match on a value instead.`,
    );
  throw new BuildError(`${symbol.name || 'A symbol'} is used as data, but is defined nowhere.`);
}

function callFunction({ offset, symbol }: Relocation, { code, codeAt }: Layout, start: number): void {
  const target = codeAt.get(symbol.section);
  if (target === undefined) throw new BuildError(`${symbol.name} is called, but is data.`);
  const at = start + offset;
  // A call to a section itself carries the place within it, counted as jumps are: from the next instruction on.
  const within = symbol.isSection ? (code.readInt32LE(at + 4) + 1) * INSTRUCTION : 0;
  code.writeUInt8((code.readUInt8(at + 1) & 0x0f) | CALL_FUNCTION, at + 1);
  code.writeInt32LE((target + symbol.value + within - at) / INSTRUCTION - 1, at + 4);
}

function callSyscall({ offset, symbol: { name } }: Relocation, { code }: Layout, start: number): string {
  if (!isSyscall(name)) throw new BuildError(missing(name));
  const at = start + offset;
  code.writeUInt8((code.readUInt8(at + 1) & 0x0f) | CALL_SYSCALL, at + 1);
  code.writeUInt32LE(murmur3(name), at + 4);
  return name;
}

/** @returns the sentence about a function that the program calls and no one provides */
export function missing(name: string): string {
  const why = MISSING.find(([pattern]) => pattern.test(name))?.[1];
  const known = 'local/program/syscalls.ts lists the syscalls that it may call.';
  return `The program calls ${name}, which is neither its own nor a known syscall. ${why ?? known}`;
}
