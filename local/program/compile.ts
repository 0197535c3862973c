// From a crate to a linked program: rustc, then LLVM's linker, optimiser and code generator, then our linker. The same sources give the
// same bytes in any folder.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BuildError } from './buildError.ts';
import { ENTRY, type Linked, link } from './link.ts';
import { lower, PASSES_AFTER } from './lowering.ts';
import { missing } from './relocate.ts';
import { libraryNamed, TARGET, type Toolchain } from './toolchain.ts';

/** The root of the crate, in its folder. */
export const ROOT_FILE = 'src/lib.rs';

/** What is traded between size, which is rent, and compute units, which are fees. docs/decisions.md has the numbers. */
export const OPTIMISATION = { rustc: 's', llvm: 'Os' };
const CPU = 'v2';
const STACK_BYTES = 4096;

/** @param crate a folder with src/lib.rs @throws BuildError */
export function compile(toolchain: Toolchain, crate: string, optimisation = OPTIMISATION): Linked {
  requireCrate(crate);
  const scratch = mkdtempSync(join(tmpdir(), 'ampersat-program-'));
  try {
    return link(codeObject(toolchain, crate, scratch, optimisation));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** @throws BuildError */
export function requireCrate(crate: string): void {
  if (!existsSync(join(crate, ROOT_FILE))) throw new BuildError(`${join(crate, ROOT_FILE)} is missing.`);
}

function codeObject(toolchain: Toolchain, crate: string, scratch: string, optimisation: typeof OPTIMISATION): Buffer {
  const { rustc, tools } = toolchain;
  const at = (name: string) => join(scratch, name);
  run(rustc, [...rustOptions(crate, optimisation.rustc), '-o', at('crate.bc')], crate);
  const library = at('core');
  mkdirSync(library);
  run(tools['llvm-ar'], ['x', libraryNamed(toolchain, 'core')], library);
  // compiler_builtins is left out: what it has for BPF are loops over bytes, and arithmetic that BPF cannot return.
  const members = readdirSync(library).filter((name) => name.endsWith('.o'));
  run(tools['llvm-link'], [
    '--only-needed',
    at('crate.bc'),
    ...members.map((name) => join(library, name)),
    '-o',
    at('linked.bc'),
  ]);
  const passes = `internalize,globaldce,default<${optimisation.llvm}>,globaldce,function(expand-memcmp)`;
  run(tools.opt, [
    `-passes=${passes}`,
    `-internalize-public-api-list=${ENTRY}`,
    at('linked.bc'),
    '-S',
    '-o',
    at('program.ll'),
  ]);
  writeFileSync(at('lowered.ll'), lower(readFileSync(at('program.ll'), 'utf8')));
  run(tools.opt, [`-passes=${PASSES_AFTER}`, at('lowered.ll'), '-o', at('lowered.bc')]);
  run(tools.llc, [...codeOptions(), at('lowered.bc'), '-o', at('program.o')]);
  return readFileSync(at('program.o'));
}

function rustOptions(crate: string, level: string): string[] {
  const kind = ['--edition', '2021', '--crate-name', 'ampersat', '--crate-type', 'lib', '--emit', 'llvm-bc'];
  const code = ['panic=abort', 'codegen-units=1', `opt-level=${level}`, `target-cpu=${CPU}`];
  // An amount that does not fit ends the transaction: it never wraps.
  code.push('overflow-checks=yes');
  // No path of this machine gets into the message of a panic.
  return [
    ...kind,
    '--target',
    TARGET,
    ...code.flatMap((one) => ['-C', one]),
    '--remap-path-prefix',
    `${crate}=.`,
    ROOT_FILE,
  ];
}

function codeOptions(): string[] {
  // The virtual machine reads and writes at any address, so that keys are copied by words.
  return [
    '-march=bpfel',
    `-mcpu=${CPU}`,
    '-mattr=+allows-misaligned-mem-access',
    `-bpf-stack-size=${STACK_BYTES}`,
    '-filetype=obj',
  ];
}

function run(command: string, args: string[], cwd?: string): void {
  const result = spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (result.error) throw new BuildError(`${command} did not run: ${result.error.message}`);
  if (result.status !== 0) throw new BuildError(explain(command, result.stderr));
}

/** LLVM's messages name what the Linux kernel lacks; these name what to change. */
function explain(command: string, output: string): string {
  const said = `${command} failed.\n${output.trim()}`;
  const called = /built-in function '(\w+)' is not supported/.exec(output)?.[1];
  if (called) return `${missing(called)}\n${said}`;
  if (/BPF stack limit/.test(output))
    return `A function needs more than ${STACK_BYTES} bytes of stack: split it, mark parts #[inline(never)], or pass large values by reference.\n${said}`;
  if (/too many arguments|stack arguments/.test(output))
    return `A function has more than five arguments: pass a structure by reference.\n${said}`;
  if (/signed div/i.test(output))
    return `Signed division is used, which BPF does not have: divide unsigned integers.\n${said}`;
  return said;
}
