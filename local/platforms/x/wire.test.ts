// The local X as its unmodified client meets it: mentions and their pages, posts, direct messages, limits, credit and prices.
import type { ApiResponseError, TweetV2, TwitterApi } from 'twitter-api-v2';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { X_BOT } from '../../stack/people.ts';
import { ALICE, BOB, FIELDS, openTestX, type TestX } from './world.ts';

let x: TestX;
let api: TwitterApi;
beforeAll(async () => {
  x = await openTestX();
  await x.post(BOB, 'hello');
});
afterAll(() => x.close());
/** Every test has windows of its own, and a token that is fresh. */
beforeEach(async () => {
  x.later(20 * 60_000);
  api = await x.again();
});

type Shown = TweetV2 & { display_text_range?: [number, number] };
const mentions = async (options: object = {}) =>
  (await api.v2.userMentionTimeline(X_BOT.id, { ...(FIELDS as object), ...options } as never)).data;
const newest = async () => (await mentions({ max_results: 5 })).data?.[0] as Shown;
const problem = async (work: () => Promise<unknown>) => {
  try {
    await work();
  } catch (error) {
    const { code, data, rateLimit } = error as ApiResponseError;
    return { code, data, rateLimit };
  }
  throw new Error('it was not refused');
};

describe('mentions', () => {
  test('come newest first, since an id, page by page without a gap or a repetition', async () => {
    const first = await x.post(ALICE, '@ampersat_bot zero');
    const ids: string[] = [];
    for (let index = 0; index < 12; index++) ids.push((await x.post(ALICE, `@ampersat_bot ${index}`)).id);
    const read: string[] = [];
    let token: string | undefined;
    let pages = 0;
    do {
      const page = await mentions({
        since_id: first.id,
        max_results: 5,
        ...(token ? { pagination_token: token } : {}),
      });
      read.push(...page.data.map((post) => post.id));
      token = page.meta.next_token;
      pages += 1;
      // What comes meanwhile moves nothing.
      await x.post(ALICE, `@ampersat_bot meanwhile ${pages}`);
    } while (token);
    expect(read).toEqual(ids.toReversed());
    expect(pages).toBe(3);
  });

  test('since the newest are none, in X’s own shape', async () => {
    const { id } = await x.post(ALICE, '@ampersat_bot last');
    expect(await mentions({ since_id: id })).toEqual({ meta: { result_count: 0 } });
  });

  test('have entities by code points, the author in the includes, and escapes in the text', async () => {
    const { id } = await x.post(ALICE, '🎉 @ampersat_bot tip @bob 5 for R&D <3 #fun');
    const page = await mentions({ max_results: 5 });
    const post = page.data[0] as Shown;
    expect(post).toMatchObject({
      id,
      text: '🎉 @ampersat_bot tip @bob 5 for R&amp;D &lt;3 #fun',
      author_id: ALICE.id,
      conversation_id: id,
      edit_history_tweet_ids: [id],
      entities: {
        mentions: [
          { start: 2, end: 15, username: 'ampersat_bot', id: X_BOT.id },
          { start: 20, end: 24, username: 'bob', id: BOB.id },
        ],
      },
    });
    expect(post.display_text_range?.[0]).toBe(0);
    expect(page.includes?.users).toContainEqual({ id: ALICE.id, username: 'alice', name: 'alice' });
  });

  test('of a reply begin with the names that X puts there, outside of what is shown', async () => {
    const root = await x.post(BOB, 'made with @carol_who_is_not_here and @alice');
    await x.post(ALICE, '@ampersat_bot tip 5', { in_reply_to_post_id: root.id });
    const post = await newest();
    expect(post).toMatchObject({
      text: '@bob @ampersat_bot tip 5',
      display_text_range: [5, 24],
      in_reply_to_user_id: BOB.id,
      conversation_id: root.id,
      referenced_tweets: [{ type: 'replied_to', id: root.id }],
    });
  });

  test('with a picture and a quoted post end with their links, outside of what is shown', async () => {
    const root = await x.post(BOB, 'made');
    await x.post(ALICE, '@ampersat_bot tip @bob 5', { quotes: root.id, pictures: 2 });
    const post = (await newest()) as Shown & { entities: { urls: { url: string; media_key?: string }[] } };
    expect(post.text).toMatch(/^@ampersat_bot tip @bob 5 https:\/\/t\.co\/q\d+ https:\/\/t\.co\/p\d+$/);
    expect(post.display_text_range).toEqual([0, 24]);
    expect(post.entities.urls).toMatchObject([
      { start: 25, expanded_url: `https://x.com/bob/status/${root.id}` },
      { media_key: expect.any(String) },
      { media_key: expect.any(String) },
    ]);
    for (const { start, end, url } of post.entities.urls as unknown as { start: number; end: number; url: string }[])
      expect(post.text.slice(start, end)).toBe(url);
  });

  test.each([
    ['.@ampersat_bot tip @bob 5', true],
    ['hey,@ampersat_bot tip @bob 5', true],
    ['(@ampersat_bot) tip @bob 5', true],
    ['＠ampersat_bot tip @bob 5', true],
    ['x@ampersat_bot tip @bob 5', false],
    ['_@ampersat_bot tip @bob 5', false],
    ['@ampersat_bot@ tip @bob 5', false],
    ['@ampersat_bot://tip @bob 5', false],
  ])('%s is one: %s', async (text, isOne) => {
    const { id } = await x.post(ALICE, text);
    const page = await mentions({ max_results: 5 });
    expect((page.data ?? []).some((post: { id: string }) => post.id === id)).toBe(isOne);
  });

  test('that are long are cut, with the whole in note_tweet', async () => {
    const text = `@ampersat_bot tip @bob 5 for ${'word '.repeat(100)}end`;
    await x.post(ALICE, text);
    const post = await newest();
    expect(post.note_tweet?.text).toBe(text);
    expect(post.text).toMatch(/… https:\/\/t\.co\/\w+$/);
  });

  test('that were edited come under a new id, with their history, in place of the old one', async () => {
    const { id } = await x.post(ALICE, '@ampersat_bot tip @bob 1');
    const edited = await x.post(ALICE, '@ampersat_bot tip @bob 9', { edit_of: id });
    const page = await mentions({ max_results: 5 });
    expect(page.data.map((post) => post.id)).not.toContain(id);
    expect(page.data[0]).toMatchObject({ id: edited.id, edit_history_tweet_ids: [id, edited.id] });
  });

  test('of others are not to be had, nor with a page size that X does not know', async () => {
    expect(await problem(() => api.v2.userMentionTimeline(ALICE.id))).toMatchObject({ code: 403 });
    expect(await problem(() => mentions({ max_results: 101 }))).toMatchObject({ code: 400 });
    expect(await problem(() => mentions({ since_id: 'x' }))).toMatchObject({ code: 400 });
    expect(await problem(() => mentions({ pagination_token: 'x' }))).toMatchObject({ code: 400 });
  });
});

describe('posts', () => {
  test('stand in the conversation of what they answer, without the names that were left out', async () => {
    const root = await x.post(ALICE, '@ampersat_bot tip @bob 5');
    const { data } = await api.v2.tweet({
      text: 'Done.',
      reply: { in_reply_to_tweet_id: root.id, exclude_reply_user_ids: [BOB.id] },
    });
    const posts = await x.user<{ id: string; text: string; author: object }[]>(`posts?conversation_id=${root.id}`);
    expect(posts.at(-1)).toMatchObject({ id: data.id, text: '@alice Done.', in_reply_to_post_id: root.id });
    await api.v2.tweet({ text: 'To both.', reply: { in_reply_to_tweet_id: root.id } });
    const both = await x.user<{ text: string }[]>(`posts?conversation_id=${root.id}`);
    expect(both.at(-1)?.text).toBe('@alice @bob To both.');
  });

  test('of the same words are refused within a day', async () => {
    await api.v2.tweet('The same words');
    const again = await problem(() => api.v2.tweet('The same words'));
    expect(again).toMatchObject({ code: 403, data: { detail: expect.stringMatching(/duplicate content/) } });
    x.later(24 * 3_600_000 + 1_000);
    api = await x.again();
    await api.v2.tweet('The same words');
  });

  test('are counted by weight, and answer nothing that is gone', async () => {
    await api.v2.tweet(`${'a'.repeat(278)}✅`);
    expect(await problem(() => api.v2.tweet(`${'a'.repeat(279)}✅`))).toMatchObject({ code: 403 });
    expect(await problem(() => api.v2.reply('hm', '999'))).toMatchObject({ code: 403 });
    expect(await problem(() => api.v2.tweet(''))).toMatchObject({ code: 400 });
  });

  test('are deleted by their author only', async () => {
    const { data } = await api.v2.tweet('Soon gone');
    expect((await api.v2.deleteTweet(data.id)).data).toEqual({ deleted: true });
    const others = await x.post(ALICE, 'mine');
    expect(await problem(() => api.v2.deleteTweet(others.id))).toMatchObject({ code: 403 });
  });
});

describe('people', () => {
  test('are found by id and by name, and who is not there is an error without data', async () => {
    expect((await api.v2.me()).data).toEqual({ id: X_BOT.id, username: X_BOT.username, name: X_BOT.name });
    expect((await api.v2.user(BOB.id)).data.username).toBe('bob');
    expect((await api.v2.userByUsername('BOB')).data.id).toBe(BOB.id);
    const nobody = await api.v2.user('404404');
    expect(nobody.data).toBeUndefined();
    expect(nobody.errors?.[0]).toMatchObject({ title: 'Not Found Error', resource_id: '404404' });
  });

  test('who take a name over have it, and the earlier one has another', async () => {
    await x.post({ id: '301', username: 'moving' }, 'hi');
    await x.post({ id: '302', username: 'Moving' }, 'hi');
    expect((await api.v2.userByUsername('moving')).data.id).toBe('302');
    expect((await api.v2.user('301')).data.username).not.toBe('moving');
  });
});

describe('direct messages', () => {
  test('go to one person, and are read newest first', async () => {
    await api.v2.sendDmToParticipant(BOB.id, { text: 'for you alone' });
    await x.user('dms', { from: BOB, text: 'yes' });
    const events = await api.v2.get<{ data: { text: string; sender_id: string }[] }>('dm_events', {
      'dm_event.fields': 'sender_id',
      max_results: 2,
    });
    expect(events.data.map(({ text, sender_id }) => [text, sender_id])).toEqual([
      ['yes', BOB.id],
      ['for you alone', X_BOT.id],
    ]);
  });

  test('to somebody who takes none are refused', async () => {
    await x.user('closed', { user_id: BOB.id });
    expect(await problem(() => api.v2.sendDmToParticipant(BOB.id, { text: 'hi' }))).toMatchObject({ code: 403 });
    await x.user('closed', { user_id: BOB.id, closed: false });
  });
});

describe('limits and prices', () => {
  test('are told with every answer, and beyond them nothing is done until the reset', async () => {
    const own = await openTestX({ rateLimits: { createPost: 2 } });
    try {
      const bot = (await own.login()).client;
      await bot.v2.tweet('one');
      await bot.v2.tweet('two');
      const over = await problem(() => bot.v2.tweet('three'));
      expect(over).toMatchObject({ code: 429, rateLimit: { limit: 2, remaining: 0 } });
      expect((over.rateLimit?.reset ?? 0) * 1_000).toBeGreaterThan(Date.now() + 14 * 60_000);
      own.later(15 * 60_000 + 1_000);
      await bot.v2.tweet('three');
    } finally {
      await own.close();
    }
  });

  test('every call is charged by what it gave', async () => {
    const own = await openTestX();
    try {
      const bot = (await own.login()).client;
      await own.post(BOB, 'hello');
      const { id } = await own.post(ALICE, '@ampersat_bot one');
      await own.post(BOB, '@ampersat_bot two');
      await bot.v2.userMentionTimeline(X_BOT.id, { expansions: 'author_id' });
      await bot.v2.userMentionTimeline(X_BOT.id, { since_id: (await own.post(ALICE, 'x')).id });
      await bot.v2.tweet('plain');
      await bot.v2.tweet('with a link https://pay.example/r/1');
      await bot.v2.sendDmToParticipant(BOB.id, { text: 'direct' });
      await bot.v2.user(BOB.id);
      await problem(() => bot.v2.reply('hm', '999'));
      const meter = await own.user<{ micros: number; calls: Record<string, { count: number; micros: number }> }>(
        'meter',
      );
      expect(meter.calls).toEqual({
        mentions: { count: 2, micros: 2 * 5_000 + 2 * 10_000 },
        createPost: { count: 2, micros: 15_000 + 200_000 },
        sendDm: { count: 1, micros: 15_000 },
        user: { count: 1, micros: 10_000 },
      });
      expect(id).toMatch(/^\d+$/);
      await own.user('credits', { micros: 0 });
      expect(await problem(() => bot.v2.tweet('more'))).toMatchObject({
        code: 402,
        data: { title: 'CreditsDepleted', type: expect.stringMatching(/problems\/credits$/) },
      });
    } finally {
      await own.close();
    }
  });
});
