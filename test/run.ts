// `npm test`: everything that the project can check about itself, one line a check, and one closing line that counts.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { stripVTControlCharacters } from 'node:util';

const ROOT = join(import.meta.dirname, '..');
const bin = (name: string) => join(ROOT, 'node_modules/.bin', name);
const scratch = mkdtempSync(join(tmpdir(), 'ampersat-npm-test-'));

type Count = { passed: number; failed: number; skipped: number };
type Check = { name: string; command: string; args: string[]; count?: (output: string) => Count | null };

const checks: Check[] = [
  { name: 'types', command: bin('tsc'), args: ['--noEmit', '-p', '.'] },
  { name: 'types of the web', command: bin('tsc'), args: ['--noEmit', '-p', 'web'] },
  { name: 'formatting, lint, layers, cycles', command: bin('biome'), args: ['ci', '--error-on-warnings', '.'] },
  { name: 'dead code', command: bin('knip'), args: [] },
  { name: 'ABIs are current', command: process.execPath, args: ['local/contracts.mjs', 'check'] },
  { name: 'contracts (Foundry)', command: process.execPath, args: ['local/contracts.mjs', 'test'], count: forgeCount },
  { name: 'contract coverage', command: process.execPath, args: ['local/contracts.mjs', 'coverage'] },
  { name: 'gas table', command: process.execPath, args: ['local/contracts.mjs', 'gas', '--check'] },
  {
    name: 'unit, property, integration, end to end',
    command: bin('vitest'),
    args: ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${join(scratch, 'vitest.json')}`],
    count: vitestCount,
  },
];

function forgeCount(output: string): Count | null {
  const found = /(\d+) tests? passed, (\d+) failed, (\d+) skipped/.exec(stripVTControlCharacters(output));
  return found && { passed: Number(found[1]), failed: Number(found[2]), skipped: Number(found[3]) };
}

type VitestReport = {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  numFailedTestSuites: number;
};

function vitestCount(): Count | null {
  const file = join(scratch, 'vitest.json');
  if (!existsSync(file)) return null;
  const report = JSON.parse(readFileSync(file, 'utf8')) as VitestReport;
  const failed = Math.max(report.numFailedTests, report.numFailedTestSuites > 0 ? 1 : 0);
  return { passed: report.numPassedTests, failed, skipped: report.numPendingTests + report.numTodoTests };
}

/** The browser tests need a Chromium; Debian has one, and root may install it. Elsewhere those tests say that they are skipped. */
function installChromium(): void {
  if (existsSync('/usr/bin/chromium') || process.env['CHROMIUM_PATH']) return;
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) {
    console.log('No Chromium here: the browser tests are skipped. Install chromium, or set CHROMIUM_PATH.');
    return;
  }
  console.log('Installing Chromium for the browser tests (once)…');
  spawnSync('apt-get', ['update', '-q'], { stdio: 'ignore' });
  const done = spawnSync(
    'apt-get',
    ['install', '-y', '-q', '--no-install-recommends', 'chromium', 'fonts-liberation'],
    {
      stdio: 'ignore',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    },
  );
  if (done.status !== 0) console.log('Chromium could not be installed: the browser tests are skipped.');
}

async function run({ name, command, args, count }: Check): Promise<Count> {
  const started = performance.now();
  console.log(`\n▶ ${name}`);
  const child = spawn(command, args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, FORCE_COLOR: '0' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (count) process.stdout.write(chunk);
    });
  }
  const code = await new Promise<number>((resolve) => child.on('close', (status) => resolve(status ?? 1)));
  if (code !== 0 && !count) console.log(output.trimEnd());
  const counted = count?.(output) ?? { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
  if (code !== 0 && counted.failed === 0) counted.failed = 1;
  console.log(`${counted.failed === 0 ? '✔' : '✘'} ${name}: ${((performance.now() - started) / 1_000).toFixed(1)} s`);
  return counted;
}

installChromium();
const wanted = process.argv.slice(2);
const total: Count = { passed: 0, failed: 0, skipped: 0 };
for (const check of checks) {
  if (wanted.length > 0 && !wanted.some((word) => check.name.includes(word))) continue;
  const { passed, failed, skipped } = await run(check);
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
}
rmSync(scratch, { recursive: true, force: true });
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`);
process.exit(total.failed === 0 ? 0 : 1);
