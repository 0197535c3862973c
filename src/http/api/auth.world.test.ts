// Signing in and staying signed in, over real HTTP: what works, and every way in which somebody else might get in.
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../../local/stack/ports.ts';
import { serveWorld, type Visitor, visitor } from '../../../test/setup/visitor.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import { dropOldRows } from '../../services/operations/housekeeping.ts';
import { serve } from '../serve.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let world: World;
let base: string;
beforeAll(async () => {
  world = await startWorld();
  base = await serveWorld(world);
});
afterAll(() => world.stop());

const alice = () => privateKeyToAccount(localPerson('alice').key);
const stranger = () => privateKeyToAccount(generatePrivateKey());
/** Limits by address are not what these tests are about: each starts with a window of its own. */
const someone = async (): Promise<Visitor> => {
  world.later(2 * MINUTE);
  return visitor(base);
};
async function signedIn(account = alice()): Promise<Visitor> {
  const browser = await someone();
  const answer = await browser.signIn(account);
  expect(answer.status).toBe(200);
  return browser;
}
const refusal = (answer: { status: number; body: { error?: { code: string } } }) => [
  answer.status,
  answer.body.error?.code,
];

describe('a page of another account', () => {
  const OF_BOB = { 'ampersat-account': '@bob' };

  test('409 for what it asks, and nothing happens', async () => {
    const browser = await signedIn();
    for (const path of ['/api/sessions', '/api/settings', '/api/history'])
      expect(refusal(await browser.get(path, OF_BOB)), path).toEqual([409, 'account_changed']);
    const before = (await browser.get('/api/settings')).body;
    expect(refusal(await browser.send('PATCH', '/api/settings', { language: 'es' }, OF_BOB))).toEqual([
      409,
      'account_changed',
    ]);
    expect((await browser.get('/api/settings')).body).toEqual(before);
  });

  test('it signs out nobody else', async () => {
    const browser = await signedIn();
    for (const path of ['/api/session', '/api/sessions'])
      expect(refusal(await browser.delete(path, OF_BOB)), path).toEqual([409, 'account_changed']);
    expect((await browser.get('/api/session', OF_BOB)).body.account.handle).toBe('alice');
  });

  test('a page is served under the handle and under the address that signed in, which may have chosen it meanwhile', async () => {
    const browser = await signedIn();
    for (const own of ['@alice', alice().address])
      expect((await browser.get('/api/sessions', { 'ampersat-account': own })).status).toBe(200);
    for (const other of ['alice', '@', '@undefined', stranger().address, ''])
      expect(refusal(await browser.get('/api/sessions', { 'ampersat-account': other })), other).toEqual([
        409,
        'account_changed',
      ]);
  });

  test('a session without a handle is no account named undefined', async () => {
    const browser = await signedIn(stranger());
    expect(refusal(await browser.get('/api/sessions', { 'ampersat-account': '@undefined' }))).toEqual([
      409,
      'account_changed',
    ]);
  });
});

describe('signing in', () => {
  test('200 with a cookie that no script reads, and the account of the wallet', async () => {
    const browser = await someone();
    const start = await browser.post('/api/auth/nonce');
    expect(start.status).toBe(200);
    expect(start.headers.get('cache-control')).toBe('no-store');
    expect(start.body).toMatchObject({
      domain: new URL(base).host,
      uri: base,
      version: '1',
      chains: [{ name: 'base', label: 'Base', chain_id: 8453 }],
    });
    const prelogin = start.headers.getSetCookie()[0] ?? '';
    expect(prelogin).toMatch(
      /^service-prelogin=[\w-]{43}; Max-Age=300; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
    );

    const answer = await browser.signIn(alice());
    expect(answer.status).toBe(200);
    expect(answer.body.account).toEqual({
      address: alice().address,
      kind: 'account',
      wallets: { evm: alice().address, solana: null },
      handle: 'alice',
      handle_kind: 'personal',
      preferred_chain: 'base',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    const given = answer.headers.getSetCookie().find((line) => line.startsWith('service-session='));
    expect(given).toMatch(
      /^service-session=[\w-]{43}; Max-Age=2592000; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
    );
    expect(browser.cookies.has('service-prelogin')).toBe(false);
    expect((await browser.get('/api/session')).body.account.handle).toBe('alice');
  });

  test('the cookie is Secure wherever TLS is', async () => {
    const own = world.ctx.env.BASE_URL;
    Object.assign(world.ctx.env, { BASE_URL: 'https://pay.example' });
    try {
      const answer = await (await someone()).post('/api/auth/nonce', {}, { origin: 'https://pay.example' });
      expect(answer.headers.getSetCookie()[0]).toMatch(/; HttpOnly; Secure; SameSite=Lax$/);
    } finally {
      Object.assign(world.ctx.env, { BASE_URL: own });
    }
  });

  test('the cookie’s value rests nowhere', async () => {
    const browser = await signedIn();
    const token = browser.cookies.get('service-session') ?? '';
    const rows = JSON.stringify(await world.ctx.db.session.findMany());
    expect(rows).not.toContain(token);
  });

  test('GET /api/session is null for a signed-out browser, and never 401', async () => {
    const answer = await (await someone()).get('/api/session');
    expect([answer.status, answer.body]).toEqual([200, { account: null }]);
  });

  test('400 for the same message twice', async () => {
    const browser = await someone();
    const signed = await browser.signedMessage(alice());
    const prelogin = browser.cookies.get('service-prelogin') ?? '';
    expect((await browser.post('/api/auth/siwe', signed)).status).toBe(200);
    browser.cookies.set('service-prelogin', prelogin);
    expect(refusal(await browser.post('/api/auth/siwe', signed))).toEqual([400, 'sign_in_expired']);
  });

  test('one of two at once gets in', async () => {
    const browser = await someone();
    const signed = await browser.signedMessage(alice());
    const answers = await Promise.all([1, 2, 3].map(() => browser.post('/api/auth/siwe', signed)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 400, 400]);
  });

  test('400 in another browser than the one that asked', async () => {
    const [mine, theirs] = [await someone(), await someone()];
    const signed = await mine.signedMessage(alice());
    expect(refusal(await theirs.post('/api/auth/siwe', signed))).toEqual([400, 'sign_in_expired']);
    await theirs.post('/api/auth/nonce');
    expect(refusal(await theirs.post('/api/auth/siwe', signed))).toEqual([400, 'sign_in_expired']);
    expect(theirs.cookies.has('service-session')).toBe(false);
  });

  test('400 after five minutes, and for a nonce of one’s own', async () => {
    const browser = await someone();
    const late = await browser.signedMessage(alice());
    world.later(5 * MINUTE + 1);
    expect(refusal(await browser.post('/api/auth/siwe', late))).toEqual([400, 'parameter_invalid']);
    // Issued anew by the clock, under the old nonce.
    const old = /Nonce: (\w+)/.exec(late.message)?.[1] ?? '';
    const now = new Date(world.ctx.clock.now());
    const restamped = late.message.replace(/Issued At: .+/, `Issued At: ${now.toISOString()}`);
    const signed = { message: restamped, signature: await alice().signMessage({ message: restamped }) };
    expect(restamped).toContain(old);
    expect(refusal(await browser.post('/api/auth/siwe', signed))).toEqual([400, 'sign_in_expired']);
    const invented = await (await someone()).signIn(alice(), { nonce: 'a'.repeat(32) });
    expect(refusal(invented)).toEqual([400, 'sign_in_expired']);
  });

  test.each([
    ['domain', { domain: 'evil.example' }],
    ['port', { domain: '127.0.0.1:1' }],
    ['URI', { uri: 'https://evil.example' }],
    ['URI below ours', { uri: 'http://127.0.0.1/elsewhere' }],
    ['chain', { chainId: 1 }],
    ['chain that the registry knows and nobody serves', { chainId: 56 }],
    ['scheme', { scheme: 'ftp' }],
  ])('400 for a message with a wrong %s', async (_what, changed) => {
    const browser = await someone();
    expect(refusal(await browser.signIn(alice(), changed))).toEqual([400, 'parameter_invalid']);
    expect(browser.cookies.has('service-session')).toBe(false);
  });

  test.each([
    ['issued in the future', () => ({ issuedAt: new Date(world.ctx.clock.now() + 6 * MINUTE) })],
    ['issued long ago', () => ({ issuedAt: new Date(world.ctx.clock.now() - 6 * MINUTE) })],
    ['not valid yet', () => ({ notBefore: new Date(world.ctx.clock.now() + MINUTE) })],
    ['expired', () => ({ expirationTime: new Date(world.ctx.clock.now() - 1) })],
  ])('400 for a message that is %s', async (_what, changed) => {
    expect(refusal(await (await someone()).signIn(alice(), changed()))).toEqual([400, 'parameter_invalid']);
  });

  test.each([
    ['another version', (text: string) => text.replace('Version: 1', 'Version: 2')],
    [
      'a second URI hidden in the statement',
      (text: string) => text.replace('\nURI:', '\nURI: https://evil.example\nURI:'),
    ],
    ['text after the end', (text: string) => `${text}\nAnd I give away everything.`],
    ['text before the beginning', (text: string) => `Hello\n${text}`],
    ['an address in lower case', (text: string) => text.replace(/0x[0-9a-fA-F]{40}/, (found) => found.toLowerCase())],
    ['a time that is none', (text: string) => text.replace(/Issued At: .+/, 'Issued At: tomorrow')],
    ['nothing', () => ''],
  ])('400 for a message with %s', async (_what, change) => {
    const browser = await someone();
    const { message } = await browser.signedMessage(alice());
    const changed = change(message);
    const signature = await alice().signMessage({ message: changed });
    expect(refusal(await browser.post('/api/auth/siwe', { message: changed, signature }))).toEqual([
      400,
      'parameter_invalid',
    ]);
  });

  test('times may be written without milliseconds', async () => {
    const browser = await someone();
    const { message } = await browser.signedMessage(alice());
    const plain = message.replace(/\.\d+Z$/m, 'Z');
    expect(plain).not.toBe(message);
    const signature = await alice().signMessage({ message: plain });
    expect((await browser.post('/api/auth/siwe', { message: plain, signature })).status).toBe(200);
  });

  test('400 for somebody else’s signature where the wallet has no handle', async () => {
    const browser = await someone();
    const { message } = await browser.signedMessage(stranger());
    const signature = await alice().signMessage({ message });
    expect(refusal(await browser.post('/api/auth/siwe', { message, signature }))).toEqual([400, 'signature_invalid']);
  });

  test('400 for somebody else’s signature, for garbage, and for one over another text', async () => {
    for (const sign of [
      async (message: string) => stranger().signMessage({ message }),
      async (message: string) => alice().signMessage({ message: `${message} ` }),
      async () => `0x${'00'.repeat(65)}`,
      async () => '0x',
    ]) {
      const browser = await someone();
      const { message } = await browser.signedMessage(alice());
      const answer = await browser.post('/api/auth/siwe', { message, signature: await sign(message) });
      expect(refusal(answer)).toEqual([400, 'signature_invalid']);
      expect(browser.cookies.has('service-session')).toBe(false);
    }
  });

  test('429 after thirty calls a minute from one address, with the time to wait', async () => {
    const browser = await someone();
    const began = world.ctx.clock.now();
    const answers = [];
    for (let i = 0; i < 31; i++) answers.push(await browser.post('/api/auth/nonce'));
    expect(answers.map((answer) => answer.status)).toEqual([...Array(30).fill(200), 429]);
    const last = answers.at(-1);
    expect(last?.body.error.code).toBe('rate_limited');
    const took = (world.ctx.clock.now() - began) / 1_000;
    const wait = Number(last?.headers.get('retry-after'));
    expect(wait).toBeLessThanOrEqual(60);
    expect(wait).toBeGreaterThanOrEqual(Math.floor(60 - took));
    world.later(61_000);
    expect((await browser.post('/api/auth/nonce')).status).toBe(200);
  });

  test('an address that a client claims counts for nothing without a proxy of ours', async () => {
    const browser = await someone();
    let last = 0;
    for (let i = 0; i < 31; i++)
      last = (await browser.post('/api/auth/nonce', {}, { 'x-forwarded-for': `10.0.0.${i}` })).status;
    expect(last).toBe(429);
  });
});

describe('sessions', () => {
  test('a session that a client brings is never adopted', async () => {
    const browser = await someone();
    const planted = 'p'.repeat(43);
    browser.cookies.set('service-session', planted);
    expect((await browser.signIn(alice())).status).toBe(200);
    expect(browser.cookies.get('service-session')).not.toBe(planted);
    const attacker = visitor(base);
    attacker.cookies.set('service-session', planted);
    expect((await attacker.get('/api/session')).body.account).toBeNull();
  });

  test('signing in again gives a new session and ends the one before', async () => {
    const browser = await signedIn(stranger());
    const before = browser.cookies.get('service-session') ?? '';
    world.later(2 * MINUTE);
    expect((await browser.signIn(alice())).status).toBe(200);
    expect(browser.cookies.get('service-session')).not.toBe(before);
    const old = visitor(base);
    old.cookies.set('service-session', before);
    expect((await old.get('/api/session')).body.account).toBeNull();
  });

  test('the list shows every browser of the account, and ends one or all', async () => {
    const key = stranger();
    const [one, two, three] = [await signedIn(key), await signedIn(key), await signedIn(key)];
    const other = await signedIn(stranger());
    const { body } = await one.get('/api/sessions');
    expect(body).toMatchObject({ object: 'list', has_more: false, next_cursor: null });
    expect(body.data).toHaveLength(3);
    expect(Object.keys(body.data[0]).sort()).toEqual([
      'created_at',
      'current',
      'expires_at',
      'id',
      'last_seen_at',
      'user_agent',
    ]);
    expect(body.data.filter((row: { current: boolean }) => row.current)).toHaveLength(1);
    const idOfTwo = (await two.get('/api/sessions')).body.data.find((row: { current: boolean }) => row.current).id;

    expect(refusal(await other.delete(`/api/sessions/${idOfTwo}`))).toEqual([404, 'resource_missing']);
    expect((await two.get('/api/session')).body.account).not.toBeNull();
    expect((await one.delete(`/api/sessions/${idOfTwo}`)).status).toBe(200);
    expect((await two.get('/api/session')).body.account).toBeNull();
    expect(two.cookies.has('service-session')).toBe(false);

    expect((await one.delete('/api/sessions')).status).toBe(200);
    for (const browser of [one, three]) expect((await browser.get('/api/session')).body.account).toBeNull();
    expect((await other.get('/api/session')).body.account).not.toBeNull();
  });

  test('signing out ends the session itself, not only the cookie', async () => {
    const browser = await signedIn();
    const token = browser.cookies.get('service-session') ?? '';
    expect((await browser.delete('/api/session')).status).toBe(200);
    expect(browser.cookies.has('service-session')).toBe(false);
    browser.cookies.set('service-session', token);
    expect((await browser.get('/api/session')).body.account).toBeNull();
    expect(refusal(await browser.get('/api/sessions'))).toEqual([401, 'session_required']);
  });

  test('a session lives 30 days from its last use and no longer', async () => {
    const browser = await signedIn();
    world.later(29 * DAY);
    const used = await browser.get('/api/session');
    expect(used.body.account.handle).toBe('alice');
    expect(used.headers.getSetCookie()[0]).toContain('Max-Age=2592000');
    expect((await browser.get('/api/session')).headers.getSetCookie()).toEqual([]);
    world.later(29 * DAY);
    expect((await browser.get('/api/session')).body.account.handle).toBe('alice');
    world.later(30 * DAY);
    expect((await browser.get('/api/session')).body.account).toBeNull();
    expect(browser.cookies.has('service-session')).toBe(false);
  });
});

describe('housekeeping', () => {
  test('drops what is over and keeps what is in use', async () => {
    await (await someone()).post('/api/auth/nonce');
    const ended = await signedIn();
    await ended.delete('/api/session');
    world.later(20 * DAY);
    const used = await signedIn();
    await (await someone()).post('/api/auth/nonce');
    world.later(11 * DAY);
    const fresh = await someone();
    await fresh.post('/api/auth/nonce');
    await dropOldRows(world.ctx);
    expect(await world.ctx.db.signInNonce.count()).toBe(1);
    expect(await world.ctx.db.rateEvent.count()).toBe(1);
    expect((await used.get('/api/session')).body.account.handle).toBe('alice');
    const edge = new Date(world.ctx.clock.now() - 30 * DAY);
    expect(await world.ctx.db.session.count({ where: { revokedAt: { lt: edge } } })).toBe(0);
    expect((await fresh.signIn(alice())).status).toBe(200);
  });
});

describe('behind proxies of ours', () => {
  test('the address that the outermost of them saw is the one that counts', async () => {
    const port = await freePort();
    const own = { ...world.ctx.env };
    Object.assign(world.ctx.env, { PORT: port, TRUST_PROXY: 1 });
    await serve(world.ctx);
    Object.assign(world.ctx.env, own);
    world.later(2 * MINUTE);
    const call = async (from: string) =>
      (
        await fetch(`http://127.0.0.1:${port}/api/auth/nonce`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
          body: '{}',
        })
      ).status;
    // What a client wrote itself stands to the left of what our proxy added.
    for (let i = 0; i < 30; i++) expect(await call(`10.0.0.${i}, 192.0.2.1`)).toBe(200);
    expect(await call('10.1.1.1, 192.0.2.1')).toBe(429);
    expect(await call('192.0.2.2')).toBe(200);
    // Whoever has one address of an IPv6 network has all of them.
    for (let i = 0; i < 30; i++) expect(await call(`2001:db8::${i}`)).toBe(200);
    expect(await call('2001:db8:0:0:ffff::1')).toBe(429);
    expect(await call('2001:db8:0:1::1')).toBe(200);
    expect(await call('::ffff:192.0.2.1')).toBe(429);
  });
});

describe('pages', () => {
  test('are opened under the one name that cookies and sign-in messages are for', async () => {
    const { port } = new URL(base);
    const answer = await fetch(`http://localhost:${port}/connect?a=1`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, `${base}/connect?a=1`]);
    expect((await fetch(`${base}/connect`, { redirect: 'manual' })).status).not.toBe(302);
    expect((await fetch(`http://localhost:${port}/api/session`)).status).toBe(200);
  });
});

describe('writes', () => {
  test.each([
    ['a foreign origin', { origin: 'https://evil.example' }],
    ['our host on another port', { origin: 'http://127.0.0.1:1' }],
    ['an opaque origin', { origin: 'null' }],
    ['another site, as the browser says', { 'sec-fetch-site': 'cross-site' }],
    ['a sister site, as the browser says', { 'sec-fetch-site': 'same-site' }],
  ])('403 from %s', async (_what, headers) => {
    const browser = await signedIn();
    for (const [method, path] of [
      ['POST', '/api/auth/nonce'],
      ['POST', '/api/handle'],
      ['DELETE', '/api/session'],
      ['DELETE', '/api/sessions'],
      ['PUT', '/api/anything'],
    ] as const) {
      const body = method === 'DELETE' ? undefined : {};
      expect(refusal(await browser.send(method, path, body, headers))).toEqual([403, 'origin_not_allowed']);
    }
    expect((await browser.get('/api/session')).body.account).not.toBeNull();
  });

  test('403 with a cookie and without an origin', async () => {
    const browser = await signedIn();
    const token = browser.cookies.get('service-session');
    const call = (headers: Record<string, string>) =>
      fetch(`${base}/api/session`, { method: 'DELETE', headers }).then((response) => response.status);
    expect(await call({ cookie: `service-session=${token}` })).toBe(403);
    expect((await browser.get('/api/session')).body.account).not.toBeNull();
    expect(await call({})).toBe(200);
  });

  test('415 for what a form can send, and for anything but JSON', async () => {
    const browser = await someone();
    for (const type of [
      'application/x-www-form-urlencoded',
      'text/plain',
      'multipart/form-data; boundary=x',
      'application/jsonx',
      '',
    ]) {
      const answer = await browser.send('POST', '/api/auth/nonce', '{}', { 'content-type': type });
      expect(refusal(answer)).toEqual([415, 'media_type_unsupported']);
    }
    expect(
      (await browser.post('/api/auth/nonce', {}, { 'content-type': 'application/json; charset=utf-8' })).status,
    ).toBe(200);
    expect((await browser.post('/api/auth/nonce', {}, { 'content-type': 'application/json; charset=x' })).status).toBe(
      415,
    );
  });

  test('400 names the parameter', async () => {
    const browser = await someone();
    const error = async (body: unknown) => {
      const answer = await browser.post('/api/auth/siwe', body);
      return [answer.status, answer.body.error.code, answer.body.error.param];
    };
    expect(await error({ signature: '0x' })).toEqual([400, 'parameter_missing', 'message']);
    expect(await error({ message: 'x', signature: 'y' })).toEqual([400, 'parameter_invalid', 'signature']);
    expect(await error({ message: 'x', signature: '0x', more: 1 })).toEqual([400, 'parameter_unknown', 'more']);
    expect((await error([]))[1]).toBe('parameter_invalid');
    expect((await error('{'))[1]).toBe('parameter_invalid');
    expect((await error('{"__proto__":{"a":1},"message":"x","signature":"0x"}'))[0]).toBe(400);
  });
});

describe('handles', () => {
  const choose = (browser: Visitor, handle: string) => browser.post('/api/handle', { handle });

  test('201 for a free name, in every session of the wallet', async () => {
    const key = stranger();
    const [one, two] = [await signedIn(key), await signedIn(key)];
    expect((await one.get('/api/session')).body.account).toEqual({
      address: key.address,
      kind: 'account',
      wallets: { evm: key.address, solana: null },
      handle: null,
      handle_kind: null,
      preferred_chain: null,
      created_at: null,
    });
    expect((await one.get('/api/handles/newcomer')).body).toMatchObject({ available: true, reason: null });
    const answer = await choose(one, 'newcomer');
    expect([answer.status, answer.body.account.handle]).toEqual([201, 'newcomer']);
    expect((await two.get('/api/session')).body.account.handle).toBe('newcomer');
    expect((await signedIn(key).then((third) => third.get('/api/session'))).body.account.handle).toBe('newcomer');
  });

  test.each(['Alice', 'al', 'a-b-c', 'аlice', 'a'.repeat(31), '@alice', ''])(
    '400 for %j, which is no handle',
    async (name) => {
      const browser = await signedIn(stranger());
      expect(refusal(await choose(browser, name))).toEqual([400, 'parameter_invalid']);
      if (name !== '') {
        expect((await browser.get(`/api/handles/${encodeURIComponent(name)}`)).body).toMatchObject({
          available: false,
          reason: 'format',
        });
      }
    },
  );

  test.each(['admin', 'adm1n', 'ampersat', '_support_', 'c1rcle'])(
    '400 for %j, which is reserved or looks it',
    async (name) => {
      const browser = await signedIn(stranger());
      expect(refusal(await choose(browser, name))).toEqual([400, 'parameter_invalid']);
      expect((await browser.get(`/api/handles/${name}`)).body).toMatchObject({ available: false, reason: 'reserved' });
    },
  );

  test.each(['alice', 'a1ice', 'alic_e', 'b0b', 'caroi'])(
    '409 for %j, which is taken or looks like one that is',
    async (name) => {
      const browser = await signedIn(stranger());
      expect(refusal(await choose(browser, name))).toEqual([409, 'state_conflict']);
      expect((await browser.get(`/api/handles/${name}`)).body).toMatchObject({ available: false, reason: 'taken' });
      expect((await browser.get('/api/session')).body.account.handle).toBeNull();
    },
  );

  test('one of several who race for one skeleton gets it', async () => {
    const names = ['morning', 'mornlng', 'mom1ng', 'm_orning'];
    const browsers = await Promise.all(names.map(() => signedIn(stranger())));
    const answers = await Promise.all(browsers.map((browser, i) => choose(browser, names[i] ?? '')));
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409, 409, 409]);
  });

  test('one wallet gets one handle, however many it asks for at once', async () => {
    const key = stranger();
    const browsers = [await signedIn(key), await signedIn(key), await signedIn(key)];
    const answers = await Promise.all(browsers.map((browser, i) => choose(browser, `manyfold${'abc'[i]}`)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409, 409]);
    expect(await world.ctx.db.wallet.count({ where: { address: key.address } })).toBe(1);
    expect(await world.ctx.db.handle.count({ where: { slug: { startsWith: 'manyfold' } } })).toBe(1);
    expect(refusal(await choose(browsers[0] as Visitor, 'manyfoldz'))).toEqual([409, 'state_conflict']);
  });

  test('401 without a session', async () => {
    const browser = await someone();
    expect(refusal(await choose(browser, 'nobody'))).toEqual([401, 'session_required']);
    expect(refusal(await browser.get('/api/handles/nobody'))).toEqual([401, 'session_required']);
  });
});
