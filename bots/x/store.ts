// What of the mentions is kept, and that it is kept before the place in the feed moves on.
import { setTimeout as sleep } from 'node:timers/promises';
import type { UserV2 } from 'twitter-api-v2';
import type { Ctx } from '../../src/context.ts';
import { parseCommand } from '../../src/domain/command.ts';
import { xEventKey, xPostKey } from '../../src/domain/messageKey.ts';
import { type InboxEntry, isUnstorable, type News } from '../../src/services/chat/inbox.ts';
import { moveCursor } from '../../src/services/chat/positions.ts';
import { questionOf } from '../../src/services/chat/questions.ts';
import { type PostNews, type ReadPost, recordPosts } from '../../src/services/chat/xAuthors.ts';
import {
  asksSomething,
  firstId,
  mentionsOf,
  postedAt,
  referenceOf,
  toChatMessage,
  toCommandInput,
  typedText,
  type XBot,
  type XPost,
  yesOrNo,
} from './message.ts';

const STORE_RETRY_MS = 1_000;
/** What one transaction takes in. */
const AT_A_TIME = 100;

/** Posts as X returned them, with the accounts beside them. */
export type Mentions = { posts: XPost[]; users: UserV2[] };

/** Stores mentions, oldest first, and moves the place behind each batch. @returns whether there is new work for the bot */
export async function storeMentions(ctx: Ctx, { posts, users }: Mentions, bot: XBot): Promise<boolean> {
  const byId = new Map(users.map((user) => [user.id, user]));
  const ordered = posts.toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
  let isNew = false;
  const timesRead = new Map<string, number>();
  for (const { id } of users) timesRead.set(id, (timesRead.get(id) ?? 0) + 1);
  for (let from = 0; from < ordered.length; from += AT_A_TIME) {
    const batch = ordered.slice(from, from + AT_A_TIME);
    const news: PostNews[] = [];
    for (const post of batch) {
      const authorId = post.author_id ?? '';
      const read = await readPost(ctx, post, byId.get(authorId), bot);
      // Reading the account of an author is booked with the oldest of their posts.
      news.push({ ...read, read: { authorId, users: timesRead.get(authorId) ?? 0, asks: asksFor(read) } });
      timesRead.delete(authorId);
    }
    isNew = (await storeSurely(ctx, news)) || isNew;
    const last = batch.at(-1);
    if (last) await moveCursor(ctx, { platform: 'x', botId: bot.id, feed: 'mentions' }, last.id);
  }
  return isNew;
}

/** Taking the right to spend away, and the answer to a question, are done whatever their author has cost. */
function asksFor({ entry }: News): ReadPost['asks'] {
  if (entry === null) return 'nothing';
  const { content } = entry;
  const isSure = content.kind === 'button' || content.command.kind === 'pause' || content.command.kind === 'disconnect';
  return isSure ? 'always' : 'work';
}

/** However long the database is away: what was read is paid for. What cannot be stored takes nothing with it. */
export async function storeSurely(ctx: Ctx, news: PostNews[]): Promise<boolean> {
  for (;;) {
    try {
      return (await recordPosts(ctx, news)).size > 0;
    } catch (err) {
      if (ctx.shutdown.closing()) throw err;
      if (isUnstorable(err)) {
        if (news.length > 1) {
          let isNew = false;
          for (const one of news) isNew = (await storeSurely(ctx, [one])) || isNew;
          return isNew;
        }
        ctx.log.error({ err, key: news[0]?.entry?.key }, 'a post has data that cannot be stored; it is dropped');
        return false;
      }
      ctx.log.error({ err, posts: news.length }, 'posts could not be stored; they are tried again');
      await sleep(STORE_RETRY_MS);
    }
  }
}

async function readPost(ctx: Ctx, post: XPost, author: UserV2 | undefined, bot: XBot): Promise<News> {
  const input = toCommandInput(post, author, bot);
  const seen = [...(author ? [{ id: author.id, username: author.username }] : []), ...mentionsOf(input.entities)]
    .filter(({ id }) => id !== bot.id)
    .map((user) => ({ ...user, isBot: false }));
  const content = (await readPress(ctx, post, author, bot)) ?? readCommand(post, input, bot);
  const key = content?.kind === 'button' ? content.button.callbackId : xPostKey(bot.id, firstId(post));
  return { seen, seenAt: postedAt(post), entry: content === null ? null : { key, content } };
}

/** A post that was edited before it was first read is no command: what its readers had seen is unknown. */
function readCommand(post: XPost, input: ReturnType<typeof toCommandInput>, bot: XBot): InboxEntry | null {
  const command = parseCommand(input);
  if (command.kind === 'none' || !asksSomething(command, typedText(post))) return null;
  const message = toChatMessage(post, input, bot);
  const isEdited = firstId(post) !== post.id;
  return { kind: 'message', message, command: isEdited ? { kind: 'error', code: 'post_edited' } : command };
}

/** A plain yes or no under a question of the bot is its button. An edited one is nothing. */
async function readPress(ctx: Ctx, post: XPost, author: UserV2 | undefined, bot: XBot): Promise<InboxEntry | null> {
  const messageId = referenceOf(post, 'replied_to');
  const yes = yesOrNo(typedText(post));
  if (messageId === undefined || yes === null || post.in_reply_to_user_id !== bot.id || firstId(post) !== post.id)
    return null;
  const question = await questionOf(ctx, 'x', { botId: bot.id, messageId, yes });
  if (!question) return null;
  return {
    kind: 'button',
    button: {
      platform: 'x',
      botId: bot.id,
      chatId: question.chatId,
      messageId: question.messageId,
      userId: post.author_id ?? '',
      username: author?.username ?? null,
      token: question.token,
      callbackId: xEventKey(bot.id, post.id),
    },
  };
}
