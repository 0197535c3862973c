// Refuses instructions that sBPF v3 does not have, or computes otherwise than LLVM expects. What is not listed is refused.
import { BuildError } from './buildError.ts';
import { isSyscallHash } from './syscalls.ts';

const INSTRUCTION = 8;
const FRAME_BYTES = 4096;
const LOAD_64 = 0x18;
const CALL = 0x85;
const FRAME_POINTER = 10;

const LOADS = [0x61, 0x69, 0x71, 0x79];
const STORES = [0x62, 0x6a, 0x72, 0x7a, 0x63, 0x6b, 0x73, 0x7b];
/** add, sub, mul, div, or, and, lsh, rsh, mod, xor, mov, arsh on 64 bits, with a constant and with a register. */
const OPERATIONS = [0x0, 0x1, 0x2, 0x3, 0x4, 0x5, 0x6, 0x7, 0x9, 0xa, 0xb, 0xc];
const ARITHMETIC = [...OPERATIONS.flatMap((operation) => [(operation << 4) | 0x07, (operation << 4) | 0x0f]), 0x87];
const BYTE_ORDER = [0xd4, 0xdc];
const CONDITIONS = [0x1, 0x2, 0x3, 0x4, 0x5, 0x6, 0x7, 0xa, 0xb, 0xc, 0xd];
const JUMPS = [0x05, ...CONDITIONS.flatMap((condition) => [(condition << 4) | 0x05, (condition << 4) | 0x0d])];
const EXIT = 0x95;
const ALLOWED = new Set([LOAD_64, ...LOADS, ...STORES, ...ARITHMETIC, ...BYTE_ORDER, ...JUMPS, CALL, EXIT]);

/** @throws BuildError that names the first instruction that is refused */
export function checkInstructions(code: Buffer): void {
  const count = code.length / INSTRUCTION;
  const seconds = new Set<number>();
  const targets: [from: number, to: number][] = [];
  for (let index = 0; index < count; index += 1) {
    const at = index * INSTRUCTION;
    const opcode = code.readUInt8(at);
    const problem = problemOf(code, at);
    if (problem) throw new BuildError(`Instruction ${index} (opcode 0x${opcode.toString(16)}) is refused: ${problem}.`);
    if (JUMPS.includes(opcode)) targets.push([index, index + 1 + code.readInt16LE(at + 2)]);
    if (opcode === CALL && code.readUInt8(at + 1) >> 4 === 1)
      targets.push([index, index + 1 + code.readInt32LE(at + 4)]);
    if (opcode === LOAD_64) {
      index += 1;
      seconds.add(index);
    }
  }
  for (const [from, to] of targets)
    if (to < 0 || to >= count || seconds.has(to))
      throw new BuildError(`Instruction ${from} is refused: it goes to ${to}, where no instruction starts.`);
}

/** @returns why an instruction is refused, without a full stop, or null */
function problemOf(code: Buffer, at: number): string | null {
  const opcode = code.readUInt8(at);
  const offset = code.readInt16LE(at + 2);
  const [destination, source] = [code.readUInt8(at + 1) & 0x0f, code.readUInt8(at + 1) >> 4];
  if (!ALLOWED.has(opcode)) return whyNot(opcode);
  if (ARITHMETIC.includes(opcode) && offset !== 0) return 'it is signed division or a sign-extending move';
  if (opcode === CALL && source === 0 && !isSyscallHash(code.readUInt32LE(at + 4)))
    return 'it calls an unknown syscall';
  if (opcode === CALL && source > 1) return 'it is a call of a kind that Solana does not have';
  const base = LOADS.includes(opcode) ? source : STORES.includes(opcode) ? destination : null;
  if (base === FRAME_POINTER && (offset < -FRAME_BYTES || offset >= 0))
    return `it reaches outside its stack frame of ${FRAME_BYTES} bytes`;
  return null;
}

function whyNot(opcode: number): string {
  const kind = opcode & 0x07;
  if (opcode === 0x8d) return 'it calls through a register (dyn, fn pointers)';
  if (kind === 0x04)
    return 'it is 32-bit arithmetic, which sBPF extends by the sign and LLVM by zeros; compile for -mcpu=v2';
  if (kind === 0x06) return 'it is a 32-bit jump; compile for -mcpu=v2';
  if (opcode === 0xc3 || opcode === 0xdb) return 'it is an atomic operation, which Solana does not have';
  if (kind === 0x00) return 'it is a load of the Linux kernel’s packet filters';
  return 'sBPF v3 does not have it';
}
