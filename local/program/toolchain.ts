// Finds the compilers of the Solana program, which are packages of Debian, and installs them once.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { BuildError } from './buildError.ts';

export const TARGET = 'bpfel-unknown-none';
/** rustc with LLVM 22, the core library for BPF as bitcode, and the tools that link, optimise and compile bitcode. */
export const PACKAGES = ['rustc-web', 'libstd-rust-web-dev-bpf', 'llvm-22'];
const TOOLS = ['llvm-ar', 'llvm-link', 'opt', 'llc'] as const;

/** What decides about the bytes of a build, beside the sources. `packages` is empty on a system without dpkg. */
export type CompilerVersions = { rustc: string; llvm: string; packages: Record<string, string> };
export type Toolchain = {
  rustc: string;
  /** The folder of the core library for BPF. */
  libraries: string;
  tools: Record<(typeof TOOLS)[number], string>;
  versions: CompilerVersions;
};

/** Debian's own place first: a rustup in front of it in PATH has no core library for BPF. */
function searchPath(): string[] {
  return [...new Set(['/usr/bin', ...(process.env['PATH'] ?? '').split(delimiter)])].filter(Boolean);
}

function ask(command: string, ...args: string[]): string | null {
  const run = spawnSync(command, args, { encoding: 'utf8' });
  return run.status === 0 ? run.stdout.trim() : null;
}

/** @returns null when a part is missing */
export function findToolchain(folders = searchPath()): Toolchain | null {
  for (const folder of folders) {
    const rustc = join(folder, 'rustc');
    if (!existsSync(rustc)) continue;
    const libraries = join(ask(rustc, '--print', 'sysroot') ?? '', 'lib/rustlib', TARGET, 'lib');
    if (!existsSync(libraries)) continue;
    const about = ask(rustc, '-vV') ?? '';
    const release = /^rustc (.+)$/m.exec(about)?.[1];
    const llvm = /^LLVM version: (\d+)/m.exec(about)?.[1];
    const tools = TOOLS.map((name) => [name, findTool(folders, `${name}-${llvm}`)] as const);
    if (!release || tools.some(([, path]) => path === undefined)) continue;
    const found = Object.fromEntries(tools) as Toolchain['tools'];
    const version = /LLVM version (\S+)/.exec(ask(found.llc, '--version') ?? '')?.[1] ?? 'unknown';
    return { rustc, libraries, tools: found, versions: { rustc: release, llvm: version, packages: packageVersions() } };
  }
  return null;
}

function findTool(folders: string[], name: string): string | undefined {
  return folders.map((folder) => join(folder, name)).find(existsSync);
}

function packageVersions(): Record<string, string> {
  const found = PACKAGES.map((name) => [name, ask('dpkg-query', '-W', '-f', '$' + '{Version}', name)] as const);
  return Object.fromEntries(found.filter((one): one is [string, string] => Boolean(one[1])));
}

/** @returns the compiler for tests on this machine: the program's own, or another rustc; null without any */
export function findHostCompiler(folders = searchPath()): string | null {
  const own = findToolchain(folders)?.rustc;
  return own ?? folders.map((folder) => join(folder, 'rustc')).find((path) => ask(path, '--version') !== null) ?? null;
}

/** @returns the one library of that name, whose file name has a hash in it @throws BuildError */
export function libraryNamed({ libraries }: Toolchain, name: string): string {
  const found = readdirSync(libraries).find((file) => file.startsWith(`lib${name}-`) && file.endsWith('.rlib'));
  if (!found) throw new BuildError(`${libraries} has no lib${name}: install ${PACKAGES[1]} again.`);
  return join(libraries, found);
}

export const HOW_TO_INSTALL = `apt-get install ${PACKAGES.join(' ')}, or node local/program.mjs install as root`;

/** Installs the packages when a part is missing. @throws BuildError where that is not possible */
export function installToolchain(say: (line: string) => void): void {
  const present = findToolchain();
  if (present) {
    say(`installed: rustc ${present.versions.rustc}, LLVM ${present.versions.llvm}`);
    return;
  }
  if (ask('apt-get', '--version') === null)
    throw new BuildError(`There is no apt-get here. The compilers are Debian’s packages ${PACKAGES.join(', ')}.`);
  if (process.getuid?.() !== 0)
    throw new BuildError(`Only root installs packages: sudo apt-get install ${PACKAGES.join(' ')}`);
  say(`installing ${PACKAGES.join(', ')} (once, about 380 MB)…`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', ['update', '-q'], { stdio: 'ignore', env });
  const run = spawnSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...PACKAGES], {
    encoding: 'utf8',
    env,
  });
  const installed = findToolchain();
  if (!installed)
    throw new BuildError(
      `The packages were not installed.\n${(run.stderr ?? '').trim().split('\n').slice(-5).join('\n')}`,
    );
  say(`installed: rustc ${installed.versions.rustc}, LLVM ${installed.versions.llvm}`);
}
