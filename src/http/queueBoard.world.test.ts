// The board of the queues: operators only, from our own page only, under a policy that is looser there and nowhere else, and harmless to use.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../local/stack/ports.ts';
import { startWorld, type World } from '../../test/setup/world.ts';
import { startApi } from '../api.ts';
import { enqueue } from '../queues.ts';

const ADMIN = 'kW3vR8xT1bN6mZ4cQ9yL2hJ7fD5gP0sa';
let world: World;
let base: string;
beforeAll(async () => {
  world = await startWorld();
  const port = await freePort();
  base = `http://127.0.0.1:${port}`;
  Object.assign(world.ctx.env, { PORT: port, BASE_URL: base, ADMIN_SECRET: ADMIN });
  await startApi(world.ctx);
});
afterAll(() => world.stop());

const call = (path: string, init: RequestInit = {}) =>
  fetch(`${base}/operations/queues${path}`, { redirect: 'manual', ...init });
const admin = { authorization: `Bearer ${ADMIN}` };

test('nobody without the secret: a browser is sent to the sign-in, a program gets 401', async () => {
  for (const path of ['', '/', '/api/queues', '/static/js/x.js', '/queue/settle']) {
    const looking = await call(path, { headers: { accept: 'text/html' } });
    expect([looking.status, looking.headers.get('location')]).toEqual([302, '/operations']);
    expect((await call(path, { headers: { accept: 'application/json' } })).status).toBe(401);
    expect((await call(path, { headers: { authorization: 'Bearer wrong', accept: 'application/json' } })).status).toBe(
      401,
    );
  }
  expect((await call('/api/queues/settle/pause', { method: 'PUT' })).status).toBe(401);
});

test('the page runs under its own policy, asks no foreign host, and the rest of the site keeps the strict one', async () => {
  const page = await call('/', { headers: admin });
  expect(page.status).toBe(200);
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("frame-ancestors 'none'");
  const text = await page.text();
  expect(text).toContain('Ampersat queues');
  expect(text).not.toMatch(/(href|src)="(https?:)?\/\//);
  for (const [, file = ''] of text.matchAll(/src="(static\/[^"]+)"/g)) {
    expect((await call(`/${file}`, { headers: admin })).status, file).toBe(200);
  }
  const elsewhere = (await fetch(`${base}/operations`)).headers.get('content-security-policy') ?? '';
  expect(elsewhere).not.toContain('unsafe');
});

test('a write from another page is refused, also with the cookie', async () => {
  const signedIn = await fetch(`${base}/api/operations/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: base },
    body: JSON.stringify({ secret: ADMIN }),
  });
  const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const pause = (origin?: string) =>
    call('/api/queues/settle/pause', { method: 'PUT', headers: { cookie, ...(origin ? { origin } : {}) } });
  expect((await pause('https://evil.example')).status).toBe(403);
  expect((await pause()).status).toBe(403);
  expect((await pause(base)).status).toBe(200);
  expect((await call('/api/queues/settle/resume', { method: 'PUT', headers: { cookie, origin: base } })).status).toBe(
    200,
  );
});

test('it shows a job, and deleting every job loses no payment', async () => {
  const now = world.ctx.clock.now();
  await world.ctx.db.$transaction((tx) => enqueue(tx, 'settle', 'a-job', { chain: 'base' }, now));
  await world.ctx.queues.flush(world.ctx.db);
  const listed = (await (await call('/api/queues?activeQueue=settle&status=waiting', { headers: admin })).json()) as {
    queues: { name: string; jobs: { id: string }[] }[];
  };
  expect(listed.queues.map((queue) => queue.name).sort()).toEqual(['cron', 'intents', 'replies', 'settle', 'webhooks']);
  expect(listed.queues.find((queue) => queue.name === 'settle')?.jobs.map((job) => job.id)).toContain('a-job');
  const before = await world.usdc('bob');
  await world.type('alice', '/tip @bob 5');
  await world.fetchUpdates();
  await world.ingest();
  const clean = (queue: string) =>
    call(`/api/queues/${queue}/clean/waiting`, { method: 'PUT', headers: { ...admin, origin: base } });
  for (const queue of ['intents', 'settle', 'replies']) expect((await clean(queue)).status).toBe(200);
  await world.run();
  expect((await world.usdc('bob')) - before).toBe(5_000_000n);
});
