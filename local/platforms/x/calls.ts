/** The calls of X API v2 that bots make: who am I, who is that, who mentioned me, post, delete, and direct messages. */
import type { TweetV2DeleteTweetResult, TweetV2PostTweetResult, TwitterApiv2, UserV2Result } from 'twitter-api-v2';
import { hasLink, weightedLength } from '../../../src/domain/weightedText.ts';
import { charge, type Meter, PRICES, unpaid } from './meter.ts';
import { createPost, mentionsIn, replacedIds, showPost, userByName } from './posts.ts';
import { nextId, type Post, record, type Store } from './store.ts';
import { forbidden, invalid, missing, notFound, type WirePost, type XUser } from './wire.ts';

export type Call = {
  store: Store;
  meter: Meter;
  me: string;
  params: Record<string, string>;
  query: URLSearchParams;
  body: Record<string, unknown>;
};
export type Answer = { status: number; body: Record<string, unknown> };

/** Of these the client gives no names. */
type SentDirectly = Awaited<ReturnType<TwitterApiv2['sendDmToParticipant']>>;
type DirectEvent = Awaited<ReturnType<TwitterApiv2['listDmEvents']>>['events'][number];
type CreatedPost = TweetV2PostTweetResult['data'] & Pick<WirePost, 'edit_history_tweet_ids'>;

const SHORT = 280;
/** Posts back to which the same words of the same account are refused. */
const DUPLICATE_WITHIN_MS = 24 * 3_600_000;
const SNOWFLAKE = /^\d{1,19}$/;

export function me(call: Call): Answer {
  charge(call.meter, 'me', PRICES.user);
  return { status: 200, body: { data: showUser(userOf(call.store, call.me)) } satisfies UserV2Result };
}

export function user(call: Call): Answer {
  const id = call.params['id'] ?? '';
  if (!SNOWFLAKE.test(id)) throw invalid(`The \`id\` query parameter value [${id}] is not valid`, 'id');
  return oneUser(call, 'user', call.store.users.get(id), 'id', id);
}

export function userByUsername(call: Call): Answer {
  const name = call.params['username'] ?? '';
  if (!/^[A-Za-z0-9_]{1,15}$/.test(name))
    throw invalid(`The \`username\` query parameter value [${name}] does not match ^[A-Za-z0-9_]{1,15}$`, 'username');
  return oneUser(call, 'userByUsername', userByName(call.store, name), 'username', name);
}

function oneUser(call: Call, name: string, found: XUser | undefined, parameter: string, value: string): Answer {
  charge(call.meter, name, found ? PRICES.user : 0);
  return {
    status: 200,
    body: found ? ({ data: showUser(found) } satisfies UserV2Result) : missing('user', parameter, value),
  };
}

/** Newest first. A page begins behind the post that its token names, so what is posted meanwhile moves nothing. */
export function mentions(call: Call): Answer {
  const { store, query } = call;
  const id = call.params['id'] ?? '';
  if (id !== call.me) throw forbidden('You are not permitted to read the mentions of this user.');
  const max = pageSize(query, 5, 10);
  const since = snowflake(query, 'since_id');
  const until = snowflake(query, 'until_id');
  const below = readToken(query.get('pagination_token'));
  const from = Date.parse(query.get('start_time') ?? '') || 0;
  const replaced = replacedIds(store);
  const found = [...store.posts.values()]
    .filter((post) => post.authorId !== id && !replaced.has(post.id) && post.atMs >= from)
    .filter((post) => (since === null || BigInt(post.id) > since) && (until === null || BigInt(post.id) < until))
    .filter((post) => below === null || BigInt(post.id) < below)
    .filter((post) => mentionsIn(store, post.text).some((mention) => mention.id === id))
    .sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? 1 : -1));
  const page = found.slice(0, max);
  const [first, last] = [page[0], page.at(-1)];
  const fields = listed(query, 'tweet.fields', 'post.fields');
  const expanded = expand(store, page, listed(query, 'expansions'), fields);
  charge(
    call.meter,
    'mentions',
    (page.length + expanded.tweets.length) * PRICES.post + expanded.users.length * PRICES.user,
  );
  const includes = {
    ...(expanded.users.length > 0 ? { users: expanded.users } : {}),
    ...(expanded.tweets.length > 0 ? { tweets: expanded.tweets } : {}),
  };
  return {
    status: 200,
    body: {
      ...(page.length > 0 ? { data: page.map((post) => showPost(store, post, fields)) } : {}),
      ...(Object.keys(includes).length > 0 ? { includes } : {}),
      meta: {
        result_count: page.length,
        ...(first && last ? { newest_id: first.id, oldest_id: last.id } : {}),
        ...(last && found.length > max ? { next_token: writeToken(last.id) } : {}),
      },
    },
  };
}

function expand(
  store: Store,
  page: Post[],
  wanted: Set<string>,
  fields: Set<string>,
): { users: XUser[]; tweets: WirePost[] } {
  const ids = new Set<string>();
  const referenced = page.flatMap((post) =>
    [post.replyTo, post.quotes, post.reposts].flatMap((id) => store.posts.get(id ?? '') ?? []),
  );
  for (const post of page) {
    if (wanted.has('author_id')) ids.add(post.authorId);
    if (wanted.has('in_reply_to_user_id') && post.replyToUser) ids.add(post.replyToUser);
    if (wanted.has('entities.mentions.username'))
      for (const mention of mentionsIn(store, post.text)) if (mention.id) ids.add(mention.id);
  }
  if (wanted.has('referenced_tweets.id.author_id')) for (const post of referenced) ids.add(post.authorId);
  const tweets = wanted.has('referenced_tweets.id') ? [...new Set(referenced)] : [];
  return {
    users: [...ids].flatMap((id) => store.users.get(id) ?? []).map(showUser),
    tweets: tweets.map((post) => showPost(store, post, fields)),
  };
}

export function createTweet(call: Call): Answer {
  const { store, body } = call;
  const text = body['text'];
  if (typeof text !== 'string' || text.trim() === '') throw invalid('text is missing', 'text');
  const reply = body['reply'] as { in_reply_to_tweet_id?: unknown; exclude_reply_user_ids?: unknown } | undefined;
  const replyTo = reply?.in_reply_to_tweet_id;
  if (reply !== undefined && (typeof replyTo !== 'string' || !SNOWFLAKE.test(replyTo)))
    throw invalid('reply.in_reply_to_tweet_id is not an id', 'reply.in_reply_to_tweet_id');
  if (typeof replyTo === 'string' && !store.posts.has(replyTo))
    throw forbidden('You attempted to reply to a Tweet that is deleted or not visible to you.');
  if (weightedLength(text) > SHORT)
    throw forbidden('Your Tweet text is too long. For more information on Twitter Premium, see the help pages.');
  if (isDuplicate(call, text)) throw forbidden('You are not allowed to create a Tweet with duplicate content.');
  const leaveOut = Array.isArray(reply?.exclude_reply_user_ids) ? reply.exclude_reply_user_ids.map(String) : [];
  const post = createPost(store, { authorId: call.me, text, replyTo: replyTo as string | undefined, leaveOut });
  const made = { id: post.id, text: post.text, edit_history_tweet_ids: [post.id] } satisfies CreatedPost;
  charge(call.meter, 'createPost', hasLink(text) ? PRICES.createWithLink : PRICES.create);
  return { status: 201, body: { data: made } };
}

/** The same words within a day, whatever they answer. */
function isDuplicate({ store, me: author }: Call, text: string): boolean {
  const since = store.nowMs() - DUPLICATE_WITHIN_MS;
  return [...store.posts.values()].some(
    (post) => post.authorId === author && post.atMs > since && [...post.text].slice(post.visibleFrom).join('') === text,
  );
}

export function deleteTweet(call: Call): Answer {
  const post = call.store.posts.get(call.params['id'] ?? '');
  if (post && post.authorId !== call.me) throw forbidden('You are not allowed to delete this Tweet.');
  charge(call.meter, 'deletePost', PRICES.delete);
  if (post) record(call.store, { type: 'delete', id: post.id });
  return { status: 200, body: { data: { deleted: post !== undefined } } satisfies TweetV2DeleteTweetResult };
}

/** Direct messages stand in one conversation a pair, named by both ids, the smaller first. */
export function conversationOf(a: string, b: string): string {
  return BigInt(a) < BigInt(b) ? `${a}-${b}` : `${b}-${a}`;
}

export function sendDirectMessage(call: Call): Answer {
  const { store, body, params } = call;
  const to = params['id'] ?? '';
  const text = body['text'];
  if (typeof text !== 'string' || text === '') throw invalid('text is missing', 'text');
  if (!store.users.has(to)) throw notFound('That user does not exist.');
  if (store.closedTo.has(to)) throw forbidden('You cannot send messages to this user.');
  const message = {
    id: nextId(store),
    conversationId: conversationOf(call.me, to),
    senderId: call.me,
    text,
    atMs: store.nowMs(),
  };
  record(store, { type: 'dm', message });
  const sent: SentDirectly = { dm_conversation_id: message.conversationId, dm_event_id: message.id };
  charge(call.meter, 'sendDm', PRICES.sendDm);
  return { status: 201, body: { data: sent } };
}

/** Newest first, of all conversations. */
export function directMessages(call: Call): Answer {
  const { store, query } = call;
  const max = pageSize(query, 1, 100);
  const below = readToken(query.get('pagination_token'));
  const found = store.directMessages
    .filter(({ conversationId }) => conversationId.split('-').includes(call.me))
    .filter(({ id }) => below === null || BigInt(id) < below)
    .sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? 1 : -1));
  const page = found.slice(0, max);
  const fields = listed(query, 'dm_event.fields');
  const last = page.at(-1);
  const fresh = unpaid(
    call.meter,
    page.map(({ id }) => id),
  );
  charge(call.meter, 'dmEvents', fresh * PRICES.dm);
  return {
    status: 200,
    body: {
      ...(page.length > 0 ? { data: page.map((message) => showDirectMessage(message, fields)) } : {}),
      meta: { result_count: page.length, ...(last && found.length > max ? { next_token: writeToken(last.id) } : {}) },
    },
  };
}

function showDirectMessage(message: Store['directMessages'][number], fields: Set<string>): DirectEvent {
  const { id, conversationId, senderId, text, atMs } = message;
  const given = {
    dm_conversation_id: conversationId,
    sender_id: senderId,
    created_at: new Date(atMs).toISOString(),
    participant_ids: conversationId.split('-'),
  } satisfies Partial<DirectEvent>;
  const asked = Object.entries(given).filter(([name]) => fields.has(name));
  return { id, event_type: 'MessageCreate', text, ...Object.fromEntries(asked) };
}

function userOf(store: Store, id: string): XUser {
  const found = store.users.get(id);
  if (!found) throw notFound();
  return found;
}

function showUser({ id, username, name }: XUser): XUser {
  return { id, username, name };
}

function listed(query: URLSearchParams, ...names: string[]): Set<string> {
  return new Set(names.flatMap((name) => (query.get(name) ?? '').split(',')).filter((part) => part !== ''));
}

function pageSize(query: URLSearchParams, least: number, otherwise: number): number {
  const given = query.get('max_results');
  const size = given === null ? otherwise : Number(given);
  if (!Number.isInteger(size) || size < least || size > 100)
    throw invalid(
      `The \`max_results\` query parameter value [${given}] is not between ${least} and 100`,
      'max_results',
    );
  return size;
}

function snowflake(query: URLSearchParams, name: string): bigint | null {
  const value = query.get(name);
  if (value === null) return null;
  if (!SNOWFLAKE.test(value)) throw invalid(`The \`${name}\` query parameter value [${value}] is not a valid id`, name);
  return BigInt(value);
}

function writeToken(id: string): string {
  return Buffer.from(`below:${id}`).toString('base64url');
}

function readToken(token: string | null): bigint | null {
  if (token === null) return null;
  const id = /^below:(\d+)$/.exec(Buffer.from(token, 'base64url').toString('utf8'))?.[1];
  if (id === undefined) throw invalid('The `pagination_token` query parameter value is not valid', 'pagination_token');
  return BigInt(id);
}
