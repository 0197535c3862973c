// Client of the local X server, as its users: posts, replies and direct messages.
import { callJson, type Person, type Stack } from '../localApi.ts';

export type X = NonNullable<Stack['x']>;

export type XPost = {
  id: string;
  author?: { id: string; username: string; name: string };
  text: string;
  /** Without the usernames that X prepends to a reply. */
  visible_text: string;
  created_at: string;
  conversation_id: string;
  in_reply_to_post_id: string | null;
  edit_history_ids: string[];
};

export type XDirectMessage = {
  id: string;
  from?: { id: string; username: string; name: string };
  text: string;
  created_at: string;
};

/** All posts of a conversation in order. */
export function fetchConversation(url: string, id: string): Promise<XPost[]> {
  return callJson(`${url}/_user/posts?${new URLSearchParams({ conversation_id: id })}`);
}

export function writePost(
  url: string,
  { person, text, replyTo }: { person: Person; text: string; replyTo: string | null },
): Promise<{ id: string; conversation_id: string }> {
  return callJson(`${url}/_user/posts`, {
    author: authorOf(person),
    text,
    ...(replyTo === null ? {} : { in_reply_to_post_id: replyTo }),
  });
}

export function fetchDirect(url: string, userId: string): Promise<XDirectMessage[]> {
  return callJson(`${url}/_user/dms?${new URLSearchParams({ user_id: userId })}`);
}

export function writeDirect(url: string, { person, text }: { person: Person; text: string }): Promise<{ id: string }> {
  return callJson(`${url}/_user/dms`, { from: authorOf(person), text });
}

function authorOf({ name, x }: Person) {
  return { ...x, name: name.charAt(0).toUpperCase() + name.slice(1) };
}
