// `npm test`: everything that the project can check about itself, one line a check, and one closing line that counts.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { stripVTControlCharacters } from 'node:util';
import { findToolchain, PACKAGES } from '../local/program/toolchain.ts';
import { findRedisServer } from '../local/stack/redis.ts';

const ROOT = join(import.meta.dirname, '..');
const bin = (name: string) => join(ROOT, 'node_modules/.bin', name);
const scratch = mkdtempSync(join(tmpdir(), 'ampersat-npm-test-'));
/** Where the suite's reporter writes what it counted. */
const countsFile = join(scratch, 'counts.json');

type Count = { passed: number; failed: number; skipped: number };
type Check = {
  name: string;
  command: string;
  args: string[];
  env?: Record<string, string>;
  count?: (output: string) => Count | null;
};

const words = process.argv.slice(2);
/** Nightly sizes: a thousand tips, ten thousand runs of a fuzz test, a hundred times as many of a property. */
const isLong = words.includes('--long');
const wanted = words.filter((word) => word !== '--long');

/** They run side by side, and the checks of a lane one after the other: the suite waits for processes half of its time. */
const lanes: Check[][] = [
  [
    {
      name: 'contracts',
      command: process.execPath,
      args: ['tools/contracts.mjs', 'verify', ...(isLong ? ['--long'] : [])],
      count: contractsCount,
    },
    {
      name: 'solana program',
      command: process.execPath,
      args: ['local/program.mjs', 'verify', ...(isLong ? ['--long'] : [])],
      count: programCount,
    },
  ],
  [
    { name: 'types', command: bin('tsc'), args: ['--noEmit', '-p', '.'] },
    { name: 'types of the web', command: bin('tsc'), args: ['--noEmit', '-p', 'web'] },
    { name: 'formatting, lint, layers, cycles', command: bin('biome'), args: ['ci', '--error-on-warnings', '.'] },
    { name: 'dead code', command: bin('knip'), args: [] },
  ],
  [
    {
      name: 'unit, property, integration, end to end',
      command: bin('vitest'),
      args: ['run'],
      env: { TEST_COUNTS: countsFile, ...(isLong ? { TEST_LONG: '1' } : {}) },
      count: suiteCount,
    },
  ],
];

/** The ABIs, the gas table and the coverage. */
const OTHER_CONTRACT_CHECKS = 3;

/** Contracts that did not change since they passed were not checked: the line that says so counts as nothing. */
function contractsCount(output: string): Count | null {
  if (/^contracts: not run/m.test(output)) return { passed: 0, failed: 0, skipped: 0 };
  // The suite, then the gas table's own run of a part of it.
  const [suite] = /\d+ tests? passed, \d+ failed, \d+ skipped/.exec(stripVTControlCharacters(output)) ?? [];
  const [tests = 0, failed = 0, skipped = 0] = suite?.match(/\d+/g)?.map(Number) ?? [];
  return suite ? { passed: tests + OTHER_CONTRACT_CHECKS, failed, skipped } : null;
}

/** The committed program itself counts as one. Its tests count when they ran, and are skipped where there is no compiler at all. */
function programCount(output: string): Count | null {
  const [, ran] = /^program: (\d+ tests passed, \d+ failed, \d+ skipped)/m.exec(output) ?? [];
  const [passed = 0, failed = 0, ignored = 0] = ran?.match(/\d+/g)?.map(Number) ?? [];
  if (ran) return { passed: passed + 1, failed, skipped: ignored };
  if (/^program: tests not run/m.test(output)) return { passed: 1, failed: 0, skipped: 0 };
  return /^program: no rustc here/m.test(output) ? { passed: 1, failed: 0, skipped: 1 } : null;
}

function suiteCount(): Count | null {
  if (!existsSync(countsFile)) return null;
  const { passed, failed, skipped } = JSON.parse(readFileSync(countsFile, 'utf8')) as Count;
  // Where there is no Redis, a whole project of the run is missing: that counts as one more.
  return { passed, failed, skipped: skipped + (findRedisServer() ? 0 : 1) };
}

type Tool = { name: string; present: () => boolean; packages: string[]; without: string };

/** What tests need beyond Node: Debian has it, and root may install it. Elsewhere those tests are skipped, and said to be. */
const tools: Tool[] = [
  {
    name: 'Chromium’s headless shell',
    present: () => existsSync('/usr/bin/chromium-headless-shell') || Boolean(process.env['CHROMIUM_PATH']),
    packages: ['chromium-headless-shell', 'fonts-liberation'],
    without:
      'the browser tests run in another Chromium, or are skipped where there is none. Install chromium-headless-shell, or set CHROMIUM_PATH.',
  },
  {
    name: 'redis-server',
    present: () => findRedisServer() !== undefined,
    // The program without the service that the package redis-server would start.
    packages: ['redis-tools'],
    without: 'everything on Redis is skipped. Install redis-server, or set REDIS_SERVER_PATH.',
  },
  {
    name: 'the compilers of the Solana program',
    present: () => findToolchain() !== null,
    packages: PACKAGES,
    without: `the program is compared with its record instead of being built again. Install ${PACKAGES.join(', ')}.`,
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

async function run({ name, command, args, env, count }: Check): Promise<Count> {
  const started = performance.now();
  console.log(`\n▶ ${name}`);
  const child = spawn(command, args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, FORCE_COLOR: '0', ...env },
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
const isWanted = ({ name }: Check) => wanted.length === 0 || wanted.some((word) => name.includes(word));
const total: Count = { passed: 0, failed: 0, skipped: 0 };
const failures: string[] = [];

async function runLane(lane: Check[]): Promise<void> {
  for (const check of lane.filter(isWanted)) {
    const { passed, failed, skipped } = await run(check);
    total.passed += passed;
    total.failed += failed;
    total.skipped += skipped;
    if (failed > 0) failures.push(check.name);
  }
}

await Promise.all(lanes.map(runLane));
rmSync(scratch, { recursive: true, force: true });
// What failed early stands far above.
for (const name of failures) console.log(`✘ ${name}`);
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`);
process.exit(total.failed === 0 ? 0 : 1);
