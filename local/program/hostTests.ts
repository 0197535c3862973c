// The program's own tests, which run on this machine: `rustc --test` over the crate. What passed is recorded, so that it runs again only when
// one byte of the sources changed.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { BuildError } from './buildError.ts';
import { ROOT_FILE, requireCrate } from './compile.ts';
import { hashSources } from './record.ts';

const PASSED = 'passed.json';

export type Counted = { passed: number; failed: number; ignored: number };

/** @returns what the tests counted @throws BuildError when they do not compile, fail, or there are none */
export function runHostTests(rustc: string, crate: string, isLong: boolean): Counted {
  requireCrate(crate);
  const scratch = mkdtempSync(join(tmpdir(), 'ampersat-program-tests-'));
  try {
    const tests = join(scratch, 'tests');
    // Optimised for its cases, with every check that a release leaves out.
    const options = [
      '--edition',
      '2021',
      '--test',
      '-C',
      'opt-level=1',
      '-C',
      'debug-assertions=yes',
      '-C',
      'overflow-checks=yes',
    ];
    const compiled = spawnSync(rustc, [...options, ROOT_FILE, '-o', tests], { cwd: crate, encoding: 'utf8' });
    if (compiled.status !== 0) throw new BuildError(`The tests do not compile.\n${compiled.stderr}`);
    // The same variable as in every other test.
    const env = isLong ? { ...process.env, TEST_LONG: '1' } : process.env;
    const run = spawnSync(tests, [], { cwd: crate, encoding: 'utf8', env, maxBuffer: 64 * 1024 * 1024 });
    const counted = count(run.stdout);
    if (run.status !== 0 || counted === null || counted.failed > 0)
      throw new BuildError(`The tests of the program failed.\n${run.stdout}${run.stderr}`);
    if (counted.passed === 0) throw new BuildError('The program has no tests.');
    return counted;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function count(output: string): Counted | null {
  const found = /^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored/m.exec(output);
  if (!found) return null;
  const [passed = 0, failed = 0, ignored = 0] = found.slice(1).map(Number);
  return { passed, failed, ignored };
}

/** @returns how many passed for exactly these sources, or null when they have to run */
export function recordedTests(crate: string): number | null {
  const path = join(crate, PASSED);
  if (!existsSync(path)) return null;
  const { sources, tests } = JSON.parse(readFileSync(path, 'utf8')) as { sources: string; tests: number };
  return sources === hashSources(crate) ? tests : null;
}

/** @param sources their hash from before the tests began @throws BuildError when they changed meanwhile */
export function recordTests(crate: string, sources: string, tests: number): void {
  if (hashSources(crate) !== sources) throw new BuildError('The sources changed while they were tested.');
  writeFileSync(join(crate, PASSED), `${JSON.stringify({ sources, tests }, null, 2)}\n`);
}
