// The command line as a program of its own: packed, installed into an empty folder, and run there; and by its name in a clone.
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { keyOf } from '../../test/setup/api.ts';
import { playStack } from '../../test/setup/playStack.ts';
import { bundled, shellEnv } from '../../test/setup/processes.ts';
import { serveWorld } from '../../test/setup/visitor.ts';
import { startWorld } from '../../test/setup/world.ts';
import { ROOT } from '../root.ts';

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ampersat-install-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const npm = (args: string[], cwd: string) => execFileSync('npm', args, { cwd, env: shellEnv(), encoding: 'utf8' });

test('the package is one file without dependencies, installs without a network, and calls a service', async () => {
  const packed = npm(['pack', '--json', '--silent', '--pack-destination', folder], join(ROOT, 'cli'));
  const [{ filename, files, ...manifest }] = JSON.parse(packed.slice(packed.indexOf('[')));
  expect(manifest).toMatchObject({ name: '@ampersat/cli', version });
  expect(files.map(({ path }: { path: string }) => path).sort()).toEqual(['dist/cli.mjs', 'package.json']);
  npm(['install', '--global', '--offline', '--prefix', folder, join(folder, filename)], folder);

  const run = async (args: string[], env: Record<string, string> = {}) =>
    (await promisify(execFile)(join(folder, 'bin/ampersat'), args, { cwd: folder, env: { ...shellEnv(), ...env } }))
      .stdout;
  expect(await run(['--version'])).toBe(`${version}\n`);
  expect(await run(['--help'])).toContain('Usage: ampersat [options] [command]');

  const world = await startWorld();
  onTestFinished(() => world.stop());
  const env = { AMPERSAT_BASE_URL: await serveWorld(world), AMPERSAT_API_KEY: await keyOf(world, 'alice') };
  const order = await run(['orders', 'create', '--amount', '3', '--chain', 'base', '--json'], env);
  expect(JSON.parse(order)).toMatchObject({ object: 'order', amount: '3.00' });
});

test('in a clone npx knows it by its name', () => {
  // It is found here, and not offered from a registry.
  const env = { ...shellEnv(), npm_config_yes: 'false' };
  const ran = spawnSync('npx', ['ampersat', '--version'], { cwd: ROOT, env, encoding: 'utf8' });
  expect(ran).toMatchObject({ status: 0, stdout: `${version}\n` });
});

test('a linked program finds the local stack of its clone from any folder, and one in the folder first', async () => {
  const [clone, shop] = [join(folder, 'clone'), join(folder, 'shop')];
  cpSync(bundled('cli'), join(clone, 'dist/cli.mjs'));
  mkdirSync(shop);
  const world = await startWorld();
  onTestFinished(() => world.stop());
  const { dataDir } = await playStack(world);
  const list = () =>
    promisify(execFile)(process.execPath, [join(clone, 'dist/cli.mjs'), 'orders', 'list'], {
      cwd: shop,
      env: shellEnv(),
    });
  await expect(list()).rejects.toThrow(
    'Not connected. Run `npm start`, or set AMPERSAT_BASE_URL and AMPERSAT_API_KEY.',
  );
  cpSync(join(dataDir, 'local.json'), join(clone, '.ampersat/local.json'));
  expect((await list()).stderr).toMatch(/^No orders yet\./);
  mkdirSync(join(shop, '.ampersat'));
  writeFileSync(join(shop, '.ampersat/local.json'), '{}');
  await expect(list()).rejects.toThrow('is from another version');
});
