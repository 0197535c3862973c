// `ampersat keys`, and which service and key a command takes: flags, environment, the local stack's file; and what it says when there is none.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { freePort } from '../../local/stack/ports.ts';
import { keyOf } from '../../test/setup/api.ts';
import { commandLine } from '../../test/setup/cli.ts';
import { serveWorld, visitor } from '../../test/setup/visitor.ts';
import { localPerson, startWorld, type World } from '../../test/setup/world.ts';
import { shortId } from './tables.ts';

let world: World;
let base: string;
let folder: string;
let shopKey: string;
beforeAll(async () => {
  world = await startWorld({ chains: ['base', 'base-sepolia'] });
  base = await serveWorld(world);
  shopKey = await keyOf(world, 'shop');
  folder = mkdtempSync(join(tmpdir(), 'ampersat-cli-'));
  const browser = visitor(base);
  await browser.signIn(privateKeyToAccount(localPerson('shop').key));
  writeLocal({ base_url: base, session: browser.cookies.get('service-session') ?? '' });
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await world.stop();
});

let session = '';
/** What `npm start` writes, as far as the command line reads it. */
function writeLocal(given: { base_url: string; session?: string; key?: string | null }): void {
  session = given.session ?? session;
  const person = (name: string, key: string | null, cookie: string | null) => {
    const { address } = privateKeyToAccount(localPerson(name).key);
    return {
      handle: name,
      session: cookie,
      api_key: key,
      evm_address: address,
      evm_private_key: localPerson(name).key,
    };
  };
  const accounts = {
    shop: person('shop', given.key === undefined ? shopKey : given.key, session),
    bob: person('bob', null, null),
  };
  const content = { base_url: given.base_url, checkout_base: given.base_url, accounts, chains: {} };
  writeFileSync(join(folder, 'local.json'), JSON.stringify(content));
}

const bare = commandLine({});
const local = (line: string) => bare([...line.split(' '), '--data-dir', folder]);

test('a key of the local stack is created, works, is listed and revoked', async () => {
  const made = await local('keys create --label A-till --scopes orders,webhooks --json');
  expect(made).toMatchObject({ code: 0, err: '' });
  const [{ key, secret }] = made.json;
  expect(key).toMatchObject({ label: 'A-till', mode: 'test', scopes: ['orders', 'webhooks'], status: 'active' });
  const mine = commandLine({ AMPERSAT_API_KEY: secret, AMPERSAT_BASE_URL: base });
  expect((await mine(['orders', 'list'])).code).toBe(0);
  const list = await local('keys list');
  expect(list.out).toMatch(
    new RegExp(`${shortId(key.id)} +active +${secret.slice(-4)} +test +orders webhooks +20[\\d-]+ [\\d:]+ +A-till`),
  );
  expect(list.out).not.toContain(secret);
  expect((await local(`keys revoke ${key.id}`)).out).toBe(`${key.id} is revoked.\n`);
  expect(await mine(['orders', 'list'])).toMatchObject({ code: 1, err: expect.stringContaining('api_key_invalid') });
  const usual = await local('keys create');
  expect(usual.out).toMatch(/scopes +orders payment_links events read\n/);
  expect(usual.out).toMatch(/key +sk_test_\w{43}\n/);
  expect(usual.out).toContain('\n\nCopy the key now. It is shown only once.\n\n');
  const refused = await local('keys create --scopes everything --json');
  expect([refused.code, JSON.parse(refused.err).error.code]).toEqual([1, 'parameter_invalid']);
});

test.each([
  ['orders', /"object":"order"/],
  ['read', /"object":"list"/],
  ['payment_links', /"object":"list"/],
  ['events', /"object":"list"/],
  ['webhooks', /"object":"list"/],
])('the curl of a key for %s works as printed', async (scope, answer) => {
  const { out } = await local(`keys create --scopes ${scope}`);
  const [, command = ''] = /Try it:\n {2}(curl .+)\n$/.exec(out) ?? [];
  const { stdout } = await promisify(execFile)('sh', ['-c', `${command} --silent --show-error`]);
  expect(stdout).toMatch(answer);
});

test('elsewhere keys are made in the dashboard, and the command says where', async () => {
  const there = commandLine({ AMPERSAT_BASE_URL: 'https://pay.example/', AMPERSAT_API_KEY: shopKey });
  for (const line of ['keys create', 'keys list', 'keys revoke key_1'])
    expect(await there(line.split(' '))).toMatchObject({
      code: 2,
      err: 'Manage the API keys of a service in its dashboard: https://pay.example/keys. This command works on the local stack only.\n',
    });
});

test('flags come before the environment, and the environment before the local stack', async () => {
  const nowhere = `http://127.0.0.1:${await freePort()}`;
  const mixed = commandLine({ AMPERSAT_BASE_URL: nowhere, AMPERSAT_API_KEY: 'sk_test_wrong' });
  expect((await mixed(['orders', 'list', '--base-url', base, '--api-key', shopKey])).code).toBe(0);
  expect((await mixed(['orders', 'list', '--base-url', base])).err).toContain('api_key_invalid');
  expect((await mixed(['orders', 'list', '--data-dir', folder])).code).toBe(0);
  expect(await mixed(['orders', 'list'])).toMatchObject({
    code: 1,
    err: `Could not connect to ${nowhere}. Check the URL and your network connection.\n`,
  });
  expect(
    (await commandLine({ AMPERSAT_BASE_URL: `${base}/`, AMPERSAT_API_KEY: shopKey })(['orders', 'list'])).code,
  ).toBe(0);
});

test.each<[string, Record<string, string>, string, RegExp]>([
  ['a key alone', { AMPERSAT_API_KEY: 'sk_test_x' }, '', /^No base URL\. Pass --base-url/],
  [
    'an address alone',
    { AMPERSAT_BASE_URL: 'https://pay.example' },
    '',
    /^No API key\. .*https:\/\/pay\.example\/keys\.$/,
  ],
  [
    'an address that is none',
    { AMPERSAT_API_KEY: 'x' },
    '--base-url pay.example',
    /^“pay\.example” is not a valid base URL\. It starts with https/,
  ],
  ['both kinds', {}, '--api-key sk_test_x --account shop', /can’t be combined with --api-key/],
  [
    'a folder without a stack',
    {},
    '--data-dir /nowhere',
    /^No local stack in \/nowhere\. Start it: npm start -- --data-dir \/nowhere$/,
  ],
])('one line says what to do when there is %s, with exit code 2', async (_, env, flags, words) => {
  const { code, out, err } = await commandLine(env)(`orders list ${flags}`.trim().split(' '));
  expect([code, out]).toEqual([2, '']);
  expect(err).toMatch(/^[^\n]+\n$/);
  expect(err.trim()).toMatch(words);
});

test('the local stack’s file is believed only as far as it can be', async () => {
  expect((await local('orders list --account dave')).err).toBe(
    `${join(folder, 'local.json')} has no account dave. Accounts: shop, bob.\n`,
  );
  expect((await local('orders list --account bob')).err).toBe(`bob in ${join(folder, 'local.json')} has no API key.\n`);
  expect((await local('keys list --account bob')).err).toContain('isn’t signed in');

  writeLocal({ base_url: base, key: `sk_test_${'x'.repeat(43)}` });
  const stale = await local('orders list');
  expect(stale).toMatchObject({ code: 1, err: expect.stringContaining('npm start writes a new one') });

  writeLocal({ base_url: `http://127.0.0.1:${await freePort()}` });
  for (const line of ['orders list', 'keys list']) {
    const away = await local(line);
    expect(away).toMatchObject({ code: 1, out: '' });
    expect(away.err).toBe(`The local stack of ${join(folder, 'local.json')} isn’t running. Start it: npm start\n`);
  }
  const program = await local('orders list --json');
  expect(JSON.parse(program.err)).toEqual({ error: { code: 'connection_network', message: expect.any(String) } });

  for (const broken of ['', '{"base_url": 7}', 'null']) {
    writeFileSync(join(folder, 'local.json'), broken);
    expect(await local('orders list')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^\S+local\.json .* Restart the local stack: npm start\n$/),
    });
  }
  writeLocal({ base_url: base });
  expect((await local('orders list')).code).toBe(0);
});

test('a stack that takes the call and never answers is given up after half a minute', async () => {
  const silent = createServer((socket) => socket.on('error', () => {}));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void silent.close());
  writeLocal({ base_url: `http://127.0.0.1:${(silent.address() as AddressInfo).port}` });
  // Half a minute is over at once.
  const limit = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort(new Error('half a minute is over')));
  onTestFinished(() => limit.mockRestore());
  expect(await local('keys list')).toMatchObject({ code: 1, out: '' });
  expect(limit).toHaveBeenCalledWith(30_000);
});
