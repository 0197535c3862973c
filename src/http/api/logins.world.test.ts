// Logins at Discord and X over real HTTP, against servers that speak their wire formats: every rule of the way there and back, broken on purpose.

import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { waitForLock } from '../../../test/setup/locks.ts';
import { begin, choose, type Logins, pathOf, startLogins } from '../../../test/setup/logins.ts';
import { type Answer, serveWorld, type Visitor, visitor } from '../../../test/setup/visitor.ts';
import { localPerson, type Shown, startWorld, type World } from '../../../test/setup/world.ts';
import { connectAccount } from '../../services/accounts/connections.ts';
import { disconnectFromPage } from '../../services/accounts/connectionViews.ts';
import { lockAccount } from '../../services/accounts/connectLinks.ts';
import { lockSender } from '../../services/locks.ts';
import { dropOldRows } from '../../services/operations/housekeeping.ts';

let world: World;
let base: string;
let logins: Logins;
let carol: Visitor;
beforeAll(async () => {
  world = await startWorld();
  base = await serveWorld(world);
  logins = await startLogins(world, base);
});
afterAll(async () => {
  await logins?.close();
  await world?.stop();
});
beforeEach(async () => {
  world.later(3_700_000);
  carol = await signedIn('carol');
});
afterEach(async () => {
  await logins.heal();
  await world.ctx.db.connection.deleteMany({ where: { platformUserId: { in: [DISCORD.id, X.id] } } });
});

const DISCORD = localPerson('carol').discord;
const X = localPerson('carol').x;
const ME = { discord: DISCORD, x: X };
const MINUTE = 60_000;
const BOTH = ['discord', 'x'] as const;

async function signedIn(name: string): Promise<Visitor> {
  const browser = visitor(base);
  expect((await browser.signIn(privateKeyToAccount(localPerson(name).key))).status).toBe(200);
  return browser;
}
const handleId = async (slug: string) => (await world.ctx.db.handle.findUniqueOrThrow({ where: { slug } })).id;
const connectionOf = (platform: 'discord' | 'x') =>
  world.ctx.db.connection.findFirst({
    where: { platform, platformUserId: ME[platform].id, disconnectedAt: null },
    include: { handle: true },
  });
/** The whole way to where the page asks. */
async function proven(platform: 'discord' | 'x', browser = carol, person = 'carol'): Promise<Answer> {
  return browser.get(pathOf(await choose(await begin(browser, platform), person)));
}
const confirm = (platform: string, login: string, browser = carol) =>
  browser.post(`/api/auth/${platform}/confirm`, { login });
const problem = ({ status, body }: Answer) => [status, body.error?.code];

describe.each(BOTH)('a login at %s', (platform) => {
  test('200 there and back, shown, confirmed: connected to the handle, receive-only; the token is given back', async () => {
    const url = new URL(await begin(carol, platform, { return_to: '/account' }));
    const query = Object.fromEntries(url.searchParams);
    expect(query).toMatchObject({ response_type: 'code', code_challenge_method: 'S256' });
    expect(query['redirect_uri']).toBe(`${base}/api/auth/${platform}/callback`);
    const back = await carol.get(pathOf(await choose(url.href, 'carol')));
    expect(back.status).toBe(200);
    const { login } = back.body;
    expect(login).toEqual({
      id: expect.stringMatching(/^lgn_/),
      platform,
      platform_user_id: ME[platform].id,
      username: 'carol',
      handle: 'carol',
      status: 'proven',
      expires_at: expect.stringMatching(/Z$/),
      return_to: '/account',
      connection_id: null,
    });
    expect(await connectionOf(platform)).toBeNull();
    expect((await carol.get(`/api/auth/logins/${login.id}`)).body.login).toEqual(login);

    const done = await confirm(platform, login.id);
    expect(done.status).toBe(200);
    const row = await connectionOf(platform);
    expect(row).toMatchObject({ canSpend: false, username: 'carol', handle: { slug: 'carol' } });
    expect(done.body.login).toMatchObject({ status: 'connected', connection_id: row?.id });
    expect((await logins.tokens()).filter((token) => token.platform === platform)).toEqual([
      { platform, person: 'carol', revoked: true, token: expect.any(String) },
    ]);
    const seen = { platform_platformUserId: { platform, platformUserId: ME[platform].id } };
    expect(await world.ctx.db.seenUser.findUnique({ where: seen })).toMatchObject({ username: 'carol', isBot: false });
  });

  test('keeps no token, no code, no verifier and no state, and its row goes', async () => {
    const url = new URL(await begin(carol, platform));
    const back = await choose(url.href, 'carol');
    await carol.get(pathOf(back));
    const row = await world.ctx.db.login.findFirstOrThrow({ orderBy: { createdAt: 'desc' } });
    expect(row).toMatchObject({ status: 'proven', verifier: null });
    const text = JSON.stringify(row);
    for (const secret of [back.searchParams.get('code'), url.searchParams.get('state')])
      expect(text).not.toContain(secret);
    world.later(2 * 3_600_000);
    await dropOldRows(world.ctx);
    expect(await world.ctx.db.login.count()).toBe(0);
  });

  test('409 for a state that is used again, with the same code or with another one', async () => {
    const url = await begin(carol, platform);
    const [first, second] = [await choose(url, 'carol'), await choose(url, 'carol')];
    expect((await carol.get(pathOf(first))).status).toBe(200);
    for (const again of [first, second]) {
      const answer = await carol.get(pathOf(again));
      expect(problem(answer)).toEqual([409, 'login_over']);
      expect(answer.headers.get('stripe-should-retry')).toBe('false');
    }
  });

  test('409 for all but one of many that come back with it at once', async () => {
    const back = pathOf(await choose(await begin(carol, platform), 'carol'));
    const answers = await Promise.all(Array.from({ length: 5 }, () => carol.get(back)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
  });

  test('409 for a state that was never given, none at all, and one of the other platform', async () => {
    const back = await choose(await begin(carol, platform), 'carol');
    const other = platform === 'x' ? 'discord' : 'x';
    for (const path of [
      `/api/auth/${platform}/callback?code=a&state=${'x'.repeat(43)}`,
      `/api/auth/${platform}/callback?code=a`,
      `/api/auth/${platform}/callback`,
      pathOf(back).replace(platform, other),
    ])
      expect(problem(await carol.get(path)), path).toEqual([409, 'login_over']);
    // None of these has used it up.
    expect((await carol.get(pathOf(back))).status).toBe(200);
  });

  test('409 for another session, also one of the same handle, and it can neither see nor confirm the login', async () => {
    const back = pathOf(await choose(await begin(carol, platform), 'carol'));
    const strangers = [await signedIn('bob'), await signedIn('carol')];
    for (const stranger of strangers) expect(problem(await stranger.get(back))).toEqual([409, 'login_over']);
    expect(problem(await visitor(base).get(back))).toEqual([401, 'session_required']);
    const { id } = (await carol.get(back)).body.login;
    for (const stranger of strangers) {
      expect(problem(await stranger.get(`/api/auth/logins/${id}`))).toEqual([404, 'resource_missing']);
      expect(problem(await confirm(platform, id, stranger))).toEqual([404, 'resource_missing']);
    }
    expect(problem(await confirm(platform, id, visitor(base)))).toEqual([401, 'session_required']);
    expect(await connectionOf(platform)).toBeNull();
  });

  test('409 when the session speaks for another handle by then, before the callback and before the press', async () => {
    const [own, other] = [await handleId('carol'), await handleId('shop')];
    const speakFor = (to: string) =>
      world.ctx.db.session.updateMany({
        where: { handleId: { in: [own, other] }, userAgent: 'Test browser' },
        data: { handleId: to },
      });
    const back = pathOf(await choose(await begin(carol, platform), 'carol'));
    await speakFor(other);
    expect(problem(await carol.get(back))).toEqual([409, 'login_over']);
    await speakFor(own);
    const { id } = (await carol.get(back)).body.login;
    await speakFor(other);
    expect(problem(await confirm(platform, id))).toEqual([404, 'resource_missing']);
    await speakFor(own);
    expect(await connectionOf(platform)).toBeNull();
  });

  test('409 after ten minutes, on the way back and before the press', async () => {
    const url = await begin(carol, platform);
    world.later(10 * MINUTE);
    // The code is fresh; the login is not.
    const late = pathOf(await choose(url, 'carol'));
    const tokens = (await logins.tokens()).length;
    expect(problem(await carol.get(late))).toEqual([409, 'login_over']);
    expect(await logins.tokens()).toHaveLength(tokens);
    const { id } = (await proven(platform)).body.login;
    world.later(10 * MINUTE);
    expect(problem(await carol.get(`/api/auth/logins/${id}`))).toEqual([409, 'login_over']);
    expect(problem(await confirm(platform, id))).toEqual([409, 'login_over']);
    expect(await connectionOf(platform)).toBeNull();
  });

  test('409 when the person said no there; the state is used up', async () => {
    const back = await choose(await begin(carol, platform), null);
    expect(back.searchParams.get('error')).toBe('access_denied');
    expect(problem(await carol.get(pathOf(back)))).toEqual([409, 'login_cancelled']);
    expect(problem(await carol.get(pathOf(back)))).toEqual([409, 'login_over']);
  });

  test('409 for a code that another verifier asked for, one that is made up, and one that is late', async () => {
    const [mine, stolen] = [new URL(await begin(carol, platform)), new URL(await begin(carol, platform))];
    const foreign = await choose(stolen.href, 'bob');
    const state = mine.searchParams.get('state') ?? '';
    const path = `/api/auth/${platform}/callback?state=${state}&code=`;
    expect(problem(await carol.get(path + foreign.searchParams.get('code')))).toEqual([409, 'login_over']);
    const made = new URL(await begin(carol, platform)).searchParams.get('state');
    expect(problem(await carol.get(`/api/auth/${platform}/callback?state=${made}&code=nonsense`))).toEqual([
      409,
      'login_over',
    ]);
    const old = pathOf(await choose(await begin(carol, platform), 'carol'));
    world.later(2 * MINUTE);
    expect(problem(await carol.get(old))).toEqual([409, 'login_over']);
    expect(await connectionOf(platform)).toBeNull();
  });

  test('409 in the same words for an account that is connected to me, and to somebody else', async () => {
    const words: string[] = [];
    for (const owner of ['carol', 'bob']) {
      await connect(platform, owner);
      const answer = await proven(platform);
      expect(problem(answer)).toEqual([409, 'state_conflict']);
      words.push(answer.body.error.message);
      await world.ctx.db.connection.deleteMany({ where: { platformUserId: ME[platform].id } });
    }
    expect(words[0]).toBe(words[1]);
    expect(words[0]).not.toMatch(/bob|carol/);
  });

  test('409 for an account that got connected between the login and the press: nothing is moved', async () => {
    const { id } = (await proven(platform)).body.login;
    await connect(platform, 'bob');
    const before = await connectionOf(platform);
    expect(problem(await confirm(platform, id))).toEqual([409, 'state_conflict']);
    expect(await connectionOf(platform)).toEqual(before);
    expect(problem(await confirm(platform, id))).toEqual([409, 'login_over']);
  });

  test('503 with Retry-After while the platform is away: a dead token endpoint, a busy one, one that drops the line', async () => {
    const faults = [
      { fault: { status: 503, retry_after: 42 }, after: '42' },
      { fault: { status: 429, retry_after: 7 }, after: '7' },
      { fault: { status: 0 }, after: '10' },
    ];
    const answers = await Promise.all(
      faults.map(async ({ fault }) => {
        const back = pathOf(await choose(await begin(carol, platform), 'carol'));
        await logins.fail(`${platform}.token`, fault);
        return carol.get(back);
      }),
    );
    expect(answers.map(problem)).toEqual(faults.map(() => [503, 'provider_unavailable']));
    expect(answers.map(({ headers }) => headers.get('retry-after')).sort()).toEqual(
      faults.map(({ after }) => after).sort(),
    );
    for (const { body } of answers)
      expect(body.error.message).toContain('isn’t responding right now. Nothing was connected');
  });

  test('asks once more for the account, not twice, and gives the token back in any case', async () => {
    const before = (await logins.tokens()).length;
    await logins.fail(`${platform}.me`, { status: 502 });
    expect((await proven(platform)).status).toBe(200);
    await logins.fail(`${platform}.me`, { status: 0, times: 2 });
    expect(problem(await proven(platform))).toEqual([503, 'provider_unavailable']);
    await logins.fail(`${platform}.me`, { status: 429, retry_after: 3, times: 1 });
    expect(problem(await proven(platform))).toEqual([503, 'provider_unavailable']);
    const given = (await logins.tokens()).slice(before).filter((token) => token.platform === platform);
    expect(given.map(({ revoked }) => revoked)).toEqual([true, true, true]);
  });

  test('200 also when the token cannot be given back', async () => {
    for (const fault of [{ status: 500 }, { status: 0 }]) {
      await logins.fail(`${platform}.revoke`, fault);
      expect((await proven(platform)).status).toBe(200);
    }
  });

  test.each([
    ['token', 200, 'what is not JSON', 'not JSON'],
    ['token', 200, 'nothing in it', '{}'],
    ['token', 200, 'another kind of token', '{"access_token":"a","token_type":"mac"}'],
    ['token', 401, 'that it does not know us', '{"error":"invalid_client"}'],
    ['token', 302, 'with another place', ''],
    ['me', 200, 'a list', '[]'],
    [
      'me',
      200,
      'more than it should',
      JSON.stringify({ id: '7', username: 'x', data: { id: '7', username: 'x' }, pad: 'x'.repeat(70_000) }),
    ],
    ['me', 200, 'an id that is a number', '{"id":7,"username":"carol","data":{"id":7,"username":"carol"}}'],
    ['me', 200, 'an id that is none', '{"id":"../7","username":"carol","data":{"id":"../7","username":"carol"}}'],
    ['me', 200, 'an id of zero', '{"id":"0","username":"carol","data":{"id":"0","username":"carol"}}'],
    ['me', 200, 'no name', '{"id":"7","data":{"id":"7"}}'],
    ['me', 401, 'that the token is bad', '{}'],
    ['me', 404, 'that there is nothing', 'lost'],
  ])('503 when its %s endpoint answers %i and %s', async (step, status, _label, body) => {
    await logins.fail(`${platform}.${step}`, { status, body, times: 1 });
    const answer = await proven(platform);
    expect(problem(answer)).toEqual([503, 'provider_unavailable']);
    expect(answer.body.error.message).toContain('sent an unexpected response. Nothing was connected');
  });

  test.each([
    'error=server_error',
    'error=',
    'code=',
    'code=a&code=b',
    'id_token=x',
    'iss=https://evil.example&code=a',
  ])('409 or 503 for a way back with %s, and the state is used up', async (query) => {
    const state = new URL(await begin(carol, platform)).searchParams.get('state');
    const path = `/api/auth/${platform}/callback?state=${state}&${query}`;
    expect((await carol.get(path)).status).toBeGreaterThanOrEqual(409);
    expect(problem(await carol.get(path))).toEqual([409, 'login_over']);
  });

  test('303 for a browser, to a page without the code, with what became of it', async () => {
    const browse = async (path: string, browser = carol) => {
      const { status, headers } = await browser.get(path, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
      expect(status).toBe(303);
      return headers.get('location') ?? '';
    };
    const back = pathOf(await choose(await begin(carol, platform), 'carol'));
    expect(await browse(back, visitor(base))).toBe(`${base}/connections?platform=${platform}&problem=session_required`);
    expect(await browse(back)).toMatch(new RegExp(`^${base}/connections\\?login=lgn_[0-9a-z]{26}$`));
    expect(await browse(back)).toBe(`${base}/connections?platform=${platform}&problem=login_over`);
    const no = pathOf(await choose(await begin(carol, platform), null));
    expect(await browse(no)).toBe(`${base}/connections?platform=${platform}&problem=login_cancelled`);
    await logins.fail(`${platform}.token`, { status: 500 });
    const away = pathOf(await choose(await begin(carol, platform), 'carol'));
    expect(await browse(away)).toBe(`${base}/connections?platform=${platform}&problem=provider_unavailable`);
  });

  test('200 pressed twice, and two presses at once: one connection, its chats told once; after a disconnect it is over', async () => {
    const { id } = (await proven(platform)).body.login;
    const [one, two] = await Promise.all([confirm(platform, id), confirm(platform, id)]);
    expect([one.status, two.status]).toEqual([200, 200]);
    const again = await confirm(platform, id);
    expect(again.body).toEqual(one.body);
    await disconnectFromPage(world.ctx, await handleId('carol'), one.body.login.connection_id);
    expect(problem(await confirm(platform, id))).toEqual([409, 'login_over']);
    expect(await connectionOf(platform)).toBeNull();
  });

  test('an account that was disconnected is connected anew: another row, receive-only, no signature of before is good', async () => {
    const first = (await confirm(platform, (await proven(platform)).body.login.id)).body.login.connection_id;
    await world.ctx.db.connection.update({ where: { id: first }, data: { canSpend: true } });
    const { spendNonce } = await world.ctx.db.connection.findUniqueOrThrow({ where: { id: first } });
    await disconnectFromPage(world.ctx, await handleId('carol'), first);
    const second = (await confirm(platform, (await proven(platform)).body.login.id)).body.login.connection_id;
    expect(second).not.toBe(first);
    const row = await connectionOf(platform);
    expect(row?.canSpend).toBe(false);
    expect(row?.spendNonce).toBeGreaterThan(spendNonce);
  });
});

test('503 when a platform takes longer than four seconds', async () => {
  const back = pathOf(await choose(await begin(carol, 'x'), 'carol'));
  await logins.fail('x.token', { status: 200, delay_ms: 4_400 });
  expect(problem(await carol.get(back))).toEqual([503, 'provider_unavailable']);
  expect(problem(await carol.get(back))).toEqual([409, 'login_over']);
});

async function connect(platform: 'discord' | 'x', slug: string): Promise<void> {
  const account = { platform, platformUserId: ME[platform].id, username: 'carol', canSpend: false };
  const owner = await handleId(slug);
  await world.ctx.db.$transaction((tx) => connectAccount(world.ctx, tx, { ...account, handleId: owner }));
}

describe('a press', () => {
  test('waits for whoever holds the account, and sees what they did', async () => {
    const { id } = (await proven('discord')).body.login;
    const bob = await handleId('bob');
    let pressed: Promise<Answer> | undefined;
    await world.ctx.db.$transaction(async (tx) => {
      const account = { platform: 'discord', platformUserId: DISCORD.id };
      await lockAccount(tx, account);
      pressed = confirm('discord', id);
      await waitForLock(world.ctx.db);
      await connectAccount(world.ctx, tx, { ...account, username: 'carol', handleId: bob, canSpend: false });
    });
    expect(problem((await pressed) as Answer)).toEqual([409, 'state_conflict']);
    expect((await connectionOf('discord'))?.handle.slug).toBe('bob');
  });

  test('waits for whoever decides about the handle', async () => {
    const { id } = (await proven('discord')).body.login;
    const own = await handleId('carol');
    let pressed: Promise<Answer> | undefined;
    await world.ctx.db.$transaction(async (tx) => {
      await lockSender(tx, own);
      pressed = confirm('discord', id);
      await waitForLock(world.ctx.db);
    });
    expect((await pressed)?.status).toBe(200);
  });

  test('tells the handle’s other chats, once', async () => {
    const alice = localPerson('alice').telegram.id;
    const browser = await signedIn('alice');
    await world.say('alice', '/start', { chat: alice });
    const { id } = (await proven('discord', browser)).body.login;
    expect((await confirm('discord', id, browser)).status).toBe(200);
    await world.run();
    const told = (await world.botSaid(alice)).at(-1) as Shown;
    expect(told.text).toContain(`The Discord account @carol (ID ${DISCORD.id}) is now connected to alice@ampersat.`);
    expect(told.text).toContain('If that wasn’t you');
    const before = (await world.botSaid(alice)).length;
    await confirm('discord', id, browser);
    await world.run();
    expect(await world.botSaid(alice)).toHaveLength(before);
  });

  test('404 under another platform’s name, and for a login that never was', async () => {
    const { id } = (await proven('discord')).body.login;
    expect(problem(await confirm('x', id))).toEqual([404, 'resource_missing']);
    expect(problem(await confirm('mastodon', id))).toEqual([404, 'resource_missing']);
    expect(problem(await confirm('discord', 'lgn_nothing'))).toEqual([404, 'resource_missing']);
  });

  test('409 for a login whose account is not known: begun, cancelled, failed', async () => {
    const rows = async () => world.ctx.db.login.findFirstOrThrow({ orderBy: { id: 'desc' } });
    const url = await begin(carol, 'discord');
    expect(problem(await confirm('discord', (await rows()).id))).toEqual([409, 'login_over']);
    await carol.get(pathOf(await choose(url, null)));
    expect(problem(await confirm('discord', (await rows()).id))).toEqual([409, 'login_over']);
  });

  test('403 from a foreign page; 415 as a form; 400 names the parameter', async () => {
    const { id } = (await proven('discord')).body.login;
    const foreign = await carol.post('/api/auth/discord/confirm', { login: id }, { origin: 'https://evil.example' });
    expect(problem(foreign)).toEqual([403, 'origin_not_allowed']);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await carol.post('/api/auth/discord/confirm', `login=${id}`, form)).status).toBe(415);
    expect((await carol.post('/api/auth/discord/confirm', {})).body.error).toMatchObject({ param: 'login' });
    expect(await connectionOf('discord')).toBeNull();
  });
});

describe('a start', () => {
  test('401 signed out, 403 without a handle and from a foreign page, 404 for what is no platform', async () => {
    const start = (browser: Visitor, platform = 'discord', headers = {}) =>
      browser.post(`/api/auth/${platform}/start`, {}, headers);
    expect(problem(await start(visitor(base)))).toEqual([401, 'session_required']);
    const dave = await signedIn('dave');
    expect(problem(await start(dave))).toEqual([403, 'handle_required']);
    expect(problem(await start(carol, 'discord', { origin: 'https://evil.example' }))).toEqual([
      403,
      'origin_not_allowed',
    ]);
    expect(problem(await start(carol, 'mastodon'))).toEqual([404, 'resource_missing']);
    expect(problem(await carol.get('/api/auth/discord/start'))).toEqual([404, 'resource_missing']);
  });

  test.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/connections/../x',
    '/connections?x=1',
    'javascript:x',
    '',
  ])('400 for a way back to %j', async (return_to) => {
    const answer = await carol.post('/api/auth/discord/start', { return_to });
    expect(answer.body.error).toMatchObject({ code: 'parameter_invalid', param: 'return_to' });
  });

  test('404 for a platform that is not configured, which is not offered', async () => {
    expect((await carol.get('/api/auth/platforms')).body).toEqual({ platforms: ['discord', 'x', 'telegram'] });
    const { env } = world.ctx;
    const gone = { DISCORD_CLIENT_SECRET: undefined, X_CLIENT_ID: undefined, TELEGRAM_LOGIN_KEY: undefined };
    Object.assign(env, gone);
    try {
      expect((await carol.get('/api/auth/platforms')).body).toEqual({ platforms: [] });
      for (const platform of ['discord', 'x', 'telegram'])
        expect(problem(await carol.post(`/api/auth/${platform}/start`))).toEqual([404, 'resource_missing']);
      expect(problem(await carol.get('/api/auth/x/callback?code=a&state=b'))).toEqual([404, 'resource_missing']);
    } finally {
      Object.assign(env, logins.env);
    }
  });

  test('429 when one address begins too many', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 31; i++) statuses.push((await carol.post('/api/auth/x/start')).status);
    expect(statuses.slice(0, 30).every((status) => status === 200)).toBe(true);
    expect(statuses[30]).toBe(429);
  });
});
