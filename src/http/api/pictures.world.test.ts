// Pictures through the door: who may put one there, what is refused before it is read, and how one is served.
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { drawnPicture } from '../../../test/setup/pictures.ts';
import { serveWorld, type Visitor, visitor } from '../../../test/setup/visitor.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import { PICTURE_BYTES, PICTURE_UPLOAD_BYTES, PICTURE_UPLOADS } from '../../domain/picture.ts';
import { PUBLIC_READS } from '../../domain/session.ts';
import { putPicture } from '../../services/accounts/pictures.ts';
import { hitMany } from '../../services/rateLimit.ts';

const MEGABYTE = 1024 * 1024;
let world: World;
let base: string;
let alice: Visitor;
beforeAll(async () => {
  world = await startWorld();
  base = await serveWorld(world);
  alice = await signedIn('alice');
});
afterAll(() => world.stop());

async function signedIn(name: string): Promise<Visitor> {
  const browser = visitor(base);
  expect((await browser.signIn(privateKeyToAccount(localPerson(name).key))).status).toBe(200);
  return browser;
}

type Put = { path?: string; type?: string; headers?: Record<string, string>; who?: Visitor };

async function put(body: Uint8Array, { path = 'logo', type = 'image/png', headers = {}, who = alice }: Put = {}) {
  const cookie = [...who.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const sent = { origin: base, cookie, 'content-type': type, ...headers };
  const response = await fetch(`${base}/api/pictures/${path}`, { method: 'PUT', headers: sent, body });
  return { status: response.status, body: (await response.json()) as { url: string; error: { code: string } } };
}

test('a picture is kept small, under an address that changes with its content', async () => {
  const first = await put(await drawnPicture('png', { width: 900, height: 900 }));
  expect([first.status, first.body]).toEqual([200, { url: expect.stringMatching(/^\/pictures\/[0-9a-f]{64}\.webp$/) }]);
  const served = await fetch(base + first.body.url);
  expect(served.status).toBe(200);
  expect(Object.fromEntries(served.headers)).toMatchObject({
    'content-type': 'image/webp',
    'content-security-policy': "default-src 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'public, max-age=31536000, immutable',
  });
  const bytes = await served.arrayBuffer();
  expect(bytes.byteLength).toBeGreaterThan(0);
  expect(bytes.byteLength).toBeLessThanOrEqual(PICTURE_BYTES);

  const second = await put(await drawnPicture('jpeg', { left: '#00ff00' }), { type: 'image/jpeg' });
  expect(second.body.url).not.toBe(first.body.url);
  expect((await fetch(base + second.body.url)).status).toBe(200);
  expect((await fetch(base + first.body.url)).status).toBe(404);
  expect(await world.ctx.db.picture.count({ where: { use: 'logo' } })).toBe(1);
});

test('two handles with the same picture each keep their own', async () => {
  const bob = await signedIn('bob');
  const file = await drawnPicture('png', { left: '#123456' });
  const [hers, his] = [await put(file, { path: 'page' }), await put(file, { path: 'page', who: bob })];
  expect(his.body.url).toBe(hers.body.url);
  expect((await bob.delete('/api/pictures/page')).body).toEqual({ url: null });
  expect((await fetch(base + hers.body.url)).status).toBe(200);
  expect((await alice.delete('/api/pictures/page')).status).toBe(200);
  expect((await fetch(base + hers.body.url)).status).toBe(404);
});

const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
test.each([
  ['SVG', SVG, {}],
  ['SVG by its own type', SVG, { type: 'image/svg+xml' }],
  ['GIF', Buffer.from('GIF89a\x01\0\x01\0\0\0\0;'), {}],
  ['HTML', Buffer.from('<!doctype html>'), { type: 'text/html' }],
  ['a picture of no type', SVG, { type: '' }],
  ['JSON', Buffer.from('{}'), { type: 'application/json' }],
])('415 for %s', async (_name, body, options) => {
  const answer = await put(body, options);
  expect([answer.status, answer.body.error.code]).toEqual([415, 'media_type_unsupported']);
});

test('400 for a picture that is broken or has too many pixels, and nothing changes', async () => {
  const before = await put(await drawnPicture('png'));
  const large = await drawnPicture('png');
  large.writeUInt32BE(60_000, 16);
  large.writeUInt32BE(60_000, 20);
  for (const body of [large, large.subarray(0, 50), Buffer.alloc(0)]) {
    const answer = await put(body);
    expect(answer.status === 400 || answer.status === 415).toBe(true);
  }
  expect((await fetch(base + before.body.url)).status).toBe(200);
});

test('a picture of another’s page is refused, and so are visitors', async () => {
  const body = await drawnPicture('png');
  expect((await put(body, { who: visitor(base) })).status).toBe(401);
  const foreign = await put(body, { headers: { origin: 'https://evil.example' } });
  expect([foreign.status, foreign.body.error.code]).toEqual([403, 'origin_not_allowed']);
  const framed = await put(body, { headers: { 'sec-fetch-site': 'cross-site' } });
  expect([framed.status, framed.body.error.code]).toEqual([403, 'origin_not_allowed']);
  expect((await put(body, { path: 'banner' })).status).toBe(404);
});

test('no other address takes what is not JSON', async () => {
  const cookie = [...alice.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const headers = { origin: base, cookie, 'content-type': 'image/png' };
  for (const path of ['/api/settings', '/api/auth/nonce'])
    expect((await fetch(base + path, { method: 'POST', headers, body: 'x' })).status).toBe(415);
});

/** Sends megabytes until it is stopped. @returns how many bytes left, and the answer's status if one came */
function pour(megabytes: number, headers: Record<string, string>): Promise<{ sent: number; status: number | null }> {
  const cookie = [...alice.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return new Promise((resolve) => {
    let [sent, status] = [0, null as number | null];
    const all = { origin: base, cookie, 'content-type': 'image/png', ...headers };
    const call = request(`${base}/api/pictures/logo`, { method: 'PUT', headers: all }, (response) => {
      status = response.statusCode ?? null;
      response.resume();
    });
    const done = () => resolve({ sent, status });
    call.on('error', done);
    call.on('close', done);
    const chunk = Buffer.alloc(64 * 1024, 0x89);
    const next = () => {
      if (call.destroyed || status !== null) return;
      if (sent >= megabytes * MEGABYTE) return void call.end();
      sent += chunk.length;
      call.write(chunk, () => setImmediate(next));
    };
    next();
  });
}

test('413 for an upload that says it is 50 MB, before it is read', async () => {
  const { sent, status } = await pour(50, { 'content-length': String(50 * MEGABYTE) });
  expect([413, null]).toContain(status);
  expect(sent).toBeLessThan(25 * MEGABYTE);
});

test('50 MB of an upload that does not say how long it is are cut off', async () => {
  const { sent, status } = await pour(50, { 'transfer-encoding': 'chunked' });
  expect([413, null]).toContain(status);
  expect(sent).toBeLessThan(25 * MEGABYTE);
});

test('an upload of just too much is answered, one of the limit is read', async () => {
  const file = await drawnPicture('png');
  const padded = (length: number) => Buffer.concat([file, Buffer.alloc(length - file.length)]);
  expect((await put(padded(PICTURE_UPLOAD_BYTES))).status).toBe(200);
  const over = await put(padded(PICTURE_UPLOAD_BYTES + 1));
  expect([over.status, over.body.error.code]).toEqual([413, 'body_too_large']);
});

test('uploads are counted', async () => {
  const carol = await signedIn('carol');
  const body = await drawnPicture('png');
  const statuses: number[] = [];
  for (let at = 0; at <= PICTURE_UPLOADS.points; at++) statuses.push((await put(body, { who: carol })).status);
  expect(statuses).toEqual([...Array(PICTURE_UPLOADS.points).fill(200), 429]);
  await world.later(PICTURE_UPLOADS.windowMs + 1);
  expect((await put(body, { who: carol })).status).toBe(200);
});

test('pictures are decoded one after the other, and few wait', async () => {
  const handle = await world.ctx.db.handle.findUniqueOrThrow({ where: { slug: 'alice' } });
  const file = await drawnPicture('png', { width: 1_500, height: 1_500 });
  const all = await Promise.allSettled(
    Array.from({ length: 12 }, () => putPicture(world.ctx, handle.id, 'page', file)),
  );
  const refused = all.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  expect(refused).toHaveLength(4);
  for (const error of refused) expect(error).toMatchObject({ code: 'rate_limited' });
  await putPicture(world.ctx, handle.id, 'page', file);
});

test('reads are counted by network address', async () => {
  const picture = base + (await put(await drawnPicture('png'))).body.url;
  const limits = [{ key: 'ip-read:picture:127.0.0.1', window: PUBLIC_READS }];
  const reads = Array.from({ length: PUBLIC_READS.points }, () => ({ id: randomUUID(), limits }));
  await world.ctx.db.$transaction((tx) => hitMany(world.ctx, tx, reads, world.ctx.clock.now()));
  expect((await fetch(picture)).status).toBe(429);
  await world.later(PUBLIC_READS.windowMs + 1);
  expect((await fetch(picture)).status).toBe(200);
});

test('404 for what is no picture', async () => {
  const missing = ['0'.repeat(64), `${'0'.repeat(64)}.webp`, '..%2f..%2fpackage.json', `${'0'.repeat(64)}.svg`];
  for (const name of missing) expect((await fetch(`${base}/pictures/${name}`)).status).toBe(404);
});
