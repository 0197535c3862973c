// Decides where each section of the object goes: code one after the other, then read-only data at addresses of its own.
import { BuildError } from './buildError.ts';
import type { BpfObject, Section } from './object.ts';

/** Where sBPF v3 maps code and read-only data. */
export const CODE_START = 0x1_0000_0000n;
export const DATA_START = 0n;
/** Nothing is placed at address 0, which Rust takes for "no reference". */
const UNUSED_BYTES = 8;
const WORD = 8;

/** `code` and `data` hold the sections' bytes, still without relocations; the maps say where a section starts in them, by its index. */
export type Layout = { code: Buffer; data: Buffer; codeAt: Map<number, number>; dataAt: Map<number, number> };

/** @throws BuildError for a section that a program cannot have */
export function placeSections({ sections }: BpfObject): Layout {
  const placed = sections.filter(({ isAllocated, bytes }) => isAllocated && bytes.length > 0);
  for (const section of placed) refuseWritable(section);
  const code = placed.filter(({ isExecutable }) => isExecutable);
  // The compiler puts cold functions into sections of their own.
  code.sort((a, b) => Number(b.name === '.text') - Number(a.name === '.text') || a.index - b.index);
  const data = placed.filter(({ isExecutable }) => !isExecutable);
  const [codeAt, codeSize] = place(code, 0);
  const [dataAt, dataSize] = place(data, UNUSED_BYTES);
  return {
    codeAt,
    dataAt,
    code: fill(code, codeAt, codeSize),
    data: data.length > 0 ? fill(data, dataAt, dataSize) : Buffer.alloc(0),
  };
}

/** Tables of pointers are called writable because a loader would fill them in: here the linker does, once. */
function refuseWritable({ name, isWritable }: Section): void {
  if (isWritable && !name.startsWith('.data.rel.ro'))
    throw new BuildError(
      `${name} is writable: a program on Solana has no variables of its own. Make it const or static.`,
    );
}

function place(sections: Section[], start: number): [offsets: Map<number, number>, size: number] {
  const offsets = new Map<number, number>();
  let size = start;
  for (const { index, alignment, bytes } of sections) {
    size = roundUp(size, Math.max(WORD, alignment));
    offsets.set(index, size);
    size += bytes.length;
  }
  return [offsets, roundUp(size, WORD)];
}

function fill(sections: Section[], offsets: Map<number, number>, size: number): Buffer {
  const filled = Buffer.alloc(size);
  for (const { index, bytes } of sections) bytes.copy(filled, offsets.get(index));
  return filled;
}

const roundUp = (value: number, to: number) => Math.ceil(value / to) * to;
