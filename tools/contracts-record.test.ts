// What did not change since it passed is not checked again, and one byte of it is enough to check everything.
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../src/root.ts';

const COPIED = [
  'contracts/foundry.toml',
  'contracts/bin',
  'contracts/src',
  'contracts/test',
  'tools',
  'src/chain/routers/abis',
  'local/chains/deploy/fixtures',
  'docs/abi',
  'docs/gas.md',
  'package.json',
  'package-lock.json',
];

let clone: string;
let asked: string;
beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), 'ampersat-contracts-'));
  asked = join(clone, 'asked');
  for (const path of COPIED) cpSync(join(ROOT, path), join(clone, path), { recursive: true });
  // A compiler that notes what it is asked for, and fails.
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  const forge = join(clone, `node_modules/@foundry-rs/forge-${process.platform}-${arch}`);
  mkdirSync(join(forge, 'bin'), { recursive: true });
  writeFileSync(join(forge, 'package.json'), '{}');
  symlinkSync(join(ROOT, 'node_modules/viem'), join(clone, 'node_modules/viem'));
  writeFileSync(join(forge, 'bin/forge'), `#!/bin/sh\necho "$1" >> '${asked}'\nexit 1\n`, { mode: 0o755 });
  // As the run writes it in which everything passed.
  const record = `import { hashInputs, writeRecord } from './tools/contracts-record.mjs';
    writeRecord(process.cwd(), hashInputs(process.cwd()), { tests: 7 });`;
  expect(spawnSync(process.execPath, ['--input-type=module', '-e', record], { cwd: clone }).status).toBe(0);
});
afterAll(() => rmSync(clone, { recursive: true, force: true }));

function verify(...args: string[]) {
  rmSync(asked, { force: true });
  const run = spawnSync(process.execPath, ['tools/contracts.mjs', 'verify', ...args], { cwd: clone, encoding: 'utf8' });
  const calls = existsSync(asked) ? readFileSync(asked, 'utf8').trim().split('\n').sort() : [];
  return { status: run.status, output: run.stdout, calls };
}

test('what passed is not run again, which is said with its reason', () => {
  expect(verify()).toEqual({
    status: 0,
    output:
      'contracts: not run, ABIs, 7 tests, gas table and coverage passed for exactly these files (contracts/passed.json)\n',
    calls: [],
  });
});

test.each([
  'contracts/src/BotRouter.sol',
  'contracts/test/Slots.t.sol',
  'contracts/foundry.toml',
  'contracts/bin/solc.mjs',
  'tools/contracts.mjs',
  'src/chain/routers/abis/BotRouter.ts',
  'local/chains/deploy/fixtures/permit2.json',
  'docs/abi/BotRouter.md',
  'docs/gas.md',
])('one byte more in %s has both lanes of checks begin, and what fails is not recorded', (path) => {
  const file = join(clone, path);
  const before = readFileSync(file);
  const record = readFileSync(join(clone, 'contracts/passed.json'), 'utf8');
  appendFileSync(file, '\n');
  expect(verify()).toMatchObject({ status: 1, calls: ['build', 'coverage'] });
  expect(readFileSync(join(clone, 'contracts/passed.json'), 'utf8')).toBe(record);
  writeFileSync(file, before);
  expect(verify().calls).toEqual([]);
});

test('another version of a package that the checks are built with, a new file and a long run do, too', () => {
  const lock = join(clone, 'package-lock.json');
  const before = readFileSync(lock, 'utf8');
  const changed = JSON.parse(before) as { packages: Record<string, { version: string }> };
  changed.packages['node_modules/solady'] = { version: '0.0.0' };
  writeFileSync(lock, JSON.stringify(changed));
  expect(verify().calls).toEqual(['build', 'coverage']);
  writeFileSync(lock, before);
  expect(verify('--long').calls).toEqual(['build', 'coverage']);
  writeFileSync(join(clone, 'contracts/test/Another.t.sol'), '');
  expect(verify().calls).toEqual(['build', 'coverage']);
});
