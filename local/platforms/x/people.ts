/** What people do at the local X: post, reply, edit, write directly, read. The playground and the tests act through this. */
import { z } from 'zod';
import { conversationOf } from './calls.ts';
import { createPost } from './posts.ts';
import { nextId, type Post, record, type Store } from './store.ts';
import { invalid, type XUser } from './wire.ts';

const id = z.string().regex(/^\d{1,19}$/);
const author = z.object({ id, username: z.string().regex(/^\w{1,15}$/), name: z.string().optional() });
const postInput = z.object({
  author,
  text: z.string().min(1).max(25_000),
  in_reply_to_post_id: id.optional(),
  /** Replaces an earlier post of the same author. */
  edit_of: id.optional(),
  quotes: id.optional(),
  reposts: id.optional(),
  pictures: z.number().int().min(1).max(4).optional(),
});
const directInput = z.object({ from: author, text: z.string().min(1).max(10_000), to: id.optional() });

export function postAsUser(store: Store, body: unknown): { id: string; conversation_id: string } {
  const input = postInput.parse(body);
  rememberUser(store, input.author);
  const edits = input.edit_of === undefined ? undefined : store.posts.get(input.edit_of);
  if (input.edit_of !== undefined && edits?.authorId !== input.author.id)
    throw invalid('edit_of is not a post of theirs');
  const replyTo = input.in_reply_to_post_id ?? edits?.replyTo;
  if (replyTo !== undefined && !store.posts.has(replyTo)) throw invalid('in_reply_to_post_id is not there');
  const { text, quotes, reposts, pictures } = input;
  const post = createPost(store, { authorId: input.author.id, text, replyTo, edits, quotes, reposts, pictures });
  return { id: post.id, conversation_id: post.conversationId };
}

/** The posts of conversations in order, as people see them. */
export function readAsUser(store: Store, conversationIds: string[]): Record<string, unknown>[] {
  const wanted = new Set(conversationIds);
  return [...store.posts.values()]
    .filter((post) => wanted.has(post.conversationId))
    .map((post) => showToPeople(store, post));
}

export function showToPeople(store: Store, post: Post): Record<string, unknown> {
  return {
    id: post.id,
    author: store.users.get(post.authorId),
    text: post.text,
    visible_text: [...post.text].slice(post.visibleFrom).join(''),
    created_at: new Date(post.atMs).toISOString(),
    conversation_id: post.conversationId,
    in_reply_to_post_id: post.replyTo ?? null,
    edit_history_ids: post.history,
  };
}

/** Writes to a bot in private. @param bot the recipient when the body names none */
export function writeDirectly(store: Store, bot: string, body: unknown): { id: string } {
  const { from, text, to = bot } = directInput.parse(body);
  rememberUser(store, from);
  const message = {
    id: nextId(store),
    conversationId: conversationOf(from.id, to),
    senderId: from.id,
    text,
    atMs: store.nowMs(),
  };
  record(store, { type: 'dm', message });
  return { id: message.id };
}

/** The direct messages between a user and a bot, in order. */
export function readDirectly(store: Store, userId: string, bot: string): Record<string, unknown>[] {
  const conversation = conversationOf(userId, bot);
  return store.directMessages
    .filter((message) => message.conversationId === conversation)
    .map((message) => ({
      id: message.id,
      from: store.users.get(message.senderId),
      text: message.text,
      created_at: new Date(message.atMs).toISOString(),
    }));
}

/** X shows people as they are now, so the newest name wins; a name belongs to one account. */
export function rememberUser(store: Store, { id: userId, username, name }: z.infer<typeof author>): void {
  const user: XUser = { id: userId, username, name: name ?? username };
  const known = store.users.get(userId);
  if (JSON.stringify(known) === JSON.stringify(user)) return;
  for (const other of store.users.values()) {
    if (other.id === userId || other.username.toLowerCase() !== username.toLowerCase()) continue;
    record(store, { type: 'user', user: { ...other, username: `gone_${other.id.slice(-8)}` } });
  }
  record(store, { type: 'user', user });
}
