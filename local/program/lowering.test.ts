// What is rewritten in LLVM’s text: copies, fills, comparisons, checked multiplication and returned structures.
import { expect, test } from 'vitest';
import { lower } from './lowering.ts';

const COPY =
  '  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(1512) %c, ptr align 1 %b, i64';
const DECLARED = 'declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1 immarg) #5';

test('a copy of many bytes, or of a length that is not known, is a syscall that takes the same place twice', () => {
  const text = lower(`${DECLARED}\n${COPY} 1512, i1 false)\n${COPY} %n, i1 false)\n`);
  expect(text).toContain(
    'call void @sol_memmove_(ptr noundef nonnull align 8 dereferenceable(1512) %c, ptr align 1 %b, i64 1512)',
  );
  expect(text).toContain('%b, i64 %n)');
  expect(text.match(/declare void @sol_memmove_/g)).toHaveLength(1);
});

test('a copy of a key stays loads and stores', () => {
  const text = `${DECLARED}\n${COPY} 32, i1 false)\n`;
  expect(lower(text).trim()).toBe(text.trim());
});

test('a fill is a syscall', () => {
  const line = '  call void @llvm.memset.p0.i64(ptr align 8 %1, i8 %x, i64 1500, i1 false), !noalias !4';
  expect(lower(line)).toContain('call void @sol_memset_(ptr align 8 %1, i8 %x, i64 1500), !noalias !4');
});

test('volatile copies are refused', () => {
  expect(() => lower(`${COPY} 1512, i1 true)`)).toThrow(/volatile memory/);
});

test('a comparison gets a definition, once, and a syscall that the crate declares stays its own', () => {
  const text = lower(
    'declare i32 @memcmp(ptr, ptr, i64) #10\ndeclare i64 @sol_memcmp_(ptr, ptr, i64, ptr)\n  %0 = call i32 @memcmp(ptr %a, ptr %b, i64 %n)',
  );
  expect(text).toMatch(/^define internal i32 @memcmp\(/m);
  expect(text).not.toMatch(/^declare i32 @memcmp/m);
  expect(text.match(/^declare i64 @sol_memcmp_/gm)).toHaveLength(1);
});

test('a returned structure is a pointer, whatever its type', () => {
  const line = 'call void @f(ptr noalias sret([16 x i8]) align 8 %0, ptr sret({ i64, [2 x (i8)] }) %1)';
  expect(lower(line).trim()).toBe('call void @f(ptr noalias align 8 %0, ptr %1)');
});

test('checked multiplication is computed from halves', () => {
  const text = lower('  %2 = call { i64, i1 } @llvm.umul.with.overflow.i64(i64 %a, i64 %b)');
  expect(text).toContain('call { i64, i1 } @checked_multiplication(i64 %a, i64 %b)');
  expect(text).toContain('define internal { i64, i1 } @checked_multiplication');
});
