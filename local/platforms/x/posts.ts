/** Posts as X makes and shows them: the mentions that it puts before a reply, what it marks in a text, long posts, and replaced ones. */
import { weightedLength } from '../../../src/domain/weightedText.ts';
import { nextId, type Post, record, type Store } from './store.ts';
import type { Span, WireEntities, WirePost, XUser } from './wire.ts';

const SHORT = 280;
/** What may stand before and behind a mention is as in X's own text library: a dot may, so that followers see a post that begins with one. */
const MENTION = /(?<![A-Za-z0-9_!#$%&*@＠])[@＠]([A-Za-z0-9_]{1,15})(?![\w@＠]|:\/\/)/g;
const URL = /https?:\/\/[^\s]+/g;
const HASHTAG = /(?<![\w#])#(\p{L}[\p{L}\p{N}_]*)/gu;
const CASHTAG = /(?<![\w$])\$([A-Za-z]{1,6})(?!\w)/g;

export type NewPost = {
  authorId: string;
  text: string;
  replyTo?: string | undefined;
  /** Ids of people who are not to be named before the reply. */
  leaveOut?: string[];
  /** Replaces an earlier post of the same author. */
  edits?: Post | undefined;
  quotes?: string | undefined;
  reposts?: string | undefined;
  pictures?: number | undefined;
};

export function createPost(store: Store, wish: NewPost): Post {
  const id = nextId(store);
  const parent = wish.replyTo === undefined ? undefined : store.posts.get(wish.replyTo);
  const prefix = parent ? leadingMentions(store, parent, wish) : '';
  const post: Post = {
    id,
    authorId: wish.authorId,
    text: prefix + wish.text,
    atMs: store.nowMs(),
    conversationId: wish.edits?.conversationId ?? parent?.conversationId ?? id,
    visibleFrom: [...prefix].length,
    ...(parent ? { replyTo: parent.id, replyToUser: parent.authorId } : {}),
    history: [...(wish.edits?.history ?? []), id],
    ...(wish.quotes ? { quotes: wish.quotes } : {}),
    ...(wish.reposts ? { reposts: wish.reposts } : {}),
    ...(wish.pictures ? { pictures: wish.pictures } : {}),
  };
  record(store, { type: 'post', post });
  return post;
}

/** X names the author of the answered post and everybody named in it, before what was typed. */
function leadingMentions(store: Store, parent: Post, { authorId, text, leaveOut = [] }: NewPost): string {
  const named = [parent.authorId, ...mentionsIn(store, parent.text).flatMap(({ id }) => id ?? [])];
  const typed = text.match(/^(?:@\w+\s+)*/)?.[0].toLowerCase() ?? '';
  return [...new Set(named)]
    .filter((id) => id !== authorId && !leaveOut.includes(id))
    .map((id) => store.users.get(id)?.username)
    .filter((name) => name !== undefined && !typed.includes(`@${name.toLowerCase()} `))
    .map((name) => `@${name} `)
    .join('');
}

/** Ids of posts in whose place a newer version stands. */
export function replacedIds(store: Store): Set<string> {
  return new Set([...store.posts.values()].flatMap((post) => post.history.filter((id) => id !== post.id)));
}

export function userByName(store: Store, username: string): XUser | undefined {
  const name = username.toLowerCase();
  return [...store.users.values()].find((user) => user.username.toLowerCase() === name);
}

export function mentionsIn(store: Store, text: string): (Span & { username: string; id?: string })[] {
  return spans(text, MENTION).map(({ match, ...span }) => {
    const username = match[1] ?? '';
    const user = userByName(store, username);
    return { ...span, username: user?.username ?? username, ...(user ? { id: user.id } : {}) };
  });
}

/** What X marks, by code points of the text as it is delivered. */
function entitiesOf(store: Store, text: string): WireEntities {
  const entities: WireEntities = {};
  const mentions = mentionsIn(store, text);
  if (mentions.length > 0) entities.mentions = mentions;
  const urls = spans(text, URL).map(({ match, ...span }) => {
    return { ...span, url: match[0], expanded_url: match[0], display_url: match[0].replace(/^https?:\/\//, '') };
  });
  if (urls.length > 0) entities.urls = urls;
  const hashtags = spans(text, HASHTAG).map(({ match, ...span }) => ({ ...span, tag: match[1] ?? '' }));
  if (hashtags.length > 0) entities.hashtags = hashtags;
  const cashtags = spans(text, CASHTAG).map(({ match, ...span }) => ({ ...span, tag: match[1] ?? '' }));
  if (cashtags.length > 0) entities.cashtags = cashtags;
  return entities;
}

function spans(text: string, pattern: RegExp): (Span & { match: RegExpMatchArray })[] {
  return [...text.matchAll(pattern)].map((match) => {
    const start = [...text.slice(0, match.index)].length;
    return { start, end: start + [...match[0]].length, match };
  });
}

/** One post with the requested fields; text is HTML-escaped, a long one cut, with the whole of it in `note_tweet`. */
export function showPost(store: Store, post: Post, fields: Set<string>): WirePost {
  const whole = escapeHtml(post.text);
  const isLong = weightedLength([...post.text].slice(post.visibleFrom).join('')) > SHORT;
  const own = isLong
    ? `${[...whole].slice(0, post.visibleFrom + 250).join('')}… https://t.co/${post.id.slice(-10)}`
    : whole;
  const hung = hungOn(store, post, [...own].length);
  const text = [own, ...new Set(hung.map(({ url }) => url))].join(' ');
  const entities = entitiesOf(store, own);
  if (hung.length > 0) entities.urls = [...(entities.urls ?? []), ...hung];
  const noteEntities = entitiesOf(store, whole);
  const references = referencesOf(post);
  const given: Omit<WirePost, 'id' | 'text' | 'edit_history_tweet_ids'> = {
    author_id: post.authorId,
    conversation_id: post.conversationId,
    created_at: new Date(post.atMs).toISOString(),
    display_text_range: [post.visibleFrom, [...own].length],
    ...(Object.keys(entities).length > 0 ? { entities } : {}),
    ...(post.replyToUser ? { in_reply_to_user_id: post.replyToUser } : {}),
    lang: 'en',
    ...(isLong
      ? { note_tweet: { text: whole, ...(Object.keys(noteEntities).length > 0 ? { entities: noteEntities } : {}) } }
      : {}),
    ...(references.length > 0 ? { referenced_tweets: references } : {}),
  };
  const asked = Object.entries(given).filter(([name]) => fields.has(name));
  return { id: post.id, text, edit_history_tweet_ids: post.history, ...Object.fromEntries(asked) };
}

/** The links with which X ends a text, to the pictures and the quoted post: behind what people see of it. */
function hungOn(store: Store, post: Post, length: number): NonNullable<WireEntities['urls']> {
  const link = (name: string, expanded_url: string, start: number, more: object = {}) => {
    const url = `https://t.co/${name}${post.id.slice(-9)}`;
    return { start, end: start + url.length, url, expanded_url, display_url: expanded_url.slice(8), ...more };
  };
  const nameOf = (id: string) => store.users.get(store.posts.get(id)?.authorId ?? '')?.username ?? 'i';
  const quoted = post.quotes
    ? [link('q', `https://x.com/${nameOf(post.quotes)}/status/${post.quotes}`, length + 1)]
    : [];
  const at = (quoted[0]?.end ?? length) + 1;
  const address = `https://x.com/${nameOf(post.id)}/status/${post.id}/photo/1`;
  const pictures = Array.from({ length: post.pictures ?? 0 }, (_, index) =>
    link('p', address, at, { media_key: `3_${post.id}${index}` }),
  );
  return [...quoted, ...pictures];
}

function referencesOf(post: Post): NonNullable<WirePost['referenced_tweets']> {
  return [
    ...(post.replyTo ? [{ type: 'replied_to' as const, id: post.replyTo }] : []),
    ...(post.quotes ? [{ type: 'quoted' as const, id: post.quotes }] : []),
    ...(post.reposts ? [{ type: 'retweeted' as const, id: post.reposts }] : []),
  ];
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
