// Who may call /v1, how often, and by which version.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type ApiAnswer,
  type ApiDocument,
  atOneMoment,
  documentChecker,
  expectError,
  keyOf,
  program,
} from '../../../test/setup/api.ts';
import { serveWorld } from '../../../test/setup/visitor.ts';
import { startWorld, type World } from '../../../test/setup/world.ts';
import type { Scope } from '../../domain/apiKey.ts';
import { createApiKey, listApiKeys, revokeApiKey, rollApiKey } from '../../services/workspaces/apiKeys.ts';

const HOUR_MS = 3_600_000;
let world: World;
let base: string;
let alice: string;
let bob: string;
let checker: ReturnType<typeof documentChecker>;
beforeAll(async () => {
  world = await startWorld();
  Object.assign(world.ctx.env, { API_RATE_PER_SECOND: 10, API_RATE_BURST: 20 });
  base = await serveWorld(world);
  checker = documentChecker((await (await fetch(`${base}/v1/openapi.json`)).json()) as ApiDocument);
  const idOf = async (slug: string) => (await world.ctx.db.handle.findUniqueOrThrow({ where: { slug } })).id;
  [alice, bob] = [await idOf('alice'), await idOf('bob')];
});
afterAll(() => world.stop());

const wish = { label: 'till', mode: 'test' as const, scopes: ['orders', 'read'] as Scope[] };
const calls = (secret: string) => program(base, secret, checker.check);
const statusOf = async (secret: string) => (await calls(secret).get('/v1/orders')).status;

describe('a key', () => {
  test('is shown once, has 32 random bytes, and is kept as its hash', async () => {
    const { key, secret } = await createApiKey(world.ctx, alice, wish);
    expect(secret).toMatch(/^sk_test_[0-9A-Za-z]{43}$/);
    expect((await createApiKey(world.ctx, alice, { ...wish, mode: 'live' })).secret).toMatch(/^sk_live_/);
    const row = await world.ctx.db.apiKey.findUniqueOrThrow({ where: { id: key.id } });
    expect(row.hash).toBe(createHash('sha256').update(secret).digest('hex'));
    expect(JSON.stringify(row)).not.toContain(secret.slice(8, 20));
    expect(key).toMatchObject({
      object: 'api_key',
      label: 'till',
      mode: 'test',
      status: 'active',
      last4: secret.slice(-4),
    });
    expect(JSON.stringify(await listApiKeys(world.ctx, alice))).not.toContain(secret.slice(8, 20));
    expect((await listApiKeys(world.ctx, bob)).map(({ id }) => id)).not.toContain(key.id);
  });

  test('that is rolled works on for the overlap, and not a moment longer', async () => {
    const old = await createApiKey(world.ctx, alice, wish);
    const fresh = await rollApiKey(world.ctx, alice, old.key.id, { overlapHours: 2 });
    expect([await statusOf(old.secret), await statusOf(fresh.secret)]).toEqual([200, 200]);
    await expect(rollApiKey(world.ctx, alice, old.key.id)).rejects.toMatchObject({ code: 'state_conflict' });
    world.later(2 * HOUR_MS - 60_000);
    expect(await statusOf(old.secret)).toBe(200);
    world.later(60_000);
    expectError(await calls(old.secret).get('/v1/orders'), 'api_key_invalid');
    expect(await statusOf(fresh.secret)).toBe(200);
    const again = await rollApiKey(world.ctx, alice, fresh.key.id, { overlapHours: 0 });
    expect([await statusOf(fresh.secret), await statusOf(again.secret)]).toEqual([401, 200]);
    for (const overlapHours of [-1, 169, 0.5, Number.NaN])
      await expect(rollApiKey(world.ctx, alice, again.key.id, { overlapHours })).rejects.toMatchObject({
        code: 'parameter_invalid',
      });
  });

  test('that is revoked ends at once, and is nobody else’s to roll or revoke', async () => {
    const { key, secret } = await createApiKey(world.ctx, alice, wish);
    expect(await statusOf(secret)).toBe(200);
    await expect(revokeApiKey(world.ctx, bob, key.id)).rejects.toMatchObject({ code: 'resource_missing' });
    await expect(rollApiKey(world.ctx, bob, key.id)).rejects.toMatchObject({ code: 'resource_missing' });
    const ended = await revokeApiKey(world.ctx, alice, key.id);
    expect(await statusOf(secret)).toBe(401);
    expect(await revokeApiKey(world.ctx, alice, key.id)).toEqual(ended);
    expect(ended).toMatchObject({ status: 'revoked' });
  });

  test('notes its last use at most once a minute', async () => {
    const { key, secret } = await createApiKey(world.ctx, alice, wish);
    const lastUse = async () => (await world.ctx.db.apiKey.findUniqueOrThrow({ where: { id: key.id } })).lastUsedAt;
    expect(await lastUse()).toBeNull();
    await statusOf(secret);
    const first = await lastUse();
    expect(first).not.toBeNull();
    world.later(30_000);
    await statusOf(secret);
    expect(await lastUse()).toEqual(first);
    world.later(31_000);
    await statusOf(secret);
    expect((await lastUse())?.getTime()).toBeGreaterThan(first?.getTime() ?? 0);
  });

  test('409 for the fifty-first that works, also when several are drawn at once', async () => {
    const owner = (await world.ctx.db.handle.findUniqueOrThrow({ where: { slug: 'carol' } })).id;
    await world.ctx.db.apiKey.deleteMany({ where: { handleId: owner } });
    const made = [];
    for (let i = 0; i < 46; i++) made.push((await createApiKey(world.ctx, owner, wish)).key);
    const drawn = await Promise.allSettled(Array.from({ length: 8 }, () => createApiKey(world.ctx, owner, wish)));
    expect(drawn.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
    for (const one of drawn)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'state_conflict' });
    const [first] = made;
    await expect(rollApiKey(world.ctx, owner, first?.id ?? '')).rejects.toMatchObject({ code: 'state_conflict' });
    await rollApiKey(world.ctx, owner, first?.id ?? '', { overlapHours: 0 });
    await revokeApiKey(world.ctx, owner, made[1]?.id ?? '');
    await createApiKey(world.ctx, owner, wish);
  });

  test('400 for a label that hides something, or is none', async () => {
    for (const label of ['', '   ', 'a\u202Eb', 'two\nlines', 'x'.repeat(281)])
      await expect(createApiKey(world.ctx, alice, { ...wish, label })).rejects.toMatchObject({
        code: 'parameter_invalid',
      });
    await expect(createApiKey(world.ctx, alice, { ...wish, scopes: [] })).rejects.toMatchObject({
      code: 'parameter_invalid',
    });
  });
});

describe('a call', () => {
  test('401 without a key, with half of one, and with one that nobody has', async () => {
    const none = await fetch(`${base}/v1/orders`);
    expect(none.status).toBe(401);
    expect(none.headers.get('www-authenticate')).toBe('Bearer realm="ampersat"');
    const secret = await keyOf(world, 'alice');
    for (const wrong of [
      secret.slice(0, -1),
      `${secret}x`,
      secret.replace('test', 'live'),
      'sk_test_',
      'x',
      "' or 1=1 --",
    ]) {
      const answer = await calls(wrong).get('/v1/orders');
      expectError(answer, 'api_key_invalid');
      expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
      expect(answer.text).not.toContain(secret.slice(8, 20));
      expect(answer.body.error.message).toBe('Invalid API key. Check it, or create one at /keys.');
    }
    expect(await none.json()).toMatchObject({ error: { message: expect.stringMatching(/^No API key provided/) } });
    // A quickstart’s placeholder, left as it stands: a header was sent, so it is not called missing.
    const placeholder = await fetch(`${base}/v1/orders`, {
      headers: { authorization: Buffer.from('Bearer sk_test_…').toString('latin1') },
    });
    expect(await placeholder.json()).toMatchObject({ error: { message: expect.stringMatching(/^Invalid API key/) } });
    const basic = await fetch(`${base}/v1/orders`, { headers: { authorization: `Basic ${btoa(`${secret}:`)}` } });
    expect(basic.status).toBe(401);
  });

  test('429 for many keys that are none from one address, while a right key goes on', async () => {
    const secret = await keyOf(world, 'alice');
    const wrong = calls(`sk_test_${'x'.repeat(43)}`);
    await atOneMoment(world, async (later) => {
      later(120_000);
      const answers = [];
      for (let i = 0; i < 61; i++) answers.push(await wrong.get('/v1/orders'));
      for (const answer of answers.slice(0, 60)) expectError(answer, 'api_key_invalid');
      const last = answers[60] as ApiAnswer;
      expectError(last, 'rate_limited');
      expect(last.headers.get('retry-after')).toBe('1');
      expect(await statusOf(secret)).toBe(200);
      later(1_000);
      expectError(await wrong.get('/v1/orders'), 'api_key_invalid');
    });
    // What the clock stood ahead by, and what the address has to wait.
    world.later(300_000);
  });

  test('403 without the scope that it needs', async () => {
    const reader = calls(await keyOf(world, 'alice', { scopes: ['read'] }));
    expect((await reader.get('/v1/orders')).status).toBe(200);
    expectError(await reader.post('/v1/orders', { amount: '1', chain: 'base' }), 'scope_missing');
    const links = calls(await keyOf(world, 'alice', { scopes: ['payment_links', 'events', 'webhooks'] }));
    expectError(await links.get('/v1/orders'), 'scope_missing');
  });

  test('200 with the version that there is, 400 with another one', async () => {
    const shop = calls(await keyOf(world, 'alice'));
    for (const headers of [undefined, { 'service-version': '2026-11-20' }]) {
      const answer = await shop.get('/v1/orders', headers);
      expect([answer.status, answer.headers.get('service-version')]).toEqual([200, '2026-11-20']);
    }
    for (const version of ['2020-01-01', 'latest', '2026-11-20 ', '2026-11-20, 2026-11-20', 'é'])
      expect([200, 400]).toContain((await shop.get('/v1/orders', { 'service-version': version })).status);
    expectError(await shop.get('/v1/orders', { 'service-version': '2020-01-01' }), 'version_unknown');
  });

  test('429 beyond the burst of a key, and again 200 when a token is back; another key does not notice', async () => {
    const [one, two] = [calls(await keyOf(world, 'alice')), calls(await keyOf(world, 'alice'))];
    await atOneMoment(world, async (later) => {
      const first = await one.get('/v1/orders');
      expect(first.headers.get('ratelimit-policy')).toBe('"key";q=20;w=2');
      expect(first.headers.get('ratelimit')).toBe('"key";r=19;t=1');
      const answers = await Promise.all(Array.from({ length: 40 }, () => one.get('/v1/orders')));
      const limited = answers.filter(({ status }) => status === 429);
      expect(limited).toHaveLength(21);
      for (const answer of limited) {
        expectError(answer, 'rate_limited');
        expect(answer.headers.get('retry-after')).toBe('1');
        expect(answer.headers.get('ratelimit')).toBe('"key";r=0;t=2');
      }
      expect((await two.get('/v1/orders')).status).toBe(200);
      later(100);
      expect((await one.get('/v1/orders')).status).toBe(200);
      expect((await one.get('/v1/orders')).status).toBe(429);
    });
  });
});

describe('an address', () => {
  test('405 with what it allows, 404 where nothing is, and OPTIONS and HEAD as they should be', async () => {
    const shop = calls(await keyOf(world, 'alice'));
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const answer = await shop.send(method, '/v1/orders');
      expectError(answer, 'method_not_allowed');
      expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS, POST');
    }
    expect((await shop.send('GET', '/v1/orders/ord_1/cancel')).headers.get('allow')).toBe('OPTIONS, POST');
    for (const path of ['/v1', '/v1/', '/v1/nothing', '/v1/orders/', '/v1/orders/a/b', '/v1/Orders'])
      expectError(await shop.get(path), 'resource_missing');
    expectError(await shop.post('/v1/nothing', '{'), 'resource_missing');
    const options = await fetch(`${base}/v1/orders`, { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS, POST']);
    expect(options.headers.get('access-control-allow-origin')).toBeNull();
    const head = await shop.send('HEAD', '/v1/orders');
    expect([head.status, head.text]).toEqual([200, '']);
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(20);
    expect((await fetch(`${base}/v1/orders`, { method: 'HEAD' })).status).toBe(401);
    expect((await shop.get('/v1/%')).status).toBe(404);
  });

  test('carries what keeps an answer from being taken for a page', async () => {
    const { headers } = await fetch(`${base}/v1/orders`);
    expect(headers.get('request-id')).toMatch(/^req_/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });
});
