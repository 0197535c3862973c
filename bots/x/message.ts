// From a post on X to the platform-neutral message of the parser; pure.
import type { TweetV2, UserV2 } from 'twitter-api-v2';
import type { ChatMessage } from '../../src/domain/chat.ts';
import { findVerb } from '../../src/domain/command/verbs.ts';
import type { Command, CommandInput } from '../../src/domain/command.ts';

/** A post with what the library's types leave out. */
export type XPost = TweetV2 & { display_text_range?: [number, number] };
export type XBot = { id: string; username: string };

/** The fields of each mention. */
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
  const at = created_at === undefined ? Number.NaN : Date.parse(created_at);
  return Number.isNaN(at) ? Number((BigInt(id) >> 22n) + SNOWFLAKE_EPOCH_MS) : at;
}

/** The id by which a post is known, whatever it was edited to. */
export function firstId(post: XPost): string {
  return post.edit_history_tweet_ids?.[0] ?? post.id;
}

/** The whole of a long post, with the mentions in it, and the part that people see. */
function contentOf(post: XPost): { text: string; entities: unknown; range: [number, number] | undefined } {
  const { display_text_range: range, note_tweet: note } = post;
  const isLong = note?.text !== undefined && note.text !== '';
  const text = withoutTail(isLong ? note.text : post.text, (isLong ? note.entities : post.entities)?.urls ?? [], post);
  const entities = (isLong ? note.entities : post.entities) ?? {};
  const length = [...text].length;
  if (range === undefined) return { text, entities, range };
  // Only the text shows whether the whole of a long reply begins with the names that X puts before it.
  const before = [...post.text].slice(0, range[0]).join('');
  const from = isLong && !text.startsWith(before) ? 0 : range[0];
  return { text, entities, range: [Math.min(from, length), length] };
}

type Url = { start: number; end: number; url: string; expanded_url?: string; media_key?: string };

/** X ends a text with the links of its attachments, pictures and the quoted post; its author did not type those. */
function withoutTail(text: string, urls: Url[], post: XPost): string {
  const quoted = referenceOf(post, 'quoted');
  const isHung = ({ media_key, expanded_url = '' }: Url) =>
    media_key !== undefined ||
    /^https:\/\/(?:x|twitter)\.com\/\w+\/status\/\d+\/(?:photo|video)\/\d+$/.test(expanded_url) ||
    (quoted !== undefined && new RegExp(`^https://(?:x|twitter)\\.com/\\w+/status/${quoted}$`).test(expanded_url));
  let rest = text;
  for (const one of urls.toSorted((a, b) => b.start - a.start)) {
    const end = rest.trimEnd();
    if (!isHung(one) || !end.endsWith(one.url)) break;
    rest = end.slice(0, -one.url.length).trimEnd();
  }
  return rest;
}

export function toCommandInput(post: XPost, author: UserV2 | undefined, bot: XBot): CommandInput {
  const { text, entities, range } = contentOf(post);
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
      ...(range === undefined ? {} : { display_text_range: range }),
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

const YES = new Set(
  'yes,yep,yeah,yup,y,yes please,yes pls,ok,okay,sure,send,send it,do it,confirm,👍,✅,ja,ja bitte,jo,klar,senden,sende es,mach das,sí,si,sí por favor,si por favor,vale,claro,envíalo,enviar'.split(
    ',',
  ),
);
const NO = new Set(
  'no,nope,nah,n,no thanks,no thank you,cancel,stop,don’t,dont,👎,❌,nein,nee,nö,nein danke,abbrechen,no gracias,cancela,cancelar'.split(
    ',',
  ),
);

/** A yes or a no in one of our languages, and nothing else behind the names that X puts before a reply. */
export function yesOrNo(text: string): boolean | null {
  const word = text
    .normalize('NFKC')
    .trim()
    .toLowerCase()
    .replaceAll("'", '’')
    .replace(/[.!]+$/, '')
    .replace(/[,\s]+/g, ' ');
  if (YES.has(word)) return true;
  return NO.has(word) ? false : null;
}

/** What was typed behind the names that X puts before a reply. */
export function typedText(post: XPost): string {
  const { text, range } = contentOf(post);
  return [...text].slice(range?.[0] ?? 0).join('');
}

/** Every answer on X is paid for: a mention with neither a figure, a verb nor the name of a page gets none, whatever else it names. */
export function asksSomething(command: Command, typed: string): boolean {
  if (command.kind !== 'help' && command.kind !== 'error') return true;
  if (command.kind === 'error' && command.code === 'use_page') return true;
  const words = typed
    .normalize('NFKC')
    .toLowerCase()
    .replace(/@\w+/g, ' ')
    .split(/[^\p{L}\p{N}]+/u);
  return words.some((word) => /\p{N}/u.test(word) || findVerb(word) !== undefined);
}
