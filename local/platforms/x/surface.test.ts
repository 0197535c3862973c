// The local X's edges: who may speak to it, tokens that are good for one use, failures to order, and what a restart keeps.
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { X_BOT } from '../../stack/people.ts';
import { ALICE, openTestX, type TestX } from './world.ts';

let x: TestX;
beforeAll(async () => {
  x = await openTestX({ allowedOrigins: ['http://127.0.0.1:9999'] });
});
afterAll(() => x.close());

function statusWith(headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(`${x.url}/_user/meter`, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    call.on('error', reject);
    call.end();
  });
}
const token = (body: string, headers: Record<string, string> = {}) =>
  fetch(`${x.url}/2/oauth2/token`, { method: 'POST', body, headers });
const basicOf = (secret: string) => `Basic ${Buffer.from(`${X_BOT.clientId}:${secret}`).toString('base64')}`;
const basic = basicOf(X_BOT.clientSecret);

describe('somebody else', () => {
  test.each([
    ['a name that only points here', { host: 'evil.example' }, 403],
    ['a foreign page', { origin: 'https://evil.example' }, 403],
    ['a page from elsewhere without an origin', { 'sec-fetch-site': 'cross-site' }, 403],
    ['the playground', { origin: 'http://127.0.0.1:9999' }, 200],
  ] as [string, Record<string, string>, number][])('%s: %s → %i', async (_name, headers, status) => {
    expect(await statusWith(headers)).toBe(status);
  });

  test('without a token gets 401 as a problem', async () => {
    const response = await fetch(`${x.url}/2/users/me`);
    expect(response.status).toBe(401);
    expect(response.headers.get('content-type')).toContain('application/problem+json');
    expect(await response.json()).toMatchObject({ title: 'Unauthorized', status: 401 });
  });
});

describe('tokens', () => {
  test('are given for a refresh token once, as JSON or as a form, to the client with its secret', async () => {
    const { refresh_token: first } = await x.user<{ refresh_token: string }>('tokens', {});
    const form = `grant_type=refresh_token&refresh_token=${first}`;
    const asForm = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await token(form, asForm)).status).toBe(401);
    expect((await token(form, { ...asForm, authorization: basicOf('another secret') })).status).toBe(401);
    const given = await token(form, { ...asForm, authorization: basic });
    expect(given.status).toBe(200);
    const pair = (await given.json()) as { access_token: string; refresh_token: string; expires_in: number };
    expect(pair.expires_in).toBe(7_200);
    const again = await token(form, { ...asForm, authorization: basic });
    expect(again.status).toBe(400);
    expect(await again.json()).toMatchObject({ error: 'invalid_request' });
    const asJson = JSON.stringify({ grant_type: 'refresh_token', refresh_token: pair.refresh_token });
    expect((await token(asJson, { 'content-type': 'application/json', authorization: basic })).status).toBe(200);
    const me = () => fetch(`${x.url}/2/users/me`, { headers: { authorization: `Bearer ${pair.access_token}` } });
    expect((await me()).status).toBe(200);
    x.later(7_201_000);
    expect((await me()).status).toBe(401);
  });
});

describe('failures to order', () => {
  test('refuse, limit, cut off before or after the effect, and only as often as asked', async () => {
    const { access_token } = await x.user<{ access_token: string }>('tokens', {});
    const post = (text: string) =>
      fetch(`${x.url}/2/tweets`, {
        method: 'POST',
        headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ text }),
      });
    await x.user('faults', { method: 'createPost', status: 503, times: 2 });
    expect([(await post('a')).status, (await post('a')).status, (await post('a')).status]).toEqual([503, 503, 201]);
    await x.user('faults', { method: '*', status: 429, retry_after: 60 });
    const limited = await post('b');
    expect(Number(limited.headers.get('x-rate-limit-reset'))).toBeGreaterThan(Date.now() / 1_000 + 50);
    await x.user('faults', { method: 'createPost', status: 0, accept: true });
    await expect(post('c')).rejects.toThrow();
    expect((await post('c')).status).toBe(403);
  });
});

test('a restart keeps posts, messages, tokens and what was charged', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ampersat-x-'));
  const dataFile = join(folder, 'x.jsonl');
  try {
    const before = await openTestX({ dataFile });
    const { client, refreshToken = '' } = await before.login();
    const { id } = await before.post(ALICE, '@ampersat_bot hi');
    await client.v2.reply('hello', id);
    await before.user('dms', { from: ALICE, text: 'psst' });
    const charged = await before.user('meter');
    await before.close();

    const after = await openTestX({ dataFile });
    const posts = await after.user<{ text: string }[]>(`posts?conversation_id=${id}`);
    expect(posts.map((post) => post.text)).toEqual(['@ampersat_bot hi', '@alice hello']);
    expect(await after.user<object[]>(`dms?user_id=${ALICE.id}`)).toHaveLength(1);
    expect(await after.user<{ micros: number }>('meter')).toMatchObject({
      micros: (charged as never as { micros: number }).micros,
    });
    // The first token was used before; the one that followed works.
    await expect(after.login()).rejects.toThrow();
    const again = await after.client.refreshOAuth2Token(refreshToken);
    const page = await again.client.v2.userMentionTimeline(X_BOT.id, { since_id: '1' });
    expect(page.data.data.map((post) => post.id)).toEqual([id]);
    const later = await after.post(ALICE, 'later');
    expect(BigInt(later.id) > BigInt(id)).toBe(true);
    await after.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
