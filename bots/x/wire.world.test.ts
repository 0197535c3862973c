// What the adapter sends to X, and what the local server answers, against the description that X publishes of its API.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { linkSecret, redeemLink } from '../../src/services/accounts/connectLinks.ts';
import { documentOf, startValidatingProxy, type ValidatingProxy } from '../../test/setup/validatingProxy.ts';
import { localPerson, startWorld, type World } from '../../test/setup/world.ts';

const { file, isThere, howToGet } = documentOf('x');

/** Every call that the adapter knows; those with kinds of questions or bodies are told apart by them. */
const CALLS = [
  'getUsersMe',
  'getUsersById',
  'getUsersMentions: at first',
  'getUsersMentions: since',
  'getUsersMentions: next page',
  'createPosts: reply',
  'createPosts: reply that leaves people out',
  'createDirectMessagesByParticipantId',
  'getDirectMessagesEvents',
];
const OPERATIONS = [...new Set(CALLS.map((call) => call.split(':')[0] ?? ''))];

function kindOf({ operation, query, body }: ValidatingProxy['calls'][number]): string {
  if (operation === 'getUsersMentions') {
    if (query.has('pagination_token')) return `${operation}: next page`;
    return `${operation}: ${query.has('since_id') ? 'since' : 'at first'}`;
  }
  if (operation !== 'createPosts') return operation;
  const { reply } = body as { reply?: { exclude_reply_user_ids?: string[] } };
  if (!reply) return operation;
  return `${operation}: reply${reply.exclude_reply_user_ids ? ' that leaves people out' : ''}`;
}

/** X's document has newer names than those with which its clients ask, and with which it answers them. */
const NEW_NAMES = {
  tweets: 'posts',
  note_tweet: 'note_post',
  referenced_tweets: 'referenced_posts',
  edit_history_tweet_ids: 'edit_history_post_ids',
};
/** Fields that the document names among what can be expanded only, and that X gives without that as well. */
const LINKS = ['author_id', 'in_reply_to_user_id', 'referenced_posts', 'sender_id'];

/** What a client asks, in the words of the document; null for the login, of which the document does not speak. */
function inDocument(asked: string): string | null {
  const url = new URL(asked, 'http://x');
  if (url.pathname === '/2/oauth2/token') return null;
  const query = url.searchParams;
  const expansions = (query.get('expansions') ?? '').split(',').filter((name) => name !== '');
  for (const [name, documented] of [
    ['tweet.fields', 'post.fields'],
    ['dm_event.fields', 'dm_event.fields'],
  ] as const) {
    const fields = query
      .get(name)
      ?.split(',')
      .map((field) => new Map(Object.entries(NEW_NAMES)).get(field) ?? field);
    if (!fields) continue;
    query.delete(name);
    query.set(documented, fields.filter((field) => !LINKS.includes(field)).join(','));
    expansions.push(...fields.filter((field) => LINKS.includes(field)));
  }
  if (expansions.length > 0) query.set('expansions', [...new Set(expansions)].join(','));
  return `${url.pathname}${decodeURIComponent(url.search)}`;
}

describe.skipIf(!isThere)(`calls to X (${howToGet})`, () => {
  let world: World;
  let proxy: ValidatingProxy;
  beforeAll(async () => {
    const through = async (direct: string) => {
      proxy = await startValidatingProxy(direct, {
        file,
        operations: OPERATIONS,
        authorization: /^Bearer \S+$/,
        inDocument,
        fieldNames: NEW_NAMES,
      });
      return proxy.url;
    };
    world = await startWorld({ x: { env: { X_DAILY_BUDGET_USD: '1000' }, through } });
  });
  afterAll(async () => {
    await world?.stop();
    await proxy?.close();
  });

  test('are all made, as X documents them, and answered so', async () => {
    const { x } = world;
    await x.post('alice', '@ampersat_bot tip @bob 5');
    await x.poll();
    // Posts of every form: replies, several recipients, marks of all kinds, long ones, edits and reposts.
    const root = await x.post('bob', 'look what I made, @shop #art $ETH https://example.com/a');
    await x.post('alice', '@ampersat_bot tip 1 #thanks $ETH https://example.com/b <3', { replyTo: root.id });
    await x.post('alice', `@ampersat_bot tip @bob @shop 1 for ${'a very long note '.repeat(20)}`);
    const first = await x.post('alice', '@ampersat_bot tip @bob 1');
    await x.post('alice', '@ampersat_bot tip @bob 2', { edit: first.id });
    await x.post('bob', 'RT @alice: @ampersat_bot tip @bob 1', { reposts: first.id });
    // A question, an answer in private, a page that a post links, somebody whom nobody knows, help, a link by direct message.
    await x.post('alice', '@ampersat_bot tip @bob 60');
    await x.post('alice', '@ampersat_bot tip @nobody_here 5');
    await x.post({ id: '777000000000000001', username: 'stranger' }, '@ampersat_bot tip @bob 5');
    await x.post('bob', '@ampersat_bot thanks!');
    await x.post('dave', '@ampersat_bot connect');
    await world.run();
    // More mentions than a page has, of no concern to anybody.
    for (let index = 0; index < 101; index++) await x.post('bob', 'thanks!', { replyTo: first.id });
    world.later(3_000);
    await world.run();
    const link = await world.ctx.db.link.findFirstOrThrow({ where: { platform: 'x' } });
    const carol = await world.ctx.db.handle.findUniqueOrThrow({ where: { slug: 'carol' } });
    await redeemLink(world.ctx, linkSecret(world.ctx, link.id), { sessionId: 'session', handleId: carol.id });
    await world.run();
    await x.dm('dave', 'yes');
    await x.poll();
    // Names.
    expect(await x.adapter.currentUsername?.(localPerson('bob').x.id)).toBe('bob');
    expect(await x.adapter.currentUsername?.('999000000000000009')).toBeNull();

    expect(proxy.violations).toEqual([]);
    expect([...new Set(proxy.calls.map(kindOf))].sort()).toEqual([...CALLS].sort());
  });

  describe('that are not so are noticed:', () => {
    const call = (path: string, { authorization = 'Bearer token', ...init }: Record<string, string> = {}) => {
      proxy.violations.length = 0;
      const headers = { 'content-type': 'application/json', ...(authorization ? { authorization } : {}) };
      return fetch(`${proxy.url}${path}`, { headers, ...init });
    };

    test.each([
      ['a body of another type', { text: 5 }, /text/],
      ['a field that there is not', { text: 'x', reply_to: '1' }, /reply_to|additional/],
      ['a reply to what is no id', { text: 'x', reply: { in_reply_to_tweet_id: 'it' } }, /in_reply_to_tweet_id/],
    ])('%s', async (_name, body, told) => {
      await call('/2/tweets', { method: 'POST', body: JSON.stringify(body) });
      expect(proxy.violations.join('\n')).toMatch(told);
    });

    test.each([
      ['an unknown path', '/2/nothing', /not found/],
      ['a path that is nobody’s here', '/2/lists/1', /not found/],
      ['an unknown parameter', '/2/users/1/mentions?newest=1', /newest/],
      ['a page that is too large', '/2/users/1/mentions?max_results=101', /max_results/],
      ['a field that nobody has', '/2/users/1/mentions?tweet.fields=id,colour', /post\.fields/],
    ])('%s', async (_name, path, told) => {
      await call(path);
      expect(proxy.violations.join('\n')).toMatch(told);
    });

    test('a call without its token', async () => {
      await call('/2/users/me', { authorization: '' });
      expect(proxy.violations.join('\n')).toMatch(/GET \/2\/users\/me: unauthorized/);
    });
  });
});
