// `npm test`: everything that the project can check about itself, one line a check, and one closing line that counts.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { stripVTControlCharacters } from 'node:util';
import { findRedisServer } from '../local/stack/redis.ts';

const ROOT = join(import.meta.dirname, '..');
const bin = (name: string) => join(ROOT, 'node_modules/.bin', name);
const scratch = mkdtempSync(join(tmpdir(), 'ampersat-npm-test-'));

type Count = { passed: number; failed: number; skipped: number };
type Check = { name: string; command: string; args: string[]; count?: (output: string) => Count | null };

const SUITE: Check = {
  name: 'unit, property, integration, end to end',
  command: bin('vitest'),
  args: ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${join(scratch, 'vitest.json')}`],
  count: vitestCount,
};

/** Stages, one after the other. The lanes of a stage run side by side, a core each, and the checks of a lane one after the other. */
const stages: Check[][][] = [
  [
    [
      { name: 'ABIs are current', command: process.execPath, args: ['tools/contracts.mjs', 'check'] },
      {
        name: 'contracts (Foundry)',
        command: process.execPath,
        args: ['tools/contracts.mjs', 'test'],
        count: forgeCount,
      },
      { name: 'gas table', command: process.execPath, args: ['tools/contracts.mjs', 'gas', '--check'] },
    ],
    [
      { name: 'types', command: bin('tsc'), args: ['--noEmit', '-p', '.'] },
      { name: 'types of the web', command: bin('tsc'), args: ['--noEmit', '-p', 'web'] },
      { name: 'formatting, lint, layers, cycles', command: bin('biome'), args: ['ci', '--error-on-warnings', '.'] },
      { name: 'dead code', command: bin('knip'), args: [] },
      { name: 'contract coverage', command: process.execPath, args: ['tools/contracts.mjs', 'coverage'] },
    ],
  ],
  [[SUITE]],
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
  // Where there is no Redis, a whole project of the run is missing: that counts as one more.
  const missing = findRedisServer() ? 0 : 1;
  return { passed: report.numPassedTests, failed, skipped: report.numPendingTests + report.numTodoTests + missing };
}

type Tool = { name: string; present: () => boolean; packages: string[]; without: string };

/** What tests need beyond Node: Debian has it, and root may install it. Elsewhere those tests are skipped, and said to be. */
const tools: Tool[] = [
  {
    name: 'Chromium',
    present: () => existsSync('/usr/bin/chromium') || Boolean(process.env['CHROMIUM_PATH']),
    packages: ['chromium', 'fonts-liberation'],
    without: 'the browser tests are skipped. Install chromium, or set CHROMIUM_PATH.',
  },
  {
    name: 'redis-server',
    present: () => findRedisServer() !== undefined,
    // The program without the service that the package redis-server would start.
    packages: ['redis-tools'],
    without: 'everything on Redis is skipped. Install redis-server, or set REDIS_SERVER_PATH.',
  },
];

function installTools(): void {
  const missing = tools.filter((tool) => !tool.present());
  if (missing.length === 0) return;
  if (process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0) {
    console.log(`Installing ${missing.map(({ name }) => name).join(' and ')} for the tests (once)…`);
    spawnSync('apt-get', ['update', '-q'], { stdio: 'ignore' });
    for (const { packages } of missing)
      spawnSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages], {
        stdio: 'ignore',
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      });
  }
  for (const { name, present, without } of missing) if (!present()) console.log(`No ${name} here: ${without}`);
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

installTools();
const wanted = process.argv.slice(2);
const isWanted = ({ name }: Check) => wanted.length === 0 || wanted.some((word) => name.includes(word));
const total: Count = { passed: 0, failed: 0, skipped: 0 };

async function runLane(lane: Check[]): Promise<void> {
  for (const check of lane.filter(isWanted)) {
    const { passed, failed, skipped } = await run(check);
    total.passed += passed;
    total.failed += failed;
    total.skipped += skipped;
  }
}

for (const lanes of stages) await Promise.all(lanes.map(runLane));
rmSync(scratch, { recursive: true, force: true });
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`);
process.exit(total.failed === 0 ? 0 : 1);
