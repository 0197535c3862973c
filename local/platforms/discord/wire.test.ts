// The REST side of the local Discord: who may call, what messages look like, what is refused and how, rate limits, orders to fail.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ALICE, BOB, BOT, CHANNEL, COMMANDS, ELSEWHERE, startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ allowedOrigins: ['http://127.0.0.1:8080'] });
});
afterAll(() => world.stop());

describe('who may call', () => {
  test('a call without the bot’s token is refused', async () => {
    const { status, body } = await world.call('GET', '/api/v10/users/@me', undefined, { authorization: 'Bot wrong' });
    expect([status, body]).toEqual([401, { message: '401: Unauthorized', code: 0 }]);
  });

  test('a page of somebody else is refused, our own may read', async () => {
    const foreign = await world.call('GET', `/_user/messages?channel_id=${CHANNEL}`, undefined, {
      origin: 'https://evil.example',
    });
    expect(foreign.status).toBe(403);
    const own = await world.call('GET', `/_user/messages?channel_id=${CHANNEL}`, undefined, {
      origin: 'http://127.0.0.1:8080',
    });
    expect([own.status, own.headers.get('access-control-allow-origin')]).toEqual([200, 'http://127.0.0.1:8080']);
  });

  test('an unknown path is not there', async () => {
    expect((await world.bot('GET', '/nothing')).status).toBe(404);
  });
});

describe('the bot', () => {
  test('learns who it is, its gateway, its server and its people', async () => {
    expect((await world.bot('GET', '/users/@me')).body).toMatchObject({
      id: BOT.id,
      username: BOT.username,
      bot: true,
    });
    expect((await world.bot('GET', '/applications/@me')).body).toMatchObject({ id: BOT.id });
    const { body } = await world.bot('GET', '/gateway/bot');
    expect(body).toMatchObject({ url: world.server.gatewayUrl, shards: 1 });
    expect((await world.bot('GET', `/users/${BOB.id}`)).body).toMatchObject(BOB);
    expect(await world.bot('GET', '/users/110000000000009999')).toMatchObject({ status: 404, body: { code: 10_013 } });
    expect((await world.bot('GET', '/guilds/119100000000000001')).body).toMatchObject({ name: 'Friends' });
  });

  test('registers its commands as a whole; the same ones keep their ids', async () => {
    const path = `/applications/${BOT.id}/commands`;
    const first = await world.bot('PUT', path, COMMANDS);
    const again = await world.bot('PUT', path, COMMANDS);
    expect(again.body.map((one: { id: string }) => one.id)).toEqual(first.body.map((one: { id: string }) => one.id));
    expect((await world.bot('GET', path)).body).toHaveLength(2);
    expect(await world.bot('PUT', path, [{ name: '' }])).toMatchObject({ status: 400, body: { code: 50_035 } });
  });
});

describe('messages', () => {
  const write = (body: object, channel = CHANNEL) => world.bot('POST', `/channels/${channel}/messages`, body);

  test('are written, answered, changed and deleted', async () => {
    const { message_id } = await world.type('hello');
    const { body: reply } = await write({
      content: 'hi',
      message_reference: { message_id },
      allowed_mentions: { parse: [] },
    });
    expect(reply).toMatchObject({
      type: 19,
      author: { id: BOT.id },
      referenced_message: { content: 'hello' },
      mentions: [],
    });
    await world.bot('PATCH', `/channels/${CHANNEL}/messages/${reply.id}`, { content: 'hello there' });
    expect((await world.shown()).at(-1)).toMatchObject({ content: 'hello there', edited: true });
    expect((await world.bot('DELETE', `/channels/${CHANNEL}/messages/${reply.id}`)).status).toBe(204);
    expect(await world.bot('PATCH', `/channels/${CHANNEL}/messages/${reply.id}`, { content: 'x' })).toMatchObject({
      status: 404,
      body: { code: 10_008 },
    });
  });

  test.each([
    ['no text', { content: '' }, 50_006],
    ['too much text', { content: 'x'.repeat(2_001) }, 50_035],
    ['an answer to nothing', { content: 'x', message_reference: { message_id: '1' } }, 50_035],
    [
      'a link button without a link',
      { content: 'x', components: [{ type: 1, components: [{ type: 2, style: 5, label: 'x' }] }] },
      50_035,
    ],
  ])('with %s are refused', async (_what, body, code) => {
    expect(await write(body)).toMatchObject({ status: 400, body: { code } });
  });

  test('of others cannot be changed, and channels without the bot are closed to it', async () => {
    const { message_id } = await world.type('mine');
    const theirs = await world.bot('PATCH', `/channels/${CHANNEL}/messages/${message_id}`, { content: 'x' });
    expect(theirs).toMatchObject({ status: 403, body: { code: 50_005 } });
    expect(await write({ content: 'x' }, '1')).toMatchObject({ status: 404, body: { code: 10_003 } });
    await world.interact('tip', {
      channel_id: ELSEWHERE,
      installed: 'user',
      options: [
        { name: 'to', value: BOB.id },
        { name: 'amount', value: '1' },
      ],
    });
    expect(await write({ content: 'x' }, ELSEWHERE)).toMatchObject({ status: 403, body: { code: 50_001 } });
  });

  test('with the same nonce are one message', async () => {
    const body = { content: 'once', nonce: 'n1', enforce_nonce: true };
    const [first, second] = [await write(body), await write(body)];
    expect(second.body.id).toBe(first.body.id);
    world.later(6 * 60_000);
    expect((await write(body)).body.id).not.toBe(first.body.id);
  });

  test('are listed after an id, page by page, the newest first', async () => {
    const { message_id: first } = await world.type('0');
    for (let i = 1; i <= 4; i++) await world.type(String(i));
    const page = async (after: string) =>
      (await world.bot('GET', `/channels/${CHANNEL}/messages?after=${after}&limit=2`)).body as { id: string }[];
    const one = await page(first);
    const two = await page(one[0]?.id ?? '');
    expect([one.length, two.length, (await page(two[0]?.id ?? '')).length]).toEqual([2, 2, 0]);
    expect(BigInt(one[0]?.id ?? 0)).toBeGreaterThan(BigInt(one[1]?.id ?? 0));
  });

  test('in a direct chat go to the person alone', async () => {
    const { body } = await world.bot('POST', '/users/@me/channels', { recipient_id: ALICE.id });
    expect(body).toMatchObject({ type: 1, recipients: [ALICE] });
    await write({ content: 'psst' }, body.id);
    expect(await world.user(`messages?channel_id=@me&user=${ALICE.id}`)).toMatchObject([{ content: 'psst' }]);
    expect(await world.bot('POST', '/users/@me/channels', { recipient_id: '5' })).toMatchObject({ status: 404 });
  });

  test('take reactions', async () => {
    const { message_id } = await world.type('nice');
    await world.user('reactions', { message_id, channel_id: CHANNEL, user: BOB, emoji: '👍' });
    expect(
      (await world.bot('PUT', `/channels/${CHANNEL}/messages/${message_id}/reactions/%F0%9F%91%8D/@me`)).status,
    ).toBe(204);
    expect((await world.shown()).at(-1)?.reactions).toMatchObject([{ count: 2, me: true }]);
  });
});

describe('limits and failures', () => {
  test('every answer says what is left of its route', async () => {
    const { headers } = await world.bot('GET', `/channels/${CHANNEL}/messages`);
    const names = ['limit', 'remaining', 'reset', 'reset-after', 'bucket'];
    for (const name of names) expect(headers.get(`x-ratelimit-${name}`)).toMatch(/^[\w.]+$/);
  });

  test('an ordered 429 says how long to wait', async () => {
    await world.fail({ method: 'create_message', status: 429, retry_after: 2.5 });
    const { status, body, headers } = await world.bot('POST', `/channels/${CHANNEL}/messages`, { content: 'x' });
    expect([status, body]).toEqual([429, expect.objectContaining({ retry_after: 2.5, global: false })]);
    expect(headers.get('retry-after')).toBe('3');
    expect((await world.bot('POST', `/channels/${CHANNEL}/messages`, { content: 'x' })).status).toBe(200);
  });

  test('an ordered failure may take effect all the same', async () => {
    await world.fail({ method: 'create_message', status: 0, accept: true });
    await expect(world.bot('POST', `/channels/${CHANNEL}/messages`, { content: 'kept' })).rejects.toThrow();
    expect((await world.shown()).at(-1)?.content).toBe('kept');
  });
});
