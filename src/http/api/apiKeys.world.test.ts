// Keys of the API behind the session: made with a secret that is shown once, rolled, revoked; and never another workspace's.
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveWorld, type Visitor, visitor } from '../../../test/setup/visitor.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import { newId } from '../../context.ts';

const HOUR_MS = 3_600_000;
let world: World;
let base: string;
let shop: Visitor;
let bob: Visitor;
beforeAll(async () => {
  world = await startWorld();
  base = await serveWorld(world);
  [shop, bob] = (await Promise.all(['shop', 'bob'].map(signedIn))) as [Visitor, Visitor];
});
afterAll(() => world.stop());

async function signedIn(name: string): Promise<Visitor> {
  const browser = visitor(base);
  expect((await browser.signIn(privateKeyToAccount(localPerson(name).key))).status).toBe(200);
  return browser;
}

const WISH = { label: 'The web shop', mode: 'test', scopes: ['orders', 'read'] };

async function make(browser: Visitor, wish: object = {}): Promise<{ id: string; secret: string }> {
  const answer = await browser.post('/api/keys', { ...WISH, ...wish });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return { id: answer.body.key.id, secret: answer.body.secret };
}

const call = (secret: string, path = '/v1/orders') =>
  fetch(base + path, { headers: { authorization: `Bearer ${secret}` } }).then(({ status }) => status);

type Key = Record<string, unknown> & { id: string };
const listed = async (browser: Visitor): Promise<Key[]> => (await browser.get('/api/keys')).body.data;

describe('making a key', () => {
  test('shows its secret once, which works, and then its last four characters only', async () => {
    const answer = await shop.post('/api/keys', WISH);
    expect(answer.status).toBe(201);
    const { key, secret } = answer.body;
    expect(secret).toMatch(/^sk_test_[0-9A-Za-z]{43}$/);
    expect(key).toMatchObject({ ...WISH, last4: secret.slice(-4), status: 'active', last_used_at: null });
    expect(await call(secret)).toBe(200);
    const list = await shop.get('/api/keys');
    expect(list.body.data[0]).toMatchObject({ id: key.id, last4: secret.slice(-4) });
    expect(list.body.data[0].last_used_at).not.toBeNull();
    expect(JSON.stringify(list.body)).not.toContain(secret);
    const row = await world.ctx.db.apiKey.findUniqueOrThrow({ where: { id: key.id } });
    expect(JSON.stringify(row)).not.toContain(secret);
  });

  test.each([
    [{ label: '' }, 400, 'parameter_invalid', 'label'],
    [{ label: 'a\nb' }, 400, 'parameter_invalid', 'label'],
    [{ label: 'x'.repeat(281) }, 400, 'parameter_invalid', 'label'],
    [{ mode: 'play' }, 400, 'parameter_invalid', 'mode'],
    [{ scopes: [] }, 400, 'parameter_invalid', 'scopes'],
    [{ scopes: ['everything'] }, 400, 'parameter_invalid', 'scopes.0'],
    [{ scopes: undefined }, 400, 'parameter_missing', 'scopes'],
    [{ secret: 'sk_test_mine' }, 400, 'parameter_unknown', 'secret'],
  ])('%j is refused: %i %s', async (wish, status, code, param) => {
    const answer = await bob.post('/api/keys', { ...WISH, ...wish });
    expect([answer.status, answer.body.error?.code, answer.body.error?.param]).toEqual([status, code, param]);
  });

  test('401 without a session, 403 from another page', async () => {
    expect((await visitor(base).post('/api/keys', WISH)).status).toBe(401);
    expect((await visitor(base).get('/api/keys')).status).toBe(401);
    expect((await shop.post('/api/keys', WISH, { origin: 'https://evil.example' })).status).toBe(403);
  });
});

describe('rolling', () => {
  test('both secrets work until the overlap is over, then the new one alone', async () => {
    const old = await make(shop);
    const answer = await shop.post(`/api/keys/${old.id}/roll`, { overlap_hours: 1 });
    expect(answer.status).toBe(201);
    const { key, secret } = answer.body;
    expect(key).toMatchObject({ label: WISH.label, scopes: WISH.scopes, status: 'active' });
    expect([await call(old.secret), await call(secret)]).toEqual([200, 200]);
    expect((await listed(shop)).find(({ id }) => id === old.id)).toMatchObject({ status: 'rolled' });
    world.later(HOUR_MS + 1_000);
    expect([await call(old.secret), await call(secret)]).toEqual([401, 200]);
    expect((await listed(shop)).find(({ id }) => id === old.id)).toMatchObject({ status: 'expired' });
  });

  test('at once leaves the old one no time; a key is rolled once', async () => {
    const old = await make(shop);
    const { secret } = (await shop.post(`/api/keys/${old.id}/roll`, { overlap_hours: 0 })).body;
    expect([await call(old.secret), await call(secret)]).toEqual([401, 200]);
    const again = await shop.post(`/api/keys/${old.id}/roll`);
    expect([again.status, again.body.error.code]).toEqual([409, 'state_conflict']);
  });

  test.each([[169], [-1], [1.5], ['24']])('400 for an overlap of %j', async (overlap_hours) => {
    const { id } = await make(shop);
    expect((await shop.post(`/api/keys/${id}/roll`, { overlap_hours })).body.error).toMatchObject({
      code: 'parameter_invalid',
      param: 'overlap_hours',
    });
  });
});

test('revoking ends a key at once, and once more changes nothing', async () => {
  const { id, secret } = await make(shop);
  const answer = await shop.post(`/api/keys/${id}/revoke`);
  expect(answer.body.key.status).toBe('revoked');
  expect(await call(secret)).toBe(401);
  world.later(1_000);
  expect((await shop.post(`/api/keys/${id}/revoke`)).body.key.revoked_at).toBe(answer.body.key.revoked_at);
});

test('another workspace’s key is not there: not in the list, not to be rolled or revoked', async () => {
  const { id, secret } = await make(shop);
  expect((await listed(bob)).some((key) => key.id === id)).toBe(false);
  for (const one of [id, newId(world.ctx, 'key'), 'key_x']) {
    expect((await bob.post(`/api/keys/${one}/roll`)).body.error?.code, one).toBe('resource_missing');
    expect((await bob.post(`/api/keys/${one}/revoke`)).body.error?.code, one).toBe('resource_missing');
  }
  expect(await call(secret)).toBe(200);
});
