// Small crates for the tests of the build, in folders of their own.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** What every crate starts with. */
export const PRELUDE = `#![cfg_attr(not(test), no_std)]
#![cfg_attr(not(test), no_main)]
#[cfg(not(test))]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! { unsafe { abort() } }
extern "C" {
    fn abort() -> !;
    fn sol_log_(text: *const u8, length: u64) -> u64;
    fn sol_log_64_(a: u64, b: u64, c: u64, d: u64, e: u64) -> u64;
}
`;

/** @param body what comes after the prelude @param files others, by path in the crate @returns its folder, which is gone after the test */
export function crateOf(body: string, files: Record<string, string> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'ampersat-crate-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries({ 'src/lib.rs': PRELUDE + body, ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

export const entrypoint = (body: string) =>
  `#[no_mangle] pub unsafe extern "C" fn entrypoint(input: *mut u8) -> u64 { let n = *(input as *const u64); ${body} }\n`;
