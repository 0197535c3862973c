// What is committed about a build, contracts/solana/program.json, and whether the committed program is still what its sources give.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { BuildError } from './buildError.ts';
import { compile, requireCrate } from './compile.ts';
import { codeOf } from './image.ts';
import type { Linked } from './link.ts';
import { checkInstructions } from './opcodes.ts';
import type { CompilerVersions, Toolchain } from './toolchain.ts';

const PROGRAM = 'program.so';
const RECORD = 'program.json';
const BUILD = 'node local/program.mjs build';

/** `sources` is the hash of every file below src, by name and content. */
export type BuildRecord = {
  sha256: string;
  bytes: number;
  sbpf: 3;
  compiler: CompilerVersions;
  sources: string;
};

export const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');

/** @returns the hash of the sources of a crate, the same on every system */
export function hashSources(crate: string): string {
  const hash = createHash('sha256');
  const names = readdirSync(join(crate, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(crate, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
  for (const name of names.sort()) {
    const bytes = readFileSync(join(crate, name));
    hash.update(`${name} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex');
}

/** Compiles a crate, and writes the program and its record beside the sources. @throws BuildError */
export function build(toolchain: Toolchain, crate: string): Linked & { record: BuildRecord } {
  const linked = compile(toolchain, crate);
  const record: BuildRecord = {
    sha256: sha256(linked.image),
    bytes: linked.image.length,
    sbpf: 3,
    compiler: toolchain.versions,
    sources: hashSources(crate),
  };
  writeFileSync(join(crate, PROGRAM), linked.image);
  writeFileSync(join(crate, RECORD), `${JSON.stringify(record, null, 2)}\n`);
  return { ...linked, record };
}

/** @returns the committed program and its record, which belong together @throws BuildError */
export function readBuild(crate: string): { image: Buffer; record: BuildRecord } {
  for (const name of [PROGRAM, RECORD])
    if (!existsSync(join(crate, name))) throw new BuildError(`${join(crate, name)} is missing. Run ${BUILD}.`);
  const image = readFileSync(join(crate, PROGRAM));
  const record = JSON.parse(readFileSync(join(crate, RECORD), 'utf8')) as BuildRecord;
  if (sha256(image) !== record.sha256)
    throw new BuildError(`${PROGRAM} is not the file that ${RECORD} describes. Run ${BUILD} and commit both.`);
  return { image, record };
}

/**
 * Fails unless the committed program is what the sources give: byte by byte with the compiler that built it, else by the hash of the sources.
 * @returns a sentence about what was compared
 * @throws BuildError
 */
export function check(toolchain: Toolchain | null, crate: string): string {
  requireCrate(crate);
  const { image, record } = readBuild(crate);
  if (hashSources(crate) !== record.sources)
    throw new BuildError(`The sources changed since ${PROGRAM} was built. Run ${BUILD} and commit it.`);
  checkInstructions(codeOf(image));
  const about = `${record.bytes.toLocaleString('en')} bytes, sha256 ${record.sha256}`;
  if (!toolchain)
    return `the compiler is not installed: ${PROGRAM} (${about}) and its sources are those of ${RECORD}, which was not built again`;
  if (!isDeepStrictEqual(toolchain.versions, record.compiler))
    return `another compiler is installed than the one of ${RECORD} (${differences(toolchain.versions, record.compiler)}): ${PROGRAM} (${about}) and its sources are those of ${RECORD}, which was not built again`;
  const { image: built } = compile(toolchain, crate);
  if (!built.equals(image))
    throw new BuildError(
      `${PROGRAM} is not what its sources and this version of the build give (sha256 ${sha256(built)}, not ${record.sha256}). Run ${BUILD} and commit it.`,
    );
  return `${PROGRAM} is what its sources give, byte by byte (${about})`;
}

function differences(installed: CompilerVersions, recorded: CompilerVersions): string {
  const flat = ({ rustc, llvm, packages }: CompilerVersions): Record<string, string> => ({ rustc, llvm, ...packages });
  const [here, there] = [flat(installed), flat(recorded)];
  const names = [...new Set([...Object.keys(here), ...Object.keys(there)])].filter(
    (name) => here[name] !== there[name],
  );
  return names.map((name) => `${name} ${here[name] ?? 'none'}, recorded ${there[name] ?? 'none'}`).join('; ');
}
