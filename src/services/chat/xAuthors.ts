// What authors at X cost. Every post that names the bot is read at our cost, so each author has a share of the day and no more.
import type { Ctx } from '../../context.ts';
import { sqlRows, type Tx } from '../../db.ts';
import { authorShareOf, isWithinShare, readCost, utcDay } from '../../domain/xBudget.ts';
import { type News, recordNews } from './inbox.ts';
import { answersOwedTo, budgetOf } from './xBudget.ts';

/**
 * One post that was read. `users` counts how often its author's account was read with it. `asks`: `work` wants something done and answered,
 * `always` is done whatever the author has cost (what takes the right to spend away, and answers to questions), `nothing` asks for nothing.
 */
export type ReadPost = { authorId: string; users: number; asks: 'work' | 'always' | 'nothing' };

/** News of a post, with what reading it has cost; without that, of what is paid for otherwise. */
export type PostNews = News & { read?: ReadPost };

/** Stores news of X, all or nothing, and books what the posts have cost. What lies beyond the share of its author is stored as ignored. */
export function recordPosts(ctx: Ctx, news: PostNews[]): Promise<Set<string>> {
  return recordNews(ctx, 'x', [], async (tx) => {
    const posts = news.flatMap(({ read }) => read ?? []);
    const admitted = await admitPosts(ctx, tx, posts);
    return news.map(({ read, ...one }) => {
      const isAdmitted = read === undefined || admitted[posts.indexOf(read)];
      return one.entry === null || isAdmitted ? one : { ...one, entry: { ...one.entry, ignored: true } };
    });
  });
}

type Spent = { author: string; spent: bigint };

/** @param posts oldest first. @returns for each whether it is worked on */
async function admitPosts(ctx: Ctx, tx: Tx, posts: ReadPost[]): Promise<boolean[]> {
  if (posts.length === 0) return [];
  const day = utcDay(ctx.clock.now());
  const costs = posts.map(({ authorId: author, users }) => ({ day, author, cost: readCost(1, users) }));
  const rows = await tx.$queryRaw<Spent[]>`
    insert into x_author_day as known (day, author_id, spent_micros, posts)
      select day, author, sum(cost), count(*) from jsonb_to_recordset(${sqlRows(costs)}) as c(day text, author text, cost bigint)
      group by day, author order by day, author
    on conflict (day, author_id) do update
      set spent_micros = known.spent_micros + excluded.spent_micros, posts = known.posts + excluded.posts
    returning author_id as author, spent_micros as spent`;
  const used = new Map(rows.map(({ author, spent }) => [author, spent]));
  for (const { author, cost } of costs) used.set(author, (used.get(author) ?? 0n) - cost);
  const owed = await answersOwedTo(tx);
  const budget = budgetOf(ctx);
  const over = new Map<string, number>();
  const admitted = posts.map(({ authorId, asks }, index) => {
    const cost = (used.get(authorId) ?? 0n) + (costs[index]?.cost ?? 0n);
    used.set(authorId, cost);
    if (asks === 'nothing') return true;
    const promised = owed.get(authorId) ?? 0;
    const isAdmitted = asks === 'always' || isWithinShare(budget, cost, promised);
    if (isAdmitted) owed.set(authorId, promised + 1);
    else over.set(authorId, (over.get(authorId) ?? 0) + 1);
    return isAdmitted;
  });
  for (const [authorId, ignored] of over) {
    const data = { ignored: { increment: ignored } };
    await tx.xAuthorDay.update({ where: { day_authorId: { day, authorId } }, data });
    ctx.log.warn({ author: authorId, ignored }, 'an author at X has used their share of the day; posts are ignored');
  }
  return admitted;
}

export type XAuthors = { share: bigint; over: { id: string; posts: number; ignored: number; spent: bigint }[] };

/** Who has used their share of today, with the dearest first. @param budget of the day, in micro-USD */
export async function authorsOver(ctx: Ctx, budget: bigint, limit: number): Promise<XAuthors> {
  const day = utcDay(ctx.clock.now());
  const rows = await ctx.db.xAuthorDay.findMany({
    where: { day, ignored: { gt: 0 } },
    orderBy: { spentMicros: 'desc' },
    take: limit,
  });
  const over = rows.map(({ authorId: id, posts, ignored, spentMicros: spent }) => ({ id, posts, ignored, spent }));
  return { share: authorShareOf(budget), over };
}
