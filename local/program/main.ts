// The commands of `node local/program.mjs`, and what they print.
import { join } from 'node:path';
import { ROOT } from '../../src/root.ts';
import { BuildError } from './buildError.ts';
import { requireCrate } from './compile.ts';
import { runDeploy, runPlan, runStatus } from './deploy.ts';
import { recordedTests, recordTests, runHostTests } from './hostTests.ts';
import { build, check, hashSources } from './record.ts';
import { findHostCompiler, findToolchain, HOW_TO_INSTALL, installToolchain } from './toolchain.ts';

export const CRATE = 'contracts/solana';

type Say = (line: string) => void;
/** `crate` is the folder of the program, another one in tests. */
type Run = { say: Say; crate: string; isLong: boolean; words: string[] };

function runBuild({ say, crate }: Run): void {
  requireCrate(crate);
  const toolchain = findToolchain();
  if (!toolchain) throw new BuildError(`The compiler is not installed: ${HOW_TO_INSTALL}.`);
  const { record, codeBytes, dataBytes, syscalls } = build(toolchain, crate);
  say(
    `built ${record.bytes.toLocaleString('en')} bytes (code ${codeBytes}, data ${dataBytes}), sha256 ${record.sha256}`,
  );
  say(`syscalls: ${syscalls.join(', ')}`);
}

function runCheck({ say, crate }: Run): void {
  say(check(findToolchain(), crate));
}

/** @returns how many passed, null where there is no compiler at all */
function runTests({ say, crate, isLong }: Run): number | null {
  requireCrate(crate);
  const rustc = findHostCompiler();
  if (!rustc) {
    say(`no rustc here, so the tests of the program are skipped: ${HOW_TO_INSTALL}`);
    return null;
  }
  const { passed, ignored } = runHostTests(rustc, crate, isLong);
  say(`${passed} tests passed, 0 failed, ${ignored} skipped`);
  return passed;
}

/** Everything that the gate wants. Tests that passed for exactly these sources are not run again; `--long` runs them in any case. */
function runVerify(run: Run): void {
  runCheck(run);
  const recorded = run.isLong ? null : recordedTests(run.crate);
  if (recorded !== null) {
    run.say(`tests not run, ${recorded} passed for exactly these sources (passed.json)`);
    return;
  }
  const sources = hashSources(run.crate);
  const passed = runTests(run);
  if (passed === null) return;
  recordTests(run.crate, sources, passed);
  run.say('passed.json records that; commit it with the sources');
}

const COMMANDS: Record<string, (run: Run) => void | Promise<void>> = {
  install: ({ say }) => installToolchain(say),
  build: runBuild,
  check: runCheck,
  test: (run) => void runTests(run),
  verify: runVerify,
  plan: runPlan,
  deploy: (run) => runDeploy(run),
  status: runStatus,
};

/** @returns the exit code */
export async function runProgramTool(
  words: string[],
  say: Say = console.log,
  crate = join(ROOT, CRATE),
): Promise<number> {
  const [name = '', ...options] = words;
  const print = (line: string) => say(`program: ${line}`);
  try {
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (!command) throw new BuildError(`unknown command ${name || '(none)'}: ${Object.keys(COMMANDS).join(', ')}`);
    await command({ say: print, crate, isLong: options.includes('--long'), words: options });
    return 0;
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    print(error.message.replaceAll(`${ROOT}/`, ''));
    return 1;
  }
}
