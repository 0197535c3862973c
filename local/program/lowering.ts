// Rewrites LLVM's text of the program between its optimiser and its code generator, where BPF of the Linux kernel and of Solana differ.
import { BuildError } from './buildError.ts';

/** Longer copies and fills are syscalls: below it, plain loads and stores cost less. Measured with compute units. */
const INLINE_BYTES = 64;

const COPY = /@llvm\.mem(?:cpy|move)\.p0\.p0\.i64\((.*), i1 (?:immarg )?(true|false)\)/;
const FILL = /@llvm\.memset\.p0\.i64\((.*), i1 (?:immarg )?(true|false)\)/;
const CONSTANT_LENGTH = /, i64 (\d+)$/;

/** What the rewritten text calls. Copies may name the same place twice, which sol_memcpy_ refuses and sol_memmove_ allows. */
const DECLARED = {
  sol_memmove_: 'declare void @sol_memmove_(ptr, ptr, i64)',
  sol_memset_: 'declare void @sol_memset_(ptr, i8, i64)',
  sol_memcmp_: 'declare i64 @sol_memcmp_(ptr, ptr, i64, ptr)',
};

/** Rust compares slices by these two, of which the syscall writes its answer to memory. */
const COMPARE = ['memcmp', 'bcmp'];
const comparison = (name: string) => `define internal i32 @${name}(ptr %a, ptr %b, i64 %length) noinline nounwind {
  %answer = alloca i32
  %status = call i64 @sol_memcmp_(ptr %a, ptr %b, i64 %length, ptr %answer)
  %order = load i32, ptr %answer
  ret i32 %order
}`;

const MULTIPLY = '@llvm.umul.with.overflow.i64(';
/** Checked multiplication from halves: LLVM would multiply 128 bits, which the code generator cannot. */
const CHECKED_MULTIPLICATION = `define internal { i64, i1 } @checked_multiplication(i64 %a, i64 %b) alwaysinline nounwind {
  %product = mul i64 %a, %b
  %aHigh = lshr i64 %a, 32
  %bHigh = lshr i64 %b, 32
  %aLow = and i64 %a, 4294967295
  %bLow = and i64 %b, 4294967295
  ; At most one of the two is not zero, or the product is too large in any case: so their sum fits.
  %aCross = mul i64 %aHigh, %bLow
  %bCross = mul i64 %bHigh, %aLow
  %cross = add i64 %aCross, %bCross
  %low = mul i64 %aLow, %bLow
  %carry = lshr i64 %low, 32
  %middle = add i64 %cross, %carry
  %top = lshr i64 %middle, 32
  %isWide = icmp ne i64 %top, 0
  %aHas = icmp ne i64 %aHigh, 0
  %bHas = icmp ne i64 %bHigh, 0
  %bothHave = and i1 %aHas, %bHas
  %overflows = or i1 %bothHave, %isWide
  %first = insertvalue { i64, i1 } poison, i64 %product, 0
  %both = insertvalue { i64, i1 } %first, i1 %overflows, 1
  ret { i64, i1 } %both
}`;
/** What the optimiser does with the rewritten text: no more, because it would recognise what was rewritten. */
export const PASSES_AFTER = 'always-inline,sroa,early-cse,simplifycfg,adce,globaldce';

/** @param text a module of LLVM after its optimiser @returns the same program, for a code generator that knows no copies and no returned structures */
export function lower(text: string): string {
  const used = new Set<keyof typeof DECLARED>();
  const added: string[] = [];
  const lines = text.split('\n').flatMap((line) => {
    if (line.startsWith('declare ')) {
      if (/@llvm\.mem(?:cpy|move|set)\./.test(line)) return [line];
      const compared = COMPARE.find((name) => line.includes(`@${name}(`));
      if (!compared) return [line];
      used.add('sol_memcmp_');
      added.push(comparison(compared));
      return [];
    }
    if (line.includes(MULTIPLY)) return [line.replace(MULTIPLY, '@checked_multiplication(')];
    // A structure that a function returns is a pointer that it gets: the code generator refuses only the word for it.
    return [lowerMemory(line.replace(/ sret\((?:[^()]|\([^()]*\))*\)/g, ''), used)];
  });
  if (text.includes(`call { i64, i1 } ${MULTIPLY}`)) added.push(CHECKED_MULTIPLICATION);
  for (const name of used) if (!text.includes(`@${name}(`)) added.push(DECLARED[name]);
  return [...lines, ...added, ''].join('\n');
}

function lowerMemory(line: string, used: Set<keyof typeof DECLARED>): string {
  for (const [pattern, syscall] of [[COPY, 'sol_memmove_'] as const, [FILL, 'sol_memset_'] as const]) {
    const [whole, parameters = '', isVolatile] = pattern.exec(line) ?? [];
    if (!whole) continue;
    if (isVolatile === 'true') throw new BuildError('The program copies volatile memory, which Solana does not have.');
    const length = CONSTANT_LENGTH.exec(parameters)?.[1];
    if (length !== undefined && Number(length) <= INLINE_BYTES) return line;
    used.add(syscall);
    return line.replace(whole, `@${syscall}(${parameters})`);
  }
  return line;
}
