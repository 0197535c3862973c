// The gate of instructions, with instructions written by hand: each that sBPF v3 lacks or computes otherwise is refused with its reason.
import { expect, test } from 'vitest';
import { murmur3 } from './murmur3.ts';
import { checkInstructions } from './opcodes.ts';

type Fields = { registers?: number; offset?: number; constant?: number };
function instruction(opcode: number, { registers = 0, offset = 0, constant = 0 }: Fields = {}): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt8(opcode, 0);
  bytes.writeUInt8(registers, 1);
  bytes.writeInt16LE(offset, 2);
  bytes.writeInt32LE(constant, 4);
  return bytes;
}
const EXIT = instruction(0x95);
const check = (...instructions: Buffer[]) => checkInstructions(Buffer.concat([...instructions, EXIT]));

test('what LLVM writes for v2 passes', () => {
  const syscall = instruction(0x85, { constant: murmur3('sol_log_') | 0 });
  const constant = Buffer.concat([instruction(0x18), instruction(0)]);
  // A load, a store, arithmetic, byte order, jumps with 64 bits, a call of a function.
  const rest = [0x79, 0x7b, 0x07, 0x0f, 0x37, 0x87, 0xc7, 0xd4, 0xdc, 0x05, 0x1d, 0xb5].map((opcode) =>
    instruction(opcode, { registers: 0x21 }),
  );
  expect(() => check(syscall, constant, ...rest, instruction(0x85, { registers: 0x10, constant: -2 }))).not.toThrow();
});

test.each([
  ['32-bit arithmetic', 0x04, /32-bit arithmetic, which sBPF extends by the sign/],
  ['32-bit moves', 0xb4, /32-bit arithmetic/],
  ['32-bit jumps', 0x16, /32-bit jump/],
  ['calls through a register', 0x8d, /calls through a register/],
  ['atomic additions', 0xdb, /atomic operation/],
  ['loads of packets', 0x20, /packet filters/],
  ['sign-extending loads', 0x81, /sBPF v3 does not have it/],
  ['byte swaps of v4', 0xd7, /sBPF v3 does not have it/],
  ['far jumps', 0x06, /32-bit jump/],
])('%s are refused', (_what, opcode, reason) => {
  expect(() => check(instruction(opcode))).toThrow(reason);
  expect(() => check(instruction(opcode))).toThrow(`opcode 0x${opcode.toString(16)}`);
});

test.each([
  ['signed division', instruction(0x3f, { offset: 1 }), /signed division/],
  ['a sign-extending move', instruction(0xbf, { offset: 8 }), /signed division or a sign-extending move/],
  ['an unknown syscall', instruction(0x85, { constant: 1 }), /unknown syscall/],
  ['a call of the kernel', instruction(0x85, { registers: 0x20 }), /a kind that Solana does not have/],
  ['a frame that is too large', instruction(0x7b, { registers: 0x1a, offset: -4104 }), /stack frame of 4096/],
  ['a load above the frame', instruction(0x79, { registers: 0xa1, offset: 0 }), /outside its stack frame/],
  ['a jump out of the code', instruction(0x05, { offset: 100 }), /where no instruction starts/],
  ['a jump before the code', instruction(0x05, { offset: -2 }), /where no instruction starts/],
  ['a call out of the code', instruction(0x85, { registers: 0x10, constant: 9 }), /where no instruction starts/],
])('%s is refused', (_what, one, reason) => {
  expect(() => check(one)).toThrow(reason);
});

test('a jump into the second half of a constant is refused', () => {
  const constant = Buffer.concat([instruction(0x18), instruction(0)]);
  expect(() => check(instruction(0x05, { offset: 1 }), constant)).toThrow(/goes to 2, where no instruction starts/);
});
