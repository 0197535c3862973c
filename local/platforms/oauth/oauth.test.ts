// The local logins refuse what the platforms refuse: what passes here has to pass there.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startLocalLogins } from './clients.ts';

const BASE = 'http://127.0.0.1:9';
const VERIFIER = 'v'.repeat(43);
/** SHA-256 of the verifier. */
let challenge: string;
let nowMs = Date.UTC(2026, 0, 1);
let logins: Awaited<ReturnType<typeof startLocalLogins>>;
beforeAll(async () => {
  logins = await startLocalLogins({ baseUrl: BASE, clock: () => nowMs });
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(VERIFIER));
  challenge = Buffer.from(digest).toString('base64url');
});
afterAll(() => logins?.server.close());

const ENDS = {
  discord: { pages: '/discord/oauth2/authorize', token: '/discord/api/oauth2/token', me: '/discord/api/v10/users/@me' },
  x: { pages: '/x/i/oauth2/authorize', token: '/x/2/oauth2/token', me: '/x/2/users/me' },
};
type Platform = keyof typeof ENDS;
const clientOf = (platform: Platform) => ({
  id: logins.env[`${platform.toUpperCase()}_CLIENT_ID`] ?? '',
  secret: logins.env[`${platform.toUpperCase()}_CLIENT_SECRET`] ?? '',
});
const backOf = (platform: Platform) => `${BASE}/api/auth/${platform}/callback`;

type Changed = Record<string, string>;
function pageUrl(platform: Platform, changed: Record<string, string> = {}): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientOf(platform).id,
    redirect_uri: backOf(platform),
    scope: 'identify',
    state: 'abc',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...changed,
  });
  return `${logins.server.url}${ENDS[platform].pages}?${query}`;
}
const press = (url: string, fields: Record<string, string> = { person: 'bob' }, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual', headers });
async function codeFor(platform: Platform): Promise<string> {
  const location = new URL((await press(pageUrl(platform))).headers.get('location') ?? '');
  expect(location.searchParams.get('state')).toBe('abc');
  return location.searchParams.get('code') ?? '';
}
async function redeem(
  platform: Platform,
  code: string,
  changed: Record<string, string> = {},
  secret = clientOf(platform).secret,
) {
  const basic = Buffer.from(`${clientOf(platform).id}:${secret}`).toString('base64');
  const body = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: backOf(platform),
    code_verifier: VERIFIER,
    ...changed,
  };
  const response = await fetch(logins.server.url + ENDS[platform].token, {
    method: 'POST',
    body: new URLSearchParams(body),
    headers: { authorization: `Basic ${basic}` },
  });
  return { status: response.status, body: (await response.json()) as { error?: string; access_token?: string } };
}
const me = (platform: Platform, token: string) =>
  fetch(logins.server.url + ENDS[platform].me, { headers: { authorization: `Bearer ${token}` } });

describe.each(['discord', 'x'] as const)('the local %s', (platform) => {
  test('asks who one is on a page that says where it stands', async () => {
    const html = await (await fetch(pageUrl(platform))).text();
    expect(html).toContain('of the local stack');
    for (const name of ['alice', 'bob', 'carol', 'dave', 'shop']) expect(html).toContain(`Continue as ${name}`);
    expect(html).toContain('>Cancel</button>');
  });

  test('gives a token for a code once, and takes it back when the code comes again', async () => {
    const code = await codeFor(platform);
    const { body } = await redeem(platform, code);
    expect((await me(platform, body.access_token ?? '')).status).toBe(200);
    expect(await redeem(platform, code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect((await me(platform, body.access_token ?? '')).status).toBe(401);
  });

  test('refuses a code with another verifier, another way back, after a minute, or by another client', async () => {
    const grant = { status: 400, body: { error: 'invalid_grant' } };
    expect(await redeem(platform, await codeFor(platform), { code_verifier: 'w'.repeat(43) })).toMatchObject(grant);
    expect(await redeem(platform, await codeFor(platform), { redirect_uri: `${BASE}/elsewhere` })).toMatchObject(grant);
    const old = await codeFor(platform);
    nowMs += 60_000;
    expect(await redeem(platform, old)).toMatchObject(grant);
    const client = { status: 401, body: { error: 'invalid_client' } };
    expect(await redeem(platform, await codeFor(platform), {}, 'wrong')).toMatchObject(client);
    expect((await redeem(platform, await codeFor(platform), { grant_type: 'password' })).status).toBe(400);
  });

  test('sends nobody to an address that it does not know, and a request without PKCE back with an error', async () => {
    for (const changed of [{ redirect_uri: 'https://evil.example' }, { client_id: 'other' }] as Changed[])
      expect((await press(pageUrl(platform, changed))).status).toBe(400);
    for (const changed of [
      { code_challenge: '' },
      { code_challenge_method: 'plain' },
      { response_type: 'token' },
    ] as Changed[]) {
      const back = await press(pageUrl(platform, changed));
      expect(back.headers.get('location')).toBe(`${backOf(platform)}?state=abc&error=invalid_request`);
    }
  });
});

test('a foreign page or a foreign name for this machine is refused', async () => {
  const foreign = await press(pageUrl('discord'), { person: 'bob' }, { origin: 'https://evil.example' });
  expect(foreign.status).toBe(403);
  expect((await press(pageUrl('discord'), { person: 'nobody' })).status).toBe(400);
});

test('Telegram answers the bot’s own site only', async () => {
  const url = (changed: Record<string, string>) => {
    const query = {
      bot_id: logins.env['TELEGRAM_BOT_ID'] ?? '',
      origin: BASE,
      return_to: `${BASE}/connections`,
      ...changed,
    };
    return `${logins.server.url}/telegram/auth?${new URLSearchParams(query)}`;
  };
  expect((await press(url({}))).headers.get('location')).toMatch(
    /^http:\/\/127\.0\.0\.1:9\/connections#tgAuthResult=[\w-]+$/,
  );
  expect((await press(url({}), { cancel: 'yes' })).headers.get('location')).toMatch(/#tgAuthResult=false$/);
  for (const changed of [
    { bot_id: '1' },
    { origin: 'https://evil.example' },
    { return_to: 'https://evil.example/' },
    { return_to: `${BASE}.evil.example/` },
  ] as Changed[])
    expect((await press(url(changed))).status).toBe(400);
});
