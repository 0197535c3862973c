// `ampersat logs requests`: what the keys of a workspace called, listed, filtered and followed.
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keyOf, type Program, program } from '../../test/setup/api.ts';
import { type CommandLine, commandLine } from '../../test/setup/cli.ts';
import { startFlaky } from '../../test/setup/flaky.ts';
import { serveWorld } from '../../test/setup/visitor.ts';
import { startWorld, type World } from '../../test/setup/world.ts';

let world: World;
let run: CommandLine;
let api: Program;
let base: string;
beforeAll(async () => {
  world = await startWorld();
  base = await serveWorld(world);
  const key = await keyOf(world, 'alice');
  run = commandLine({ AMPERSAT_BASE_URL: base, AMPERSAT_API_KEY: key });
  api = program(base, key);
});
afterAll(() => world.stop());

const runLine = (line: string) => run(line.split(' '));
const idOf = (answer: { headers: Headers }) => answer.headers.get('request-id') ?? '';
async function logged(id: string): Promise<void> {
  await expect.poll(() => world.ctx.db.requestLog.count({ where: { id } })).toBe(1);
}

test('are listed, newest last, and filtered; the log’s own list is not among them', async () => {
  expect(await runLine('logs requests')).toMatchObject({
    code: 0,
    out: '',
    err: 'No requests in the last seven days.\n',
  });
  const made = idOf(await api.post('/v1/orders', { amount: '2', chain: 'base' }));
  const missing = idOf(await api.get('/v1/orders/ord_1'));
  for (const id of [made, missing]) await logged(id);
  expect((await runLine('logs requests --json')).json.map(({ id }) => id)).toEqual([made, missing]);
  const refused = await runLine('logs requests --status 4xx --wide');
  expect(refused.out).toMatch(/404 {2}GET {5}\/v1\/orders\/ord_1 {2}\d+ ms {2}resource_missing {2}req_\w+\n$/);
  expect(refused.out.trim().split('\n')).toHaveLength(1);
  for (const line of ['--status 404', '--method GET', '--route /v1/orders/{order_id}', '--code resource_missing'])
    expect((await runLine(`logs requests --json ${line}`)).json.map(({ id }) => id)).toEqual([missing]);
  expect((await runLine('logs requests --status 5xx')).err).toBe('No requests match these filters.\n');
  expect((await runLine('logs requests --status teapot')).code).toBe(2);
  const one = (await api.get(`/v1/request_logs/${made}`)).body;
  expect(JSON.parse(one.request_body.text)).toEqual({ amount: '2', chain: 'base' });
  expect(one.api_key).toMatch(/^key_/);
});

test('are followed past a lost connection, each once', async () => {
  const front = await startFlaky(base);
  const stop = new AbortController();
  const out = new PassThrough();
  let seen = '';
  out.on('data', (chunk) => {
    seen += chunk;
  });
  const following = run(['logs', 'requests', '--follow', '--wide', '--limit', '1', '--base-url', front.url], {
    signal: stop.signal,
    out,
  });
  const ids = () => [...seen.matchAll(/req_\w+/g)].map(([id]) => id);
  await expect.poll(() => ids().length).toBe(1);
  const before = ids();
  const first = idOf(await api.get('/v1/orders'));
  await expect.poll(ids).toEqual([...before, first]);
  front.fail(...Array.from({ length: 12 }, () => 'drop-before' as const));
  const during = [idOf(await api.get('/v1/orders')), idOf(await api.get('/v1/orders'))].sort();
  await expect.poll(() => ids().length).toBe(4);
  const heard = front.heard.length;
  await expect.poll(() => front.heard.length).toBeGreaterThan(heard + 2);
  expect([ids().slice(0, 2), ids().slice(2).sort()]).toEqual([[...before, first], during]);
  stop.abort();
  const { code, err } = await following;
  await front.stop();
  expect(code).toBe(0);
  expect(err).toContain('Connection lost. Reconnecting…\nReconnected. Continuing where it left off.\n');
});
