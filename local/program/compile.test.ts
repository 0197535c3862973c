// What the build makes of Rust: programs that run in the virtual machine, and a sentence for each that could not.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { address } from '@solana/kit';
import { Keypair, PublicKey, Transaction, TransactionInstruction } from '@solana/web3.js';
import { describe, expect, test } from 'vitest';
import { litesvmCluster } from '../../test/setup/litesvmCluster.ts';
import { compile } from './compile.ts';
import { crateOf, entrypoint, PRELUDE } from './crates.fixture.ts';
import { codeOf } from './image.ts';
import { link } from './link.ts';
import { murmur3 } from './murmur3.ts';
import { findToolchain, HOW_TO_INSTALL } from './toolchain.ts';

const toolchain = findToolchain();
const built = (crate: string) => compile(toolchain!, crate);

/** Runs a program with so many accounts, or with data. @returns the numbers of its log lines and how it ended */
function run(image: Buffer, accounts = 0, data = Buffer.alloc(0)) {
  const cluster = litesvmCluster();
  const [payer, program] = [Keypair.generate(), Keypair.generate().publicKey];
  cluster.fund(payer.publicKey, 1);
  cluster.svm.addProgram(address(program.toBase58()), image);
  const keys = Array.from({ length: accounts }, (_, index) => ({
    pubkey: new PublicKey(Buffer.alloc(32, index + 1)),
    isSigner: false,
    isWritable: false,
  }));
  const call = new TransactionInstruction({ programId: program, keys, data });
  const { logs, error, units } = cluster.send(new Transaction().add(call), [payer]);
  const lines = logs.flatMap((line) => /^Program log: (.*)$/.exec(line)?.[1] ?? []);
  const numbers = lines.filter((line) => line.startsWith('0x')).map((line) => line.split(', ').map(BigInt));
  return { lines, numbers, error, units };
}

describe.skipIf(!toolchain)(`a build (${HOW_TO_INSTALL})`, () => {
  test('a program logs, reads a table of texts, and ends with its answer', () => {
    const crate = crateOf(`
static NAMES: [&str; 4] = ["zero", "one", "two", "three"];
${entrypoint('let name = NAMES[(n & 3) as usize]; sol_log_(name.as_ptr(), name.len() as u64); if n == 3 { 7 } else { 0 }')}`);
    const { image, syscalls, dataBytes } = built(crate);
    expect(syscalls).toEqual(['sol_log_']);
    // The table is data: two words for each text, of which the linker wrote the address.
    expect(dataBytes).toBeGreaterThan(64);
    expect(run(image, 1)).toMatchObject({ lines: ['one'], error: null });
    expect(run(image, 3)).toMatchObject({ lines: ['three'], error: expect.stringContaining('7') });
  });

  test('a reference to the first constant is one: nothing is at address 0', () => {
    const crate = crateOf(`
#[inline(never)] fn find(n: u64) -> Option<&'static [u8; 8]> { if n < 5 { Some(b"constant") } else { None } }
${entrypoint('match find(n) { Some(text) => { sol_log_(text.as_ptr(), 8); 0 } None => 1 }')}`);
    expect(run(built(crate).image)).toMatchObject({ lines: ['constant'], error: null });
  });

  test('modules, structures that functions return, and frames of almost 4096 bytes in every depth', () => {
    const crate = crateOf(
      `mod rules;
#[inline(never)] fn deep(left: u64, mark: u64) -> u64 {
    let mut frame = [0u64; 490];
    for at in 0..490 { frame[at] = mark; }
    core::hint::black_box(&mut frame);
    let below = if left == 0 { 0 } else { deep(left - 1, mark + 1) };
    let mut right = below;
    for at in 0..490 { if frame[at] == mark { right += 1 } }
    right
}
${entrypoint('let pair = rules::pair(n); match rules::checked(n) { Ok(x) => sol_log_64_(pair.a, pair.b, pair.c, x, deep(4, 1)), Err(e) => e }')}`,
      {
        'src/rules.rs': `pub struct Pair { pub a: u64, pub b: u64, pub c: u64 }
#[inline(never)] pub fn pair(n: u64) -> Pair { Pair { a: n, b: n + 1, c: n << 4 } }
#[inline(never)] pub fn checked(n: u64) -> Result<u64, u64> { n.checked_sub(1).ok_or(9) }`,
      },
    );
    const { image } = built(crate);
    expect(run(image, 2).numbers).toEqual([[2n, 3n, 32n, 1n, 2450n]]);
    expect(run(image, 0)).toMatchObject({ numbers: [], error: expect.stringContaining('9') });
  });

  test('long copies, fills and comparisons are syscalls, and keys are compared and copied by words', () => {
    const crate = crateOf(`
#[inline(never)] fn copy(to: &mut [u8; 900], from: &[u8; 900]) { *to = *from }
#[inline(never)] fn part(bytes: &mut [u8], from: usize) { bytes.copy_within(0..200, from) }
#[inline(never)] fn order(a: &[u8], b: &[u8]) -> u64 { (a < b) as u64 + 2 * (a == b) as u64 }
#[inline(never)] fn same(a: &[u8; 32], b: &[u8; 32]) -> u64 { (a == b) as u64 }
${entrypoint(`let mut a = [n as u8; 900]; a[5] = 77; let mut b = [0u8; 900]; copy(&mut b, &a); part(&mut b, 3);
    let keys = core::slice::from_raw_parts(input, 100);
    let (one, two) = (&*(keys.as_ptr().add(1) as *const [u8; 32]), &*(keys.as_ptr().add(33) as *const [u8; 32]));
    sol_log_64_(b[8] as u64, b[202] as u64, order(&a[..(n as usize)], &b[..(n as usize)]), same(one, two), same(one, one)); 0`)}`);
    const { image, syscalls } = built(crate);
    expect(syscalls).toEqual(expect.arrayContaining(['sol_memmove_', 'sol_memset_', 'sol_memcmp_']));
    expect(run(image, 4)).toMatchObject({ numbers: [[77n, 4n, 2n, 0n, 1n]], error: null });
    const code = codeOf(image);
    const calls = Array.from({ length: code.length / 8 }, (_, index) => code.subarray(index * 8, index * 8 + 8));
    // One comparison is of any length, in one function; the two of keys have none.
    const comparisons = calls.filter((one) => one[0] === 0x85 && one.readUInt32LE(4) === murmur3('sol_memcmp_'));
    expect(comparisons).toHaveLength(1);
  });

  test('multiplication is checked, and arithmetic that does not fit ends the transaction', () => {
    const crate = crateOf(`
#[inline(never)] fn times(a: u64, b: u64) -> u64 { a.checked_mul(b).unwrap_or(5) }
#[inline(never)] fn plain(a: u64, b: u64) -> u64 { a * b + 1 }
${entrypoint(`sol_log_64_(times(1 << 33, n + (1 << 31)), times(u64::MAX, n + 1), times((1 << 33) - 1, (1 << 31) + n), times(n, u64::MAX), times(0xffff_ffff + n, 0xffff_ffff));
    sol_log_64_(plain(n + 3, 4), 0, 0, 0, 0);
    sol_log_64_(plain(n + 2, u64::MAX / 2), 0, 0, 0, 0); 0`)}`);
    const { image } = built(crate);
    const top = 2n ** 64n;
    const fits = (product: bigint) => (product < top ? product : 5n);
    for (const n of [0n, 1n, 2n]) {
      const { numbers, error } = run(image, Number(n));
      expect(numbers).toEqual([
        [
          fits((1n << 33n) * (n + (1n << 31n))),
          fits((top - 1n) * (n + 1n)),
          fits(((1n << 33n) - 1n) * ((1n << 31n) + n)),
          fits(n * (top - 1n)),
          fits((0xffff_ffffn + n) * 0xffff_ffffn),
        ],
        [(n + 3n) * 4n + 1n, 0n, 0n, 0n, 0n],
        // 2 × (2⁶³ − 1) + 1 still fits, 3 × does not.
        ...(n === 0n ? [[top - 1n, 0n, 0n, 0n, 0n]] : []),
      ]);
      if (n === 0n) expect(error).toBeNull();
      else expect(error).toContain('InstructionError');
    }
  });

  test('checked multiplication agrees with exact numbers at every edge', () => {
    const crate = crateOf(`
#[inline(never)] fn times(a: u64, b: u64) -> (u64, bool) { a.overflowing_mul(b) }
${entrypoint(`let words = core::slice::from_raw_parts(input.add(16) as *const u64, (*(input.add(8) as *const u64) / 8) as usize);
    for pair in words.chunks_exact(2) { let (product, wide) = times(pair[0], pair[1]); sol_log_64_(product, wide as u64, 0, 0, 0); }
    n`)}`);
    const { image } = built(crate);
    const edges = [
      0n,
      1n,
      2n,
      3n,
      0xffff_fffen,
      0xffff_ffffn,
      1n << 32n,
      (1n << 32n) + 1n,
      (1n << 32n) + 2n,
      1n << 63n,
      (1n << 64n) - 1n,
      6_700_417n,
      0x0123_4567_89ab_cdefn,
    ];
    for (const a of edges) {
      const data = Buffer.alloc(edges.length * 16);
      for (const [index, b] of edges.entries()) {
        data.writeBigUInt64LE(a, index * 16);
        data.writeBigUInt64LE(b, index * 16 + 8);
      }
      const exact = edges.map((b) => [BigInt.asUintN(64, a * b), a * b >= 1n << 64n ? 1n : 0n, 0n, 0n, 0n]);
      expect(run(image, 0, data)).toMatchObject({ numbers: exact, error: null });
    }
  });

  test.each([
    ['no entry point', 'pub fn other() {}', /^There is no entrypoint: write #\[no_mangle\]/],
    [
      'a variable',
      `static mut COUNT: u64 = 1;\n${entrypoint('COUNT += n; core::ptr::read_volatile(&raw const COUNT)')}`,
      /is writable: a program on Solana has no variables/,
    ],
    [
      'a variable of zeros',
      `static mut COUNT: u64 = 0;\n${entrypoint('COUNT += n; core::ptr::read_volatile(&raw const COUNT)')}`,
      /^\.bss\S* is writable/,
    ],
    [
      'an unknown syscall',
      `extern "C" { fn sol_unknown() -> u64; }\n${entrypoint('sol_unknown() + n')}`,
      /calls sol_unknown,/,
    ],
    ['128-bit arithmetic', entrypoint('((n as u128 * (n + 3) as u128) >> 70) as u64'), /__multi3.*128-bit arithmetic/],
    ['floating point', entrypoint('(n as f64 * 1.5) as u64'), /The program calls __\w+df\w*, .*use u64 and integers/],
    ['signed division', entrypoint('((n as i64) / ((n + 3) as i64)) as u64'), /[Ss]igned div/],
    [
      'a frame of 5000 bytes',
      entrypoint('let mut a = [0u8; 5000]; a[n as usize] = 1; core::hint::black_box(&mut a); a[7] as u64'),
      /more than 4096 bytes of stack/,
    ],
    [
      'six arguments',
      `#[inline(never)] fn six(a: u64, b: u64, c: u64, d: u64, e: u64, f: u64) -> u64 { core::hint::black_box(a ^ b ^ c ^ d ^ e ^ f) }\n${entrypoint('six(n, n + 1, n + 2, n * 3, n * n, n >> 4)')}`,
      /more than five arguments/,
    ],
    [
      'functions by their address',
      `fn one(a: u64) -> u64 { core::hint::black_box(a) + 1 }\nfn two(a: u64) -> u64 { core::hint::black_box(a) + 2 }\nstatic TABLE: [fn(u64) -> u64; 2] = [one, two];\n${entrypoint('TABLE[(n & 1) as usize](n)')}`,
      /address of .* is taken: calls through pointers/,
    ],
    [
      'atomic operations',
      entrypoint(
        'let a = &*(input as *const core::sync::atomic::AtomicU64); a.fetch_add(n, core::sync::atomic::Ordering::SeqCst)',
      ),
      /atomic/,
    ],
    ['what does not compile', 'fn broken( {', /expected|error/],
  ])('%s stops it, with a sentence', (_what, body, sentence) => {
    expect(() => built(crateOf(body))).toThrow(sentence);
  });

  test('a copy that reaches the linker under its own name is refused', () => {
    const folder = crateOf('', {
      'copy.ll': `target triple = "bpfel"
declare ptr @memcpy(ptr, ptr, i64)
define i64 @entrypoint(ptr %input) { %to = call ptr @memcpy(ptr %input, ptr %input, i64 7) nobuiltin ret i64 0 }`,
    });
    const { llc } = toolchain!.tools;
    const written = join(folder, 'copy.o');
    execFileSync(llc, ['-march=bpfel', '-mcpu=v2', '-filetype=obj', join(folder, 'copy.ll'), '-o', written]);
    expect(() => link(readFileSync(written))).toThrow(
      'The program calls memcpy, which is neither its own nor a known syscall. Copy and fill with plain Rust',
    );
  });

  test('a missing crate is said by its path', () => {
    const crate = crateOf('');
    expect(() => built(`${crate}/other`)).toThrow(/other\/src\/lib\.rs is missing\.$/);
    expect(PRELUDE).toContain('panic_handler');
  });
});
