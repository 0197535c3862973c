// What every npm script runs first, in a clone in which nothing is installed yet.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../src/root.ts';

test.each([
  ['of two words', (port: number) => ['--port', String(port)]],
  ['of one', (port: number) => [`--port=${port}`]],
])('a port that is taken is said before anything is installed, by an option %s', async (_words, optionOf) => {
  const clone = mkdtempSync(join(tmpdir(), 'ampersat-clone-'));
  mkdirSync(join(clone, 'local'));
  for (const file of ['tools/bootstrap.mjs', 'tools/stamps.mjs', 'package.json', 'package-lock.json'])
    cpSync(join(ROOT, file), join(clone, file));
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const [code, said] = await new Promise<[number | null, string]>((resolve) => {
    const child = execFile(
      process.execPath,
      [join(clone, 'tools/bootstrap.mjs'), 'start', ...optionOf(port)],
      (_error, _out, err) => resolve([child.exitCode, err]),
    );
  });
  taken.close();
  expect([code, said]).toEqual([
    1,
    `Port ${port} is in use. Stop the other program, or choose another: npm start -- --port 8090\n`,
  ]);
  expect(existsSync(join(clone, 'node_modules'))).toBe(false);
  rmSync(clone, { recursive: true });
});
