// The examples of sdk/README.md are programs that do what they show: each is run as it stands there, against the API of a world.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../local/stack/ports.ts';
import { createAmpersat } from '../../sdk/index.ts';
import { ROOT } from '../../src/root.ts';
import { signatureHeaders } from '../../src/services/webhooks/signatures.ts';
import { keyOf } from '../setup/api.ts';
import { serveWorld } from '../setup/visitor.ts';
import { startWorld, type World } from '../setup/world.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
let world: World;
let folder: string;
let env: Record<string, string>;
let ampersat: ReturnType<typeof createAmpersat>;
const running: ChildProcess[] = [];
beforeAll(async () => {
  world = await startWorld();
  const baseUrl = await serveWorld(world);
  const apiKey = await keyOf(world, 'alice');
  ampersat = createAmpersat({ apiKey, baseUrl });
  env = { AMPERSAT_API_KEY: apiKey, AMPERSAT_BASE_URL: baseUrl, AMPERSAT_WEBHOOK_SECRET: SECRET };
  folder = mkdtempSync(join(tmpdir(), 'ampersat-readme-'));
});
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
  await world.stop();
});

/** Begins the example under a heading. `said` is what it has written by now. */
async function start(heading: string, more: Record<string, string> = {}) {
  const readme = readFileSync(join(ROOT, 'sdk/README.md'), 'utf8');
  const section = readme.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const [, code = ''] = /```ts\n(.*?)```/s.exec(section) ?? [];
  expect(code, heading).toContain('@ampersat/sdk');
  const name = heading.replaceAll(' ', '-');
  const source = join(folder, `${name}.ts`);
  const outfile = join(folder, `${name}.mjs`);
  writeFileSync(source, code);
  const alias = { '@ampersat/sdk': join(ROOT, 'sdk') };
  await build({
    entryPoints: [source],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    alias,
  });
  const child = spawn(process.execPath, [outfile], { env: { ...env, ...more }, stdio: ['ignore', 'pipe', 'pipe'] });
  running.push(child);
  let written = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      written += chunk;
    });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  return { said: () => written, ended };
}

test('Create an order', async () => {
  const { said, ended } = await start('Create an order');
  expect([await ended, said()]).toEqual([0, expect.stringMatching(/^Send the buyer to http\S+\/o\/ord_\w+\n$/)]);
  const [order] = (await ampersat.orders.list()).data;
  expect(order).toMatchObject({ amount: '25.00', description: 'Two coffees' });
});

test('List and filter', async () => {
  const order = await ampersat.orders.create({ amount: '2', chain: 'base', metadata: { cart: '7041' } });
  await ampersat.orders.create({ amount: '3', chain: 'base', metadata: { cart: 'one' } });
  const { said, ended } = await start('List and filter');
  expect(await ended).toBe(0);
  expect(said().split('\n')[0]).toBe(`${order.id} 2.00 ${order.created_at}`);
});

test('Verify webhook signatures', async () => {
  const port = await freePort();
  const { said } = await start('Verify webhook signatures', { PORT: String(port) });
  const { data } = await ampersat.events.list({ limit: 1 });
  const order = { ...Object.values(data[0]?.data.object ?? {})[0], metadata: { cart: 'seven' } };
  const body = JSON.stringify({ ...data[0], type: 'order.completed', data: { object: { order } } });
  const headers = (secret: string) => {
    const timestampS = Math.floor(Date.now() / 1_000);
    return signatureHeaders({ id: data[0]?.id ?? '', timestampS, body, secrets: [secret] });
  };
  const post = (secret: string) =>
    fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers: headers(secret) }).then(
      ({ status }) => status,
      () => 'not there yet',
    );
  await expect.poll(() => post(SECRET)).toBe(204);
  expect(said()).toContain('seven is paid');
  expect(await post(`whsec_${Buffer.alloc(32, 8).toString('base64')}`)).toBe(400);
});

test('Stream events without an endpoint', async () => {
  const { said, ended } = await start('Stream events without an endpoint');
  // It says nothing when it begins to listen, so there is something to hear until it was heard.
  const { id } = await ampersat.orders.create({ amount: '2', chain: 'base' });
  await expect
    .poll(
      async () => {
        await ampersat.orders.create({ amount: '2', chain: 'base' });
        return said();
      },
      { interval: 500 },
    )
    .toMatch(/^order.created evt_\w+$/m);
  await ampersat.orders.cancel(id);
  expect(await ended).toBe(0);
  expect(said()).toMatch(/order.cancelled evt_\w+\n$/);
});

test('Handle errors', async () => {
  const { said, ended } = await start('Handle errors');
  expect([await ended, said()]).toEqual([0, expect.stringMatching(/^amount_out_of_range amount req_\w+\n$/)]);
});
