// From a post on X to the platform-neutral message of the parser; pure.
import type { TweetV2, UserV2 } from 'twitter-api-v2';
import type { ChatMessage } from '../src/domain/chat.ts';
import type { CommandInput } from '../src/domain/command.ts';

/** A post with what the library's types leave out. */
export type XPost = TweetV2 & { display_text_range?: [number, number] };
export type XBot = { id: string; username: string };

/** What is asked of X for each mention. */
export const POST_FIELDS = [
  'author_id',
  'conversation_id',
  'created_at',
  'display_text_range',
  'entities',
  'in_reply_to_user_id',
  'note_tweet',
  'referenced_tweets',
].join(',');

const SNOWFLAKE_EPOCH_MS = 1_288_834_974_657n;

/** When a post was made: its id says so even where the field is missing. Unix milliseconds. */
export function postedAt({ id, created_at }: Pick<XPost, 'id' | 'created_at'>): number {
  const told = created_at === undefined ? Number.NaN : Date.parse(created_at);
  return Number.isNaN(told) ? Number((BigInt(id) >> 22n) + SNOWFLAKE_EPOCH_MS) : told;
}

/** The id by which a post is known, whatever it was edited to. */
export function firstId(post: XPost): string {
  return post.edit_history_tweet_ids?.[0] ?? post.id;
}

/** The whole of a long post, with the mentions in it. */
function contentOf(post: XPost): { text: string; entities: unknown; end: number | undefined } {
  const note = post.note_tweet;
  if (note?.text) return { text: note.text, entities: note.entities ?? {}, end: [...note.text].length };
  return { text: post.text, entities: post.entities ?? {}, end: post.display_text_range?.[1] };
}

export function toCommandInput(post: XPost, author: UserV2 | undefined, bot: XBot): CommandInput {
  const { text, entities, end } = contentOf(post);
  const from = post.display_text_range?.[0];
  const answered = post.in_reply_to_user_id;
  const isReply = referenceOf(post, 'replied_to') !== undefined && answered !== undefined;
  return {
    platform: 'x',
    text,
    entities,
    ctx: {
      chat: 'public',
      bot,
      sender: { id: post.author_id ?? '', username: author?.username ?? null },
      ...(isReply
        ? { reply_to: { id: answered, username: nameOf(entities, answered), is_bot: answered === bot.id } }
        : {}),
      ...(from === undefined || end === undefined ? {} : { display_text_range: [from, end] as [number, number] }),
      ...(referenceOf(post, 'retweeted') ? { retweet: true } : {}),
    },
  };
}

/** What X said before the reply names the author of the answered post. */
function nameOf(entities: unknown, id: string): string | null {
  return mentionsOf(entities).find((mention) => mention.id === id)?.username ?? null;
}

export function mentionsOf(entities: unknown): { id: string; username: string }[] {
  const { mentions = [] } = (entities ?? {}) as { mentions?: { id?: string; username?: string }[] };
  return mentions.flatMap(({ id, username }) => (id && username ? [{ id, username }] : []));
}

export function referenceOf(post: XPost, type: 'replied_to' | 'quoted' | 'retweeted'): string | undefined {
  return post.referenced_tweets?.find((one) => one.type === type)?.id;
}

export function toChatMessage(post: XPost, input: CommandInput, bot: XBot): ChatMessage {
  return {
    platform: 'x',
    botId: bot.id,
    chatId: post.conversation_id ?? post.id,
    messageId: post.id,
    sentAt: postedAt(post),
    chatKind: 'public',
    sender: { id: String(input.ctx.sender.id), username: input.ctx.sender.username ?? null },
    input,
  };
}

/** A yes or a no, and nothing else behind the names that X puts before a reply. */
export function yesOrNo(text: string): boolean | null {
  const word = text
    .normalize('NFKC')
    .trim()
    .toLowerCase()
    .replace(/[.!]+$/, '');
  if (word === 'yes') return true;
  return word === 'no' ? false : null;
}

/** What somebody typed behind the names that X puts before a reply. */
export function typedText(post: XPost): string {
  return [...post.text].slice(post.display_text_range?.[0] ?? 0).join('');
}
